// Vulkan and CUDA in turn on one memory, ordered by binary semaphores, by timelines whose waits are
// enqueued before their signals in both directions, and by one wait of the host at the end.
#include "common/interop.h"
#include "common/vulkan_barriers.h"

enum { kBytes = 65536 };

int main() {
  OpenBoth(true);
  const SharedBuffer buffer = MakeShared(kBytes);
  const Buffer target = MakeBuffer(kBytes);
  const Import imported = ImportBuffer(buffer);
  const SharedSemaphore filled = MakeSharedSemaphore(false), copied = MakeSharedSemaphore(false);
  const SharedSemaphore timeline = MakeSharedSemaphore(true);
  const VkBufferCopy region = {0, 0, kBytes};
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdCopyBuffer(commands, buffer.handle, target.handle, 1, &region);
  OK(vkEndCommandBuffer(commands));
  for (int round = 0; round < 3; ++round) {
    CU(cuMemsetD8Async(imported.pointer, round, kBytes, stream));
    SignalInStream(filled);
    SubmitShared(filled.vulkan, 0, copied.vulkan, 0);
    WaitInStream(copied);
  }
  // The copy waits for a value that the stream signals later.
  for (uint64_t value = 1; value < 7; value += 2) {
    SubmitShared(timeline.vulkan, value, timeline.vulkan, value + 1);
    CU(cuMemsetD8Async(imported.pointer, 1, kBytes, stream));
    SignalInStream(timeline, value);
    WaitInStream(timeline, value + 1);
  }
  // The stream waits for a value that the copy signals later.
  CU(cuStreamSynchronize(stream));
  WaitInStream(timeline, 7);
  CU(cuMemsetD8Async(imported.pointer, 2, kBytes, stream));
  SignalInStream(timeline, 8);
  SubmitShared(VK_NULL_HANDLE, 0, timeline.vulkan, 7);
  const uint64_t last = 8;
  VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline.vulkan;
  wait.pValues = &last;
  OK(vkWaitSemaphores(device, &wait, ~0ull));
  CUstream other;
  CU(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CU(cuMemsetD8Async(imported.pointer, 4, kBytes, other));
  CU(cuStreamSynchronize(other));
  CU(cuStreamDestroy(other));
  OK(vkDeviceWaitIdle(device));
  CU(cuStreamSynchronize(stream));
  Release(imported);
  Destroy(filled);
  Destroy(copied);
  Destroy(timeline);
  Destroy(target);
  Destroy(buffer);
  CloseBoth();
}
