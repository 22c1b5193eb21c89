// Commands that set, reset and wait for events with stages and flags that are not allowed.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkPipelineStageFlags kHost = VK_PIPELINE_STAGE_HOST_BIT;
constexpr VkDependencyFlags kAsymmetric = 0x40;

// A dependency with one memory barrier.
struct Dependency {
  explicit Dependency(VkPipelineStageFlags2 from, VkPipelineStageFlags2 to = 0,
                      VkDependencyFlags flags = 0) {
    barrier.srcStageMask = from;
    barrier.dstStageMask = to;
    info.dependencyFlags = flags;
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &barrier;
  }
  Dependency(const Dependency&) = delete;
  Dependency& operator=(const Dependency&) = delete;
  VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
};

TEST_CASE("commands set and reset events at stages of their queue") {
  const StateScene scene;
  const VkEvent event = scene.Event();
  VK(CmdSetEvent)(scene.commands, event, kTransfer);
  VK(CmdResetEvent)(scene.commands, event, kTransfer);
  VK(CmdResetEvent2)(scene.commands, event, kTransfer);
  const Dependency fits(kTransfer, kTransfer);
  VK(CmdSetEvent2)(scene.commands, event, &fits.info);
  CHECK(Vuids() == List());
  VK(CmdSetEvent)(scene.commands, event, kTransfer | kHost);
  CHECK(Vuids() == List{"vkCmdSetEvent-stageMask-01149"});
  VK(CmdResetEvent)(scene.commands, event, kHost);
  CHECK(Vuids() == List{"vkCmdResetEvent-stageMask-01153"});
  VK(CmdResetEvent2)(scene.commands, event, kHost);
  CHECK(Vuids() == List{"vkCmdResetEvent2-stageMask-03830"});
  constexpr VkPipelineStageFlags kGeometry = VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT;
  VK(CmdSetEvent)(scene.commands, event, kGeometry);
  CHECK(Vuids() == List{"vkCmdSetEvent-stageMask-04090"});
  VK(CmdResetEvent)(scene.commands, event, kGeometry);
  CHECK(Vuids() == List{"vkCmdResetEvent-stageMask-04090"});
  VK(CmdResetEvent2)(scene.commands, event, kGeometry);
  CHECK(Vuids() == List{"vkCmdResetEvent2-stageMask-03929"});
  const Dependency from_host(kHost, kTransfer), to_host(kTransfer, kHost);
  VK(CmdSetEvent2)(scene.commands, event, &from_host.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-srcStageMask-09391"});
  VK(CmdSetEvent2)(scene.commands, event, &to_host.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-dstStageMask-09392"});

  const StateScene transfers(1);
  const VkEvent other = transfers.Event();
  constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  transfers.Get<PFN_vkCmdSetEvent>("vkCmdSetEvent")(transfers.commands, other, kCompute);
  CHECK(Vuids() == List{"vkCmdSetEvent-stageMask-06457"});
  transfers.Get<PFN_vkCmdResetEvent>("vkCmdResetEvent")(transfers.commands, other, kCompute);
  CHECK(Vuids() == List{"vkCmdResetEvent-stageMask-06458"});
  const Dependency compute(kCompute, kTransfer);
  transfers.Get<PFN_vkCmdSetEvent2>("vkCmdSetEvent2")(transfers.commands, other, &compute.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-srcStageMask-03827"});
  transfers.Get<PFN_vkCmdWaitEvents>("vkCmdWaitEvents")(
      transfers.commands, 1, &other, kTransfer, kCompute, 0, nullptr, 0, nullptr, 0, nullptr);
  CHECK(Vuids() == List{"vkCmdWaitEvents-dstStageMask-06460"});
}

TEST_CASE("the host sets an event before the work that waits for it is submitted") {
  const StateScene scene;
  const VkEvent event = scene.Event();
  VK(CmdWaitEvents)
  (scene.commands, 1, &event, kHost, kTransfer, 0, nullptr, 0, nullptr, 0, nullptr);
  VK(EndCommandBuffer)(scene.commands);
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &scene.commands;
  VK(SetEvent)(scene.device(), event);
  VK(QueueSubmit)(scene.queue(), 1, &info, VK_NULL_HANDLE);
  VK(QueueWaitIdle)(scene.queue());
  VK(SetEvent)(scene.device(), event);
  CHECK(Vuids() == List());
  VK(QueueSubmit)(scene.queue(), 1, &info, VK_NULL_HANDLE);
  VK(SetEvent)(scene.device(), event);
  CHECK(Vuids() == List{"vkSetEvent-event-09543"});
  VK(QueueWaitIdle)(scene.queue());
}

TEST_CASE("the dependency of an event has only flags that are for events") {
  const StateScene scene;
  const VkEvent event = scene.Event();
  const Dependency by_region(kTransfer, kTransfer, VK_DEPENDENCY_BY_REGION_BIT);
  VK(CmdSetEvent2)(scene.commands, event, &by_region.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-dependencyFlags-03825"});
  VK(CmdWaitEvents2)(scene.commands, 1, &event, &by_region.info);
  CHECK(Vuids() == List{"vkCmdWaitEvents2-dependencyFlags-10394"});

  const Dependency asymmetric(kTransfer, 0, kAsymmetric);
  VK(CmdSetEvent2)(scene.commands, event, &asymmetric.info);
  CHECK(Vuids() == List());
  const Dependency with_target(kTransfer, kTransfer, kAsymmetric);
  VK(CmdSetEvent2)(scene.commands, event, &with_target.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-dependencyFlags-10787"});
  Dependency empty(0, 0, kAsymmetric);
  empty.info.memoryBarrierCount = 0;
  VK(CmdSetEvent2)(scene.commands, event, &empty.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-dependencyFlags-10786"});
  VkBufferMemoryBarrier2 bytes = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
  bytes.srcQueueFamilyIndex = bytes.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  bytes.buffer = scene.Buffer();
  bytes.size = VK_WHOLE_SIZE;
  empty.info.bufferMemoryBarrierCount = 1;
  empty.info.pBufferMemoryBarriers = &bytes;
  VK(CmdSetEvent2)(scene.commands, event, &empty.info);
  CHECK(Vuids() == List{"vkCmdSetEvent2-dependencyFlags-10785"});
}

TEST_CASE("a wait has the dependency with which its event is set") {
  const StateScene scene;
  const auto wait = [&](const Dependency& set, const Dependency& waited) {
    const VkEvent event = scene.Event();
    scene.Begin(scene.commands);
    VK(CmdSetEvent2)(scene.commands, event, &set.info);
    VK(CmdWaitEvents2)(scene.commands, 1, &event, &waited.info);
    // The event is unset before the recording that resets it.
    VK(CmdResetEvent2)(scene.commands, event, kTransfer);
    VK(CmdSetEvent2)(scene.commands, event, &set.info);
    VK(CmdWaitEvents2)(scene.commands, 1, &event, &waited.info);
    VK(EndCommandBuffer)(scene.commands);
    return Vuids();
  };
  const Dependency plain(kTransfer, kTransfer), half(kTransfer, 0, kAsymmetric);
  const Dependency whole(kTransfer, kTransfer, kAsymmetric);
  const Dependency other(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kTransfer, kAsymmetric);
  CHECK(wait(plain, plain) == List());
  CHECK(wait(half, whole) == List());
  CHECK(wait(half, plain) == List{"vkCmdWaitEvents2-pEvents-10788"});
  CHECK(wait(plain, whole) == List{"vkCmdWaitEvents2-pEvents-10789"});
  CHECK(wait(half, other) == List{"vkCmdWaitEvents2-pEvents-10790"});
}

TEST_CASE("the valid usage of a reset names the version of the wait") {
  const StateScene scene;
  const auto reset = [&](bool second_wait, bool second_reset) {
    const VkEvent event = scene.Event();
    const Dependency dependency(kTransfer, kTransfer);
    scene.Begin(scene.commands);
    if (second_wait) {
      VK(CmdSetEvent2)(scene.commands, event, &dependency.info);
      VK(CmdWaitEvents2)(scene.commands, 1, &event, &dependency.info);
    } else {
      VK(CmdSetEvent)(scene.commands, event, kTransfer);
      VK(CmdWaitEvents)
      (scene.commands, 1, &event, kTransfer, kTransfer, 0, nullptr, 0, nullptr, 0, nullptr);
    }
    constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    if (second_reset) {
      VK(CmdResetEvent2)(scene.commands, event, kCompute);
    } else {
      VK(CmdResetEvent)(scene.commands, event, kCompute);
    }
    VK(EndCommandBuffer)(scene.commands);
    return Vuids();
  };
  CHECK(reset(false, false) == List{"vkCmdResetEvent-event-03834"});
  CHECK(reset(true, false) == List{"vkCmdResetEvent-event-03835"});
  CHECK(reset(false, true) == List{"vkCmdResetEvent2-event-03831"});
  CHECK(reset(true, true) == List{"vkCmdResetEvent2-event-03832"});
}

TEST_CASE("a wait inside a render pass does not wait for the host") {
  const StateScene scene;
  const VkEvent event = scene.Event();
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kImageSize, kImageSize};
  rendering.layerCount = 1;
  const auto wait = [&](VkPipelineStageFlags from) {
    VK(CmdWaitEvents)
    (scene.commands, 1, &event, from, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, nullptr, 0, nullptr,
     0, nullptr);
    return Vuids();
  };
  CHECK(wait(kHost) == List());
  VK(CmdBeginRendering)(scene.commands, &rendering);
  CHECK(wait(VK_PIPELINE_STAGE_VERTEX_SHADER_BIT) == List());
  CHECK(wait(kHost) == List{"vkCmdWaitEvents-srcStageMask-07308"});
  const Dependency host(kHost, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
  VK(CmdWaitEvents2)(scene.commands, 1, &event, &host.info);
  CHECK(Vuids() == List{"vkCmdWaitEvents2-dependencyFlags-03844"});
}

}  // namespace
}  // namespace gpusan::test
