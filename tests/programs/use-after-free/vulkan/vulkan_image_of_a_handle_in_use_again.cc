// Defect: Destroys an image between the recording and the submission of a barrier, and creates
// another one, which usually gets the same handle.
// Fix: Creates and destroys images before the one that the submission clears.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-PARTY recorded at BARRIER
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
#ifndef DEFECT
  for (int i = 0; i < 3; ++i) Destroy(MakeImage(ImageInfo(16, 16)));
#endif
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  Destroy(image);
  const Image another = MakeImage(ImageInfo(16, 16));
#else
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
  OK(vkEndCommandBuffer(commands));
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#ifdef DEFECT
  Destroy(another);
#else
  Destroy(image);
#endif
  Close();
}
