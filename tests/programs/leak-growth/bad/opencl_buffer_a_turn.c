// Each turn of a loop keeps a buffer that nobody needs any more.
// OPTION --sample-signal
// OPTION --opencl-door=auto
// OPTION --leaks=0
// EXPECT warning leak-growth clCreateBuffer at HERE
// EXPECT-FACT figure=live
// EXPECT-TEXT memory created here grows steadily
#include "common/driven_clock.h"
#include "common/opencl.h"

int main(void) {
  SampleEverySecond();
  Open(0);
  static cl_mem kept[700];
  for (int i = 0; i < 700; ++i) {
    // @HERE
    kept[i] = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    Sleep(1);
  }
  Close();
}
