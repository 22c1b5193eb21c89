// A shader reads pictures of formats whose numbers are all read as floating-point numbers: normalized, packed, of
// sRGB and of 16 bits.
#include "common/vulkan_pictures.h"
#include "shaders/show.frag.h"

int main() {
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
