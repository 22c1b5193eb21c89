// Defect binding_flags: Creates a descriptor set layout with a structure of binding flags that has
// no array.
// EXPECT error invalid-pointer vkCreateDescriptorSetLayout at CREATE
// EXPECT-FACT vuid=VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-parameter
// EXIT any
// Defect depth_state: A pipeline for a depth attachment has no state of the depth test.
// EXPECT error invalid-pointer vkCreateGraphicsPipelines at PIPELINE
// EXPECT-FACT vuid=VUID-VkGraphicsPipelineCreateInfo-renderPass-09033
// EXIT any
// Defect offsets: Binds a vertex buffer without the array of its offsets.
// EXPECT error invalid-pointer vkCmdBindVertexBuffers at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindVertexBuffers-pOffsets-parameter
// EXIT any
// Fix: The structure and the call have their arrays.
#include "common/vulkan.h"
#include "common/vulkan_features.h"

// Fix: Passes the flags of each binding.
static void BindingFlags() {
  Open();
  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  const VkDescriptorBindingFlags none = 0;
  VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
  flags.bindingCount = 1;
  flags.pBindingFlags = &none;
#ifdef DEFECT_binding_flags
  flags.pBindingFlags = nullptr;
#endif
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.pNext = &flags;
  info.bindingCount = 1;
  info.pBindings = &binding;
  VkDescriptorSetLayout layout;
  // @CREATE
  OK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layout));
  Close(layout);
}

// Fix: It has the state.
static void DepthState() {
  OpenWithFeatures({});
  {
    DrawsInfo draws;
    draws.formats.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
#ifndef DEFECT_depth_state
    VkPipelineDepthStencilStateCreateInfo depth = {
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    draws.info.pDepthStencilState = &depth;
#endif
    VkPipeline pipeline = VK_NULL_HANDLE;
    // @PIPELINE
    vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline);
    vkDestroyPipeline(device, pipeline, nullptr);
  }
  Close();
}

// Fix: Passes one offset for each vertex buffer.
static void Offsets() {
  Open();
  const Buffer vertices = MakeBuffer(4096, kCopies | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  Begin();
  const VkDeviceSize zero = 0;
  const VkDeviceSize* offsets = &zero;
#ifdef DEFECT_offsets
  offsets = nullptr;
#endif
  // @BIND
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, offsets);
  Run();
  Close(vertices);
}

int main() {
  BindingFlags();
  DepthState();
  Offsets();
}
