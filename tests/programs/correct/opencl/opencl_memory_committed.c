// Host memory of transfers is reserved first and committed later, in parts or by a handler of
// SIGSEGV.
#define _GNU_SOURCE
#define _DEFAULT_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "common/opencl.h"

// Host memory that is reserved in one piece and committed in two: a transfer may cross from one
// mapping to the next.
static void AdjacentMappings(void) {
  enum { half = 32 * 1024 };
  char* area = mmap(NULL, 4 * half, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) abort();
  for (int i = 0; i < 2; ++i) {
    if (mmap(area + i * half, half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) != area + i * half) {
      abort();
    }
    memset(area + i * half, '0' + i, half);
  }
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 2 * half, area, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 2 * half, area, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1024, half, area + half / 2, 0, NULL, NULL));
  printf("%c %c\n", area[half], area[2 * half - 1]);
  OK(clReleaseMemObject(buffer));
  munmap(area, 4 * half);
}

// A handler of SIGSEGV gives access to the pages of a reservation, one by one, when a transfer reaches them.
enum { kBytes = 64 * 1024, kPage = 4096 };

static char* reserved;

static void OnFault(int number, siginfo_t* info, void* state) {
  (void)state;
  const uintptr_t at = ((uintptr_t)info->si_addr - (uintptr_t)reserved) / kPage * kPage;
  if (at >= kBytes || mprotect(reserved + at, kPage, PROT_READ | PROT_WRITE) != 0)
    signal(number, SIG_DFL);
}

static void CommittedByFaultHandler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = OnFault;
  if (sigaction(SIGSEGV, &action, NULL) != 0) abort();
  reserved = mmap(NULL, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) abort();
  reserved[0] = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, reserved, 0, NULL, NULL));
  if (mprotect(reserved + kPage, kBytes - kPage, PROT_NONE) != 0) abort();
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, reserved, 0, NULL, NULL));
  OK(clFinish(queue));
  munmap(reserved, kBytes);
  RELEASE(buffer);
}

// A program reserves addresses without access rights and commits them in parts: by mprotect, and by mmap over the
// reservation. Commands use memory of several parts. Then it takes the right to write from memory that commands read.
static void CommittedInParts(void) {
  enum { kPart = 64 * 1024, kParts = 8 };
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kPart * kParts, NULL, &error));
  char* memory = mmap(NULL, kPart * kParts, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  for (int part = 0; part < kParts; ++part) {
    char* begin = memory + part * kPart;
    if (part % 3 == 0) {
      if (mmap(begin, kPart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != begin) abort();
    } else {
      if (mprotect(begin, kPart, PROT_READ | PROT_WRITE) != 0) abort();
    }
    memset(begin, part, kPart);
    const size_t bytes = (size_t)(part + 1) * kPart;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes, memory, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, memory, 0, NULL, NULL));
  }
  if (mprotect(memory, kPart * kParts, PROT_READ) != 0) abort();
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kPart * kParts, memory, 0, NULL, NULL));
  munmap(memory, kPart * kParts);
  RELEASE(buffer);
}

// Memory for which a command waits is mapped only after the command was enqueued.
enum { kReservationCommittedBytes = 64 * 1024 };

static char* Map(void* address, int protection) {
  const int fixed = address != NULL ? MAP_FIXED : 0;
  char* memory = mmap(address, kReservationCommittedBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void WriteBehindGate(cl_mem buffer, char* memory) {
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kReservationCommittedBytes, memory, 1, &gate, NULL));
  Map(memory, PROT_READ | PROT_WRITE);
  memory[0] = 1;
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
}

static void ReservationCommittedByMmap(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kReservationCommittedBytes, NULL, &error));
  // Nothing is mapped at these addresses, and nothing else of the process comes there.
  char* memory = (char*)0x200000000000;
  WriteBehindGate(buffer, memory);
  munmap(memory, kReservationCommittedBytes);
  // The addresses are reserved without memory.
  memory = Map(NULL, PROT_NONE);
  WriteBehindGate(buffer, memory);
  munmap(memory, kReservationCommittedBytes);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  AdjacentMappings();
  CommittedByFaultHandler();
  CommittedInParts();
  ReservationCommittedByMmap();
  Close();
}
