// Defect: The CPU and a system call read page-locked memory while the download into it is pending.
// Fix: The host waits for the download first.
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

int main() {
  Open();
  PinnedDownloadReadByCpu();
  PinnedDownloadWrittenToFile();
  Close();
}
