#include "tests/unit/vulkan/vulkan_state_scene.h"

#include <string_view>
#include <variant>

#include "tests/unit/vulkan/vulkan_process.h"

namespace gpusan::test {
namespace {

#define GET(name) Get<PFN_vk##name>("vk" #name)

// The hooks get their tracker before the first call.
void* Prepared(void* features) {
  TheProcess();
  return features;
}

VkDeviceMemory Allocated(const StateScene& scene) {
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory;
  VK(AllocateMemory)(scene.device(), &allocate, nullptr, &memory);
  return memory;
}

}  // namespace

StateScene::StateScene(uint32_t family, void* features) : vulkan_(1, Prepared(features)) {
  VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = family;
  GET(CreateCommandPool)(device(), &pool, nullptr, &pool_);
  commands = Allocate();
  Begin(commands);
  Vuids();  // leaks of earlier tests
}

VkCommandBuffer StateScene::Allocate(VkCommandBufferLevel level) const {
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pool_;
  info.level = level;
  info.commandBufferCount = 1;
  VkCommandBuffer buffer;
  GET(AllocateCommandBuffers)(device(), &info, &buffer);
  return buffer;
}

void StateScene::Begin(VkCommandBuffer of, const VkCommandBufferInheritanceInfo* inheritance,
                       VkCommandBufferUsageFlags usage) const {
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = usage;
  begin.pInheritanceInfo = inheritance;
  GET(ResetCommandBuffer)(of, 0);
  GET(BeginCommandBuffer)(of, &begin);
}

VkBuffer StateScene::Buffer(VkSharingMode sharing) const {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = kBufferBytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.sharingMode = sharing;
  VkBuffer buffer;
  GET(CreateBuffer)(device(), &info, nullptr, &buffer);
  GET(BindBufferMemory)(device(), buffer, Allocated(*this), 0);
  return buffer;
}

VkImage StateScene::Image(VkImageUsageFlags usage, VkFormat format, VkSharingMode sharing) const {
  VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {kImageSize, kImageSize, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = usage;
  info.sharingMode = sharing;
  VkImage image;
  GET(CreateImage)(device(), &info, nullptr, &image);
  GET(BindImageMemory)(device(), image, Allocated(*this), 0);
  return image;
}

VkQueryPool StateScene::Queries(VkQueryType type, uint32_t count,
                                VkQueryPipelineStatisticFlags statistics) const {
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = type;
  info.queryCount = count;
  info.pipelineStatistics = statistics;
  VkQueryPool pool;
  GET(CreateQueryPool)(device(), &info, nullptr, &pool);
  return pool;
}

VkEvent StateScene::Event() const {
  const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  GET(CreateEvent)(device(), &info, nullptr, &event);
  return event;
}

std::vector<std::string> Vuids() {
  std::vector<std::string> vuids;
  for (const Finding& finding : TheProcess().findings.Take()) {
    std::string vuid = "?";
    for (const Fact& fact : finding.facts) {
      if (fact.key == "vuid") vuid = std::get<std::string>(fact.value).substr(5);
    }
    vuids.push_back(vuid);
  }
  return vuids;
}

}  // namespace gpusan::test
