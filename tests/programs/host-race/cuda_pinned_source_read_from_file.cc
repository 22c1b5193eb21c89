// Defect: The program reads a file into page-locked memory while the upload from it is pending.
// Fix: The host waits for an event behind the upload first. The system call works in both.
// OPTION --protect-maps
// EXPECT error host-race host-write at READ
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=WAR
#include <sys/mman.h>
#include <unistd.h>

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
  const int file = memfd_create("source", 0);
  CHECK(write(file, block, 65536) == 65536);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(to, block, 65536, stream));
  OK(cuEventRecord(uploaded, stream));
  // Reading what an upload reads is no conflict.
  CHECK(pwrite(file, block, 65536, 0) == 65536);
#ifndef DEFECT
  OK(cuEventSynchronize(uploaded));
#endif
  // @READ
  CHECK(pread(file, block, 65536, 0) == 65536);
  OK(cuStreamSynchronize(stream));
  close(file);
  Close(uploaded, to, block, stream);
}
