// The program asks for the time between two events until it gets it; asks once, waits and asks
// again in another line; and does without the time of the last round, also if it has enqueued more
// since then.
#include "common/cuda.h"

static CUstream stream, other;
static CUdeviceptr word, timed;

static void Hold(CUevent begin, CUevent end) {
  OK(cuEventRecord(begin, stream));
  OK(cuStreamWaitValue32(stream, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
  OK(cuMemsetD32Async(timed, 1, 1, stream));
  OK(cuEventRecord(end, stream));
}

static void Continue() {
  OK(cuStreamWriteValue32(other, word, 1, 0));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamWriteValue32(other, word, 0, 0));
  OK(cuStreamSynchronize(other));
}

static void AskForAnEarlierRound() {
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  Hold(begin, end);
  OK(cuMemsetD32Async(timed, 2, 1, stream));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, begin, end) == CUDA_ERROR_NOT_READY);
  Continue();
  Release(begin, end);
}

int main() {
  Open();
  stream = NewStream();
  other = NewStream();
  word = NewZeros(4);
  timed = NewZeros(4);
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  float milliseconds = -1;

  Hold(begin, end);
  for (int tries = 0; cuEventElapsedTime(&milliseconds, begin, end) != CUDA_SUCCESS; ++tries) {
    if (tries == 0) Continue();
  }
  CHECK(milliseconds >= 0);

  Hold(begin, end);
  const CUresult code = cuEventElapsedTime(&milliseconds, begin, end);
  Continue();
  if (code == CUDA_ERROR_NOT_READY) OK(cuEventElapsedTime(&milliseconds, begin, end));

  for (int round = 0; round < 2; ++round) {
    Hold(begin, end);
    if (round == 0) Continue();
    if (cuEventElapsedTime(&milliseconds, begin, end) == CUDA_ERROR_NOT_READY) CHECK(round == 1);
  }
  Continue();
  AskForAnEarlierRound();
  Close(begin, end, timed, word, other, stream);
}
