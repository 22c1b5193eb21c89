// A peer copy, here from the device to itself, comes behind all work of its devices and in
// front of what follows.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 2, 4096);
  CUdeviceptr from = NewMemory(4096), to = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(from, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyPeer(to, context, from, context, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoHAsync(result, to, 4096, stream));
  OK(cuMemsetD8Async(to, 0, 4096, stream));
  OK(cuMemcpyPeerAsync(to, context, from, context, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 2);
  Close(to, from, result, data, stream);
}
