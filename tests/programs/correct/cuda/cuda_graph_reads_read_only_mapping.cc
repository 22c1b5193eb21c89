// A graph writes memory at one address, and a kernel of it reads the memory at a second address, to
// which the device has read access only. The access at the first address ends behind the launch.
#include "common/cuda_graphs.h"
#include "common/cuda_mapped.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2], out = NewMemory(256);
  MapTwice(addresses, bytes, memory);
  SetAccess(addresses[1], bytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
  void* arguments[] = {&addresses[1], &out};
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode filled = AddFill(graph, nullptr, addresses[0], 1);
  AddKernel(graph, &filled, copy, arguments);
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 2; ++turn) OK(cuGraphLaunch(executable, nullptr));
  OK(cuCtxSynchronize());
  SetAccess(addresses[0], bytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
  unsigned word;
  OK(cuMemcpyDtoH(&word, out, sizeof(word)));
  CHECK(word == 0x01010101);
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  for (CUdeviceptr address : addresses) {
    OK(cuMemUnmap(address, bytes));
    OK(cuMemAddressFree(address, 2 * bytes));
  }
  OK(cuMemRelease(memory));
  Close(out);
}
