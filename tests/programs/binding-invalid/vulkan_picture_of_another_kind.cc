// Defect cube: The shader reads a picture of two dimensions through the view of a cube.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-viewType-07752
// EXIT any
// Defect integers: The shader reads an image of an integer format through a sampler of
// floating-point numbers.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-07753
// EXIT any
// Defect unnormalized: Shaders sample with unnormalized coordinates, and with an implicit level of
// detail or an offset.
// EXPECT error binding-invalid vkCmdDraw at SMOOTH
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08610
// EXPECT-TEXT with an implicit level of detail
// EXPECT error binding-invalid vkCmdDraw at BESIDE
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08611
// Fix: The shader reads a picture of the kind and the format that it declares.
#include "common/vulkan_pictures.h"
#include "shaders/beside.frag.h"
#include "shaders/sharp.frag.h"
#include "shaders/show.frag.h"
#include "shaders/smooth.frag.h"

// Fix: The view has two dimensions.
static void Cube() {
#ifdef DEFECT_cube
  const VkImageViewType type = VK_IMAGE_VIEW_TYPE_CUBE;
#else
  const VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
#endif
  const Pictures pictures = MakePictures(VK_FORMAT_R8G8B8A8_UNORM, type);
  const VkPipeline draws = MakePictureDraws(pictures, show_frag, sizeof(show_frag));
  Begin();
  ClearPicture(pictures);
  const VkImageMemoryBarrier barrier = PictureBarrier(
      pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  BeginPictureDraws(pictures, draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(draws, pictures);
}

// Fix: The image has a normalized format.
static void Integers() {
#ifdef DEFECT_integers
  const VkFormat format = VK_FORMAT_R8G8B8A8_UINT;
#else
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
#endif
  const Pictures pictures = MakePictures(format);
  const VkPipeline draws = MakePictureDraws(pictures, show_frag, sizeof(show_frag));
  Begin();
  ClearPicture(pictures);
  const VkImageMemoryBarrier barrier = PictureBarrier(
      pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  BeginPictureDraws(pictures, draws);
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(draws, pictures);
}

// Fix: They sample with an explicit level of detail, and without an offset.
static void Unnormalized() {
  const Pictures pictures = MakePictures();
  VkSamplerCreateInfo texels = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  texels.addressModeU = texels.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  texels.unnormalizedCoordinates = VK_TRUE;
  VkSampler sampler;
  OK(vkCreateSampler(device, &texels, nullptr, &sampler));
  // Such a sampler reads one mip level.
  const VkImageView view = ViewOf(pictures.picture.handle);
  const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = pictures.set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  write.pImageInfo = &info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  VkPipeline first = MakePictureDraws(pictures, sharp_frag, sizeof(sharp_frag)), second = first;
#ifdef DEFECT_unnormalized
  Destroy(first);
  first = MakePictureDraws(pictures, smooth_frag, sizeof(smooth_frag));
  second = MakePictureDraws(pictures, beside_frag, sizeof(beside_frag));
#endif
  Begin();
  ClearPicture(pictures);
  const VkImageMemoryBarrier barrier = PictureBarrier(
      pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  BeginPictureDraws(pictures, first);
  // @SMOOTH
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
  // @BESIDE
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  if (second != first) Destroy(second);
  Destroy(first, view, sampler, pictures);
}

int main() {
  OpenForRendering();
  Cube();
  Integers();
  Unnormalized();
  Close();
}
