// Many threads use streams, events and memory of their own, and free memory while the others work:
// a free waits for what is pending, whoever else waits just now.
#include <thread>
#include <vector>
#include <mutex>
#include "common/cuda.h"
int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  std::vector<std::thread> threads;
  CUcontext ctx = context;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([=] {
      OK(cuCtxSetCurrent(ctx));
      CUstream stream = NewStream(), other = NewStream();
      CUevent done = NewEvent();
      char* pinned = NewPinned(8192);
      for (int i = 0; i < 60; ++i) {
        CUdeviceptr plain = NewMemory(4096), ordered;
        OK(cuMemAllocAsync(&ordered, 4096, stream));
        OK(cuMemsetD8Async(ordered, 0, 4096, stream));
        OK(cuMemcpyDtoDAsync(plain, ordered, 4096, stream));
        void* a[] = {&plain};
        OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, a, nullptr));
        void* b[] = {&ordered};
        OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, b, nullptr));
        OK(cuEventRecord(done, stream));
        OK(cuStreamWaitEvent(other, done, 0));
        OK(cuMemcpyDtoHAsync(pinned, plain, 4096, other));
        OK(cuMemFreeAsync(ordered, other));
        if (i % 3 == 0)
          OK(cuStreamSynchronize(other));
        else
          OK(cuEventRecord(done, other)), OK(cuStreamWaitEvent(stream, done, 0));
        OK(cuMemcpyHtoDAsync(plain, pinned + 4096, 4096, stream));
        OK(cuMemFree(plain));
      }
      OK(cuStreamSynchronize(other));
      OK(cuMemFreeHost(pinned));
      OK(cuEventDestroy(done));
      OK(cuStreamDestroy(other));
      OK(cuStreamDestroy(stream));
    });
  for (auto& t : threads) t.join();
  Close();
}
