// Defect: Shaders read texels of pictures that were never written, or were discarded.
// Fix: The picture is written, and its layout is kept.
#include "common/vulkan_pictures.h"
#include "shaders/show.frag.h"
#include "shaders/texels.comp.h"

// Defect: Clears a picture, and names its layout as undefined in the barrier before the draw that
// shows it, which discards the content.
// Fix: The barrier names the layout of the picture.
// EXPECT warning uninitialized-read vkCmdDraw at DRAW
// EXPECT-PARTY layout at BARRIER
static void PictureShownAfterADiscard() {
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
  Destroy(draws, pictures);
}

// Defect: A dispatch copies texels of a picture that nothing has written to a buffer.
// Fix: A command clears the picture before.
// EXPECT warning uninitialized-read vkCmdDispatch at DISPATCH
// EXPECT-PARTY layout at BARRIER_2
static void TexelsThatNothingWrote() {
  const Pictures pictures = MakePictures();
  VkShaderModule module = MakeModule(texels_comp, sizeof(texels_comp));
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = pictures.layout;
  VkPipeline pipeline;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(device, module, nullptr);
  Begin();
#ifdef DEFECT
  const VkImageLayout before = VK_IMAGE_LAYOUT_UNDEFINED;
#else
  const VkImageLayout before = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  ClearPicture(pictures);
#endif
  const VkImageMemoryBarrier barrier =
      PictureBarrier(pictures, before, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  // @BARRIER_2
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pictures.layout, 0, 1,
                          &pictures.set, 0, nullptr);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Destroy(pipeline, pictures);
}

int main() {
  OpenForRendering();
  PictureShownAfterADiscard();
  TexelsThatNothingWrote();
  Close();
}
