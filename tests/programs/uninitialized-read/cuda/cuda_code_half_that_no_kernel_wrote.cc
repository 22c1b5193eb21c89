// Defect: A kernel writes the first half of a buffer, and the second half is downloaded.
// Fix: The kernel writes the whole buffer.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at DOWNLOAD
// EXPECT-TEXT from a part that nothing has written
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at MEMBER
#include "common/cuda_machine_code.h"

// The kernel gets the buffer as a parameter.
static void ByParameter() {
  CUfunction set = CodeKernel(CODE_SET);
  CUdeviceptr out = NewMemory(8192);
  int value = 1;
#ifdef DEFECT
  int n = 1024;
#else
  int n = 2048;
#endif
  void* arguments[] = {&out, &value, &n};
  OK(cuLaunchKernel(set, 8, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  static int result[1024];
  // @DOWNLOAD
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(out);
}

// The kernel gets the buffer in a structure.
static void ByMember() {
  CUfunction pair = CodeKernel(CODE_PAIR);
  CUdeviceptr out = NewMemory(8192), in = NewZeros(8192);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } members = {0, in, 2, out};
#ifdef DEFECT
  unsigned blocks = 4;
#else
  unsigned blocks = 8;
#endif
  void* arguments[] = {&members};
  OK(cuLaunchKernel(pair, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  static int result[1024];
  // @MEMBER
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(out, in);
}

int main() {
  Open();
  ByParameter();
  ByMember();
  Close();
}
