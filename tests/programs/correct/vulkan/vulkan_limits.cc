// Objects, views and viewports at the limits of the device, and a robust dispatch past a range.
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_features.h"
#include "common/vulkan_objects.h"
#include "shaders/part.comp.h"

// Objects with the largest values that the device allows, and state that needs no feature.
static VkPhysicalDeviceLimits limits;

// Creates and destroys an image, if the device supports it.
static void Make(VkImageCreateInfo info) {
  VkImageFormatProperties most;
  if (vkGetPhysicalDeviceImageFormatProperties(physical, info.format, info.imageType, info.tiling,
                                               info.usage, info.flags, &most) != VK_SUCCESS ||
      (most.sampleCounts & info.samples) == 0)
    return;
  for (int i = 0; i < 2; ++i) {
    VkImage image;
    OK(vkCreateImage(device, &info, nullptr, &image));
    vkDestroyImage(device, image, nullptr);
  }
}

static void MakeImages() {
  VkImageCreateInfo flat = ImageInfo(limits.maxImageDimension2D, 1);
  for (uint32_t size = limits.maxImageDimension2D; size != 0; size /= 2) ++flat.mipLevels;
  --flat.mipLevels;
  Make(flat);
  Make(ImageInfo(1, 1, VK_FORMAT_R8G8B8A8_UNORM, 1, limits.maxImageArrayLayers));
  Make(ImageInfo(3, 5, VK_FORMAT_R8G8B8A8_UNORM, 3));
  VkImageCreateInfo line = ImageInfo(limits.maxImageDimension1D, 1);
  line.imageType = VK_IMAGE_TYPE_1D;
  Make(line);
  VkImageCreateInfo deep = ImageInfo(1, 1);
  deep.imageType = VK_IMAGE_TYPE_3D;
  deep.extent.depth = limits.maxImageDimension3D;
  Make(deep);
  VkImageCreateInfo cube = ImageInfo(4, 4, VK_FORMAT_R8G8B8A8_UNORM, 3, 6);
  cube.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  Make(cube);
  VkImageCreateInfo linear = ImageInfo(16, 16);
  linear.tiling = VK_IMAGE_TILING_LINEAR;
  Make(linear);
  VkImageCreateInfo smooth = ImageInfo(16, 16);
  smooth.samples = VK_SAMPLE_COUNT_4_BIT;
  smooth.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  Make(smooth);
}

static void MakeSamplers() {
  VkSamplerCreateInfo info = PlainSampler();
  VkSampler sampler;
  info.maxLod = VK_LOD_CLAMP_NONE;
  info.mipLodBias = -limits.maxSamplerLodBias;
  info.maxAnisotropy = 1000;  // ignored
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  vkDestroySampler(device, sampler, nullptr);
  info = PlainSampler();
  info.unnormalizedCoordinates = VK_TRUE;
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  OK(vkCreateSampler(device, &info, nullptr, &sampler));
  vkDestroySampler(device, sampler, nullptr);
}

// Values that dynamic state, or rasterizer discard, replaces.
static void MakePipelines() {
  DrawsInfo draws;
  const VkDynamicState state = VK_DYNAMIC_STATE_LINE_WIDTH;
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &state;
  draws.info.pDynamicState = &dynamic;
  draws.state.raster.lineWidth = 7;
  draws.state.raster.depthBiasClamp = 1;  // without depthBiasEnable
  VkPipeline pipeline;
  OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
  vkDestroyPipeline(device, pipeline, nullptr);
}

static void ObjectsAtTheLimits() {
  OpenWithFeatures({});
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  limits = properties.limits;
  MakeImages();
  MakeSamplers();
  MakePipelines();
  Close();
}

// Views of all mip levels and layers by the special numbers, of slices of a 3D image, of depth
// alone, and for a part of the usage of their image.
static void MakeView(const VkImageCreateInfo& image_info, VkImageViewType type,
                     const VkImageSubresourceRange& range, VkImageUsageFlags usage = 0) {
  const Image image = MakeImage(image_info);
  VkImageViewUsageCreateInfo usage_info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage_info.usage = usage;
  VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  if (usage != 0) info.pNext = &usage_info;
  info.image = image.handle;
  info.viewType = type;
  info.format = image_info.format;
  info.subresourceRange = range;
  VkImageView view;
  OK(vkCreateImageView(device, &info, nullptr, &view));
  vkDestroyImageView(device, view, nullptr);
  Destroy(image);
}

static void ViewsOfManyKinds() {
  Open();
  constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageCreateInfo info = ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 3, 6);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
           {kColor, 1, VK_REMAINING_MIP_LEVELS, 2, VK_REMAINING_ARRAY_LAYERS});
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D, {kColor, 2, 1, 5, 1}, VK_IMAGE_USAGE_SAMPLED_BIT);
  info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_CUBE, {kColor, 0, 3, 0, 6});
  info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  info.imageType = VK_IMAGE_TYPE_3D;
  info.extent.depth = 8;
  info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {kColor, 0, 1, 4, 4});
  MakeView(info, VK_IMAGE_VIEW_TYPE_3D, {kColor, 0, 1, 0, 1});
  info = ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT_S8_UINT);
  info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  MakeView(info, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1});
  Close();
}

// Viewports that begin left of the attachment, stand upside down, have equal or reversed depths, or
// are as large as the device allows; scissors that are empty or reach as far as they can.
static void ViewportsAtTheirLimits() {
  Open();
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  const VkPhysicalDeviceLimits& limits = properties.limits;
  const float width = static_cast<float>(limits.maxViewportDimensions[0]);
  const float height = static_cast<float>(limits.maxViewportDimensions[1]);
  const VkViewport viewports[] = {
      {0, 0, 64, 64, 0, 1},
      {-10.5f, -20, 0.25f, 64, 1, 0},
      {0, 64, 64, -64, 0.5f, 0.5f},
      {0, 0, width, height, 0, 1},
      {limits.viewportBoundsRange[0], limits.viewportBoundsRange[0], width, 0, 0, 1},
      {limits.viewportBoundsRange[1] - 1, limits.viewportBoundsRange[1], 1, 0, 0, 1},
      {0, height, width, -height, 0, 0},
  };
  const VkRect2D scissors[] = {
      {{0, 0}, {64, 64}},
      {{0, 0}, {0, 0}},
      {{INT32_MAX, INT32_MAX}, {0, 0}},
      {{0, 0}, {INT32_MAX, INT32_MAX}},
      {{1, 1}, {INT32_MAX - 1, INT32_MAX - 1}},
  };
  Begin();
  for (const VkViewport& viewport : viewports) {
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetViewportWithCount(commands, 1, &viewport);
  }
  for (const VkRect2D& scissor : scissors) {
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdSetScissorWithCount(commands, 1, &scissor);
  }
  OK(vkEndCommandBuffer(commands));
  Close();
}

// A dispatch whose shader accesses words behind the range of its descriptor, on a device with
// robustBufferAccess: writes there have no effect.
static void RobustDispatchPastTheRange() {
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.features.robustBufferAccess = VK_TRUE;
  Wanted wanted;
  wanted.features = &features;
  Open(wanted);
  const Compute part = MakeCompute(part_comp, sizeof(part_comp));
  const Buffer words = MakeBuffer(4096, kStorage);
  const VkDescriptorBufferInfo info = {words.handle, 0, 1024};
  const VkWriteDescriptorSet write = Write(part.set, 0, &info);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(part);
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  Close(words, part);
}

int main() {
  ObjectsAtTheLimits();
  ViewsOfManyKinds();
  ViewportsAtTheirLimits();
  RobustDispatchPastTheRange();
}
