// A host function comes behind the work in front of it and holds up the work behind it.
#include "common/cuda.h"

struct Work {
  char* data;
  int seen;
};

static void CUDA_CB Use(void* argument) {
  Work* work = (Work*)argument;
  work->seen = work->data[0];
  memset(work->data, 77, 4096);
}

int main() {
  Open();
  CUstream stream = NewStream();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  Work work = {data, 0};
  OK(cuMemsetD8Async(buffer, 5, 4096, stream));
  OK(cuMemcpyDtoHAsync(data, buffer, 4096, stream));
  OK(cuLaunchHostFunc(stream, Use, &work));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(work.seen == 5);
  OK(cuMemcpyDtoH(data, buffer, 4096));
  CHECK(data[4095] == 77);
  Close(buffer, data, stream);
}
