// Two devices: copies between them by every call, events across, a stream that waits for the other
// device's, and memory of a pool that the other device may use.
#include "common/cuda_two_devices.h"

int main() {
  const auto [second, other] = OpenTwo();
  CUstream here = NewStream();
  CUdeviceptr a = NewMemory(8192);
  CUevent done = NewEvent();
  char *data = NewPinned(8192), *result = NewPinned(8192);
  memset(data, 5, 8192);
  OK(cuCtxSetCurrent(other));
  CUstream there = NewStream();
  CUdeviceptr b = NewMemory(8192);
  CUevent filled = NewEvent();
  for (int round = 0; round < 2; ++round) {
    OK(cuCtxSetCurrent(context));
    OK(cuStreamWaitEvent(here, filled, 0));  // not recorded at first
    OK(cuMemcpyHtoDAsync(a, data, 8192, here));
    OK(cuMemcpyPeerAsync(b, other, a, context, 4096, here));
    CUDA_MEMCPY3D_PEER box = {};
    box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = a;
    box.srcContext = context;
    box.dstDevice = b;
    box.dstContext = other;
    box.dstXInBytes = box.srcXInBytes = 4096;
    box.srcPitch = box.dstPitch = 8192;
    box.WidthInBytes = 4096;
    box.Height = box.Depth = 1;
    OK(cuMemcpy3DPeerAsync(&box, here));
    OK(cuEventRecord(done, here));
    OK(cuCtxSetCurrent(other));
    OK(cuStreamWaitEvent(there, done, 0));
    OK(cuMemsetD8Async(b, (unsigned char)(6 + round), 64, there));
    OK(cuMemcpyDtoHAsync(result, b, 8192, there));
    OK(cuEventRecord(filled, there));
  }
  OK(cuStreamSynchronize(there));
  CHECK(result[0] == 7 && result[64] == 5 && result[8191] == 5);
  OK(cuMemcpyPeer(a, context, b, other, 8192));
  OK(cuCtxSetCurrent(context));
  OK(cuMemcpyDtoH(result, a, 8192));
  CHECK(result[0] == 7);
  OK(cuMemcpyDtoD(a, b, 4096));  // the driver knows where each is
  OK(cuCtxSynchronize());
  int may = 0;
  OK(cuDeviceCanAccessPeer(&may, second, device));
  if (may && Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) {
    CUmemoryPool pool;
    OK(cuDeviceGetDefaultMemPool(&pool, device));
    CUmemAccessDesc access = {};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = second;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemPoolSetAccess(pool, &access, 1));
    CUdeviceptr shared;
    OK(cuMemAllocAsync(&shared, 4096, here));
    OK(cuEventRecord(done, here));
    OK(cuStreamWaitEvent(there, done, 0));
    OK(cuCtxSetCurrent(other));
    OK(cuMemcpyDtoDAsync(shared, b, 4096, there));
    OK(cuEventRecord(filled, there));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamWaitEvent(here, filled, 0));
    OK(cuMemcpyDtoHAsync(result, shared, 4096, here));
    OK(cuMemFreeAsync(shared, here));
    OK(cuStreamSynchronize(here));
    CHECK(result[0] == 7);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    OK(cuMemPoolSetAccess(pool, &access, 1));
  }
  OK(cuEventDestroy(done));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuMemFree(a));
  OK(cuStreamDestroy(here));
  OK(cuCtxSetCurrent(other));
  OK(cuEventDestroy(filled));
  OK(cuMemFree(b));
  OK(cuStreamDestroy(there));
  OK(cuDevicePrimaryCtxRelease(second));
  OK(cuCtxSetCurrent(context));
  Close();
}
