/* A program that includes this has a clock that only its own sleeps move, and takes no time for them
   (tests/soak/driven_clock.cc is linked into it). Samples are asked for by SIGUSR2, which PoCL takes
   where gpusan comes behind it: such a program has the option --opencl-attach=auto. */
#ifndef TESTS_PROGRAMS_COMMON_DRIVEN_CLOCK_H_
#define TESTS_PROGRAMS_COMMON_DRIVEN_CLOCK_H_

#include <stdlib.h>
#include <time.h>

/* Before the first sleep: under gpusan with sample_signal a sample is taken every so many seconds of
   the clock. */
static inline void SampleEverySecond(void) { setenv("SOAK_SAMPLE_MS", "1000", 1); }

static inline void Sleep(int seconds) {
  const struct timespec pause = {seconds, 0};
  nanosleep(&pause, NULL);
}

#endif
