// The names of stages, accesses and barriers in texts.
#include <catch2/catch.hpp>
#include <string>

#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/words/formats.h"
#include "hooks/vulkan/words/sync_masks.h"
#include "hooks/vulkan/words/sync_names.h"

namespace gpusan::vulkan {
namespace {

TEST_CASE("the members of a group are left out") {
  for (const uint64_t stages :
       {uint64_t{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
        uint64_t{VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT},
        uint64_t{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT},
        uint64_t{VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
                 VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT}}) {
    const ScopeBarrier barrier = Expand({0, 0, stages, 0});
    CHECK((WithoutMembers(barrier.target_stages) & stages) == stages);
    CHECK(StagesText(barrier.target_stages).size() <= 120);
  }
  CHECK(StagesText(Expand({0, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}).target_stages) ==
        "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT");
}

TEST_CASE("programs without synchronization2 read the names of Vulkan 1.0") {
  CHECK_FALSE(UsesSynchronization2());
  CHECK(StagesInText(VK_PIPELINE_STAGE_2_COPY_BIT) == "VK_PIPELINE_STAGE_TRANSFER_BIT");
  CHECK(StagesInText(VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT) ==
        "VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT");
  CHECK(AccessInText(VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT) == "VK_ACCESS_SHADER_WRITE_BIT");
  CHECK(AccessInText(0) == "VK_ACCESS_NONE");
  const BarrierNames names = {"A", "B", "C", "D"};
  CHECK(BarrierInText("Image", names) ==
        "vkCmdPipelineBarrier with srcStageMask = A, dstStageMask = C and VkImageMemoryBarrier "
        "{srcAccessMask = B, dstAccessMask = D}");
  CHECK(BarrierStagesInText(Expand(
            {VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0})) ==
        "from VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT to VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT");
  CHECK(BarrierStagesInText(Expand(
            {VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, 0})) ==
        "from VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT to VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT");
  NoteSynchronization2();
  CHECK(BarrierStagesInText(Expand({0, 0, VK_PIPELINE_STAGE_2_COPY_BIT, 0})) ==
        "from VK_PIPELINE_STAGE_2_NONE to VK_PIPELINE_STAGE_2_COPY_BIT");
  CHECK(StagesInText(VK_PIPELINE_STAGE_2_COPY_BIT) == "VK_PIPELINE_STAGE_2_COPY_BIT");
  CHECK(AccessInText(VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT) ==
        "VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT");
  CHECK(BarrierInText("", names) ==
        "vkCmdPipelineBarrier2 with VkMemoryBarrier2 {srcStageMask = A, srcAccessMask = B, "
        "dstStageMask = C, dstAccessMask = D}");
}

TEST_CASE("Bits of extensions have the names of the headers") {
  CHECK(StagesText(VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR) ==
        "VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR");
  CHECK(AccessText(VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT) ==
        "VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT");
  CHECK(StagesText(kVideoEncodeStage) == "VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR");
  CHECK(AccessText(kVideoEncodeRead | kVideoEncodeWrite) ==
        "VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR");
}

TEST_CASE("Valid usages have the names of core functions") {
  CHECK(CoreName("vkCmdDraw") == "vkCmdDraw");
  CHECK(CoreName("vkCmdPipelineBarrier2KHR") == "vkCmdPipelineBarrier2");
  CHECK(CoreName("vkCmdDrawIndirectCountAMD") == "vkCmdDrawIndirectCount");
  CHECK(CoreName("vkCmdPushDescriptorSetKHR") == "vkCmdPushDescriptorSet");
  CHECK(CoreName("vkCmdSetCullModeEXT") == "vkCmdSetCullMode");
  CHECK(CoreName("vkWaitSemaphoresKHR") == "vkWaitSemaphores");
  for (const char* own : {"vkAcquireNextImage2KHR", "vkCmdEndRendering2KHR", "vkCmdTraceRaysKHR",
                          "vkCmdDrawIndirectByteCountEXT", "vkWaitForPresent2KHR"})
    CHECK(CoreName(own) == own);
}

}  // namespace
}  // namespace gpusan::vulkan
