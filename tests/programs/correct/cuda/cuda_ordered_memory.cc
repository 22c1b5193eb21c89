// Memory of the stream-ordered allocator: used in its stream, elsewhere behind an event, freed
// behind all uses, and given
// out again for the next round.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  for (int round = 0; round < 8; ++round) {
    CUstream allocating = round % 2 ? first : second, using_it = round % 2 ? second : first;
    CUdeviceptr buffer;
    OK(cuMemAllocAsync(&buffer, 4096, allocating));
    OK(cuMemcpyHtoDAsync(buffer, data, 4096, allocating));
    OK(cuEventRecord(event, allocating));
    OK(cuStreamWaitEvent(using_it, event, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, using_it));
    OK(cuMemFreeAsync(buffer, using_it));
    OK(cuStreamSynchronize(using_it));
  }
  CUdeviceptr buffer;
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuStreamSynchronize(second));
  Close(buffer, result, data, event, second, first);
}
