// Defect copy: A copy writes memory to which its device has read access only.
// EXPECT error kernel-access-flag cuMemcpyHtoD_v2 at HERE
// EXPECT-FACT flags=CU_MEM_ACCESS_FLAGS_PROT_READ
// EXPECT-TEXT the command writes
// MAY sticky-error call-failed leak
// EXIT any
// Defect copy_of_rows: A copy of rows writes memory to which its device has read access only.
// EXPECT error kernel-access-flag cuMemcpy2D_v2 at HERE_2
// EXPECT-FACT flags=CU_MEM_ACCESS_FLAGS_PROT_READ
// EXPECT-TEXT the command writes
// MAY sticky-error call-failed leak
// EXIT any
// Defect memset: A memset writes memory to which its device has read access only.
// EXPECT error kernel-access-flag cuMemsetD8Async at HERE_3
// EXPECT-FACT flags=CU_MEM_ACCESS_FLAGS_PROT_READ
// EXPECT-TEXT the command writes
// MAY sticky-error call-failed leak
// EXIT any
// Defect value: A stream writes a value to mapped memory that devices may only read.
// EXPECT error kernel-access-flag cuStreamWriteValue32_v2 at HERE_4
// MAY sticky-error call-failed leak
// EXIT any
// Defect graph: A graph sets mapped memory whose write access the program has taken away after the
// instantiation.
// EXPECT error kernel-access-flag cuGraphLaunch at HERE_5
// EXPECT-PARTY allocation at CREATED
// MAY sticky-error
// EXIT any
// Defect kernel_of_a_graph: A kernel of a graph writes mapped memory that devices may only read.
// EXPECT error kernel-access-flag cuGraphLaunch at HERE_6
// EXPECT-FACT argument=0
// MAY sticky-error call-failed leak
// EXIT any
// Fix: The device has write access.
#include "common/cuda_graphs.h"
#include "common/cuda_mapped.h"

// Fix: The device has read and write access.
static void Copy() {
  const MappedPiece piece = NewPiece();
#ifdef DEFECT_copy
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
#endif
  const int words[64] = {1};
  // @HERE
  OK(cuMemcpyHtoD(piece.address, words, sizeof words));
  OK(cuCtxSynchronize());
  FreePiece(piece);
}

// Fix: The device has read and write access.
static void CopyOfRows() {
  const MappedPiece piece = NewPiece();
#ifdef DEFECT_copy_of_rows
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
#endif
  int words[4][16] = {{1}};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = words;
  copy.srcPitch = sizeof words[0];
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = piece.address;
  copy.dstPitch = 512;
  copy.WidthInBytes = sizeof words[0];
  copy.Height = 4;
  // @HERE_2
  OK(cuMemcpy2D(&copy));
  OK(cuCtxSynchronize());
  FreePiece(piece);
}

// Fix: The device has read and write access.
static void Memset() {
  const MappedPiece piece = NewPiece();
#ifdef DEFECT_memset
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
#endif
  // @HERE_3
  OK(cuMemsetD8Async(piece.address, 1, piece.bytes, nullptr));
  OK(cuCtxSynchronize());
  FreePiece(piece);
}

// Fix: The device has read and write access.
static void Value() {
  const MappedPiece piece = NewPiece();
#ifdef DEFECT_value
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
#endif
  // @HERE_4
  OK(cuStreamWriteValue32(nullptr, piece.address, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuCtxSynchronize());
  FreePiece(piece);
}

// Fix: The device keeps its write access.
static void Graph() {
  const size_t bytes = PhysicalPiece();
  CUstream stream = NewStream();
  CUmemGenericAllocationHandle physical = NewPhysical(bytes);
  CUdeviceptr memory;
  OK(cuMemAddressReserve(&memory, bytes, 0, 0, 0));
  // @CREATED
  OK(cuMemMap(memory, bytes, 0, physical, 0));
  CUmemAccessDesc access = {PhysicalProperties().location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(memory, bytes, &access, 1));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  AddFill(graph, nullptr, memory, 1);
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT_graph
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  OK(cuMemSetAccess(memory, bytes, &access, 1));
#endif
  // @HERE_5
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_graph
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemUnmap(memory, bytes));
  OK(cuMemAddressFree(memory, bytes));
  OK(cuMemRelease(physical));
  Release(stream);
}

// Fix: The device gets write access before the launch.
static void KernelOfAGraph() {
  CUfunction fill = Kernel(KERNEL_FILL);
  MappedPiece piece = NewPiece();
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
  int value = 1;
  void* arguments[] = {&piece.address, &value};
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  AddKernel(graph, nullptr, fill, arguments);
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifndef DEFECT_kernel_of_a_graph
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
#endif
  // @HERE_6
  OK(cuGraphLaunch(executable, nullptr));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  FreePiece(piece);
}

int main() {
  Open();
  Copy();
  CopyOfRows();
  Memset();
  Value();
  Graph();
  KernelOfAGraph();
  Close();
}
