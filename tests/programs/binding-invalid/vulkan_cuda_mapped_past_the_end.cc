// Defect: CUDA maps more bytes than the memory of Vulkan has behind the offset.
// Fix: subtract the offset from the size.
// EXPECT error binding-invalid cuExternalMemoryGetMappedBuffer at MAP
// EXPECT-FACT offset=65536
#include "common/interop.h"

int main() {
  OpenBoth();
  const SharedBuffer buffer = MakeShared(262144);
  const CUexternalMemory memory = ImportMemory(MemoryDescriptor(buffer), buffer.memory_bytes);
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {};
  part.offset = 65536;
#ifdef DEFECT
  part.size = buffer.memory_bytes;
#else
  part.size = buffer.memory_bytes - part.offset;
#endif
  CUdeviceptr pointer = 0;
  // @MAP
  const CUresult got = cuExternalMemoryGetMappedBuffer(&pointer, memory, &part);
  if (got == CUDA_SUCCESS) CU(cuMemFree(pointer));
  CU(cuDestroyExternalMemory(memory));
  Destroy(buffer);
  CloseBoth();
}
