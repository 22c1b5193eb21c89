// Defect: The program queries the time between events too early, or of events that are never
// recorded or have no times.
// Fix: The events have times, are recorded and complete.
#include "common/cuda.h"

// Defect: The program queries the time between two events, and the second was never recorded.
// Fix: Both events were recorded.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE
static void ElapsedTimeWithoutRecord() {
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(begin, nullptr));
#ifndef DEFECT
  OK(cuEventRecord(end, nullptr));
#endif
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  // @HERE
  cuEventElapsedTime(&milliseconds, begin, end);
  Release(end, begin);
}

// Defect: The program queries the time between two events that were created without timing.
// Fix: The events were created with timing.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE_2
// EXPECT-TEXT CU_EVENT_DISABLE_TIMING
static void ElapsedTimeWithoutTiming() {
#ifdef DEFECT
  const unsigned flags = CU_EVENT_DISABLE_TIMING;
#else
  const unsigned flags = CU_EVENT_DEFAULT;
#endif
  CUevent begin, end;
  OK(cuEventCreate(&begin, flags));
  OK(cuEventCreate(&end, flags));
  OK(cuEventRecord(begin, nullptr));
  OK(cuEventRecord(end, nullptr));
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  // @HERE_2
  cuEventElapsedTime(&milliseconds, begin, end);
  Release(end, begin);
}

// Defect: The program asks for the time between two events before the second one is complete, does
// not look at the result, and uses the time that it did not get.
// Fix: It waits for the second event before.
// EXPECT warning sync-object-misuse cuEventElapsedTime_v2 at HERE_3
// EXPECT-FACT queries=1
static void TooEarly() {
  CUstream stream = NewStream(), other = NewStream();
  CUdeviceptr word = NewZeros(4), timed = NewZeros(4);
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(begin, stream));
  OK(cuStreamWaitValue32(stream, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
  OK(cuMemsetD32Async(timed, 1, 1, stream));
  OK(cuEventRecord(end, stream));
#ifndef DEFECT
  OK(cuStreamWriteValue32(other, word, 1, 0));
  OK(cuEventSynchronize(end));
#endif
  float milliseconds = 0;
  // @HERE_3
  cuEventElapsedTime(&milliseconds, begin, end);
#ifdef DEFECT
  OK(cuStreamWriteValue32(other, word, 1, 0));
#endif
  CHECK(milliseconds >= 0);
  OK(cuStreamSynchronize(stream));
  Release(begin, end, timed, word, other, stream);
}

int main() {
  Open();
  ElapsedTimeWithoutRecord();
  ElapsedTimeWithoutTiming();
  TooEarly();
  Close();
}
