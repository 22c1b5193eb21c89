// Defect: A submission fails for lack of memory, which leaves all objects unchanged. The program
// submits again with the same command buffer, semaphores and fence.
// Fix: The submission succeeds.
// EXPECT warning out-of-memory vkQueueSubmit at SUBMIT
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
  CHECK(vkQueueSubmit(queue, 1, &info, upload.done) == VK_ERROR_OUT_OF_HOST_MEMORY);
#endif
  OK(vkQueueSubmit(queue, 1, &info, upload.done));
  ReadResult(upload);
  DestroyUpload(upload);
  Close();
}
