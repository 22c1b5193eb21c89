// The Vulkan layer in front of a driver in the same process: the wrappers with their fast paths,
// from one thread and from two, and arguments that the API forbids.
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/recorder/recorder.h"
#include "tests/unit/vulkan/vulkan_whole_pipeline.h"
#include "tests/unit/vulkan/vulkan_worker.h"

namespace gpusan::vulkan {
namespace {

using test::Buffer;
using test::Commands;
using test::FakeVulkan;
using test::Findings;
using test::kBytes;
using test::TheProcess;
using test::Worker;

constexpr int kFrames = 300;

TEST_CASE("frames of one thread take the fast paths without a finding") {
  TheProcess();
  {
    const FakeVulkan vulkan;
    const Commands vk(vulkan);
    Worker worker(vk, vulkan.queues[0]);
    const uint64_t before = CallsSeen();
    for (int i = 0; i < kFrames; ++i) worker.Frame();
    CHECK(CallsSeen() - before > uint64_t{kFrames} * 30);
    // The calls of the fast path are counted in the command buffer.
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vk.BeginCommandBuffer(worker.buffer, &begin);
    REQUIRE(last_command_buffer != nullptr);
    CHECK(last_command_buffer->fast_left == CommandBufferState::kFastCalls);
    vk.EndCommandBuffer(worker.buffer);
  }
  CHECK(Findings() == std::vector<std::string>());
}

TEST_CASE("two threads with a command pool each record and submit without a finding") {
  TheProcess();
  {
    const FakeVulkan vulkan(2);
    const Commands vk(vulkan);
    std::vector<std::thread> threads;
    for (VkQueue queue : vulkan.queues) {
      threads.emplace_back([&vk, queue] {
        Worker worker(vk, queue);
        for (int i = 0; i < kFrames; ++i) worker.Frame();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(Findings() == std::vector<std::string>());
}

TEST_CASE("a hazard between recorded commands is found behind the fast paths") {
  TheProcess();
  {
    const FakeVulkan vulkan;
    const Commands vk(vulkan);
    Worker worker(vk, vulkan.queues[0]);
    for (int i = 0; i < 3; ++i) worker.Frame();
    CHECK(Findings() == std::vector<std::string>());
    worker.Frame(false);
  }
  const std::vector<std::string> findings = Findings();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings[0].find("missing-barrier: ") == 0);
}

TEST_CASE("commands of instances are not looked up by the device") {
  TheProcess();
  const size_t before = test::WrongLookUps();
  const FakeVulkan vulkan;
  CHECK(test::WrongLookUps() == before);
}

TEST_CASE("a missing pointer is a finding, and the call is passed on") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  auto worker = std::make_unique<Worker>(vk, vulkan.queues[0]);
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker->buffer, &begin);
  VkBuffer some = VK_NULL_HANDLE;
  const VkCommandBuffer commands = worker->buffer;
  auto expect = [](const char* text) {
    const std::vector<std::string> findings = Findings();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0] == text);
  };
  SECTION("parameters") {
    vulkan.Get<PFN_vkCmdBeginRenderPass>("vkCmdBeginRenderPass")(commands, nullptr,
                                                                 VK_SUBPASS_CONTENTS_INLINE);
    expect("invalid-pointer: pRenderPassBegin is NULL");
    vk.CmdBindVertexBuffers(commands, 0, 1, &some, nullptr);
    expect("invalid-pointer: pOffsets is NULL");
    vk.CreateBuffer(vk.device, nullptr, nullptr, &some);
    expect("invalid-pointer: pCreateInfo is NULL");
    VkDeviceMemory memory;
    vk.AllocateMemory(vk.device, nullptr, nullptr, &memory);
    expect("invalid-pointer: pAllocateInfo is NULL");
    VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    vk.CreateImage(vk.device, &image_info, nullptr, nullptr);
    expect("invalid-pointer: pImage is NULL");
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE, 0, 1,
                             nullptr, 0, nullptr);
    expect("invalid-pointer: pDescriptorSets is NULL");
    vk.UpdateDescriptorSets(vk.device, 1, nullptr, 0, nullptr);
    expect("invalid-pointer: pDescriptorWrites is NULL");
    vulkan.Get<PFN_vkFreeDescriptorSets>("vkFreeDescriptorSets")(vk.device, VK_NULL_HANDLE, 2,
                                                                 nullptr);
    expect("invalid-pointer: pDescriptorSets is NULL");
    vulkan.Get<PFN_vkFreeCommandBuffers>("vkFreeCommandBuffers")(vk.device, VK_NULL_HANDLE, 2,
                                                                 nullptr);
    expect("invalid-pointer: pCommandBuffers is NULL");
  }
  SECTION("members of structures") {
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    vk.QueueSubmit(vulkan.queues[0], 1, &submit, VK_NULL_HANDLE);
    expect("invalid-pointer: pCommandBuffers of VkSubmitInfo is NULL");
    VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    expect("invalid-pointer: pName of VkPipelineShaderStageCreateInfo is NULL");
    test::WholePipeline graphics_parts(vk.device, vk.CreateShaderModule, false);
    const VkShaderModule module = graphics_parts.stages[0].module;
    graphics_parts.stages[0].pName = nullptr;
    const VkGraphicsPipelineCreateInfo& graphics = graphics_parts.info;
    vk.CreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &graphics, nullptr, &pipeline);
    expect("invalid-pointer: pName of VkPipelineShaderStageCreateInfo is NULL");
    vk.DestroyPipeline(vk.device, pipeline, nullptr);
    vk.DestroyShaderModule(vk.device, module, nullptr);
  }
  SECTION("handles") {
    const VkBufferCopy all = {0, 0, kBytes};
    Buffer there = MakeBuffer(vk, 0);
    vk.CmdCopyBuffer(commands, VK_NULL_HANDLE, there.handle, 1, &all);
    expect("invalid-handle: srcBuffer is a null handle");
    Destroy(vk, there);
    vk.CmdDispatch(VK_NULL_HANDLE, 1, 1, 1);
    expect("invalid-handle: the first argument is a null handle");
    vk.DestroyBuffer(vk.device, VK_NULL_HANDLE, nullptr);
    CHECK(Findings() == std::vector<std::string>());
  }
  SECTION("numbers that no device allows") {
    VkDescriptorSet set = VK_NULL_HANDLE;
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE, UINT32_MAX,
                             1, &set, 0, nullptr);
    const VkDeviceSize zero = 0;
    vk.CmdBindVertexBuffers(commands, UINT32_MAX, 1, &some, &zero);
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.mipLevels = info.arrayLayers = UINT32_MAX;
    VkImage image;
    vk.CreateImage(vk.device, &info, nullptr, &image);
    vk.DestroyImage(vk.device, image, nullptr);
    vulkan.Get<PFN_vkCmdExecuteCommands>("vkCmdExecuteCommands")(commands, 1, &commands);
    Findings();
  }
  vk.EndCommandBuffer(commands);
  worker.reset();
  Findings();
}

TEST_CASE("memory is mapped and unmapped by the commands of Vulkan 1.4") {
  TheProcess();
  {
    const FakeVulkan vulkan;
    const Commands vk(vulkan);
    const auto map =
        vulkan.Get<VkResult(VKAPI_PTR*)(VkDevice, const void*, void**)>("vkMapMemory2");
    const auto unmap = vulkan.Get<VkResult(VKAPI_PTR*)(VkDevice, const void*)>("vkUnmapMemory2");
    const auto flush = vulkan.Get<PFN_vkFlushMappedMemoryRanges>("vkFlushMappedMemoryRanges");
    const Buffer buffer = MakeBuffer(vk, 1);
    later::VkMemoryMapInfo map_info = {};
    map_info.memory = buffer.memory;
    map_info.size = VK_WHOLE_SIZE;
    void* data = nullptr;
    map(vk.device, &map_info, &data);
    VkMappedMemoryRange range = {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
    range.memory = buffer.memory;
    range.size = VK_WHOLE_SIZE;
    flush(vk.device, 1, &range);
    later::VkMemoryUnmapInfo unmap_info = {};
    unmap_info.memory = buffer.memory;
    unmap(vk.device, &unmap_info);
    CHECK(Findings() == std::vector<std::string>());
    unmap(vk.device, &unmap_info);
    const std::vector<std::string> findings = Findings();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].find("mapping-invalid: ") == 0);
    Destroy(vk, buffer);
  }
  CHECK(Findings() == std::vector<std::string>());
}

TEST_CASE("usage is read from the chain of VK_KHR_extended_flags and maintenance5") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  auto worker = std::make_unique<Worker>(vk, vulkan.queues[0]);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory;
  vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
  later::VkBufferUsageFlags2CreateInfo usage = {later::kBufferUsageFlags2CreateInfo, nullptr,
                                                VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.pNext = &usage;
  info.size = kBytes;
  VkBuffer buffer;
  vk.CreateBuffer(vk.device, &info, nullptr, &buffer);
  vk.BindBufferMemory(vk.device, buffer, memory, 0);
  const auto fill = vulkan.Get<PFN_vkCmdFillBuffer>("vkCmdFillBuffer");
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker->buffer, &begin);
  fill(worker->buffer, buffer, 0, VK_WHOLE_SIZE, 0);
  CHECK(Findings() == std::vector<std::string>());
  const VkBufferCopy all = {0, 0, 16};
  vk.CmdCopyBuffer(worker->buffer, buffer, buffer, 1, &all);
  const std::vector<std::string> findings = Findings();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings[0].find("usage-missing: ") == 0);
  vk.EndCommandBuffer(worker->buffer);
  vk.DestroyBuffer(vk.device, buffer, nullptr);
  vk.FreeMemory(vk.device, memory, nullptr);
  worker.reset();
  Findings();
}

TEST_CASE("a fence is given to a submission only while it is unsignaled") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  vk.CreateFence(vk.device, &info, nullptr, &fence);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, fence);
  vk.WaitForFences(vk.device, 1, &fence, VK_TRUE, UINT64_MAX);
  vk.ResetFences(vk.device, 1, &fence);
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, fence);
  CHECK(Findings() == std::vector<std::string>());
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, fence);
  std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("which an earlier submission will signal") != std::string::npos);
  vk.WaitForFences(vk.device, 1, &fence, VK_TRUE, UINT64_MAX);
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, fence);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("which is signaled") != std::string::npos);
  vk.ResetFences(vk.device, 1, &fence);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("sync-object-misuse: vkResetFences resets") == 0);
  vk.DestroyFence(vk.device, fence, nullptr);
}

}  // namespace
}  // namespace gpusan::vulkan
