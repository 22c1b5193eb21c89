// A reset ends what the context held; the program takes a new one and new memory, at perhaps
// the same addresses.
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  for (int round = 0; round < 2; ++round) {
    CUstream stream = NewStream();
    CUdeviceptr buffer = NewMemory(4096);
    OK(cuMemsetD8Async(buffer, round, 4096, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(result, buffer, 4096));
    CHECK(result[0] == round);
    OK(cuMemFree(buffer));
    OK(cuStreamDestroy(stream));
    OK(cuDevicePrimaryCtxRelease(device));
    OK(cuDevicePrimaryCtxReset(device));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
  }
  Close();
}
