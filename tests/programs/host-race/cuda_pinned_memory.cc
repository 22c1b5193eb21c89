// Defect: The CPU and system calls use page-locked memory while a copy is pending.
// Fix: The host waits for the copy.
// OPTION --protect-maps
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/cuda.h"

// Defect: The CPU reads page-locked memory while the download into it is pending.
// Fix: The host waits for the download first.
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at DOWNLOAD
// EXPECT-FACT hazard=RAW
static void PinnedDownloadReadByCpu() {
  CUstream stream = NewStream();
  void* block;
  OK(cuMemHostAlloc(&block, 65536, 0));
  CUdeviceptr from = NewZeros(65536);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(block, from, 65536, stream));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @READ
  const char value = static_cast<volatile char*>(block)[20000];
#ifdef DEFECT
  OK(cuStreamSynchronize(stream));
  (void)value;
#else
  CHECK(value == 0);
#endif
  Release(from, block, stream);
}

// Defect: The program writes page-locked memory to a file while the download into it is pending.
// Fix: The host waits for the download first. The system call works in both.
// EXPECT error host-race host-read at WRITE_2
// EXPECT-PARTY pending-command at DOWNLOAD_2
// EXPECT-FACT hazard=RAW
static void PinnedDownloadWrittenToFile() {
  CUstream stream = NewStream();
  void* block;
  OK(cuMemHostAlloc(&block, 65536, 0));
  CUdeviceptr from = NewZeros(65536);
  const int file = memfd_create("downloaded", 0);
  // @DOWNLOAD_2
  OK(cuMemcpyDtoHAsync(block, from, 65536, stream));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @WRITE_2
  const ssize_t written = write(file, static_cast<char*>(block) + 100, 60000);
  CHECK(written == 60000);
#ifdef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // The same memory again, by the other functions.
  OK(cuMemcpyDtoHAsync(block, from, 65536, stream));
  OK(cuStreamSynchronize(stream));
  const iovec parts[] = {{block, 4096}, {static_cast<char*>(block) + 8192, 4096}};
  CHECK(writev(file, parts, 2) == 8192);
  CHECK(pread(file, block, 8192, 0) == 8192);
  FILE* stream_of_file = fdopen(file, "r+");
  CHECK(fread(block, 1, 65536, stream_of_file) == 0);
  CHECK(fwrite(block, 4096, 16, stream_of_file) == 16);
  fclose(stream_of_file);
  Release(from, block, stream);
}

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
  PinnedDownloadReadByCpu();
  PinnedDownloadWrittenToFile();
  PinnedSourceOverwrittenByCpu();
  PinnedSourceReadFromFile();
  Close();
}
