// A thread of a Vulkan program: frames of uploads, dispatches and draws, from one thread or
// several.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "scale.comp.h"
#include "tests/unit/vulkan/vulkan_fake_driver.h"
#include "tests/unit/vulkan/vulkan_process.h"
#include "tests/unit/vulkan/vulkan_whole_pipeline.h"

namespace gpusan::test {

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

inline constexpr VkImageSubresourceRange kWhole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

struct Buffer {
  VkBuffer handle;
  VkDeviceMemory memory;
};

inline Buffer MakeBuffer(const Commands& vk, uint32_t memory_type) {
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
inline void Destroy(const Commands& vk, const Buffer& buffer) {
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
    const WholePipeline whole(vk.device, vk.CreateShaderModule, false);
    vk.CreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &whole.info, nullptr, &graphics_);
    vk.DestroyShaderModule(vk.device, whole.stages[0].module, nullptr);
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

}  // namespace gpusan::test
