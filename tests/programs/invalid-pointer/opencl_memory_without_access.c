// Defect pending_read: A non-blocking read goes to memory to which the program has no write access.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE
// EXPECT-TEXT where the memory is mapped without write access
// EXIT any
// Defect protected_page: A read reaches a page whose write access the program has removed.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE_2
// EXPECT-TEXT the memory 16 KiB behind it is mapped without write access
// EXIT any
// Defect read_only_mapping: A read writes its result into memory that is mapped for reading only.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE_3
// EXPECT-TEXT mapped without write access
// EXIT any
// Defect unmapped: A write reads memory that the program has unmapped.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE_4
// EXIT any
// Defect inaccessible: A write reads memory to which the program has no access at all.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE_5
// EXPECT-TEXT mapped without read access
// EXIT any
// Fix: The memory is accessible when the command uses it.
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

// Fix: The program adds the access before the read.
static void PendingRead(void) {
  enum { kBytes = 64 * 1024 };
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  char* memory = mmap(NULL, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
#ifndef DEFECT_pending_read
  if (mprotect(memory, kBytes, PROT_READ | PROT_WRITE) != 0) abort();
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 0, NULL, NULL));
  OK(clFinish(queue));
  munmap(memory, kBytes);
  RELEASE(buffer);
}

// Fix: The program restores the access before the read.
static void ProtectedPage(void) {
  enum { kBytes = 64 * 1024, kPage = 4096, kAt = 16 * 1024 };
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  char* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + kAt, kPage, PROT_READ) != 0) abort();
#ifndef DEFECT_protected_page
  if (mprotect(memory + kAt, kPage, PROT_READ | PROT_WRITE) != 0) abort();
#endif
  // @HERE_2
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  RELEASE(buffer);
}

// Fix: The memory is mapped for reading and writing.
static void ReadOnlyMapping(void) {
  enum { kBytes = 64 * 1024 };
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
#ifdef DEFECT_read_only_mapping
  const int protection = PROT_READ;
#else
  const int protection = PROT_READ | PROT_WRITE;
#endif
  void* memory = mmap(NULL, kBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  // @HERE_3
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  RELEASE(buffer);
}

// Fix: The program unmaps the memory after the write.
static void Unmapped(void) {
  enum { kBytes = 64 * 1024 };
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  void* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  memset(memory, 1, kBytes);
#ifdef DEFECT_unmapped
  munmap(memory, kBytes);
#endif
  // @HERE_4
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
#ifndef DEFECT_unmapped
  munmap(memory, kBytes);
#endif
  RELEASE(buffer);
}

// Fix: The memory is readable.
static void Inaccessible(void) {
  enum { kBytes = 64 * 1024 };
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  void* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  memset(memory, 1, kBytes);
#ifdef DEFECT_inaccessible
  const int protection = PROT_NONE;
#else
  const int protection = PROT_READ;
#endif
  if (mprotect(memory, kBytes, protection) != 0) abort();
  // @HERE_5
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  PendingRead();
  ProtectedPage();
  ReadOnlyMapping();
  Unmapped();
  Inaccessible();
  Close();
}
