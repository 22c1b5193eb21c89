// The submission that changes the layout does not fail.
#include "common/vulkan_submits.h"

int main() {
  Open({.test_device = true});
  Upload upload = MakeUpload();
  SubmitUpload(upload);
  RecordReadback(upload);
  const VkSubmitInfo info = ReadbackInfo(upload);
  OK(vkQueueSubmit(queue, 1, &info, upload.done));
  OK(vkDeviceWaitIdle(device));
  Begin();
  const VkBufferImageCopy all = AllOfUpload();
  vkCmdCopyImageToBuffer(commands, upload.image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         upload.result.handle, 1, &all);
  Run();
  DestroyUpload(upload);
  Close();
}
