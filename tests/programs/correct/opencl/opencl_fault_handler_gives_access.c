// A handler of SIGSEGV gives access to protected memory when a read writes there. It may get the
// address of the fault.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 64 * 1024 };

static char* memory;

static void OnFault(int number) {
  if (mprotect(memory, kBytes, PROT_READ | PROT_WRITE) != 0) signal(number, SIG_DFL);
}

static void OnFaultAt(int number, siginfo_t* info, void* state) {
  (void)state;
  const uintptr_t at = (uintptr_t)info->si_addr - (uintptr_t)memory;
  if (at >= kBytes || mprotect(memory, kBytes, PROT_READ | PROT_WRITE) != 0) signal(number, SIG_DFL);
}

int main(void) {
  Open(0);
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
    if (sigaction(SIGSEGV, &action, NULL) != 0 || mprotect(memory, kBytes, PROT_NONE) != 0) abort();
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  }
  munmap(memory, kBytes);
  CLOSE(buffer);
}
