// Defect: A graph sets mapped memory whose write access the program has taken away after the instantiation.
// Fix: The device keeps its write access.
// EXPECT error kernel-access-flag cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// MAY sticky-error
// EXIT any
#include "common/cuda_graphs.h"
#include "common/cuda_mapped.h"

int main() {
  Open();
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
#ifdef DEFECT
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  OK(cuMemSetAccess(memory, bytes, &access, 1));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemUnmap(memory, bytes));
  OK(cuMemAddressFree(memory, bytes));
  OK(cuMemRelease(physical));
  Close(stream);
}
