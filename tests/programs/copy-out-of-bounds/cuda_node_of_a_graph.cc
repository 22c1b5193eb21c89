// Defect: A node of a graph uploads more than the allocation holds.
// Fix: A node of a graph uploads what the allocation holds.
// EXPECT error copy-out-of-bounds cuGraphAddMemcpyNode at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewZeros(4096);
  char* data = NewPinned(8192);
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMCPY3D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  upload.dstDevice = buffer;
#ifdef DEFECT
  upload.WidthInBytes = 8192;
#else
  upload.WidthInBytes = 4096;
#endif
  upload.Height = 1;
  upload.Depth = 1;
  CUgraphNode node;
  // @HERE
  cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &upload, context);
  Close(graph, buffer, data);
}
