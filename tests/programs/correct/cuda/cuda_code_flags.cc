// Kernels wait for flags and totals that kernels, copies or the host set behind the data, and for
// other blocks.
#include <unistd.h>

#include "common/cuda_machine_code.h"

// A kernel sets a flag behind what its stream has written, and a kernel on another stream waits for
// the flag. So what comes behind the second kernel may use all of it, in either order of the
// launches.
static CUstream first, second;
static CUfunction fill, produce, consume, copy;

static void Launch(CUfunction kernel, CUstream stream, void** arguments) {
  OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
}

static void CodeCommandsAroundAFlag() {
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
    for (const CUdeviceptr memory : {data, flag, out, filled, uploaded, copied})
      OK(cuMemFree(memory));
  }
  Release(second, first);
}

// A kernel waits for a flag that a copy on another stream sets behind the data. When the host has
// waited for the kernel, the copies are complete, and their memory may be used.
static void CodeFlagSetByACopy() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction consume = CodeKernel(CODE_CONSUME);
  char* data = NewPinned(128);
  int* one = (int*)NewPinned(4);
  memset(data, 1, 128);
  *one = 1;
  for (const bool kernel_first : {false, true}) {
    CUdeviceptr input = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
    void* consumed[] = {&input, &flag, &out};
    if (kernel_first) OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
    OK(cuMemcpyHtoDAsync(input, data, 128, first));
    OK(cuMemcpyHtoDAsync(flag, one, 4, first));
    if (!kernel_first) OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
    OK(cuStreamSynchronize(second));
    OK(cuMemsetD8Async(input, 0, 128, second));
    OK(cuCtxSynchronize());
    OK(cuMemFree(out));
    OK(cuMemFree(flag));
    OK(cuMemFree(input));
  }
  Release(one, data, second, first);
}

// A kernel waits for a flag that the host sets in mapped memory when another stream has uploaded
// the data. Then the host polls a flag of a kernel by small copies, and downloads the data of the
// kernel.
static void CodeHostSetsAndPollsFlags() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction produce = CodeKernel(CODE_PRODUCE), consume = CodeKernel(CODE_CONSUME);
  char* host = NewPinned(128);
  volatile int* seen = (volatile int*)NewPinned(4);
  void* mapped;
  OK(cuMemHostAlloc(&mapped, 4, CU_MEMHOSTALLOC_DEVICEMAP));
  volatile int* go = (volatile int*)mapped;
  *go = 0;
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128), mapped_flag;
  OK(cuMemHostGetDevicePointer(&mapped_flag, mapped, 0));
  memset(host, 1, 128);

  void* consumed[] = {&data, &mapped_flag, &out};
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, first, consumed, nullptr));
  OK(cuMemcpyHtoDAsync(data, host, 128, second));
  OK(cuStreamSynchronize(second));
  *go = 1;
  OK(cuStreamSynchronize(first));

  void* produced[] = {&data, &flag};
  OK(cuLaunchKernel(produce, 1, 1, 1, 32, 1, 1, 0, first, produced, nullptr));
  for (*seen = 0; *seen == 0;) {
    OK(cuMemcpyDtoHAsync((void*)seen, flag, 4, second));
    OK(cuStreamSynchronize(second));
    if (*seen == 0) usleep(300000);  // the fake driver may run the kernel late
  }
  OK(cuMemcpyDtoHAsync(host, data, 128, second));
  OK(cuStreamSynchronize(second));
  OK(cuMemsetD8Async(data, 0, 128, second));
  OK(cuCtxSynchronize());
  for (const CUdeviceptr memory : {data, flag, out}) OK(cuMemFree(memory));
  OK(cuMemFreeHost(mapped));
  OK(cuMemFreeHost((void*)seen));
  Release(host, second, first);
}

// A kernel waits for a flag that a kernel on another stream sets behind its data.
static void CodeProducerAndConsumer() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction produce = CodeKernel(CODE_PRODUCE), consume = CodeKernel(CODE_CONSUME);
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
  void *produced[] = {&data, &flag}, *consumed[] = {&data, &flag, &out};
  OK(cuLaunchKernel(produce, 1, 1, 1, 32, 1, 1, 0, first, produced, nullptr));
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
  OK(cuCtxSynchronize());
  Release(out, flag, data, second, first);
}

// A kernel waits for a flag that a kernel on another stream sets behind its data, because it was
// given one.
static void CodePublisherAndConsumer() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction publish = CodeKernel(CODE_PUBLISH), consume = CodeKernel(CODE_CONSUME);
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
  void *published[] = {&data, &flag}, *consumed[] = {&data, &flag, &out};
  OK(cuLaunchKernel(publish, 1, 1, 1, 32, 1, 1, 0, first, published, nullptr));
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
  OK(cuCtxSynchronize());
  Release(out, flag, data, second, first);
}

// A cooperative kernel rotates one half of an allocation while the other half is downloaded.
static void CodeCooperativeKernel() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)) return;
  CUstream first = NewStream(), second = NewStream();
  CUfunction rotate = CodeKernel(CODE_ROTATE);
  CUdeviceptr data = NewZeros(8192), high = data + 4096;
  char* result = NewPinned(4096);
  void* arguments[] = {&high};
  OK(cuLaunchCooperativeKernel(rotate, 4, 1, 1, 256, 1, 1, 0, first, arguments));
  OK(cuMemcpyDtoHAsync(result, data, 4096, second));
  OK(cuCtxSynchronize());
  Release(result, data, second, first);
}

// A kernel waits until a sum on another stream has counted its block. So what comes behind the
// kernel may overwrite what the sum has read.
static void CodeWaitsForATotal() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction sum = CodeKernel(CODE_TOTAL), consume = CodeKernel(CODE_CONSUME);
  Total total = {NewZeros(4000), NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  CUdeviceptr data = NewZeros(128), out = NewZeros(128);
  void *summed[] = {&total}, *consumed[] = {&data, &total.arrived, &out};
  OK(cuLaunchKernel(sum, 1, 1, 1, 256, 1, 1, 0, first, summed, nullptr));
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
  OK(cuMemsetD32Async(total.in, 1, 1000, second));
  OK(cuCtxSynchronize());
  Release(out, data, total.arrived, total.partial, total.sum, total.in, second, first);
}

int main() {
  Open();
  CodeCommandsAroundAFlag();
  CodeFlagSetByACopy();
  CodeHostSetsAndPollsFlags();
  CodeProducerAndConsumer();
  CodePublisherAndConsumer();
  CodeCooperativeKernel();
  CodeWaitsForATotal();
  Close();
}
