// What memory pools keep from their devices: the default pool 2 MiB, one of the program's own 1 MiB
// until it is destroyed. Each second has a sample and a stream-ordered call behind it.
#include <time.h>

#include "common/cuda.h"

namespace {

CUstream stream;

// A stream-ordered call: what the last sample asks for is looked up here.
void Answer() {
  CUdeviceptr passing;
  OK(cuMemAllocAsync(&passing, 4096, stream));
  OK(cuMemFreeAsync(passing, stream));
}

void Pass(int seconds) {
  for (int i = 0; i < seconds; ++i) {
    Answer();
    const timespec second = {1, 0};
    nanosleep(&second, nullptr);
  }
}

}  // namespace

int main() {
  Open();
  OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUmemoryPool pool;
  OK(cuMemPoolCreate(&pool, &properties));
  CUdeviceptr kept, own;
  OK(cuMemAllocAsync(&kept, 2 << 20, stream));
  OK(cuMemAllocFromPoolAsync(&own, 1 << 20, pool, stream));
  Pass(3);
  Answer();  // before the free, which the driver may do sooner or later
  OK(cuMemFreeAsync(own, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolDestroy(pool));
  Pass(3);
  Answer();
  OK(cuMemFreeAsync(kept, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
  OK(cuDevicePrimaryCtxRelease(device));
}
