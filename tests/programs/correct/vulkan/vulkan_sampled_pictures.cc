// Shaders read pictures of many formats, and pictures whose texels they do not use.
#include "common/vulkan_pictures.h"
#include "shaders/choose.frag.h"
#include "shaders/show.frag.h"
#include "shaders/weigh.frag.h"

// A shader reads pictures of formats whose numbers are all read as floating-point numbers: normalized, packed, of
// sRGB and of 16 bits.
static void ColorsOfManyFormats() {
  OpenForRendering();
  constexpr VkFormat kFormats[] = {VK_FORMAT_R8G8B8A8_UNORM,           VK_FORMAT_R8G8B8A8_SRGB,
                                   VK_FORMAT_R8G8B8A8_SNORM,           VK_FORMAT_R16G16B16A16_SFLOAT,
                                   VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16_UNORM};
  for (VkFormat format : kFormats) {
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
    constexpr VkFormatFeatureFlags kNeeded = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                             VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    if ((properties.optimalTilingFeatures & kNeeded) != kNeeded) continue;
    const Pictures pictures = MakePictures(format);
    const VkPipeline draws = MakePictureDraws(pictures, show_frag, sizeof(show_frag));
    Begin();
    ClearPicture(pictures);
    const VkImageMemoryBarrier barrier = PictureBarrier(pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr,
                         0, nullptr, 1, &barrier);
    BeginPictureDraws(pictures, draws);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    Run();
    vkDestroyPipeline(device, draws, nullptr);
    Destroy(pictures);
  }
  Close();
}

// Draws read a picture without content whose texels they do not use: they have the weight 0, or
// another color is chosen. The picture is then written by a render pass whose load operation
// discards it, or only in its first mip level, or only in part, and shown.
static void Move(const Pictures& pictures, VkImageLayout from, VkImageLayout to) {
  const VkImageMemoryBarrier barrier = PictureBarrier(pictures, from, to);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void Draw(const Pictures& pictures, VkPipeline draws) {
  Begin();
  BeginPictureDraws(pictures, draws);
  const float weight = 0;
  vkCmdPushConstants(commands, pictures.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &weight);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
}

// By a rendering that clears.
static void RenderTo(VkImageView view) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kPassSize, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

static void PictureOfTheFrameBefore() {
  constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  OpenForRendering();
  const Pictures pictures = MakePictures();
  const VkImageViewCreateInfo first = ViewInfo(pictures.picture.handle);
  VkImageView view;
  OK(vkCreateImageView(device, &first, nullptr, &view));
  const VkPipeline weighs = MakePictureDraws(pictures, weigh_frag, sizeof(weigh_frag)),
                   chooses = MakePictureDraws(pictures, choose_frag, sizeof(choose_frag)),
                   shows = MakePictureDraws(pictures, show_frag, sizeof(show_frag));
  Begin();
  Move(pictures, VK_IMAGE_LAYOUT_UNDEFINED, kRead);
  Run();
  Draw(pictures, weighs);
  Draw(pictures, chooses);

  Begin();
  Move(pictures, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  RenderTo(view);
  Move(pictures, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, kRead);
  Run();
  Draw(pictures, shows);
  Begin();
  ClearPicture(pictures);
  Move(pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kRead);
  Run();
  Draw(pictures, shows);
  // A part.
  const Buffer texel = MakeStaging(256);
  Begin();
  Move(pictures, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {1, 1, 1};
  vkCmdCopyBufferToImage(commands, texel.handle, pictures.picture.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  Move(pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kRead);
  Run();
  Draw(pictures, shows);
  for (VkPipeline pipeline : {weighs, chooses, shows}) vkDestroyPipeline(device, pipeline, nullptr);
  Close(view, texel, pictures);
}

int main() {
  ColorsOfManyFormats();
  PictureOfTheFrameBefore();
}
