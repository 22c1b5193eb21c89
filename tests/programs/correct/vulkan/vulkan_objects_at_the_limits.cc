// Objects with the largest values that the device allows, and state that needs no feature.
#include "common/vulkan_features.h"
#include "common/vulkan_samplers.h"

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

int main() {
  OpenWithFeatures({});
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  limits = properties.limits;
  MakeImages();
  MakeSamplers();
  MakePipelines();
  Close();
}
