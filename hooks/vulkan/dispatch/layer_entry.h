// How gpusan attaches to Vulkan: the loader calls it as a layer.
//
// Each intercepted command has a row in entry_points/*/*.def. The slot in the dispatch table, the
// wrapper, the names that both GetProcAddr functions answer, and the coverage test are generated
// from the rows. All other commands go to the next layer directly.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gpusan {
class Tracker;
}  // namespace gpusan

namespace gpusan::vulkan {

// A setting that the program passes to vkCreateInstance by VK_EXT_layer_settings.
struct ProgramSetting {
  std::string name;
  std::string value;
};

// Functions that layer/ supplies before the first call.
struct Hooks {
  // Returns the tracker of the process, and makes it at the first call. nullptr switches the hooks
  // off.
  Tracker* (*tracker)() = nullptr;
  // Receives the program's settings for the layer in the program's order at each vkCreateInstance,
  // before tracker() is called; values as text, often none. May be nullptr.
  void (*settings)(const std::vector<ProgramSetting>& settings) = nullptr;
};
void SetHooks(const Hooks& hooks);
// Forgets the tracker in the child of a fork: the next call calls Hooks::tracker again.
// Async-signal-safe.
void ForgetTracker();

// Defined by layer/ if it is linked: calls SetHooks.
extern "C" __attribute__((weak, visibility("hidden"))) void gpusan_attach_vulkan();

// The two functions that the loader retrieves from a layer (loader interface version 2).
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name);

// Number of intercepted calls so far.
uint64_t CallsSeen();

}  // namespace gpusan::vulkan
