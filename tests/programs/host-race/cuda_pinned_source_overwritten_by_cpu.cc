// Defect: The CPU fills page-locked memory again while the upload from it is pending.
// Fix: The host waits for an event behind the upload first.
// OPTION --protect-maps
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=WAR
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  void* block;
  OK(cuMemAllocHost(&block, 65536));
  memset(block, 1, 65536);
  CUdeviceptr to = NewMemory(65536);
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(to, block, 65536, stream));
  OK(cuEventRecord(uploaded, stream));
  // Reading what an upload reads is no conflict.
  const char value = static_cast<volatile char*>(block)[20000];
  CHECK(value == 1);
#ifndef DEFECT
  OK(cuEventSynchronize(uploaded));
#endif
  // @WRITE
  static_cast<volatile char*>(block)[20000] = 2;
  OK(cuStreamSynchronize(stream));
  Close(uploaded, to, block, stream);
}
