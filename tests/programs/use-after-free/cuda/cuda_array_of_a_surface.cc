// Defect: The kernel of a graph writes through a surface object whose array is destroyed before the launch.
// Fix: The array is destroyed behind the launch of the graph.
// EXIT any
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT surface object
// MAY sticky-error leak
#include "common/cuda_texels.h"

int main() {
  Open();
  CUfunction write = TexelKernel(KERNEL_WRITE_SURFACE);
  CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  CUsurfObject surface;
  OK(cuSurfObjectCreate(&surface, &resource));
  float value = 2;
  int width = 8;
  void* arguments[] = {&surface, &value, &width};
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuLaunchKernel(write, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT
  // @RELEASE
  OK(cuArrayDestroy(array));
#endif
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuArrayDestroy(array));
#endif
  OK(cuSurfObjectDestroy(surface));
  Close(executable, graph, stream);
}
