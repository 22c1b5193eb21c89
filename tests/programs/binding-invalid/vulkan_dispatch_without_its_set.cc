// Defect: A dispatch needs a descriptor set that is not bound, not bound any more, or of another
// layout.
// Fix: The set of the pipeline's layout is bound in front of the dispatch.
#include "common/vulkan_compute.h"
#include "common/vulkan_secondary.h"

// Defect: A dispatch without the descriptor set that its shader uses.
// Fix: The set is bound first.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
static void DispatchWithoutItsSet() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
#ifndef DEFECT
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
#endif
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
#ifdef DEFECT
  // It does not run: the driver would read a set that is not there.
  OK(vkResetCommandBuffer(commands, 0));
#else
  Run();
#endif
  Close(compute, a, b);
}

// Defect: The bound set was allocated with a layout that has one binding more than the pipeline's.
// Fix: The set is allocated with the pipeline's layout.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH_2
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
static void SetOfAnotherLayout() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  VkDescriptorSetLayoutBinding bindings[3] = {};
  for (uint32_t i = 0; i < 3; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 2;
#ifdef DEFECT
  set_info.bindingCount = 3;
#endif
  set_info.pBindings = bindings;
  VkDescriptorSetLayout layout;
  OK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &layout));
  const VkPipelineLayout pipeline_layout = MakePipelineLayout(layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3};
  const VkDescriptorPool sets = MakeSetPool(1, &size);
  const VkDescriptorSet set = AllocateSet(sets, layout);
  const VkDescriptorBufferInfo buffers[2] = {{a.handle, 0, VK_WHOLE_SIZE},
                                             {b.handle, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[2] = {Write(set, 0, &buffers[0]), Write(set, 1, &buffers[1])};
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, 0, 1, &set, 0,
                          nullptr);
  // @DISPATCH_2
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(sets, pipeline_layout, layout, compute, a, b);
}

// Defect: Set number 1 is bound with a layout that has another set number 0, which makes the bound
// set number 0 undefined. A dispatch uses it.
// Fix: Both sets are bound with layouts whose set number 0 is the same.
// EXPECT error binding-invalid vkCmdDispatch at RUN
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
// EXPECT-TEXT set number 0 was made undefined when a higher set number was bound
static VkPipelineLayout MakeLayout(VkDescriptorSetLayout first, VkDescriptorSetLayout second) {
  const VkDescriptorSetLayout sets[2] = {first, second};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 2;
  info.pSetLayouts = sets;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  return layout;
}

static void SetBelowAnotherLayout() {
  Open();
  const Compute compute = MakeCompute(), other = MakeCompute();
  const Buffer input = MakeBuffer(256, kStorage), output = MakeBuffer(256, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  SetBuffers(other, input.handle, output.handle);
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  const VkDescriptorSetLayout shorter = MakeSetLayout(1, &binding);
  VkDescriptorSetLayout first = compute.set_layout;
#ifdef DEFECT
  first = shorter;
#endif
  const VkPipelineLayout layout = MakeLayout(first, compute.set_layout);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 0);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  Bind(compute);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 1, 1, &other.set, 0,
                          nullptr);
  // @RUN
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(layout, shorter, compute, other, input, output);
}

// Defect: A pipeline and its set are bound, a secondary command buffer is executed, and a dispatch
// uses the pipeline. The execution has made the state of the primary command buffer undefined.
// Fix: Both are bound again.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH_3
// EXPECT-PARTY earlier-command at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08606
static void DispatchBehindASecondaryBuffer() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               other = MakeBuffer(4096);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkCommandBufferInheritanceInfo inheritance = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  const VkCommandBuffer secondary = MakeSecondary();
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, other.handle, 0, VK_WHOLE_SIZE, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
#ifndef DEFECT
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
#endif
  // @DISPATCH_3
  vkCmdDispatch(commands, 16, 1, 1);
#ifdef DEFECT
  // It does not run: a driver may have no pipeline.
  OK(vkResetCommandBuffer(commands, 0));
#else
  Run();
#endif
  Close(compute, a, b, other);
}

int main() {
  DispatchWithoutItsSet();
  SetOfAnotherLayout();
  SetBelowAnotherLayout();
  DispatchBehindASecondaryBuffer();
}
