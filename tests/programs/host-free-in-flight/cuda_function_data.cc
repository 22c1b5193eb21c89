// Defect freed: A host block is freed before the host function that gets it has run.
// EXPECT warning host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at ENQUEUED
// EXPECT-PARTY host-block at BLOCK
// Defect moved: An array that grows moves the data of a host function that has not run.
// EXPECT warning host-free-in-flight free at HERE_2
// EXPECT-PARTY pending-command at ENQUEUED_2
// Fix: The data exist until the function has run.
#include "common/cuda.h"

struct Result {
  int number;
  int sums[60];
};

static CUstream stream, other;
static CUdeviceptr word;
static cuuint32_t released = 0;

static void CUDA_CB Ignore(void*) {}

static void CUDA_CB DeleteResult(void* data) { delete static_cast<Result*>(data); }

// What follows in the stream does not run before LetRun.
static void HoldBack() {
  OK(cuStreamWaitValue32(stream, word, ++released, CU_STREAM_WAIT_VALUE_GEQ));
}

static void LetRun() {
  OK(cuStreamWriteValue32(other, word, released, 0));
  OK(cuStreamSynchronize(other));
}

// Fix: The block is freed after the wait for the stream.
static void Freed() {
  HoldBack();
  // @BLOCK
  void* result = malloc(4096);
  // @ENQUEUED
  OK(cuLaunchHostFunc(stream, Ignore, result));
#ifdef DEFECT_freed
  // @HERE
  free(result);
  LetRun();
  OK(cuStreamSynchronize(stream));
#else
  LetRun();
  OK(cuStreamSynchronize(stream));
  free(result);
#endif
}

// Fix: The array has room for all results.
static void Moved() {
#ifdef DEFECT_moved
  size_t room = 1;
#else
  size_t room = 2;
#endif
  Result* results = new Result[room];
  HoldBack();
  // @ENQUEUED_2
  OK(cuLaunchHostFunc(stream, Ignore, &results[0]));
  if (room < 2) {
    Result* more = new Result[2];
    more[0] = results[0];
    // @HERE_2
    delete[] results;
    results = more;
  }
  LetRun();
  OK(cuStreamSynchronize(stream));
  delete[] results;
}

// The function frees its data itself, or a later one does; the host waits for an event behind it.
static void Right() {
  HoldBack();
  OK(cuLaunchHostFunc(stream, DeleteResult, new Result{4, {}}));
  Result* later = new Result{5, {}};
  OK(cuLaunchHostFunc(stream, Ignore, later));
  OK(cuLaunchHostFunc(stream, DeleteResult, later));
  Result* recorded = new Result{6, {}};
  OK(cuStreamAddCallback(
      stream, [](CUstream, CUresult, void*) {}, recorded, 0));
  CUevent event;
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OK(cuEventRecord(event, stream));
  LetRun();
  OK(cuEventSynchronize(event));
  delete recorded;
  Release(event);
}

int main() {
  Open();
  stream = NewStream();
  other = NewStream();
  word = NewZeros(4);
  Freed();
  Moved();
  Right();
  Release(word, other, stream);
  Close();
}
