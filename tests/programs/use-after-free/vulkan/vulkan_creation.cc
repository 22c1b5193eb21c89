// Defect view: A framebuffer is created with an image view that was destroyed before.
// EXPECT error use-after-free vkCreateFramebuffer at FRAME
// EXIT any
// Defect module: Creates a pipeline from a shader module that is destroyed.
// EXPECT error use-after-free vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkPipelineShaderStageCreateInfo-module-parameter
// EXIT any
// Defect library: Creates a pipeline library from another library that is destroyed.
// EXPECT error use-after-free vkCreateGraphicsPipelines at CREATE_2
// EXPECT-TEXT pLibraries
// EXIT any
// Defect cache: Gives a destroyed pipeline cache to a merge.
// EXPECT error use-after-free vkMergePipelineCaches at MERGE
// EXPECT-TEXT pipeline cache
// EXIT any
// Fix: The object from which another one is created exists.
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_fixed_state.h"
#include "common/vulkan_pass.h"

// Fix: The view is destroyed after the framebuffer.
static void View() {
  Open();
  const Image image = MakeImage(PassImage());
  Pass made;
  made.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  const VkImageViewCreateInfo view = ViewInfo(image.handle);
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = made.pass;
  frame.attachmentCount = 1;
  frame.pAttachments = &made.view;
  frame.width = frame.height = kPassSize;
  frame.layers = 1;
#ifdef DEFECT_view
  vkDestroyImageView(device, made.view, nullptr);
#endif
  // @FRAME
  OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frame));
#ifdef DEFECT_view
  made.view = VK_NULL_HANDLE;
#endif
  Close(made, image);
}

// Fix: The module is destroyed behind the creation.
static void Module() {
  Open();
  VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
  const VkDescriptorSetLayout set_layout =
      MakeTwoBindings(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkComputePipelineCreateInfo info = ComputeInfo(module, layout);
#ifdef DEFECT_module
  vkDestroyShaderModule(device, module, nullptr);
  module = VK_NULL_HANDLE;
#endif
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, layout, set_layout);
  Close();
}

// Fix: Destroys the other library afterwards.
static VkPipeline MakeLibrary(const FixedState& state, VkGraphicsPipelineLibraryFlagsEXT parts,
                              void* chain) {
  VkGraphicsPipelineLibraryCreateInfoEXT library = {
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, chain};
  library.flags = parts;
  const VkPipelineColorBlendStateCreateInfo blend = {
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &library};
  state.AddTo(&info);
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  info.pColorBlendState = &blend;
  VkPipeline made = VK_NULL_HANDLE;
  // @CREATE_2
  vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made);
  return made;
}

static void Library() {
  VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, &rendering};
  features.graphicsPipelineLibrary = VK_TRUE;
  Open({.extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                       VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME},
        .features = &features});
  const FixedState state;
  const VkPipeline inputs =
      MakeLibrary(state, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, nullptr);
#ifdef DEFECT_library
  vkDestroyPipeline(device, inputs, nullptr);
#endif
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkPipelineLibraryCreateInfoKHR other = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                &formats, 1, &inputs};
  const VkPipeline both = MakeLibrary(
      state, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, &other);
#ifndef DEFECT_library
  vkDestroyPipeline(device, inputs, nullptr);
#endif
  Close(both);
}

// Fix: Destroys the cache after the merge.
static VkPipelineCache MakeCache() {
  const VkPipelineCacheCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache made;
  OK(vkCreatePipelineCache(device, &info, nullptr, &made));
  return made;
}

static void Cache() {
  Open();
  const VkPipelineCache all = MakeCache(), one = MakeCache();
#ifdef DEFECT_cache
  vkDestroyPipelineCache(device, one, nullptr);
#endif
  // @MERGE
  vkMergePipelineCaches(device, all, 1, &one);
#ifndef DEFECT_cache
  vkDestroyPipelineCache(device, one, nullptr);
#endif
  vkDestroyPipelineCache(device, all, nullptr);
  Close();
}

int main() {
  View();
  Module();
  Library();
  Cache();
}
