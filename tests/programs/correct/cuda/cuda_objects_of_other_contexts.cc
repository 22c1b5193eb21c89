// What belongs to one context is used and given back while another one is current: memory, streams,
// events, graphs. Contexts that come and go may have the same handles.
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  for (int round = 0; round < 3; ++round) {
    CUcontext other;
    OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
    CUdeviceptr there = NewZeros(4096);
    CUstream stream = NewStream();
    CUevent event = NewEvent();
    char* pinned = NewPinned(4096);
    OK(cuCtxSetCurrent(context));
    CUdeviceptr here = NewZeros(4096);
    // A stream brings its own context along.
    OK(cuMemcpyHtoDAsync(there, pinned, 4096, stream));
    OK(cuMemsetD8Async(there, 3, 4096, stream));
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(nullptr, event, 0));
    OK(cuMemcpyDtoDAsync(here, there, 4096, nullptr));
    OK(cuStreamSynchronize(nullptr));
    OK(cuMemcpyDtoH(data, here, 4096));
    CHECK(data[4095] == 3);
    OK(cuEventSynchronize(event));
    OK(cuEventDestroy(event));
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost(pinned));
    OK(cuMemFree(there));
    OK(cuCtxSetCurrent(other));
    OK(cuMemFree(here));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
  }
  Close();
}
