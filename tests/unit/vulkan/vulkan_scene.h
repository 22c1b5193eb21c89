// A device with one command buffer for the tests of hazards: commands are recorded, submitted and
// waited for in one step.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "tests/unit/vulkan/vulkan_fake_driver.h"
#include "tests/unit/vulkan/vulkan_process.h"

namespace gpusan::test {

#define GET(name) Get<PFN_vk##name>("vk" #name)

// A device with acceleration structures and one command buffer, which is recorded.
class Scene {
 public:
  Scene() {
    VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    GET(CreateCommandPool)(device(), &pool, nullptr, &pool_);
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool_;
    allocate.commandBufferCount = 1;
    GET(AllocateCommandBuffers)(device(), &allocate, &commands);
    Begin();
    Findings();
  }

  VkDevice device() const { return vulkan_.device; }
  VkQueue queue(uint32_t index = 0) const { return vulkan_.queues[index]; }
  template <typename Function>
  Function Get(const char* name) const {
    return vulkan_.Get<Function>(name);
  }

  VkBuffer Buffer() {
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = kBytes;
    info.usage = ~VkBufferUsageFlags{0};
    VkBuffer buffer;
    GET(CreateBuffer)(device(), &info, nullptr, &buffer);
    GET(BindBufferMemory)(device(), buffer, Memory(), 0);
    return buffer;
  }
  VkDeviceMemory Memory() {
    VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    GET(AllocateMemory)(device(), &allocate, nullptr, &memory);
    return memory;
  }
  VkDeviceAddress Address(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr,
                                            buffer};
    return GET(GetBufferDeviceAddress)(device(), &info);
  }
  void Fill(VkBuffer buffer, uint64_t bytes = 4) {
    GET(CmdFillBuffer)(commands, buffer, 0, bytes, 0);
  }
  void Barrier(VkPipelineStageFlags2 from, VkAccessFlags2 from_access, VkPipelineStageFlags2 to,
               VkAccessFlags2 to_access) {
    VkMemoryBarrier2 memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = from;
    memory.srcAccessMask = from_access;
    memory.dstStageMask = to;
    memory.dstAccessMask = to_access;
    VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    GET(CmdPipelineBarrier2)(commands, &info);
  }
  void Begin() {
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    GET(BeginCommandBuffer)(commands, &begin);
  }
  // Submits what is recorded, waits for it and begins again. Returns the findings.
  Texts Submit() {
    GET(EndCommandBuffer)(commands);
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    GET(QueueSubmit)(queue(), 1, &submit, VK_NULL_HANDLE);
    GET(QueueWaitIdle)(queue());
    Begin();
    return Findings();
  }

  VkCommandBuffer commands = VK_NULL_HANDLE;

 private:
  const Process& process_ = TheProcess();  // before the first call
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, nullptr, VK_TRUE};
  VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR copies_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR, &addresses_,
      VK_TRUE, VK_FALSE};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &copies_, VK_TRUE};
  const FakeVulkan vulkan_{2, &structures_};
  VkCommandPool pool_ = VK_NULL_HANDLE;
};
#undef GET
// The command `name` of the Scene `scene`.
#define VK(name) scene.Get<PFN_vk##name>("vk" #name)

// Requires one finding of missing-barrier about both commands.
inline void RequireHazard(const Texts& findings, const char* later, const char* earlier) {
  REQUIRE(findings.size() == 1);
  CAPTURE(findings[0]);
  CHECK(findings[0].find("missing-barrier: " + std::string(later)) == 0);
  const std::string name = std::string(later) == earlier ? "the earlier " : "";
  CHECK(findings[0].find(" after " + name + earlier) != std::string::npos);
}

inline constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
inline constexpr VkPipelineStageFlags2 kClear = VK_PIPELINE_STAGE_2_CLEAR_BIT;
inline constexpr VkAccessFlags2 kWritten = VK_ACCESS_2_TRANSFER_WRITE_BIT;

// Checks that `use`, which records the command `call`, reads the first `bytes` of `buffer` in
// `stage`: fills in front of it and behind it need a barrier. A barrier against an earlier fill is
// recorded already.
template <typename Use>
void RequireRead(Scene& scene, VkBuffer buffer, uint64_t bytes, VkPipelineStageFlags2 stage,
                 const char* call, Use use) {
  use();
  scene.Barrier(stage, 0, kClear, 0);
  scene.Fill(buffer, bytes);
  CHECK(scene.Submit() == kNone);
  scene.Fill(buffer, bytes);
  use();
  RequireHazard(scene.Submit(), call, "vkCmdFillBuffer");
  use();
  scene.Fill(buffer, bytes);
  RequireHazard(scene.Submit(), "vkCmdFillBuffer", call);
}

}  // namespace gpusan::test
