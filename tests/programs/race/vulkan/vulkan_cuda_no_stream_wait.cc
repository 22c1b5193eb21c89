// Defect: Vulkan copies from memory that CUDA may still fill.
// Fix: wait for the stream first.
// EXPECT error race vkCmdCopyBuffer at COPY
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
#include "common/interop.h"

int main() {
  OpenBoth();
  const SharedBuffer buffer = MakeShared(65536);
  const Buffer target = MakeBuffer(65536);
  const Import imported = ImportBuffer(buffer);
  // @FILL
  CU(cuMemsetD8Async(imported.pointer, 5, 65536, stream));
#ifndef DEFECT
  CU(cuStreamSynchronize(stream));
#endif
  Begin();
  const VkBufferCopy region = {0, 0, 65536};
  // @COPY
  vkCmdCopyBuffer(commands, buffer.handle, target.handle, 1, &region);
  Run();
  CU(cuStreamSynchronize(stream));
  Release(imported);
  Destroy(target);
  Destroy(buffer);
  CloseBoth();
}
