// The program's own messengers: what gpusan finds is told to them too.
//
// A finding waits in the thread that found it until the call in which that happened holds no lock
// any more; a messenger may therefore call what it likes. What its calls would have found is not
// told to messengers again.
#pragma once

#include <vulkan/vulkan_core.h>

#include <mutex>
#include <vector>

#include "tracker/model/finding.h"

namespace gpusan::vulkan {

// A messenger of VK_EXT_debug_utils, or a callback of VK_EXT_debug_report.
struct Messenger {
  uint64_t handle = 0;  // 0: given with the instance's creation
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

// Those of one instance. Thread-safe.
class Messengers {
 public:
  ~Messengers();
  void Add(const Messenger& messenger);
  void Remove(uint64_t handle, bool report);
  // All in the chain of an instance's creation, which hear its creation and its destruction.
  void AddChain(const void* chain);
  std::vector<Messenger> Copy();

 private:
  std::mutex lock_;
  std::vector<Messenger> messengers_;
};

// A finding that was reported in full, on the thread that found it. Kept for Deliver if any
// messenger listens.
void OnFinding(const Finding& finding);

// Tells this thread's findings to the messengers of `to` that want them. No lock may be held.
// `also`: may be nullptr.
void Deliver(Messengers* to, Messengers* also = nullptr);

// Whether there is something to deliver.
bool HasMail();

}  // namespace gpusan::vulkan
