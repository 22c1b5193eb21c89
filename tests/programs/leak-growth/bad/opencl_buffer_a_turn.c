// Each turn of a loop keeps a buffer that nobody needs any more.
// OPTION --sample-interval=5
// OPTION --growth-after=0
// OPTION --leaks=0
// EXPECT warning leak-growth clCreateBuffer at HERE
// EXPECT-FACT figure=live
// EXPECT-TEXT memory created here grows steadily
#include <time.h>

#include "common/opencl.h"

int main(void) {
  Open(0);
  static cl_mem kept[2000];
  for (int i = 0; i < 2000; ++i) {
    // @HERE
    kept[i] = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    const struct timespec pause = {0, 500000};
    nanosleep(&pause, NULL);
  }
  Close();
}
