// Defect: The shader reads an image of an integer format through a sampler of floating-point numbers.
// Fix: The image has a normalized format.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-07753
// EXIT any
#include "common/vulkan_pictures.h"
#include "shaders/show.frag.h"

int main() {
  OpenForRendering();
#ifdef DEFECT
  const VkFormat format = VK_FORMAT_R8G8B8A8_UINT;
#else
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
#endif
  const Pictures pictures = MakePictures(format);
  const VkPipeline draws = MakePictureDraws(pictures, show_frag, sizeof(show_frag));
  Begin();
  ClearPicture(pictures);
  const VkImageMemoryBarrier barrier = PictureBarrier(pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  BeginPictureDraws(pictures, draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(draws, pictures);
}
