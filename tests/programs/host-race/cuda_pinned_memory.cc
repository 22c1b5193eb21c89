// Defect: The CPU and system calls use page-locked or managed memory while a copy or a kernel is
// pending.
// Fix: The host waits for the copy or the kernel.
// OPTION --protect-maps
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/cuda.h"
#include "common/cuda_machine_code.h"

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

// Defect: The CPU reads managed memory while a kernel that writes it is pending.
// Fix: The host waits for the kernel first.
// EXPECT error host-race host-read at READ_3
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
static void CodeManagedReadByCpu() {
  CUstream stream = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr memory, next;
  OK(cuMemAllocManaged(&memory, 2048, CU_MEM_ATTACH_GLOBAL));
  int value = 7;
  void* arguments[] = {&memory, &value};
  // @LAUNCH
  OK(cuLaunchKernel(fill, 16, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @READ_3
  const int first = reinterpret_cast<volatile int*>(memory)[20];
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  (void)first;
#else
  CHECK(first == 7);
#endif
  // Memory of its own is free, also while the kernel runs again.
  OK(cuMemAllocManaged(&next, 65536, CU_MEM_ATTACH_GLOBAL));
  OK(cuLaunchKernel(fill, 16, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  reinterpret_cast<volatile int*>(next)[20] = 1;
  OK(cuStreamSynchronize(stream));
  CHECK(reinterpret_cast<volatile int*>(memory)[511] == 7);
  OK(cuMemFree(next));
  OK(cuMemFree(memory));
  OK(cuStreamDestroy(stream));
}

// Defect: The CPU reads managed memory while a kernel that writes it is pending. Another allocation
// is in the same page, and the CPU uses it all the time.
// Fix: The host waits for the kernel before it reads what the kernel writes.
// EXPECT error host-race host-read at READ_4
// EXPECT-PARTY pending-command at LAUNCH_2
// EXPECT-FACT hazard=RAW
static void ManagedBlocksOfOnePage() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY));
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS));
  CUstream stream = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr before, memory, behind;
  OK(cuMemAllocManaged(&before, 512, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&memory, 1024, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&behind, 512, CU_MEM_ATTACH_GLOBAL));
  const int file = memfd_create("other", 0);
  int value = 7;
  void* arguments[] = {&memory, &value};
  memset((void*)behind, 1, 512);
  // @LAUNCH_2
  OK(cuLaunchKernel(fill, 8, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  // The memory of the others is free while the kernel runs, also for system calls.
  memset((void*)before, 1, 512);
  CHECK(memchr((void*)before, 2, 512) == nullptr);
  CHECK(pwrite(file, (void*)behind, 512, 0) == 512);
  CHECK(pread(file, (void*)before, 512, 0) == 512);
  CHECK(((volatile char*)behind)[511] == 1);
  CUevent event;  // a call that gpusan watches
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OK(cuEventDestroy(event));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @READ_4
  const int first = ((volatile int*)memory)[20];
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  CHECK(first == 7);
#else
  (void)first;
#endif
  CHECK(((volatile int*)memory)[255] == 7);
  close(file);
  OK(cuMemFree(before));
  OK(cuMemFree(memory));
  OK(cuMemFree(behind));
  OK(cuStreamDestroy(stream));
}

int main() {
  Open();
  PinnedDownloadReadByCpu();
  PinnedDownloadWrittenToFile();
  PinnedSourceOverwrittenByCpu();
  PinnedSourceReadFromFile();
  CodeManagedReadByCpu();
  ManagedBlocksOfOnePage();
  Close();
}
