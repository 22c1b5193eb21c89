// Defect: Uploads have NULL as their source and as their destination.
// Fix: Both pointers are valid.
#include "common/cuda.h"

// Defect: An upload from NULL.
// Fix: An upload from a host block.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE
static void UploadFromNull() {
  static char array[4096];
#ifdef DEFECT
  const char* data = nullptr;
#else
  const char* data = array;
#endif
  CUdeviceptr buffer = NewMemory(4096);
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
  Release(buffer);
}

// Defect: The destination of an upload is a pointer that was declared and never set.
// Fix: The destination of an upload is allocated.
// EXPECT error invalid-pointer cuMemcpyHtoD_v2 at HERE_2
static void UploadToNull() {
  static char data[4096];
  CUdeviceptr buffer = 0;
#ifndef DEFECT
  OK(cuMemAlloc(&buffer, sizeof(data)));
#endif
  // @HERE_2
  cuMemcpyHtoD(buffer, data, sizeof(data));
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
}

int main() {
  Open();
  UploadFromNull();
  UploadToNull();
  Close();
}
