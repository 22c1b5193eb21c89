// A descriptor set is written again after each submission is complete, and the command buffer is recorded again after
// each write. A set that another command buffer uses is written between its recordings, too, and a recorded command
// buffer is submitted twice while only the other set changes.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

static void Record(const Compute& compute, VkBuffer input) {
  Begin();
  vkCmdFillBuffer(commands, input, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  Bind(compute);
  vkCmdDispatch(commands, 16, 1, 1);
  OK(vkEndCommandBuffer(commands));
}

static void Submit() {
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
}

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage), b = MakeBuffer(4096, kStorage), c = MakeBuffer(4096, kStorage);
  const Compute first = MakeCompute(), second = MakeCompute();
  for (int frame = 0; frame < 3; ++frame) {
    SetBuffers(first, a.handle, frame % 2 == 0 ? b.handle : c.handle);
    Record(first, a.handle);
    SetBuffers(second, a.handle, frame % 2 == 0 ? c.handle : b.handle);
    Submit();
    SetBuffers(second, b.handle, c.handle);
    Submit();
    Record(second, b.handle);
    Submit();
  }
  Close(second, first, a, b, c);
}
