// Kernels of two streams share input and write different parts of one output, or count in one word.
#include "common/cuda.h"
#include "common/cuda_machine_code.h"

// Every launch gets the base of the memory and an offset: uploads of one part run beside
// kernels on another.
static void KernelWithBaseAndOffset() {
  Open();
  CUfunction twice_from = Kernel(KERNEL_TWICE_FROM);
  CUstream first = NewStream(), second = NewStream();
  float* data = (float*)NewPinned(8192);
  for (int i = 0; i < 2048; ++i) data[i] = i;
  CUdeviceptr buffer = NewMemory(8192);
  OK(cuMemcpyHtoDAsync(buffer + 4096, data + 1024, 4096, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  int offset = 1024;
  void* arguments[] = {&buffer, &offset};
  OK(cuLaunchKernel(twice_from, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(data, buffer, 8192));
  CHECK(data[1023] == 1023 && data[1024] == 2048);
  Close(buffer, data, second, first);
}

// Two kernels work on the two halves of one allocation at the same time: on two streams, and in two
// branches of a graph.
static void KernelsOfTwoHalves() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE), copy = Kernel(KERNEL_COPY);
  CUstream first = NewStream(), second = NewStream();
  CUevent begun = NewEvent(), done = NewEvent();
  CUdeviceptr data = NewZeros(8192), half = data + 4096, out = NewMemory(4096);
  void *left[] = {&data}, *right[] = {&half, &out};
  for (int round = 0; round < 2; ++round) {
    const bool captured = round == 1;
    if (captured) OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuEventRecord(begun, first));
    OK(cuStreamWaitEvent(second, begun, 0));
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, left, nullptr));
    OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, right, nullptr));
    OK(cuEventRecord(done, second));
    OK(cuStreamWaitEvent(first, done, 0));
    if (!captured) {
      OK(cuStreamSynchronize(first));
      continue;
    }
    CUgraph graph;
    CUgraphExec executable;
    OK(cuStreamEndCapture(first, &graph));
    OK(cuGraphInstantiate(&executable, graph, 0));
    OK(cuGraphLaunch(executable, first));
    OK(cuStreamSynchronize(first));
    OK(cuGraphExecDestroy(executable));
    OK(cuGraphDestroy(graph));
  }
  Close(out, data, done, begun, second, first);
}

// Kernels on several streams read one table, and each writes its own part of one result.
static void KernelsShareInput() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream streams[4];
  CUdeviceptr table = NewZeros(4096), out = NewMemory(4 * 4096);
  float* result = (float*)NewPinned(4 * 4096);
  int n = 1024;
  for (int i = 0; i < 4; ++i) {
    streams[i] = NewStream();
    CUdeviceptr part = out + i * 4096;
    void* arguments[] = {&table, &table, &part, &n};
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    OK(cuMemcpyDtoHAsync(result + i * 1024, part, 4096, streams[i]));
  }
  OK(cuCtxSynchronize());
  CHECK(result[4095] == 0);
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close(result, out, table);
}

// Trap: Kernels in two streams write every second image of one buffer, with other sizes in each launch.
// They find their rows by divisions.
static void ImagesSideBySide() {
  Open();
  CUstream streams[] = {NewStream(), NewStream()};
  CUfunction image = CodeKernel(CODE_IMAGE);
  const int pitch = 32, images = 12;
  const size_t bytes = 8 * pitch * sizeof(float);
  CUdeviceptr out = NewMemory(images * bytes);
  for (int i = 0; i < images; ++i) {
    CUdeviceptr begin = out + static_cast<CUdeviceptr>(i) * bytes;
    int width = 8 + 2 * i, count = width * 8, row = pitch;
    void* arguments[] = {&begin, &width, &row, &count};
    OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, streams[i % 2], arguments, nullptr));
  }
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close();
}

// Kernels on two streams count in one word by atomic additions.
static void Counter() {
  Open();
  CUfunction count = Kernel(KERNEL_COUNT);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr counter = NewZeros(4);
  void* arguments[] = {&counter};
  OK(cuLaunchKernel(count, 4, 1, 1, 64, 1, 1, 0, first, arguments, nullptr));
  OK(cuLaunchKernel(count, 4, 1, 1, 64, 1, 1, 0, second, arguments, nullptr));
  OK(cuCtxSynchronize());
  unsigned counted = 0;
  OK(cuMemcpyDtoH(&counted, counter, 4));
  CHECK(counted == 512);
  Close(counter, second, first);
}

int main() {
  KernelWithBaseAndOffset();
  KernelsOfTwoHalves();
  KernelsShareInput();
  ImagesSideBySide();
  Counter();
}
