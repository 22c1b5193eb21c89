// The program's own messengers, which also receive gpusan's findings.
//
// A finding waits in the thread that reported it until the current call holds no lock. A messenger
// may therefore make any Vulkan call. Findings of such calls are not delivered to messengers.
#pragma once

#include <vulkan/vulkan_core.h>

#include <mutex>
#include <vector>

#include "tracker/model/finding.h"

namespace gpusan::vulkan {

// A messenger of VK_EXT_debug_utils, or a callback of VK_EXT_debug_report.
struct Messenger {
  uint64_t handle = 0;  // 0: in the pNext chain of vkCreateInstance
  bool report = false;  // of VK_EXT_debug_report
  VkDebugUtilsMessageSeverityFlagsEXT severities = 0;
  VkDebugUtilsMessageTypeFlagsEXT types = 0;
  PFN_vkDebugUtilsMessengerCallbackEXT utils_callback = nullptr;
  VkDebugReportFlagsEXT flags = 0;
  PFN_vkDebugReportCallbackEXT report_callback = nullptr;
  void* user_data = nullptr;
};
Messenger MessengerOf(const VkDebugUtilsMessengerCreateInfoEXT& info, uint64_t handle);
Messenger MessengerOf(const VkDebugReportCallbackCreateInfoEXT& info, uint64_t handle);

// The messengers of one instance. Thread-safe.
class Messengers {
 public:
  ~Messengers();
  void Add(const Messenger& messenger);
  void Remove(uint64_t handle, bool report);
  // Adds all messengers in the pNext chain of vkCreateInstance. They receive findings of the
  // instance's creation and destruction.
  void AddChain(const void* chain);
  std::vector<Messenger> Copy();

 private:
  std::mutex lock_;
  std::vector<Messenger> messengers_;
};

// Keeps a finding for Deliver if any messenger is registered. Called on the thread that reported
// the finding, for findings that are reported in full.
void OnFinding(const Finding& finding);

// Delivers this thread's findings to the messengers of `to`, and of `also` if it is not nullptr,
// whose filters accept them. Precondition: the caller holds no lock.
void Deliver(Messengers* to, Messengers* also = nullptr);

// Whether this thread has findings to deliver.
bool HasUndelivered();

}  // namespace gpusan::vulkan
