// Defect: Uploads are longer than the memory that they write.
// Fix: The upload ends with the memory.
#include "common/cuda.h"
#include "common/cuda_pool.h"

// Defect: A device allocation is too short for the upload: the size was computed in another way.
// Fix: A device allocation is as long as the upload.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=15360
static void Upload() {
  enum { n = 4096 };
  static float data[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, bytes));
  // @HERE
  cuMemcpyHtoD(buffer, data, n * sizeof(float));
  Release(buffer);
}

// Defect: An upload to a variable of a module is longer than the variable.
// Fix: An upload to a variable of a module is as long as the variable.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at HERE_2
// EXPECT-FACT resource_bytes=1024
static void ModuleVariable() {
  Kernel(KERNEL_LOOK_UP);  // loads the module
  static float data[512];
  CUdeviceptr table;
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  CHECK(bytes == 256 * sizeof(float));
#ifdef DEFECT
  bytes = sizeof(data);
#endif
  // @HERE_2
  cuMemcpyHtoD(table, data, bytes);
}

// Defect: An upload into a block of the program's own pool is longer than the block. The pool's
// allocation is long enough.
// Fix: The upload has the size of the block.
// EXPECT error copy-out-of-bounds cuMemcpyHtoDAsync_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_2
static void BlockOfAPool() {
  OpenPool(0);
  CUstream stream = NewStream();
  char* data = NewPinned(8192);
  const CUdeviceptr block = pool_memory + 4096;
  // @CREATED_2
  gpusan_block_alloc(pool, block, 4096, Number(stream), 0);
#ifdef DEFECT
  const size_t bytes = 4100;
#else
  const size_t bytes = 4096;
#endif
  // @HERE_3
  OK(cuMemcpyHtoDAsync(block, data, bytes, stream));
  OK(cuStreamSynchronize(stream));
  gpusan_block_free(pool, block, Number(stream));
  ClosePool();
  Release(data, stream);
}

// Defect: A node of a graph uploads more than the allocation holds.
// Fix: A node of a graph uploads what the allocation holds.
// EXPECT error copy-out-of-bounds cuGraphAddMemcpyNode at HERE_4
static void NodeOfAGraph() {
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
  // @HERE_4
  cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &upload, context);
  Release(graph, buffer, data);
}

int main() {
  Open();
  Upload();
  ModuleVariable();
  BlockOfAPool();
  NodeOfAGraph();
  Close();
}
