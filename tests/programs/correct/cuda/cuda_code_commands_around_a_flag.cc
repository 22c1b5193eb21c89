// A kernel sets a flag behind what its stream has written, and a kernel on another stream waits for
// the flag. So what comes behind the second kernel may use all of it, in either order of the launches.
#include "common/cuda_machine_code.h"

static CUstream first, second;
static CUfunction fill, produce, consume, copy;

static void Launch(CUfunction kernel, CUstream stream, void** arguments) {
  OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
}

int main() {
  Open();
  first = NewStream();
  second = NewStream();
  fill = CodeKernel(CODE_FILL);
  produce = CodeKernel(CODE_PRODUCE);
  consume = CodeKernel(CODE_CONSUME);
  copy = CodeKernel(CODE_COPY);
  for (const bool consumer_first : {false, true}) {
    CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
    CUdeviceptr filled = NewZeros(128), uploaded = NewZeros(128), copied = NewZeros(128);
    char* host = NewPinned(128);
    int value = 3;
    void *fills[] = {&filled, &value}, *produced[] = {&data, &flag};
    void *consumed[] = {&data, &flag, &out}, *copies[] = {&filled, &copied};
    for (const bool consumer : {consumer_first, !consumer_first}) {
      if (consumer) {
        Launch(consume, second, consumed);
        Launch(copy, second, copies);
        OK(cuMemcpyDtoHAsync(host, uploaded, 128, second));
        OK(cuMemsetD8Async(data, 5, 128, second));
      } else {
        Launch(fill, first, fills);
        OK(cuMemsetD8Async(uploaded, 7, 128, first));
        Launch(produce, first, produced);
      }
    }
    OK(cuCtxSynchronize());
    OK(cuMemFreeHost(host));
    for (const CUdeviceptr memory : {data, flag, out, filled, uploaded, copied}) OK(cuMemFree(memory));
  }
  Close(second, first);
}
