// A Vulkan driver inside the test's process, as the next layer of gpusan's layer: every intercepted
// command is a function that succeeds and does nothing, except those that return handles, memory
// or properties. It reads no argument that it does not need, so that NULL reaches no one.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>
#include <cstdint>

#include <functional>
#include <string_view>
#include <vector>

namespace gpusan::test {

// maxTimelineSemaphoreValueDifference of the device.
inline constexpr uint64_t kTimelineDifference = 1000;

// Layer settings of one instance with one device: what the loader does between the program and the
// layer. `queues`: of the first family, which supports all commands; the second family supports
// transfers only, without timestamps. `features`: the rest of the chain of VkDeviceCreateInfo. The
// destructor destroys both through the layer.
class FakeVulkan {
 public:
  explicit FakeVulkan(uint32_t queues = 1, void* features = nullptr);
  ~FakeVulkan();
  FakeVulkan(const FakeVulkan&) = delete;
  FakeVulkan& operator=(const FakeVulkan&) = delete;

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  std::vector<VkQueue> queues;

  // The function that the layer gives the program for a command of the device or the instance.
  template <typename Function>
  Function Get(const char* name) const {
    return reinterpret_cast<Function>(Find(name));
  }

 private:
  PFN_vkVoidFunction Find(const char* name) const;
};

// Returns how many commands of instances were looked up by a device. Khronos validation warns of
// such a look-up.
size_t WrongLookUps();

// What the driver does in vkUpdateDescriptorSets, from now on; {}: nothing. Not thread-safe.
void AtUpdate(std::function<void()> act);

// The next object that the driver creates has this handle.
void ReuseHandle(uintptr_t handle);

// The driver's own functions, to call the layer without the loader's steps.
PFN_vkVoidFunction VKAPI_CALL FakeInstanceProcAddr(VkInstance instance, const char* name);

}  // namespace gpusan::test
