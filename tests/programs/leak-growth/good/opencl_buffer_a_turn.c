// Each turn of a loop releases the buffer that it made; a cache of buffers is filled once and kept.
// OPTION --sample-signal
// OPTION --opencl-door=auto
#include "common/driven_clock.h"
#include "common/opencl.h"

int main(void) {
  SampleEverySecond();
  Open(0);
  static cl_mem kept[20];
  for (int i = 0; i < 700; ++i) {
    if (i < 20) kept[i] = MADE(clCreateBuffer(context, 0, 65536, NULL, &error));
    cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    Sleep(1);
    OK(clReleaseMemObject(buffer));
  }
  for (int i = 0; i < 20; ++i) OK(clReleaseMemObject(kept[i]));
  Close();
}
