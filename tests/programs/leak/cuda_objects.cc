// Defect: An array, physical memory and memory of the stream-ordered allocator are never freed.
// Fix: They are freed.
#include "common/cuda.h"
#include "common/cuda_mapped.h"

// Defect: An array is never destroyed.
// Fix: An array is destroyed.
// EXPECT error leak cuArrayCreate_v2 at CREATED
static void Array() {
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
#ifndef DEFECT
  OK(cuArrayDestroy(array));
#endif
}

// Defect: Physical memory is mapped and unmapped, and its handle never released.
// Fix: Physical memory is unmapped and released.
// EXPECT error leak cuMemCreate at CREATED_2
static void PhysicalMemory() {
  const size_t bytes = PhysicalPiece();
  const CUmemAllocationProp properties = PhysicalProperties();
  CUmemGenericAllocationHandle memory;
  CUdeviceptr base;
  // @CREATED_2
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  OK(cuMemMap(base, bytes, 0, memory, 0));
  OK(cuMemUnmap(base, bytes));
  OK(cuMemAddressFree(base, bytes));
#ifndef DEFECT
  OK(cuMemRelease(memory));
#endif
}

// Defect: Memory of the stream-ordered allocator is never freed.
// Fix: Memory of the stream-ordered allocator is freed.
// EXPECT error leak cuMemAllocAsync at CREATED_3
static void OrderedMemory() {
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED_3
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(buffer, stream));
#endif
  OK(cuStreamSynchronize(stream));
  Release(stream);
}

int main() {
  Open();
  Array();
  PhysicalMemory();
  OrderedMemory();
  Close();
}
