// Defect: Each iteration of a loop keeps a buffer that the program no longer needs.
// Fix: Each iteration releases the buffer that it created. A cache of buffers is filled once and
// kept.
// OPTION --sample-signal
// OPTION --opencl-attach=auto
// DEFECT-OPTION --leaks=0
// EXPECT warning leak-growth clCreateBuffer at HERE
// EXPECT-FACT figure=live
// EXPECT-TEXT memory created here grows steadily
#include "common/driven_clock.h"
#include "common/opencl.h"

int main(void) {
  SampleEverySecond();
  Open(0);
#ifdef DEFECT
  static cl_mem kept[700];
  for (int i = 0; i < 700; ++i) {
    // @HERE
    kept[i] = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    Sleep(1);
  }
#else
  static cl_mem kept[20];
  for (int i = 0; i < 700; ++i) {
    if (i < 20) kept[i] = MADE(clCreateBuffer(context, 0, 65536, NULL, &error));
    cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    Sleep(1);
    OK(clReleaseMemObject(buffer));
  }
  for (int i = 0; i < 20; ++i) OK(clReleaseMemObject(kept[i]));
#endif
  Close();
}
