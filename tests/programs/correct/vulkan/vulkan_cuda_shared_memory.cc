// Memory of Vulkan that CUDA uses: in turn behind waits of the host, both at once in different
// halves, through a duplicate of the descriptor, through two mappings, and after Vulkan has freed it.
// The import may be freed while Vulkan still uses the memory.
#include "common/interop.h"

enum { kBytes = 65536 };

int main() {
  OpenBoth();
  const SharedBuffer buffer = MakeShared(kBytes);
  const Buffer target = MakeBuffer(kBytes);
  const int descriptor = MemoryDescriptor(buffer);
  const int duplicate = dup(descriptor);
  CHECK(close(descriptor) == 0);
  const CUexternalMemory memory = ImportMemory(duplicate, buffer.memory_bytes);
  const CUdeviceptr all = MapImport(memory, 0, buffer.memory_bytes);
  const CUdeviceptr half = MapImport(memory, kBytes / 2, kBytes / 2);
  for (int round = 0; round < 3; ++round) {
    CU(cuMemsetD8Async(all, round, kBytes, stream));
    CU(cuStreamSynchronize(stream));
    Begin();
    const VkBufferCopy region = {0, 0, kBytes};
    vkCmdCopyBuffer(commands, buffer.handle, target.handle, 1, &region);
    Run();
    // Each API has a half.
    Begin();
    vkCmdFillBuffer(commands, buffer.handle, 0, kBytes / 2, 7);
    OK(vkEndCommandBuffer(commands));
    SubmitShared(VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0);
    CU(cuMemsetD8Async(half, 8, kBytes / 2, stream));
    CU(cuMemsetD8Async(all + kBytes / 2, 9, kBytes / 2, stream));
    CU(cuCtxSynchronize());
    OK(vkDeviceWaitIdle(device));
  }
  // Reads of both APIs need no order.
  Begin();
  const VkBufferCopy region = {0, 0, kBytes};
  vkCmdCopyBuffer(commands, buffer.handle, target.handle, 1, &region);
  OK(vkEndCommandBuffer(commands));
  SubmitShared(VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0);
  void* result;
  CU(cuMemAllocHost(&result, kBytes));
  CU(cuMemcpyDtoHAsync(result, all, kBytes, stream));
  CU(cuStreamSynchronize(stream));
  CU(cuMemFree(half));
  OK(vkQueueWaitIdle(queue));
  // The import keeps the memory.
  Destroy(buffer);
  CU(cuMemsetD8Async(all, 3, kBytes, stream));
  CU(cuMemcpyDtoHAsync(result, all, kBytes, stream));
  CU(cuStreamSynchronize(stream));
  CHECK(static_cast<char*>(result)[kBytes - 1] == 3);
  CU(cuMemFreeHost(result));
  CU(cuMemFree(all));
  CU(cuDestroyExternalMemory(memory));
  Destroy(target);
  CloseBoth();
}
