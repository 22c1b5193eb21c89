// Each turn of a loop keeps a buffer that nobody needs any more.
// OPTION --sample-interval=10
// OPTION --growth-after=0
// OPTION --leaks=0
// EXPECT warning leak-growth clCreateBuffer at HERE
// EXPECT-FACT figure=live
// EXPECT-TEXT memory created here grows steadily
#include <time.h>

#include "common/opencl.h"

/* Seconds. */
static double Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void) {
  Open(0);
  static cl_mem kept[2000];
  const double begin = Now();
  for (int i = 0; i < 2000; ++i) {
    // @HERE
    kept[i] = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
    /* At an even pace, also on a machine that has other things to do. */
    while (Now() < begin + 0.003 * i) {
      const struct timespec pause = {0, 1000000};
      nanosleep(&pause, NULL);
    }
  }
  Close();
}
