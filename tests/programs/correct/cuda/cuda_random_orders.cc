// Programs by chance: copies, fills, kernels, graphs and ordered memory in streams of every kind,
// where each command is made to wait, in one of many ways, for what its memory was used by before.
// What is in the memory in the end says that the waits are right.
#include <vector>

#include "common/cuda.h"

static uint32_t state;
static uint32_t Random(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

constexpr int kBytes = 4096, kElements = 1024;

struct Use {
  CUstream stream;
  CUevent event;  // behind the command
};

// A block and what it should hold, in each element.
struct Block {
  CUdeviceptr device = 0;  // 0: of the host
  float* host = nullptr;
  bool ordered = false;  // of a pool
  float value = 0;
  Use writer = {};
  std::vector<Use> readers;
};

static CUstream streams[5];
static CUfunction copy_kernel, twice_kernel, add_kernel;
static std::vector<CUevent> spare;
static std::vector<Block> blocks;

static CUevent TakeEvent() {
  if (spare.empty()) return NewEvent();
  CUevent event = spare.back();
  spare.pop_back();
  return event;
}
static void Drop(Use& use) {
  if (use.event != nullptr) spare.push_back(use.event);
  use = {};
}

// The stream's next command comes behind the use.
static void Await(const Use& use, CUstream stream) {
  if (use.event == nullptr || use.stream == stream) return;
  switch (Random(8)) {
    case 0:
      OK(cuEventSynchronize(use.event));
      break;
    case 1:
      OK(cuStreamSynchronize(use.stream));
      break;
    case 2:
      while (cuEventQuery(use.event) == CUDA_ERROR_NOT_READY) OK(cuStreamSynchronize(use.stream));
      break;
    case 3: {  // by way of a third stream
      CUstream between = streams[Random(5)];
      CUevent event = TakeEvent();
      OK(cuStreamWaitEvent(between, use.event, 0));
      OK(cuEventRecord(event, between));
      OK(cuStreamWaitEvent(stream, event, 0));
      spare.push_back(event);
      break;
    }
    default:
      OK(cuStreamWaitEvent(stream, use.event, 0));
      break;
  }
}
static void BeforeRead(const Block& block, CUstream stream) { Await(block.writer, stream); }
static void BeforeWrite(const Block& block, CUstream stream) {
  Await(block.writer, stream);
  for (const Use& reader : block.readers) Await(reader, stream);
}
static Use After(CUstream stream) {
  Use use = {stream, TakeEvent()};
  OK(cuEventRecord(use.event, stream));
  return use;
}
static void AfterRead(Block& block, CUstream stream) { block.readers.push_back(After(stream)); }
static void AfterWrite(Block& block, CUstream stream, float value) {
  for (Use& reader : block.readers) Drop(reader);
  block.readers.clear();
  Drop(block.writer);
  block.writer = After(stream);
  block.value = value;
}

static CUdeviceptr AddressOf(const Block& block) {
  return block.device != 0 ? block.device : (CUdeviceptr)block.host;
}
static void Launch(CUfunction kernel, CUstream stream, void** arguments) {
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
}

// One command on the device's blocks; the stream is behind what they were used by.
static float Command(CUstream stream, int kind, const Block& from, const Block& to) {
  CUdeviceptr in = from.device, out = to.device;
  int n = kElements;
  switch (kind) {
    case 0:
      OK(cuMemcpyDtoDAsync(out, in, kBytes, stream));
      return from.value;
    case 1: {
      void* arguments[] = {&in, &out};
      Launch(copy_kernel, stream, arguments);
      return from.value;
    }
    case 2: {
      void* arguments[] = {&in, &in, &out, &n};
      Launch(add_kernel, stream, arguments);
      return 2 * from.value;
    }
    default:
      OK(cuMemsetD32Async(out, 0x3f800000, kElements, stream));
      return 1;
  }
}

static Block& AnyOf(bool device) {
  for (;;) {
    Block& block = blocks[Random((uint32_t)blocks.size())];
    if ((block.device != 0) == device) return block;
  }
}

static void Transfer(CUstream stream) {
  const bool up = Random(2) == 0;
  Block &from = AnyOf(!up), &to = AnyOf(up);
  BeforeRead(from, stream);
  BeforeWrite(to, stream);
  if (Random(3) == 0) {
    OK(cuMemcpyAsync(AddressOf(to), AddressOf(from), kBytes, stream));
  } else if (up) {
    OK(cuMemcpyHtoDAsync(to.device, from.host, kBytes, stream));
  } else {
    OK(cuMemcpyDtoHAsync(to.host, from.device, kBytes, stream));
  }
  AfterRead(from, stream);
  AfterWrite(to, stream, from.value);
}

static void OnDevice(CUstream stream) {
  Block &from = AnyOf(true), &to = AnyOf(true);
  if (&from == &to) return;
  BeforeRead(from, stream);
  BeforeWrite(to, stream);
  const float value = Command(stream, (int)Random(4), from, to);
  AfterRead(from, stream);
  AfterWrite(to, stream, value);
}

// Two branches that fork and join, launched once or twice; what it uses is used by the launch.
static void Graph(CUstream stream) {
  Block* blocks_of[3] = {&AnyOf(true), &AnyOf(true), &AnyOf(true)};
  if (blocks_of[0] == blocks_of[1] || blocks_of[0] == blocks_of[2] || blocks_of[1] == blocks_of[2])
    return;
  // What is captured in the legacy stream is refused.
  CUstream first = streams[0], second = streams[1];
  CUgraph graph;
  CUgraphExec executable;
  CUevent fork = TakeEvent(), join = TakeEvent();
  const int kinds[] = {(int)Random(4), (int)Random(4)};
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  const float one = Command(first, kinds[0], *blocks_of[0], *blocks_of[1]);
  const float other = Command(second, kinds[1], *blocks_of[0], *blocks_of[2]);
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  CUdeviceptr again = blocks_of[1]->device;
  void* arguments[] = {&again};
  Launch(twice_kernel, first, arguments);
  OK(cuStreamEndCapture(first, &graph));
  spare.push_back(fork);
  spare.push_back(join);
  OK(cuGraphInstantiate(&executable, graph, 0));
  BeforeRead(*blocks_of[0], stream);
  BeforeWrite(*blocks_of[1], stream);
  BeforeWrite(*blocks_of[2], stream);
  for (uint32_t i = 0; i <= Random(2); ++i) OK(cuGraphLaunch(executable, stream));
  AfterRead(*blocks_of[0], stream);
  AfterWrite(*blocks_of[1], stream, 2 * one);
  AfterWrite(*blocks_of[2], stream, other);
  if (Random(2) == 0) OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
}

static void CUDA_CB Nothing(void*) {}

// Gives a block of the device back in the order of a stream and takes a new one.
static void Renew(CUstream stream) {
  Block& block = AnyOf(true);
  BeforeWrite(block, stream);
  if (block.ordered) {
    OK(cuMemFreeAsync(block.device, stream));
  } else {
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(block.device));
  }
  block.ordered = Random(2) == 0;
  if (block.ordered) {
    OK(cuMemAllocAsync(&block.device, kBytes, stream));
  } else {
    OK(cuMemAlloc(&block.device, kBytes));
  }
  OK(cuMemsetD32Async(block.device, 0x40000000, kElements, stream));
  AfterWrite(block, stream, 2);
}

static void RunProgram(uint32_t seed) {
  state = seed * 2654435761u;
  for (int i = 0; i < 6; ++i) {
    Block block;
    if (i < 4) {
      block.device = NewZeros(kBytes);
    } else {
      block.host = (float*)NewPinned(kBytes);
    }
    blocks.push_back(block);
  }
  for (int i = 0; i < 60; ++i) {
    CUstream stream = streams[Random(5)];
    const uint32_t kind = Random(16);
    if (kind < 5) {
      Transfer(stream);
    } else if (kind < 11) {
      OnDevice(stream);
    } else if (kind < 13) {
      Graph(stream);
    } else if (kind < 15) {
      Renew(stream);
    } else {
      OK(cuLaunchHostFunc(stream, &Nothing, nullptr));
    }
  }
  OK(cuCtxSynchronize());
  for (Block& block : blocks) {
    float values[kElements];
    if (block.device != 0) {
      OK(cuMemcpyDtoH(values, block.device, kBytes));
    } else {
      memcpy(values, block.host, kBytes);
    }
    CHECK(values[0] == block.value && values[kElements - 1] == block.value);
    Drop(block.writer);
    for (Use& reader : block.readers) Drop(reader);
    if (block.device != 0) {
      OK(cuMemFree(block.device));
    } else {
      OK(cuMemFreeHost(block.host));
    }
  }
  blocks.clear();
}

int main() {
  Open();
  copy_kernel = Kernel(KERNEL_COPY);
  twice_kernel = Kernel(KERNEL_TWICE);
  add_kernel = Kernel(KERNEL_ADD);
  streams[0] = NewStream();
  streams[1] = NewStream();
  streams[2] = NewStream(CU_STREAM_DEFAULT);
  streams[3] = CU_STREAM_LEGACY;
  streams[4] = CU_STREAM_PER_THREAD;
  for (uint32_t seed = 1; seed <= 40; ++seed) RunProgram(seed);
  for (CUevent event : spare) OK(cuEventDestroy(event));
  for (int i = 0; i < 3; ++i) OK(cuStreamDestroy(streams[i]));
  Close();
}
