// Defect: A copy on the device, a download of an array and one of the rest of an allocation read
// what nothing has written.
// Fix: The program writes what it reads.
#include "common/cuda.h"

// Defect: Memory is copied on the device that nothing has written.
// Fix: Memory is filled and copied on the device.
// EXPECT warning uninitialized-read cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void Copy() {
  CUdeviceptr from, to = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&from, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(from, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoD(to, from, 4096));
  OK(cuCtxSynchronize());
  Release(to, from);
}

// Defect: An array is downloaded that nothing has written.
// Fix: An array is uploaded and downloaded.
// EXPECT warning uninitialized-read cuMemcpyAtoH_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void Array() {
  static float data[1024];
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED_2
  OK(cuArrayCreate(&array, &shape));
#ifndef DEFECT
  OK(cuMemcpyHtoA(array, 0, data, sizeof(data)));
#endif
  // @HERE_2
  OK(cuMemcpyAtoH(data, array, 0, sizeof(data)));
  Release(array);
}

// Defect: The half of an allocation is downloaded that the upload left out.
// Fix: The half of an allocation is downloaded that was uploaded.
// EXPECT warning uninitialized-read cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void RestOfMemory() {
  CUstream stream = NewStream();
  char *data = NewPinned(2048), *result = NewPinned(2048);
  CUdeviceptr buffer;
  // @CREATED_3
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemcpyHtoDAsync(buffer, data, 2048, stream));
#ifdef DEFECT
  const size_t offset = 2048;
#else
  const size_t offset = 0;
#endif
  // @HERE_3
  OK(cuMemcpyDtoHAsync(result, buffer + offset, 2048, stream));
  OK(cuStreamSynchronize(stream));
  Release(buffer, result, data, stream);
}

int main() {
  Open();
  Copy();
  Array();
  RestOfMemory();
  Close();
}
