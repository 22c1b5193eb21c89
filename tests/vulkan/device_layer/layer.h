// A Vulkan layer for tests that stands below gpusan, in the driver's place, and adds what a CPU
// driver lacks: a second queue family, memory that is not coherent, mappings whose pages the driver
// does not touch, and a command of VK_KHR_maintenance5. Never installed.
//
// What it adds is honest: a flush is needed for the device to see what the host wrote, and an
// invalidation for the reverse. What a device has by itself is left as it is. Limits: both families
// share the driver's one queue, so that a wait must be submitted behind its signal.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace test_layer {

inline constexpr uint32_t kNone = ~uint32_t{0};
inline constexpr VkDeviceSize kAtomBytes = 64;  // nonCoherentAtomSize

// The next layer's functions that ask a physical device.
struct Instance {
  VkInstance handle;
  PFN_vkGetInstanceProcAddr get;
  PFN_vkDestroyInstance destroy;
  PFN_vkGetPhysicalDeviceProperties properties;
  PFN_vkGetPhysicalDeviceProperties2 properties2;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties families;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties2 families2;
  PFN_vkGetPhysicalDeviceMemoryProperties memory;
  PFN_vkGetPhysicalDeviceMemoryProperties2 memory2;
};

// What is added to a physical device.
struct Added {
  uint32_t family = kNone;         // the driver has one less
  uint32_t type = kNone;           // not coherent; made of coherent_type
  uint32_t coherent_type = kNone;  // the driver's
  bool hides_pages = false;        // a CPU driver, which is handed pages of its own
};
Added AddedTo(const Instance& instance, VkPhysicalDevice physical);

struct Memory {
  VkDeviceSize bytes = 0;
  bool coherent = false;
  char* host = nullptr;    // what the program maps; pages of its own
  char* driver = nullptr;  // the driver's view of it
  VkDeviceSize block_bytes = 0;
  VkDeviceSize map_end = 0;
};

// The queue of the added family: a dispatchable handle of its own.
struct SecondQueue {
  void* dispatch = nullptr;  // the loader's
};

struct Device {
  VkDevice handle;
  PFN_vkGetDeviceProcAddr get;
  Added added;
  VkQueue queue = VK_NULL_HANDLE;  // the driver's, that the families share
  SecondQueue second;
  std::mutex queue_lock;
  std::mutex lock;  // of what follows
  std::unordered_map<VkDeviceMemory, Memory> memories;

  bool IsSecond(VkQueue handle) const {
    return handle == reinterpret_cast<VkQueue>(&const_cast<Device*>(this)->second);
  }
};

Instance& InstanceOf(const void* dispatchable);
Device& DeviceOf(const void* dispatchable);

// The next layer's function of a device: NEXT(device, vkMapMemory)(...).
#define NEXT(device, name) (reinterpret_cast<PFN_##name>((device).get((device).handle, #name)))

struct Function {
  const char* name;
  PFN_vkVoidFunction function;
};
// Each ends with a nullptr name.
extern const Function kDeviceFunctions[];  // layer.cc
extern const Function kQueueFunctions[];   // queues.cc
extern const Function kMemoryFunctions[];  // memory.cc

}  // namespace test_layer
