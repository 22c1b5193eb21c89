// Host memory that is reserved in one piece and committed in two: a transfer may cross from one
// mapping to the next.
#include <sys/mman.h>

#include "common/opencl.h"

int main(void) {
  Open(0);
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
  Close();
}
