// The Vulkan layer in front of a driver in the same process: the wrappers with their fast paths,
// from one thread and from two, and arguments that the API forbids.
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hooks/common/site.h"
#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/dispatch/layer_entry.h"
#include "hooks/vulkan/recording/command_buffers.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "scale.comp.h"
#include "tests/unit/tracker_fixture.h"
#include "tests/unit/vulkan_fake_driver.h"

namespace gpusan::vulkan {
namespace {

using test::FakeVulkan;

SiteId Capture(const void* return_address, const void* frame_address) {
  return CaptureSite(return_address, frame_address);
}

// One tracker for the process: the hooks keep objects by thread.
struct Process {
  Process() {
    TrackerOptions options;
    options.capture = &Capture;
    tracker = new Tracker(findings, host_memory, options);
  }
  test::KeptFindings findings;
  HostMemory host_memory;
  Tracker* tracker;
};
Process& TheProcess() {
  static auto* const process = [] {
    auto* made = new Process;
    SetHooks({[] { return TheProcess().tracker; }, nullptr});
    return made;
  }();
  return *process;
}
// The rules and texts of the findings since the last call.
std::vector<std::string> Findings() {
  std::vector<std::string> texts;
  for (const Finding& finding : TheProcess().findings.Take())
    texts.push_back(std::string(InfoOf(finding.rule).id) + ": " + finding.what);
  return texts;
}

// The commands of a device as the layer gives them.
struct Commands {
  explicit Commands(const FakeVulkan& of) : vulkan(of), device(of.device) {}

  const FakeVulkan& vulkan;
  const VkDevice device;
#define GPUSAN_COMMAND(name) const PFN_vk##name name = vulkan.Get<PFN_vk##name>("vk" #name)
  GPUSAN_COMMAND(AllocateCommandBuffers);
  GPUSAN_COMMAND(AllocateDescriptorSets);
  GPUSAN_COMMAND(AllocateMemory);
  GPUSAN_COMMAND(BeginCommandBuffer);
  GPUSAN_COMMAND(BindBufferMemory);
  GPUSAN_COMMAND(BindImageMemory);
  GPUSAN_COMMAND(CmdBeginRendering);
  GPUSAN_COMMAND(CmdBindDescriptorSets);
  GPUSAN_COMMAND(CmdBindPipeline);
  GPUSAN_COMMAND(CmdBindVertexBuffers);
  GPUSAN_COMMAND(CmdCopyBuffer);
  GPUSAN_COMMAND(CmdCopyBufferToImage);
  GPUSAN_COMMAND(CmdDispatch);
  GPUSAN_COMMAND(CmdDraw);
  GPUSAN_COMMAND(CmdEndRendering);
  GPUSAN_COMMAND(CmdPipelineBarrier);
  GPUSAN_COMMAND(CmdPushConstants);
  GPUSAN_COMMAND(CreateBuffer);
  GPUSAN_COMMAND(CreateCommandPool);
  GPUSAN_COMMAND(CreateComputePipelines);
  GPUSAN_COMMAND(CreateDescriptorPool);
  GPUSAN_COMMAND(CreateDescriptorSetLayout);
  GPUSAN_COMMAND(CreateFence);
  GPUSAN_COMMAND(CreateGraphicsPipelines);
  GPUSAN_COMMAND(CreateImage);
  GPUSAN_COMMAND(CreatePipelineLayout);
  GPUSAN_COMMAND(CreateShaderModule);
  GPUSAN_COMMAND(DestroyBuffer);
  GPUSAN_COMMAND(DestroyCommandPool);
  GPUSAN_COMMAND(DestroyDescriptorPool);
  GPUSAN_COMMAND(DestroyDescriptorSetLayout);
  GPUSAN_COMMAND(DestroyFence);
  GPUSAN_COMMAND(DestroyImage);
  GPUSAN_COMMAND(DestroyPipeline);
  GPUSAN_COMMAND(DestroyPipelineLayout);
  GPUSAN_COMMAND(DestroyShaderModule);
  GPUSAN_COMMAND(EndCommandBuffer);
  GPUSAN_COMMAND(FreeMemory);
  GPUSAN_COMMAND(MapMemory);
  GPUSAN_COMMAND(QueueSubmit);
  GPUSAN_COMMAND(ResetFences);
  GPUSAN_COMMAND(UnmapMemory);
  GPUSAN_COMMAND(UpdateDescriptorSets);
  GPUSAN_COMMAND(WaitForFences);
#undef GPUSAN_COMMAND
};

constexpr uint64_t kBytes = 1024;
constexpr VkImageSubresourceRange kWhole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

struct Buffer {
  VkBuffer handle;
  VkDeviceMemory memory;
};

Buffer MakeBuffer(const Commands& vk, uint32_t memory_type) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = kBytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  allocate.memoryTypeIndex = memory_type;
  Buffer buffer;
  vk.CreateBuffer(vk.device, &info, nullptr, &buffer.handle);
  vk.AllocateMemory(vk.device, &allocate, nullptr, &buffer.memory);
  vk.BindBufferMemory(vk.device, buffer.handle, buffer.memory, 0);
  return buffer;
}
void Destroy(const Commands& vk, const Buffer& buffer) {
  vk.DestroyBuffer(vk.device, buffer.handle, nullptr);
  vk.FreeMemory(vk.device, buffer.memory, nullptr);
}

// What one thread of a program uses: a queue and a command pool of its own.
class Worker {
 public:
  Worker(const Commands& commands, VkQueue queue) : vk(commands), queue_(queue) {
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    vk.CreateCommandPool(vk.device, &pool_info, nullptr, &pool_);
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool_;
    allocate.commandBufferCount = 1;
    vk.AllocateCommandBuffers(vk.device, &allocate, &buffer);
    VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    vk.CreateFence(vk.device, &fence_info, nullptr, &fence_);
    staging_ = MakeBuffer(vk, 1);
    void* data;
    vk.MapMemory(vk.device, staging_.memory, 0, VK_WHOLE_SIZE, 0, &data);
    vk.UnmapMemory(vk.device, staging_.memory);
    input_ = MakeBuffer(vk, 0);
    output_ = MakeBuffer(vk, 0);
    MakePipelines();
  }
  ~Worker() {
    vk.DestroyPipeline(vk.device, compute_, nullptr);
    vk.DestroyPipeline(vk.device, graphics_, nullptr);
    vk.DestroyShaderModule(vk.device, shader_, nullptr);
    vk.DestroyPipelineLayout(vk.device, layout_, nullptr);
    vk.DestroyDescriptorPool(vk.device, set_pool_, nullptr);
    vk.DestroyDescriptorSetLayout(vk.device, set_layout_, nullptr);
    for (const Buffer& one : {staging_, input_, output_}) Destroy(vk, one);
    vk.DestroyFence(vk.device, fence_, nullptr);
    vk.DestroyCommandPool(vk.device, pool_, nullptr);
  }

  // Records, submits and waits for one frame. `barrier`: between the upload and the dispatches.
  void Frame(bool barrier = true) {
    UpdateSet();
    MakeImage();
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vk.BeginCommandBuffer(buffer, &begin);
    Upload(barrier);
    for (int i = 0; i < 3; ++i) Dispatch();
    Draw();
    vk.EndCommandBuffer(buffer);
    Submit();
    vk.DestroyImage(vk.device, image_, nullptr);
    vk.FreeMemory(vk.device, image_memory_, nullptr);
  }

  const Commands& vk;
  VkCommandBuffer buffer = VK_NULL_HANDLE;

 private:
  void MakePipelines() {
    VkDescriptorSetLayoutBinding bindings[2] = {};
    for (uint32_t i = 0; i < 2; ++i)
      bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.bindingCount = 2;
    set_info.pBindings = bindings;
    vk.CreateDescriptorSetLayout(vk.device, &set_info, nullptr, &set_layout_);
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &size;
    vk.CreateDescriptorPool(vk.device, &pool_info, nullptr, &set_pool_);
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = set_pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &set_layout_;
    vk.AllocateDescriptorSets(vk.device, &allocate, &set_);
    const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = &set_layout_;
    layout_info.pushConstantRangeCount = 1;
    layout_info.pPushConstantRanges = &constants;
    vk.CreatePipelineLayout(vk.device, &layout_info, nullptr, &layout_);
    const std::vector<uint32_t> words(std::begin(scale_comp), std::end(scale_comp));
    VkShaderModuleCreateInfo shader_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    shader_info.codeSize = words.size() * 4;
    shader_info.pCode = words.data();
    vk.CreateShaderModule(vk.device, &shader_info, nullptr, &shader_);
    VkComputePipelineCreateInfo compute_info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    compute_info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    compute_info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    compute_info.stage.module = shader_;
    compute_info.stage.pName = "main";
    compute_info.layout = layout_;
    vk.CreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &compute_info, nullptr, &compute_);
    VkGraphicsPipelineCreateInfo graphics_info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    vk.CreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &graphics_info, nullptr, &graphics_);
  }

  void UpdateSet() {
    const VkDescriptorBufferInfo infos[2] = {{input_.handle, 0, VK_WHOLE_SIZE},
                                             {output_.handle, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet writes[2] = {};
    for (uint32_t i = 0; i < 2; ++i) {
      writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      writes[i].dstSet = set_;
      writes[i].dstBinding = i;
      writes[i].descriptorCount = 1;
      writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      writes[i].pBufferInfo = &infos[i];
    }
    vk.UpdateDescriptorSets(vk.device, 2, writes, 0, nullptr);
  }

  void MakeImage() {
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {8, 8, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    vk.CreateImage(vk.device, &info, nullptr, &image_);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    vk.AllocateMemory(vk.device, &allocate, nullptr, &image_memory_);
    vk.BindImageMemory(vk.device, image_, image_memory_, 0);
  }

  void Barrier(VkPipelineStageFlags from, VkAccessFlags from_access, VkPipelineStageFlags to,
               VkAccessFlags to_access) {
    VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = from_access;
    memory.dstAccessMask = to_access;
    vk.CmdPipelineBarrier(buffer, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }

  void Upload(bool barrier) {
    VkImageMemoryBarrier to_copy = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    to_copy.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    to_copy.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    to_copy.srcQueueFamilyIndex = to_copy.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    to_copy.image = image_;
    to_copy.subresourceRange = kWhole;
    vk.CmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                          0, 0, nullptr, 0, nullptr, 1, &to_copy);
    VkBufferImageCopy to_image = {};
    to_image.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    to_image.imageExtent = {8, 8, 1};
    vk.CmdCopyBufferToImage(buffer, staging_.handle, image_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                            1, &to_image);
    const VkBufferCopy all = {0, 0, kBytes};
    vk.CmdCopyBuffer(buffer, staging_.handle, input_.handle, 1, &all);
    if (barrier) {
      Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    }
  }

  void Dispatch() {
    const uint32_t constant = 3;
    vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, compute_);
    vk.CmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0,
                             nullptr);
    vk.CmdPushConstants(buffer, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &constant);
    vk.CmdDispatch(buffer, 4, 1, 1);
    Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
  }

  void Draw() {
    VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = {8, 8};
    rendering.layerCount = 1;
    const VkDeviceSize zero = 0;
    vk.CmdBeginRendering(buffer, &rendering);
    vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, graphics_);
    vk.CmdBindVertexBuffers(buffer, 0, 1, &input_.handle, &zero);
    vk.CmdDraw(buffer, 3, 1, 0, 0);
    vk.CmdEndRendering(buffer);
  }

  void Submit() {
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &buffer;
    vk.QueueSubmit(queue_, 1, &submit, fence_);
    vk.WaitForFences(vk.device, 1, &fence_, VK_TRUE, UINT64_MAX);
    vk.ResetFences(vk.device, 1, &fence_);
  }

  const VkQueue queue_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  Buffer staging_, input_, output_;
  VkImage image_ = VK_NULL_HANDLE;
  VkDeviceMemory image_memory_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool set_pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkShaderModule shader_ = VK_NULL_HANDLE;
  VkPipeline compute_ = VK_NULL_HANDLE, graphics_ = VK_NULL_HANDLE;
};

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
    const VkPipelineShaderStageCreateInfo stage = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    VkGraphicsPipelineCreateInfo graphics = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    graphics.stageCount = 1;
    graphics.pStages = &stage;
    vk.CreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &graphics, nullptr, &pipeline);
    expect("invalid-pointer: pName of VkPipelineShaderStageCreateInfo is NULL");
    vk.DestroyPipeline(vk.device, pipeline, nullptr);
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

// A render pass over both layers of an image, whose load and store operations access nothing. One
// rectangle of `layer` is cleared behind a copy to layer 0.
void ClearLayer(const FakeVulkan& vulkan, const Commands& vk, Worker& worker, uint32_t layer) {
  VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image_info.imageType = VK_IMAGE_TYPE_2D;
  image_info.format = VK_FORMAT_R8G8B8A8_UNORM;
  image_info.extent = {8, 8, 1};
  image_info.mipLevels = 1;
  image_info.arrayLayers = 2;
  image_info.samples = VK_SAMPLE_COUNT_1_BIT;
  image_info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  VkImage image;
  vk.CreateImage(vk.device, &image_info, nullptr, &image);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory;
  vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
  vk.BindImageMemory(vk.device, image, memory, 0);
  VkImageViewCreateInfo view_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = image;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  view_info.format = image_info.format;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2};
  VkImageView view;
  vulkan.Get<PFN_vkCreateImageView>("vkCreateImageView")(vk.device, &view_info, nullptr, &view);
  VkAttachmentDescription attachment = {};
  attachment.format = image_info.format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
  attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass_info.attachmentCount = pass_info.subpassCount = 1;
  pass_info.pAttachments = &attachment;
  pass_info.pSubpasses = &subpass;
  VkRenderPass pass;
  vulkan.Get<PFN_vkCreateRenderPass>("vkCreateRenderPass")(vk.device, &pass_info, nullptr, &pass);
  VkFramebufferCreateInfo frame_info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame_info.renderPass = pass;
  frame_info.attachmentCount = 1;
  frame_info.pAttachments = &view;
  frame_info.width = frame_info.height = 8;
  frame_info.layers = 2;
  VkFramebuffer frame;
  vulkan.Get<PFN_vkCreateFramebuffer>("vkCreateFramebuffer")(vk.device, &frame_info, nullptr,
                                                             &frame);
  const VkCommandBuffer commands = worker.buffer;
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(commands, &begin);
  VkImageMemoryBarrier general = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  general.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  general.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  general.srcQueueFamilyIndex = general.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  general.image = image;
  general.subresourceRange = view_info.subresourceRange;
  vk.CmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
      VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr,
      0, nullptr, 1, &general);
  const VkClearColorValue black = {};
  vulkan.Get<PFN_vkCmdClearColorImage>("vkCmdClearColorImage")(
      commands, image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
  VkRenderPassBeginInfo pass_begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  pass_begin.renderPass = pass;
  pass_begin.framebuffer = frame;
  pass_begin.renderArea.extent = {8, 8};
  vulkan.Get<PFN_vkCmdBeginRenderPass>("vkCmdBeginRenderPass")(commands, &pass_begin,
                                                               VK_SUBPASS_CONTENTS_INLINE);
  const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  const VkClearRect rectangle = {{{0, 0}, {8, 8}}, layer, 1};
  vulkan.Get<PFN_vkCmdClearAttachments>("vkCmdClearAttachments")(commands, 1, &clear, 1,
                                                                 &rectangle);
  vulkan.Get<PFN_vkCmdEndRenderPass>("vkCmdEndRenderPass")(commands);
  vk.EndCommandBuffer(commands);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, VK_NULL_HANDLE);
  vulkan.Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(vulkan.queues[0]);
  vulkan.Get<PFN_vkDestroyFramebuffer>("vkDestroyFramebuffer")(vk.device, frame, nullptr);
  vulkan.Get<PFN_vkDestroyRenderPass>("vkDestroyRenderPass")(vk.device, pass, nullptr);
  vulkan.Get<PFN_vkDestroyImageView>("vkDestroyImageView")(vk.device, view, nullptr);
  vk.DestroyImage(vk.device, image, nullptr);
  vk.FreeMemory(vk.device, memory, nullptr);
}

TEST_CASE("vkCmdClearAttachments accesses the layers of its rectangles") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  Worker worker(vk, vulkan.queues[0]);
  ClearLayer(vulkan, vk, worker, 1);
  CHECK(Findings() == std::vector<std::string>());
  ClearLayer(vulkan, vk, worker, 0);
  const std::vector<std::string> findings = Findings();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings[0].find("missing-barrier: ") == 0);
}

// Acquires the only image of a new swapchain, changes its layout to `layout` and presents it. With
// `bound`, another image is bound to the memory of the swapchain's image before.
void Present(const FakeVulkan& vulkan, const Commands& vk, const Worker& worker,
             VkImageLayout layout, bool bound) {
  const VkQueue queue = vulkan.queues[0];
  VkSwapchainCreateInfoKHR info = {VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.imageFormat = VK_FORMAT_R8G8B8A8_UNORM;
  info.imageExtent = {16, 16};
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  VkSwapchainKHR swapchain;
  vulkan.Get<PFN_vkCreateSwapchainKHR>("vkCreateSwapchainKHR")(vk.device, &info, nullptr,
                                                               &swapchain);
  uint32_t index = 1;
  VkImage image;
  vulkan.Get<PFN_vkGetSwapchainImagesKHR>("vkGetSwapchainImagesKHR")(vk.device, swapchain, &index,
                                                                     &image);
  VkImage other = VK_NULL_HANDLE;
  if (bound) {
    VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    image_info.imageType = VK_IMAGE_TYPE_2D;
    image_info.format = info.imageFormat;
    image_info.extent = {16, 16, 1};
    image_info.mipLevels = image_info.arrayLayers = 1;
    image_info.samples = VK_SAMPLE_COUNT_1_BIT;
    image_info.usage = info.imageUsage;
    vk.CreateImage(vk.device, &image_info, nullptr, &other);
    VkBindImageMemorySwapchainInfoKHR of = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR};
    of.swapchain = swapchain;
    VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &of};
    bind.image = other;
    vulkan.Get<PFN_vkBindImageMemory2>("vkBindImageMemory2")(vk.device, 1, &bind);
  }
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  vk.CreateFence(vk.device, &fence_info, nullptr, &fence);
  vulkan.Get<PFN_vkAcquireNextImageKHR>("vkAcquireNextImageKHR")(vk.device, swapchain, ~uint64_t{0},
                                                                 VK_NULL_HANDLE, fence, &index);
  vk.WaitForFences(vk.device, 1, &fence, VK_TRUE, ~uint64_t{0});
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker.buffer, &begin);
  VkImageMemoryBarrier change = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  change.newLayout = layout;
  change.srcQueueFamilyIndex = change.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  change.image = bound ? other : image;
  change.subresourceRange = kWhole;
  vk.CmdPipelineBarrier(worker.buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &change);
  vk.EndCommandBuffer(worker.buffer);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &worker.buffer;
  vk.QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
  const auto wait = vulkan.Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle");
  wait(queue);
  VkPresentInfoKHR present = {VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  present.swapchainCount = 1;
  present.pSwapchains = &swapchain;
  present.pImageIndices = &index;
  vulkan.Get<PFN_vkQueuePresentKHR>("vkQueuePresentKHR")(queue, &present);
  wait(queue);
  vk.DestroyFence(vk.device, fence, nullptr);
  if (bound) vk.DestroyImage(vk.device, other, nullptr);
  vulkan.Get<PFN_vkDestroySwapchainKHR>("vkDestroySwapchainKHR")(vk.device, swapchain, nullptr);
}

TEST_CASE("an image is presented in one of the layouts for that") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, false);
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR, false);
  CHECK(Findings() == std::vector<std::string>());
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_GENERAL, false);
  const std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("layout-mismatch: ") == 0);
  // An image that shares the memory changes the layout.
  Present(vulkan, vk, worker, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, true);
  CHECK(Findings() == std::vector<std::string>());
}

// A render pass with one color attachment of the format, an image, a view and a framebuffer. With
// `reused`, the driver gives the object of that index the handle of `reused`, which is not
// destroyed.
struct Attached {
  enum Index { kPass, kView, kFrame, kCount };
  VkRenderPass pass = VK_NULL_HANDLE;
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkFramebuffer frame = VK_NULL_HANDLE;

  Attached(const FakeVulkan& vulkan, const Commands& vk, VkFormat format, uint32_t size,
           const Attached* reused = nullptr, Index index = kCount) {
    const auto reuse = [&](Index of, auto Attached::*handle) {
      if (index == of) test::ReuseHandle(HandleOf(reused->*handle));
    };
    VkAttachmentDescription attachment = {};
    attachment.format = format;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
    VkRenderPassCreateInfo pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    pass_info.attachmentCount = pass_info.subpassCount = 1;
    pass_info.pAttachments = &attachment;
    pass_info.pSubpasses = &subpass;
    reuse(kPass, &Attached::pass);
    vulkan.Get<PFN_vkCreateRenderPass>("vkCreateRenderPass")(vk.device, &pass_info, nullptr, &pass);
    VkImageCreateInfo image_info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    image_info.imageType = VK_IMAGE_TYPE_2D;
    image_info.format = format;
    image_info.extent = {size, size, 1};
    image_info.mipLevels = image_info.arrayLayers = 1;
    image_info.samples = VK_SAMPLE_COUNT_1_BIT;
    image_info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    vk.CreateImage(vk.device, &image_info, nullptr, &image);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
    vk.BindImageMemory(vk.device, image, memory, 0);
    VkImageViewCreateInfo view_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view_info.image = image;
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view_info.format = format;
    view_info.subresourceRange = kWhole;
    reuse(kView, &Attached::view);
    vulkan.Get<PFN_vkCreateImageView>("vkCreateImageView")(vk.device, &view_info, nullptr, &view);
    frame = Frame(vulkan, vk, pass, size, index == kFrame ? reused->frame : VK_NULL_HANDLE);
  }
  VkFramebuffer Frame(const FakeVulkan& vulkan, const Commands& vk, VkRenderPass of, uint32_t size,
                      VkFramebuffer reused = VK_NULL_HANDLE) const {
    VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    info.renderPass = of;
    info.attachmentCount = 1;
    info.pAttachments = &view;
    info.width = info.height = size;
    info.layers = 1;
    if (reused != VK_NULL_HANDLE) test::ReuseHandle(HandleOf(reused));
    VkFramebuffer made;
    vulkan.Get<PFN_vkCreateFramebuffer>("vkCreateFramebuffer")(vk.device, &info, nullptr, &made);
    return made;
  }
  void Begin(const FakeVulkan& vulkan, VkCommandBuffer commands, uint32_t size) const {
    VkRenderPassBeginInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = pass;
    info.framebuffer = frame;
    info.renderArea.extent = {size, size};
    const VkClearValue clear = {};
    info.clearValueCount = 1;
    info.pClearValues = &clear;
    vulkan.Get<PFN_vkCmdBeginRenderPass>("vkCmdBeginRenderPass")(commands, &info,
                                                                 VK_SUBPASS_CONTENTS_INLINE);
    vulkan.Get<PFN_vkCmdEndRenderPass>("vkCmdEndRenderPass")(commands);
  }
};

TEST_CASE("an object with the handle of a known one does not take over its description") {
  TheProcess();
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker.buffer, &begin);
  constexpr VkFormat kFirst = VK_FORMAT_R8G8B8A8_UNORM, kSecond = VK_FORMAT_R16_SFLOAT;
  for (int i = 0; i < Attached::kCount; ++i) {
    const Attached first(vulkan, vk, kFirst, 8);
    const Attached second(vulkan, vk, kSecond, 16, &first, static_cast<Attached::Index>(i));
    second.Begin(vulkan, worker.buffer, 16);
    CHECK(Findings() == std::vector<std::string>());
    // Nothing is known of an object that both may be.
    first.Begin(vulkan, worker.buffer, 8);
    CHECK(Findings() == std::vector<std::string>());
  }
  // A driver may share the handles of equal render passes and framebuffers.
  const Attached first(vulkan, vk, kFirst, 8);
  const Attached second(vulkan, vk, kFirst, 8, &first, Attached::kPass);
  first.Frame(vulkan, vk, first.pass, 8, first.frame);
  CHECK(second.pass == first.pass);
  CHECK(Findings() == std::vector<std::string>());
  first.Begin(vulkan, worker.buffer, 9);
  std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("image-region-out-of-bounds: ") == 0);
  const Attached other(vulkan, vk, kSecond, 8);
  other.Frame(vulkan, vk, first.pass, 8);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("binding-invalid: ") == 0);
  vk.EndCommandBuffer(worker.buffer);
  CHECK(layouts_unknown.exchange(false));
}

// The calls of VK_EXT_host_image_copy for one mip level of an image.
struct HostCopies {
  using Copy = VkResult(VKAPI_PTR*)(VkDevice, const void*);
  using Transition = VkResult(VKAPI_PTR*)(VkDevice, uint32_t, const void*);
  const FakeVulkan& vulkan;
  VkImage image;
  char bytes[8 * 8 * 4] = {};

  void Write(uint32_t mip, uint32_t width = 4) {
    later::VkMemoryToImageCopy region = {};
    region.pHostPointer = bytes;
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
    region.imageExtent = {width, 4, 1};
    later::VkCopyMemoryToImageInfo info = {};
    info.dstImage = image;
    info.dstImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    vulkan.Get<Copy>("vkCopyMemoryToImage")(vulkan.device, &info);
  }
  void Read(uint32_t mip) {
    later::VkImageToMemoryCopy region = {};
    region.pHostPointer = bytes;
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1};
    region.imageExtent = {4, 4, 1};
    later::VkCopyImageToMemoryInfo info = {};
    info.srcImage = image;
    info.srcImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.regionCount = 1;
    info.pRegions = &region;
    vulkan.Get<Copy>("vkCopyImageToMemoryEXT")(vulkan.device, &info);
  }
  void Change(uint32_t mip) {
    later::VkHostImageLayoutTransitionInfo info = {};
    info.image = image;
    info.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 1, 0, 1};
    vulkan.Get<Transition>("vkTransitionImageLayout")(vulkan.device, 1, &info);
  }
};

TEST_CASE("the host copies only texels that no pending work accesses") {
  TheProcess();
  Findings();  // leaks of earlier tests
  const FakeVulkan vulkan;
  const Commands vk(vulkan);
  const Worker worker(vk, vulkan.queues[0]);
  constexpr VkImageUsageFlags kHostTransfer = 0x00400000;
  const auto make = [&](VkImageUsageFlags usage) {
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {8, 8, 1};
    info.mipLevels = 2;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = usage;
    VkImage image;
    vk.CreateImage(vk.device, &info, nullptr, &image);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = 4096;
    VkDeviceMemory memory;
    vk.AllocateMemory(vk.device, &allocate, nullptr, &memory);
    vk.BindImageMemory(vk.device, image, memory, 0);
    return image;
  };
  HostCopies copies{vulkan, make(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | kHostTransfer)};
  HostCopies cleared{vulkan, make(VK_IMAGE_USAGE_TRANSFER_DST_BIT | kHostTransfer)};
  for (uint32_t mip = 0; mip < 2; ++mip) {
    cleared.Change(mip);
    cleared.Write(mip);
  }
  CHECK(Findings() == std::vector<std::string>());

  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  vk.BeginCommandBuffer(worker.buffer, &begin);
  const VkClearColorValue black = {};
  vulkan.Get<PFN_vkCmdClearColorImage>("vkCmdClearColorImage")(
      worker.buffer, cleared.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
  vk.EndCommandBuffer(worker.buffer);
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &worker.buffer;
  vk.QueueSubmit(vulkan.queues[0], 1, &submit, VK_NULL_HANDLE);
  // Another level, and another image.
  cleared.Change(1);
  cleared.Write(1);
  cleared.Read(1);
  copies.Write(0);
  CHECK(Findings() == std::vector<std::string>());
  const auto races = [&](const char* call) {
    const std::vector<std::string> findings = Findings();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].find(std::string("host-race: ") + call) == 0);
  };
  cleared.Write(0);
  races("vkCopyMemoryToImage writes");
  cleared.Read(0);
  races("vkCopyImageToMemoryEXT reads");
  cleared.Change(0);
  races("vkTransitionImageLayout changes");
  vulkan.Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(vulkan.queues[0]);
  cleared.Write(0);
  cleared.Read(0);
  cleared.Change(0);
  CHECK(Findings() == std::vector<std::string>());

  cleared.Write(1, 8);
  std::vector<std::string> findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("image-region-out-of-bounds: ") == 0);
  HostCopies plain{vulkan, make(VK_IMAGE_USAGE_TRANSFER_DST_BIT)};
  plain.Write(0);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("usage-missing: ") == 0);
  vulkan.Get<HostCopies::Copy>("vkCopyMemoryToImage")(vulkan.device, nullptr);
  findings = Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("invalid-pointer: ") == 0);
}

}  // namespace
}  // namespace gpusan::vulkan
