// Streams wait for events of other streams and contexts, and the host asks for the time between
// events.
#include "common/cuda.h"

// A wait binds to the record that stands when it is called: the event may be recorded anew at
// once, elsewhere too, and
// destroyed.
static void EventReuse() {
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent event = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 9, 4096);
  CUdeviceptr buffer = NewMemory(4096), other = NewMemory(4096);
  for (int round = 0; round < 3; ++round) {
    OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
    OK(cuEventRecord(event, first));
    OK(cuStreamWaitEvent(second, event, 0));
    OK(cuMemsetD8Async(other, 0, 4096, third));
    OK(cuEventRecord(event, third));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuEventRecord(event, second));
    OK(cuStreamWaitEvent(first, event, 0));
  }
  OK(cuEventDestroy(event));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 9);
  Release(other, buffer, result, data, third, second, first);
}

// A stream waits for an event of another context.
static void EventOfAnotherContext() {
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream first = NewStream();
  CUevent uploaded = NewEvent();
  OK(cuCtxSetCurrent(context));
  CUstream second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 4, 4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuCtxSetCurrent(other));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
  OK(cuCtxSetCurrent(context));
  OK(cuStreamWaitEvent(second, uploaded, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[0] == 4);
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  OK(cuEventDestroy(uploaded));
  OK(cuCtxDestroy(other));
}

// A stream waits for an event that was never recorded, as loops over buffers do in their first
// round: that is no wait.
static void WaitForEventNeverRecorded() {
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  OK(cuStreamWaitEvent(second, event, 0));
  OK(cuCtxSynchronize());
  Release(event, second, first);
}

// Two buffers and two streams: while one is computed, the other is filled; events hand them
// over.
static void DoubleBuffering() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream copying = NewStream(), computing = NewStream();
  CUevent filled[2] = {NewEvent(), NewEvent()}, done[2] = {NewEvent(), NewEvent()};
  CUdeviceptr buffers[2] = {NewMemory(4096), NewMemory(4096)};
  float *data[2] = {(float*)NewPinned(4096), (float*)NewPinned(4096)},
        *result = (float*)NewPinned(4096);
  for (int round = 0; round < 8; ++round) {
    const int i = round % 2;
    if (round >= 2) OK(cuEventSynchronize(filled[i]));  // the host may write the block again
    for (int j = 0; j < 1024; ++j) data[i][j] = round;
    if (round >= 2) OK(cuStreamWaitEvent(copying, done[i], 0));
    OK(cuMemcpyHtoDAsync(buffers[i], data[i], 4096, copying));
    OK(cuEventRecord(filled[i], copying));
    OK(cuStreamWaitEvent(computing, filled[i], 0));
    void* arguments[] = {&buffers[i]};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, computing, arguments, nullptr));
    OK(cuMemcpyDtoHAsync(result, buffers[i], 4096, computing));
    OK(cuEventRecord(done[i], computing));
  }
  OK(cuCtxSynchronize());
  CHECK(result[0] == 14);
  OK(cuMemFreeHost(result));
  for (int i = 0; i < 2; ++i) {
    OK(cuMemFreeHost(data[i]));
    OK(cuMemFree(buffers[i]));
    OK(cuEventDestroy(done[i]));
    OK(cuEventDestroy(filled[i]));
  }
  Release(computing, copying);
}

// The program asks for the time between two events until it gets it; asks once, waits and asks
// again in another line; and does without the time of the last round, also if it has enqueued more
// since then.
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

static void ElapsedTimeAskedAgain() {
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
  Release(begin, end, timed, word, other, stream);
}

int main() {
  Open();
  EventReuse();
  EventOfAnotherContext();
  WaitForEventNeverRecorded();
  DoubleBuffering();
  ElapsedTimeAskedAgain();
  Close();
}
