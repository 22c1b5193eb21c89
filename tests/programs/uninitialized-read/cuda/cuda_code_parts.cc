// Defect: Kernels leave a part of their output unwritten, or read what nothing has written.
// Fix: Kernels or fills write what is read.
#include "common/cuda.h"
#include "common/cuda_code.h"
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"

// Defect: A kernel writes the first half of a buffer, and the second half is downloaded.
// Fix: The kernel writes the whole buffer.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at DOWNLOAD
// EXPECT-TEXT from a part that nothing has written
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at MEMBER
// The kernel gets the buffer as a parameter.
static void ByParameter() {
  CUfunction set = CodeKernel(CODE_SET);
  CUdeviceptr out = NewMemory(8192);
  int value = 1;
#ifdef DEFECT
  int n = 1024;
#else
  int n = 2048;
#endif
  void* arguments[] = {&out, &value, &n};
  OK(cuLaunchKernel(set, 8, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  static int result[1024];
  // @DOWNLOAD
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(out);
}

// The kernel gets the buffer in a structure.
static void ByMember() {
  CUfunction pair = CodeKernel(CODE_PAIR);
  CUdeviceptr out = NewMemory(8192), in = NewZeros(8192);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } members = {0, in, 2, out};
#ifdef DEFECT
  unsigned blocks = 4;
#else
  unsigned blocks = 8;
#endif
  void* arguments[] = {&members};
  OK(cuLaunchKernel(pair, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  static int result[1024];
  // @MEMBER
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(out, in);
}

static void CodeHalfThatNoKernelWrote() {
  ByParameter();
  ByMember();
}

// Defect: The upload of a rectangle counts elements a row instead of bytes. A kernel that gets a
// pitch of 64 bits, which could be an address, runs before whole rows are downloaded. Fix: The
// upload of a rectangle covers all bytes of the rows that are downloaded.
// EXPECT warning uninitialized-read cuMemcpy2D_v2 at HERE
// EXPECT-FACT written_bytes=4000
static void CodeRowsBesideAPitch() {
  const size_t columns = 250, rows = 16, row = columns * sizeof(float);
  static float data[columns * rows], result[columns * rows];
  CUdeviceptr image, other;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, row, rows, 4));
  OK(cuMemAllocPitch(&other, &pitch, row, rows, 4));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = data;
  copy.srcPitch = row;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = image;
  copy.dstPitch = pitch;
#ifdef DEFECT
  copy.WidthInBytes = columns;
#else
  copy.WidthInBytes = row;
#endif
  copy.Height = rows;
  OK(cuMemcpy2D(&copy));
  int width = columns, height = rows;
  void* arguments[] = {&other, &pitch, &width, &height};
  OK(cuLaunchKernel(CodeKernel(CODE_PITCHED), 8, 4, 1, 32, 4, 1, 0, nullptr, arguments, nullptr));
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = row;
  back.WidthInBytes = row;
  back.Height = rows;
  // @HERE
  OK(cuMemcpy2D(&back));
  Release(other, image);
}

// Defect: A kernel doubles memory that nothing has written.
// Fix: The memory is set before the launch.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-TEXT updates argument 0, device allocation .*, from byte 0 on, but nothing has written these bytes
static void CodeUpdatedInPlace() {
  CUmodule code;
  CUfunction kernel;
  OK(cuModuleLoadData(&code, kCode));
  OK(cuModuleGetFunction(&kernel, code, CODE_TWICE));
  CUdeviceptr data = NewMemory(4096);
#ifndef DEFECT
  OK(cuMemsetD8Async(data, 0, 4096, nullptr));
#endif
  void* arguments[] = {&data};
  // @HERE_2
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(data));
  OK(cuModuleUnload(code));
}

// Defect: A kernel of a graph writes half of a buffer, and the other half is downloaded.
// Fix: The graph writes both halves.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at DOWNLOAD_2
// EXPECT-TEXT from a part that nothing has written
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at UPDATED
static int result[1024];

// The kernel of the graph has half of the blocks that it needs.
static void ByBlocks() {
  CUdeviceptr out = NewMemory(8192);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  int value = 3;
  void* arguments[] = {&out, &value};
#ifdef DEFECT
  const unsigned blocks = 4;
#else
  const unsigned blocks = 8;
#endif
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, blocks, 256);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &fill));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, nullptr));
  // @DOWNLOAD_2
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(executable, graph, out);
}

// The second launch has other parameters, and must write the other half.
static void ByUpdate() {
  CUdeviceptr out = NewMemory(8192), half = out;
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  int value = 3;
  void* arguments[] = {&half, &value};
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, 4, 256);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &fill));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, nullptr));
  value = 4;
#ifndef DEFECT
  half = out + 4096;
#endif
  OK(cuGraphExecKernelNodeSetParams(executable, node, &fill));
  OK(cuGraphLaunch(executable, nullptr));
  // @UPDATED
  OK(cuMemcpyDtoH(result, out + 4096, 4096));
  Release(executable, graph, out);
}

static void CodeHalfByAGraph() {
  ByBlocks();
  ByUpdate();
}

int main() {
  Open();
  CodeHalfThatNoKernelWrote();
  CodeRowsBesideAPitch();
  CodeUpdatedInPlace();
  CodeHalfByAGraph();
  Close();
}
