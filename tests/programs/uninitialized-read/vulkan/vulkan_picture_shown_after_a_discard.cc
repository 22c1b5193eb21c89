// Defect: Clears a picture, and names its layout as undefined in the barrier before the draw that
// shows it, which discards the content.
// Fix: The barrier names the layout of the picture.
// EXPECT warning uninitialized-read vkCmdDraw at DRAW
// EXPECT-PARTY layout at BARRIER
#include "common/vulkan_pictures.h"
#include "shaders/show.frag.h"

int main() {
  OpenForRendering();
  const Pictures pictures = MakePictures();
  const VkPipeline draws = MakePictureDraws(pictures, show_frag, sizeof(show_frag));
  Begin();
  ClearPicture(pictures);
#ifdef DEFECT
  const VkImageLayout before = VK_IMAGE_LAYOUT_UNDEFINED;
#else
  const VkImageLayout before = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
#endif
  const VkImageMemoryBarrier barrier =
      PictureBarrier(pictures, before, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
  BeginPictureDraws(pictures, draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(draws, pictures);
}
