// Defect: The submission that changes the layout fails, and the program continues as if it had not.
// Fix: The submission that changes the layout does not fail.
// EXPECT warning out-of-memory vkQueueSubmit at SUBMIT
// EXPECT error layout-mismatch vkCmdCopyImageToBuffer at READ
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
// EXPECT-FACT actual_layout=VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
#include "common/vulkan_submits.h"

int main() {
#ifdef DEFECT
  // The second one fails.
  setenv("GPUSAN_TEST_SUBMIT_FAILS", "2", 1);
#endif
  Open({.test_device = true});
  Upload upload = MakeUpload();
  SubmitUpload(upload);
  RecordReadback(upload);
  const VkSubmitInfo info = ReadbackInfo(upload);
#ifdef DEFECT
  // @SUBMIT
  CHECK(vkQueueSubmit(queue, 1, &info, upload.done) != VK_SUCCESS);
#else
  OK(vkQueueSubmit(queue, 1, &info, upload.done));
#endif
  OK(vkDeviceWaitIdle(device));
  Begin();
  const VkBufferImageCopy all = AllOfUpload();
  // @READ
  vkCmdCopyImageToBuffer(commands, upload.image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         upload.result.handle, 1, &all);
  Run();
  DestroyUpload(upload);
  Close();
}
