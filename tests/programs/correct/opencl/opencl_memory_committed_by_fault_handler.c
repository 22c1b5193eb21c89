// A handler of SIGSEGV gives access to the pages of a reservation, one by one, when a transfer reaches them.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 64 * 1024, kPage = 4096 };

static char* reserved;

static void OnFault(int number, siginfo_t* info, void* state) {
  (void)state;
  const uintptr_t at = ((uintptr_t)info->si_addr - (uintptr_t)reserved) / kPage * kPage;
  if (at >= kBytes || mprotect(reserved + at, kPage, PROT_READ | PROT_WRITE) != 0)
    signal(number, SIG_DFL);
}

int main(void) {
  Open(0);
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
  CLOSE(buffer);
}
