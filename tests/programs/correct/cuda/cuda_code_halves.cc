// Kernels of two streams, or of two branches of a graph, use parts of one buffer that have no byte
// in common.
#include <initializer_list>
#include <vector>

#include "common/cuda_machine_code.h"

// Unrolled kernels of two streams write to one buffer where their inputs are positive: never the
// same elements.
static void CodeEachByItsValue() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction positive = CodeKernel(CODE_EACH_POSITIVE);
  std::vector<float> even(1000), odd(1000);
  for (size_t i = 0; i < 1000; i += 2) even[i] = odd[i + 1] = 1;
  CUdeviceptr low = NewMemory(4000), high = NewMemory(4000), out = NewZeros(4000);
  OK(cuMemcpyHtoD(low, even.data(), 4000));
  OK(cuMemcpyHtoD(high, odd.data(), 4000));
  long long count = 1000;
  void *one[] = {&low, &out, &count}, *other[] = {&high, &out, &count};
  OK(cuLaunchKernel(positive, 8, 1, 1, 128, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(positive, 8, 1, 1, 128, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  std::vector<float> all(1000);
  OK(cuMemcpyDtoH(all.data(), out, 4000));
  for (const float value : all) CHECK(value == 1);
  Release(out, high, low, second, first);
}

// Unrolled element-wise kernels of two streams write parts of one buffer that have no byte in
// common: two halves with more threads than elements, even and odd elements, one half from its end
// on, and halves with fewer threads than elements.
static void CodeEachPartOfOneBuffer() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction each = CodeKernel(CODE_EACH);
  CUdeviceptr in = NewZeros(8000), out = NewZeros(8000);
  const auto launch = [&](CUstream stream, unsigned blocks, CUdeviceptr data, int stride) {
    long long count = 1000;
    Array from = {in, 8000, 2000, 4}, to = {data, 8000, 1000, stride};
    void* arguments[] = {&from, &to, &count};
    OK(cuLaunchKernel(each, blocks, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
  };
  const auto launch_both = [&](unsigned blocks, CUdeviceptr low, int low_stride, CUdeviceptr high,
                               int high_stride) {
    launch(first, blocks, low, low_stride);
    launch(second, blocks, high, high_stride);
    OK(cuCtxSynchronize());
  };
  launch_both(8, out, 4, out + 4000, 4);
  launch_both(16, out, 8, out + 4, 8);
  launch_both(8, out + 3996, -4, out + 4000, 4);
  launch_both(2, out, 4, out + 4000, 4);
  Release(out, in, second, first);
}

// Kernels on two streams get the same pointer, and an offset says which half each of them changes.
static void CodeStreamsOwnHalves() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUdeviceptr data = NewZeros(2048);
  int begins[] = {0, 256};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  for (int round = 0; round < 3; ++round) {
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  }
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Kernels on two streams get structures with one common input and halves of one output.
static void CodeStructuresOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction code_pair = CodeKernel(CODE_PAIR);
  CUdeviceptr in = NewZeros(4096), out = NewZeros(8192);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } low = {1024, in, 2, out}, high = {1024, in, 3, out + 4096};
  void *one[] = {&low}, *other[] = {&high};
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  Release(out, in, second, first);
}

// Kernels on two streams have a path for full blocks and a path for the last one. Each works on its
// part of two buffers: with several blocks, with one that is not full, and in turns.
static void CodeTwoPathsOfParts() {
  CUfunction tiles = CodeKernel(CODE_TILES);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr in = NewZeros(1 << 14), out = NewZeros(1 << 14);
  for (int count : {700, 1024, 100, 512}) {
    const unsigned blocks = static_cast<unsigned>(count + 511) / 512;
    CUdeviceptr low[] = {out, in}, high[] = {out + count * 4u, in + count * 4u};
    void *arguments[] = {&count, low}, *more[] = {&count, high};
    OK(cuLaunchKernel(tiles, blocks, 1, 1, 128, 1, 1, 0, first, arguments, nullptr));
    OK(cuLaunchKernel(tiles, blocks, 1, 1, 128, 1, 1, 0, second, more, nullptr));
    OK(cuCtxSynchronize());
    float last;
    OK(cuMemcpyDtoH(&last, out + count * 8u - 4, 4));
    CHECK(last == 1);
  }
  Release(out, in, second, first);
}

// Kernels with loops over more elements than threads work on the halves of two buffers at the same
// time.
static void CodeGridStrideLoops() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction stride = CodeKernel(CODE_STRIDE);
  CUdeviceptr in = NewZeros(8192), out = NewZeros(8192);
  CUdeviceptr in_high = in + 4096, out_high = out + 4096;
  int count = 1024;
  void *low[] = {&in, &out, &count}, *high[] = {&in_high, &out_high, &count};
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  float last;
  OK(cuMemcpyDtoH(&last, out + 8188, 4));
  CHECK(last == 1);
  Release(out, in, second, first);
}

// A kernel fills one half of a buffer while the other half is downloaded on another stream.
static void CodePingPongHalves() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr data = NewZeros(8192);
  int* result = (int*)NewPinned(8192);
  CUevent filled[2] = {NewEvent(), NewEvent()}, taken[2] = {NewEvent(), NewEvent()};
  for (int round = 0; round < 6; ++round) {
    const int half = round % 2;
    CUdeviceptr part = data + half * 4096;
    int value = round;
    void* arguments[] = {&part, &value};
    if (round >= 2) OK(cuStreamWaitEvent(first, taken[half], 0));
    OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
    OK(cuEventRecord(filled[half], first));
    OK(cuStreamWaitEvent(second, filled[half], 0));
    OK(cuMemcpyDtoHAsync(result + half * 1024, part, 4096, second));
    OK(cuEventRecord(taken[half], second));
  }
  OK(cuCtxSynchronize());
  CHECK(result[0] == 4 && result[2047] == 5);
  for (int i = 0; i < 2; ++i) {
    OK(cuEventDestroy(taken[i]));
    OK(cuEventDestroy(filled[i]));
  }
  Release(result, data, second, first);
}

// Two branches of a graph work on the halves of one buffer by one pointer and an offset.
static void CodeGraphBranchesOfTwoHalves() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUdeviceptr data = NewZeros(2048);
  int begins[] = {0, 256};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  CUevent begun = NewEvent(), done = NewEvent();
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuEventRecord(begun, first));
  OK(cuStreamWaitEvent(second, begun, 0));
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuEventRecord(done, second));
  OK(cuStreamWaitEvent(first, done, 0));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, first));
  OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  Release(executable, graph, done, begun, data, second, first);
}

// Kernels on two streams change one half each of managed memory, while the host reads another block.
static void CodeManagedHalves() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) ||
      !Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS))
    return;
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUdeviceptr data, other;
  OK(cuMemAllocManaged(&data, 2048, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&other, 2048, CU_MEM_ATTACH_GLOBAL));
  memset((void*)data, 0, 2048);
  memset((void*)other, 1, 2048);
  int begins[] = {0, 256};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  for (int round = 0; round < 3; ++round) {
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
    CHECK(((char*)other)[round] == 1);
  }
  OK(cuCtxSynchronize());
  // The same memory on the other stream, behind the wait of the host.
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, low, nullptr));
  OK(cuCtxSynchronize());
  Release(other, data, second, first);
}

int main() {
  Open();
  CodeEachByItsValue();
  CodeEachPartOfOneBuffer();
  CodeStreamsOwnHalves();
  CodeStructuresOfTwoStreams();
  CodeTwoPathsOfParts();
  CodeGridStrideLoops();
  CodePingPongHalves();
  CodeGraphBranchesOfTwoHalves();
  CodeManagedHalves();
  Close();
}
