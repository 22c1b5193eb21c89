// Each turn of a loop releases the buffer that it made; a cache of buffers is filled once and kept.
// OPTION --sample-interval=5
// OPTION --growth-after=0
#include <time.h>

#include "common/opencl.h"

int main(void) {
  Open(0);
  static cl_mem kept[20];
  for (int i = 0; i < 2000; ++i) {
    if (i < 20) kept[i] = MADE(clCreateBuffer(context, 0, 65536, NULL, &error));
    cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    const struct timespec pause = {0, 500000};
    nanosleep(&pause, NULL);
    OK(clReleaseMemObject(buffer));
  }
  for (int i = 0; i < 20; ++i) OK(clReleaseMemObject(kept[i]));
  Close();
}
