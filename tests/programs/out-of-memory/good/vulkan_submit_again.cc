// The submission is made once.
#include "common/vulkan_submits.h"

int main() {
  Open({.test_device = true});
  Upload upload = MakeUpload();
  SubmitUpload(upload);
  RecordReadback(upload);
  const VkSubmitInfo info = ReadbackInfo(upload);
  OK(vkQueueSubmit(queue, 1, &info, upload.done));
  ReadResult(upload);
  DestroyUpload(upload);
  Close();
}
