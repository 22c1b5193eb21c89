// Host memory is protected while no transfer uses it, or until a handler of SIGSEGV gives access.
#define _DEFAULT_SOURCE
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "common/opencl.h"

// Memory is protected between transfers, and accessible when a transfer uses it.
enum { kBytes = 64 * 1024, kPage = 4096 };

static char* Map(void* address, int protection) {
  const int fixed = address != NULL ? MAP_FIXED : 0;
  char* memory = mmap(address, kBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void Protect(char* memory, size_t bytes, int protection) {
  if (mprotect(memory, bytes, protection) != 0) abort();
}

static void CL_CALLBACK GiveAccess(void* arguments) {
  Protect(*(char**)arguments, kBytes, PROT_READ | PROT_WRITE);
}

static void Read(cl_mem buffer, char* memory, size_t bytes) {
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, memory, 0, NULL, NULL));
}

static void ProtectedInBetween(void) {
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  OK(clFinish(queue));
  // A transfer to the device needs no write access.
  char* memory = Map(NULL, PROT_READ);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  // The access comes by mprotect, page by page, and for a part of the memory only.
  for (int i = 4; i < 8; ++i) Protect(memory + i * kPage, kPage, PROT_READ | PROT_WRITE);
  Read(buffer, memory + 4 * kPage, 4 * kPage);
  Protect(memory, kBytes, PROT_READ | PROT_WRITE);
  Read(buffer, memory, kBytes);
  // New memory is mapped over memory without access.
  Protect(memory, kBytes, PROT_NONE);
  Map(memory, PROT_READ | PROT_WRITE);
  Read(buffer, memory, kBytes);
  // A read that waits for an event of the program begins when the access is back.
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  Protect(memory, kBytes, PROT_READ);
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 1, &gate, NULL));
  Protect(memory, kBytes, PROT_READ | PROT_WRITE);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  // So does a read behind a command that waits for the event.
  cl_event second = MADE(clCreateUserEvent(context, &error));
  Protect(memory, kBytes, PROT_READ);
  OK(clEnqueueMarkerWithWaitList(queue, 1, &second, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 0, NULL, NULL));
  Protect(memory, kBytes, PROT_READ | PROT_WRITE);
  OK(clSetUserEventStatus(second, CL_COMPLETE));
  OK(clFinish(queue));
  // A command in front of the read gives the access.
  Protect(memory, kBytes, PROT_READ);
  OK(clEnqueueNativeKernel(queue, GiveAccess, &memory, sizeof(memory), 0, NULL, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 0, NULL, NULL));
  OK(clFinish(queue));
  munmap(memory, kBytes);
  RELEASE(second, gate, buffer);
}

// A handler of SIGSEGV gives access to protected memory when a read writes there. It may get the
// address of the fault.
enum { kFaultHandlerBytes = 64 * 1024 };

static char* memory;

static void OnFault(int number) {
  if (mprotect(memory, kFaultHandlerBytes, PROT_READ | PROT_WRITE) != 0) signal(number, SIG_DFL);
}

static void OnFaultAt(int number, siginfo_t* info, void* state) {
  (void)state;
  const uintptr_t at = (uintptr_t)info->si_addr - (uintptr_t)memory;
  if (at >= kFaultHandlerBytes || mprotect(memory, kFaultHandlerBytes, PROT_READ | PROT_WRITE) != 0) signal(number, SIG_DFL);
}

static void FaultHandlerGivesAccess(void) {
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kFaultHandlerBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kFaultHandlerBytes, 0, NULL, NULL));
  memory = mmap(NULL, kFaultHandlerBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  for (int turn = 0; turn < 2; ++turn) {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    if (turn == 0) {
      action.sa_handler = OnFault;
    } else {
      action.sa_flags = SA_SIGINFO;
      action.sa_sigaction = OnFaultAt;
    }
    if (sigaction(SIGSEGV, &action, NULL) != 0 || mprotect(memory, kFaultHandlerBytes, PROT_NONE) != 0) abort();
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kFaultHandlerBytes, memory, 0, NULL, NULL));
  }
  munmap(memory, kFaultHandlerBytes);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  ProtectedInBetween();
  FaultHandlerGivesAccess();
  Close();
}
