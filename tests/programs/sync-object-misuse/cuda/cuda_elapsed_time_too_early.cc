// Defect: The program asks for the time between two events before the second one is complete, does
// not look at the result, and uses the time that it did not get.
// Fix: It waits for the second event before.
// EXPECT warning sync-object-misuse cuEventElapsedTime_v2 at HERE
// EXPECT-FACT queries=1
#include "common/cuda.h"

int main() {
  Open();
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
  // @HERE
  cuEventElapsedTime(&milliseconds, begin, end);
#ifdef DEFECT
  OK(cuStreamWriteValue32(other, word, 1, 0));
#endif
  CHECK(milliseconds >= 0);
  OK(cuStreamSynchronize(stream));
  Close(begin, end, timed, word, other, stream);
}
