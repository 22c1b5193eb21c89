// Defect cube: The shader reads a picture of two dimensions through the view of a cube.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-viewType-07752
// EXIT any
// Defect integers: The shader reads an image of an integer format through a sampler of
// floating-point numbers.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-07753
// EXIT any
// Fix: The shader reads a picture of the kind and the format that it declares.
#include "common/vulkan_pictures.h"
#include "shaders/show.frag.h"

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
  const VkImageMemoryBarrier barrier = PictureBarrier(pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
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
  const VkImageMemoryBarrier barrier = PictureBarrier(pictures, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  BeginPictureDraws(pictures, draws);
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(draws, pictures);
}

int main() {
  OpenForRendering();
  Cube();
  Integers();
  Close();
}
