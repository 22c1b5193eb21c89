// Defect: A graph downloads memory that one of its nodes allocates, and nothing orders the download
// before the node that frees the memory.
// Fix: The node that frees the memory depends on the download.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY recorded at DOWNLOAD
// EXPECT-PARTY release at FREE
// EXPECT-TEXT nothing orders it before the node that frees it
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = {};
  memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  memory.poolProps.location.id = device;
  memory.bytesize = 4096;
  CUgraphNode allocated, filled, downloaded, freed;
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = memory.dptr;
  fill.value = 3;
  fill.elementSize = 1;
  fill.width = 4096;
  fill.height = 1;
  OK(cuGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill, context));
  CUDA_MEMCPY3D download = {};
  download.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  download.srcDevice = memory.dptr;
  download.dstMemoryType = CU_MEMORYTYPE_HOST;
  download.dstHost = result;
  download.WidthInBytes = 4096;
  download.Height = 1;
  download.Depth = 1;
  // @DOWNLOAD
  OK(cuGraphAddMemcpyNode(&downloaded, graph, &filled, 1, &download, context));
#ifdef DEFECT
  const CUgraphNode* before = &filled;
#else
  const CUgraphNode* before = &downloaded;
#endif
  // @FREE
  OK(cuGraphAddMemFreeNode(&freed, graph, before, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, result, stream);
}
