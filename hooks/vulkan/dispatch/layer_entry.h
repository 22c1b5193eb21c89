// How gpusan attaches to Vulkan: the loader calls it as a layer.
//
// Watched commands have a row in entry_points/*.def, from which come the slot in the dispatch
// table, the wrapper, the names that both GetProcAddrs know, and the coverage test. All other
// commands go to the next layer directly.
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

// A setting that the program passes to vkCreateInstance (VK_EXT_layer_settings).
struct ProgramSetting {
  std::string name;
  std::string value;
};

// What layer/ supplies before the first call comes in.
struct Hooks {
  // The process's tracker; made at the first call. nullptr switches the hooks off.
  Tracker* (*tracker)() = nullptr;
  // The program's settings for the layer, in the order that it gives them, before tracker() is
  // asked; values as text. May be nullptr.
  void (*settings)(const std::vector<ProgramSetting>& settings) = nullptr;
};
void SetHooks(const Hooks& hooks);
// Hooks::tracker is asked again at the next call: after a fork, in the child. Async-signal-safe.
void ForgetTracker();

// Supplied by layer/ where there is one: calls SetHooks.
extern "C" __attribute__((weak, visibility("hidden"))) void gpusan_attach_vulkan();

// What the loader asks a layer for (loader interface version 2).
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name);

// Calls seen so far.
uint64_t CallsSeen();

}  // namespace gpusan::vulkan
