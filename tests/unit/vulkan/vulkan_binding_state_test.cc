// Resources without memory, and memory that does not fit, by the valid usages of each call.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

// A buffer without memory.
VkBuffer Unbound(const StateScene& scene) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = kBufferBytes;
  info.usage = ~VkBufferUsageFlags{0};
  VkBuffer buffer;
  VK(CreateBuffer)(scene.device(), &info, nullptr, &buffer);
  return buffer;
}

TEST_CASE("a command that uses a buffer without memory names its valid usage") {
  const StateScene scene;
  const VkBuffer bound = scene.Buffer(), unbound = Unbound(scene);
  const VkBufferCopy all = {0, 0, 16};
  VK(CmdCopyBuffer)(scene.commands, bound, bound, 1, &all);
  Vuids();
  VK(CmdCopyBuffer)(scene.commands, unbound, bound, 1, &all);
  CHECK(Vuids() == List{"vkCmdCopyBuffer-srcBuffer-00119"});
  VkBufferCopy2 region = {VK_STRUCTURE_TYPE_BUFFER_COPY_2};
  region.size = 16;
  VkCopyBufferInfo2 copy = {VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2};
  copy.srcBuffer = bound;
  copy.dstBuffer = unbound;
  copy.regionCount = 1;
  copy.pRegions = &region;
  VK(CmdCopyBuffer2)(scene.commands, &copy);
  CHECK(Vuids() == List{"VkCopyBufferInfo2-dstBuffer-00121"});
  VK(CmdFillBuffer)(scene.commands, unbound, 0, 16, 0);
  CHECK(Vuids() == List{"vkCmdFillBuffer-dstBuffer-00031"});
  VK(CmdBindIndexBuffer)(scene.commands, unbound, 0, VK_INDEX_TYPE_UINT32);
  CHECK(Vuids() == List{"vkCmdBindIndexBuffer-buffer-08785"});
  VkBufferMemoryBarrier barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.buffer = unbound;
  barrier.size = VK_WHOLE_SIZE;
  VK(CmdPipelineBarrier)
  (scene.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1,
   &barrier, 0, nullptr);
  CHECK(Vuids() == List{"VkBufferMemoryBarrier-buffer-01931"});
}

TEST_CASE("a buffer is bound inside of the memory, at its alignment") {
  const StateScene scene;
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 8192;
  VkDeviceMemory memory;
  VK(AllocateMemory)(scene.device(), &allocate, nullptr, &memory);
  // The driver asks for 4096 B at multiples of 16.
  const auto bind = [&](VkDeviceSize offset) {
    VK(BindBufferMemory)(scene.device(), Unbound(scene), memory, offset);
    return Vuids();
  };
  CHECK(bind(4096) == List());
  CHECK(bind(8) == List{"vkBindBufferMemory-None-10739"});
  CHECK(bind(4112) == List{"vkBindBufferMemory-None-10741"});
  CHECK(bind(8192) == List{"vkBindBufferMemory-memoryOffset-01031"});
  VkBindBufferMemoryInfo info = {VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO};
  info.buffer = Unbound(scene);
  info.memory = memory;
  info.memoryOffset = 4112;
  VK(BindBufferMemory2)(scene.device(), 1, &info);
  CHECK(Vuids() == List{"VkBindBufferMemoryInfo-None-10741"});
}

TEST_CASE("an image with a chain stays within the limits that the driver reports for it") {
  const StateScene scene;
  const auto create = [&](const void* chain, uint32_t width) {
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, chain};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {width, 1, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImage image;
    VK(CreateImage)(scene.device(), &info, nullptr, &image);
    return Vuids();
  };
  constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_SRGB;
  VkImageFormatListCreateInfo list = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
  list.viewFormatCount = 1;
  list.pViewFormats = &kFormat;
  constexpr uint32_t kWide = 1 << 20;
  const std::vector<std::string> broken = {"VkImageCreateInfo-extent-02252"};
  CHECK(create(&list, kImageSize).empty());
  CHECK(create(&list, kWide) == broken);
  // The driver does not tell.
  VkImageStencilUsageCreateInfo stencil = {VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO};
  stencil.stencilUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  CHECK(create(&stencil, kWide).empty());
  // A structure that gpusan does not know may change any limit.
  const VkExternalMemoryImageCreateInfo other = {
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
  CHECK(create(&other, kWide).empty());
}

}  // namespace
}  // namespace gpusan::test
