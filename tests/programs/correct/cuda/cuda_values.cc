// Streams, batches, graphs and the host write values to memory, and streams wait for them.
#include <thread>

#include "common/cuda.h"
#include "common/cuda_graphs.h"

// Streams tell each other by batches of values in memory: what one has written the other may read
// behind its wait, and no event is needed.
static void BatchesOfValues() {
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr words = NewZeros(64), buffer = NewMemory(4096);
  char* result = NewPinned(4096);
  for (unsigned round = 1; round <= 4; ++round) {
    OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, first));
    CUstreamBatchMemOpParams told[2] = {};
    for (int i = 0; i < 2; ++i) {
      told[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
      told[i].writeValue.address = words + 4 * i;
      told[i].writeValue.value = round;
    }
    OK(cuStreamBatchMemOp(first, 2, told, 0));
    CUstreamBatchMemOpParams awaited[2] = {};
    for (int i = 0; i < 2; ++i) {
      awaited[i].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
      awaited[i].waitValue.address = words + 4 * i;
      awaited[i].waitValue.value = round;
      awaited[i].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
    }
    OK(cuStreamBatchMemOp(second, 2, awaited, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuStreamWriteValue32(second, words + 8, round, 0));
    // The next fill waits until it was read.
    OK(cuStreamWaitValue32(first, words + 8, round, CU_STREAM_WAIT_VALUE_GEQ));
  }
  OK(cuStreamSynchronize(first));
  OK(cuStreamSynchronize(second));
  CHECK(result[4095] == 4);
  Release(result, buffer, words, second, first);
}

// One stream writes a word of memory behind its upload, the other waits for the word.
static void StreamMemoryOperations() {
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 6, 4096);
  CUdeviceptr buffer = NewMemory(4096), word = NewZeros(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuStreamWriteValue32(first, word, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuStreamWaitValue32(second, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[0] == 6);
  OK(cuCtxSynchronize());
  Release(word, buffer, result, data, second, first);
}

// Streams wait for values that other streams, a host function and the host itself write.
static void CUDA_CB Raise(void* word) { *(volatile uint32_t*)word = 3; }

static void ValuesBetweenStreams() {
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  uint32_t* words = (uint32_t*)NewPinned(4096);
  CUdeviceptr word, there = NewZeros(4096), buffer = NewMemory(4096);
  OK(cuMemHostGetDevicePointer(&word, words, 0));
  memset(data, 1, 4096);
  for (uint32_t round = 1; round <= 4; ++round) {
    // There and back again: two streams take turns in one buffer.
    OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, first));
    OK(cuStreamWriteValue32(first, there, round, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamWaitValue32(second, there, round, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuStreamWriteValue32(second, there + 64, round, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamWaitValue32(first, there + 64, round, CU_STREAM_WAIT_VALUE_GEQ));
  }
  OK(cuStreamSynchronize(first));
  CHECK(result[0] == 4);
  // The host lets a stream go that has been waiting.
  CUstreamBatchMemOpParams wait = {};
  wait.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  wait.waitValue.address = word;
  wait.waitValue.value = 1;
  wait.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  OK(cuStreamBatchMemOp(second, 1, &wait, 0));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  memset(data, 2, 4096);
  std::thread host([&] { *(volatile uint32_t*)words = 1; });
  OK(cuStreamSynchronize(second));
  host.join();
  OK(cuMemcpyDtoH(result, buffer, 4096));
  CHECK(result[0] == 2);
  // A host function lets another stream go.
  OK(cuMemsetD8Async(buffer, 5, 4096, first));
  OK(cuLaunchHostFunc(first, &Raise, words));
  OK(cuStreamWaitValue32(third, word, 2, CU_STREAM_WAIT_VALUE_AND));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, third));
  OK(cuStreamSynchronize(third));
  CHECK(result[4095] == 5);
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFree(there));
  OK(cuMemFreeHost(words));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  for (CUstream stream : {first, second, third}) OK(cuStreamDestroy(stream));
}

// Words of new memory get their content by values that streams, batches and graphs write.
static void ValuesAreContent() {
  CUstream stream = NewStream();
  CUdeviceptr words = NewMemory(64);
  OK(cuStreamWriteValue32(stream, words, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuStreamWriteValue32(stream, words + 4, 2, CU_STREAM_WRITE_VALUE_DEFAULT));
  CUstreamBatchMemOpParams write = {};
  write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  write.writeValue.address = words + 8;
  write.writeValue.value64 = 3;
  OK(cuStreamBatchMemOp(stream, 1, &write, 0));
  OK(cuStreamSynchronize(stream));
  unsigned result[4];
  OK(cuMemcpyDtoH(result, words, 16));
  CHECK(result[0] == 1 && result[1] == 2 && result[2] == 3);
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuStreamWriteValue32(stream, words + 32, 4, CU_STREAM_WRITE_VALUE_DEFAULT));
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec runs;
  OK(cuGraphInstantiate(&runs, graph, 0));
  OK(cuGraphLaunch(runs, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, words + 32, 4));
  CHECK(result[0] == 4);
  Release(runs, graph, words, stream);
}

// Streams tell each other by values of 64 bits in page-locked memory, which the host writes and
// reads as well.
static void WideValues() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS)) return;
  CUstream first = NewStream(), second = NewStream();
  volatile uint64_t* words = (volatile uint64_t*)NewPinned(64);
  CUdeviceptr address, buffer = NewMemory(4096);
  OK(cuMemHostGetDevicePointer(&address, (void*)words, 0));
  char* result = NewPinned(4096);
  for (uint64_t round = 1; round <= 3; ++round) {
    OK(cuStreamWaitValue64(first, address, round, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, first));
    OK(cuStreamWriteValue64(first, address + 8, round, 0));
    OK(cuStreamWaitValue64(second, address + 8, round, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuStreamWriteValue64(second, address + 16, round, 0));
    words[0] = round;
    while (words[2] != round) {
    }
    CHECK(result[4095] == (char)round);
  }
  OK(cuStreamSynchronize(second));
  OK(cuStreamSynchronize(first));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost((void*)words));
  Release(buffer, second, first);
}

int main() {
  Open();
  BatchesOfValues();
  StreamMemoryOperations();
  ValuesBetweenStreams();
  ValuesAreContent();
  WideValues();
  Close();
}
