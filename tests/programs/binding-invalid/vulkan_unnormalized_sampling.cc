// Defect: Shaders sample with unnormalized coordinates, and with an implicit level of detail or an
// offset.
// Fix: They sample with an explicit level of detail, and without an offset.
// EXPECT error binding-invalid vkCmdDraw at SMOOTH
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08610
// EXPECT-TEXT with an implicit level of detail
// EXPECT error binding-invalid vkCmdDraw at BESIDE
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08611
#include "common/vulkan_pictures.h"
#include "shaders/beside.frag.h"
#include "shaders/sharp.frag.h"
#include "shaders/smooth.frag.h"

int main() {
  OpenForRendering();
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
#ifdef DEFECT
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
  Close(first, view, sampler, pictures);
}
