// Defect: The CPU and a system call fill page-locked memory again while the upload from it is
// pending.
// Fix: The host waits for an event behind the upload first.
// OPTION --protect-maps
#include <sys/mman.h>
#include <unistd.h>

#include "common/cuda.h"

// Defect: The CPU fills page-locked memory again while the upload from it is pending.
// Fix: The host waits for an event behind the upload first.
// EXPECT error host-race host-write at WRITE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=WAR
static void PinnedSourceOverwrittenByCpu() {
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
  Release(uploaded, to, block, stream);
}

// Defect: The program reads a file into page-locked memory while the upload from it is pending.
// Fix: The host waits for an event behind the upload first. The system call works in both.
// EXPECT error host-race host-write at READ_2
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=WAR
static void PinnedSourceReadFromFile() {
  CUstream stream = NewStream();
  void* block;
  OK(cuMemAllocHost(&block, 65536));
  memset(block, 1, 65536);
  CUdeviceptr to = NewMemory(65536);
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  const int file = memfd_create("source", 0);
  CHECK(write(file, block, 65536) == 65536);
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(to, block, 65536, stream));
  OK(cuEventRecord(uploaded, stream));
  // Reading what an upload reads is no conflict.
  CHECK(pwrite(file, block, 65536, 0) == 65536);
#ifndef DEFECT
  OK(cuEventSynchronize(uploaded));
#endif
  // @READ_2
  CHECK(pread(file, block, 65536, 0) == 65536);
  OK(cuStreamSynchronize(stream));
  close(file);
  Release(uploaded, to, block, stream);
}

int main() {
  Open();
  PinnedSourceOverwrittenByCpu();
  PinnedSourceReadFromFile();
  Close();
}
