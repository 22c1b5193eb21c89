// A device of the fake driver with command buffers, for tests of state that forbids a command. Each
// finding is told by the valid usage that it names.
#pragma once

#include <vulkan/vulkan_core.h>
#include <cstdint>

#include <string>
#include <vector>

#include "tests/unit/vulkan/vulkan_fake_driver.h"

namespace gpusan::test {

class StateScene {
 public:
  // `family`: of the command pool. `features`: as for FakeVulkan.
  explicit StateScene(uint32_t family = 0, void* features = nullptr);

  template <typename Function>
  Function Get(const char* name) const {
    return vulkan_.Get<Function>(name);
  }
  VkDevice device() const { return vulkan_.device; }
  VkQueue queue() const { return vulkan_.queues[0]; }

  VkCommandBuffer Allocate(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) const;
  // Begins the recording of the command buffer anew. `inheritance`: of a secondary one.
  void Begin(VkCommandBuffer of, const VkCommandBufferInheritanceInfo* inheritance = nullptr,
             VkCommandBufferUsageFlags usage = 0) const;
  VkBuffer Buffer(VkSharingMode sharing = VK_SHARING_MODE_EXCLUSIVE) const;
  VkImage Image(VkImageUsageFlags usage, VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
                VkSharingMode sharing = VK_SHARING_MODE_EXCLUSIVE) const;
  VkQueryPool Queries(VkQueryType type, uint32_t count = 4,
                      VkQueryPipelineStatisticFlags statistics = 0) const;
  VkEvent Event() const;

  // Primary, and recorded.
  VkCommandBuffer commands = VK_NULL_HANDLE;

 private:
  const FakeVulkan vulkan_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
};

// The valid usages of the findings since the last call, without "VUID-"; "?" for one without.
std::vector<std::string> Vuids();

// The size of the buffers, and of each side of the images.
inline constexpr VkDeviceSize kBufferBytes = 1024;
inline constexpr uint32_t kImageSize = 8;

#define VK(name) scene.Get<PFN_vk##name>("vk" #name)

}  // namespace gpusan::test
