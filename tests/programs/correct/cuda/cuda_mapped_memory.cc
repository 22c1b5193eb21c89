// Physical memory is mapped at several addresses, with several rights.
#include "common/cuda_graphs.h"
#include "common/cuda_mapped.h"

// Addresses are reserved, physical memory is mapped there in two pieces, used, and taken away
// again.
static void VirtualMemory() {
  const size_t piece = PhysicalPiece();
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, 2 * piece, 0, 0, 0));
  for (int i = 0; i < 2; ++i) {
    CUmemGenericAllocationHandle memory = NewPhysical(piece);
    OK(cuMemMap(base + i * piece, piece, 0, memory, 0));
    OK(cuMemRelease(memory));  // the mapping keeps it
  }
  const CUmemAccessDesc access = {PhysicalProperties().location,
                                  CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(base, 2 * piece, &access, 1));
  static char result[4096];
  OK(cuMemsetD8(base, 5, 2 * piece));
  OK(cuMemcpyDtoH(result, base + piece - 2048, 4096));  // from both pieces
  CHECK(result[0] == 5 && result[4095] == 5);
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(base, 2 * piece));
  OK(cuMemAddressFree(base, 2 * piece));
}

// Physical memory is mapped at two addresses, moved to a third one with its content, and in part
// replaced by other memory.
static void AliasesOfPhysicalMemory() {
  const size_t piece = PhysicalPiece();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr base, alias;
  OK(cuMemAddressReserve(&base, 3 * piece, 0, 0, 0));
  OK(cuMemAddressReserve(&alias, piece, 0, 0, 0));
  CUmemGenericAllocationHandle first = NewPhysical(piece), second = NewPhysical(piece);
  Map(base, piece, first);
  Map(alias, piece, first);
  // Written by one address and read by the other, one kernel behind the other.
  OK(cuMemsetD8Async(base, 5, piece, stream));
  OK(cuMemcpyDtoHAsync(result, alias, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 5);
  OK(cuMemUnmap(base, piece));
  // The content moves with the memory.
  Map(base + 2 * piece, piece, first);
  OK(cuMemcpyDtoHAsync(result, base + 2 * piece, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[4095] == 5);
  // Other memory at the address that was used before, and a copy over the seam.
  Map(base, piece, second);
  CUmemGenericAllocationHandle middle = NewPhysical(piece), again;
  Map(base + piece, piece, middle);
  OK(cuMemRetainAllocationHandle(&again, (void*)(base + piece)));
  OK(cuMemRelease(again));
  OK(cuMemsetD8Async(base, 6, 3 * piece, stream));
  OK(cuMemcpyDtoHAsync(result, base + 2 * piece - 2048, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 6 && result[4095] == 6);
  OK(cuMemUnmap(base, 3 * piece));
  OK(cuMemcpyDtoHAsync(result, alias, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 6);
  OK(cuMemUnmap(alias, piece));
  OK(cuMemRelease(middle));
  OK(cuMemRelease(second));
  OK(cuMemRelease(first));
  OK(cuMemAddressFree(alias, piece));
  OK(cuMemAddressFree(base, 3 * piece));
  Release(result, stream);
}

// Trap: Memory has read access only at one address. Copies read it there, and write it at a second
// address, before the access changes and after it is given back.
static void CopiesOfReadOnlyMapping() {
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2];
  MapTwice(addresses, bytes, memory);
  int words[64] = {1}, read[64];
  OK(cuMemcpyHtoDAsync(addresses[0], words, sizeof words, nullptr));
  OK(cuMemsetD8Async(addresses[0] + sizeof words, 0, 256, nullptr));
  OK(cuCtxSynchronize());
  SetAccess(addresses[0], bytes, CU_MEM_ACCESS_FLAGS_PROT_READ);
  OK(cuMemcpyDtoH(read, addresses[0], sizeof read));
  OK(cuMemcpyDtoD(addresses[1] + 1024, addresses[0], sizeof words));
  OK(cuMemsetD8(addresses[1], 0, sizeof words));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(read, addresses[0] + 1024, sizeof read));
  SetAccess(addresses[0], bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  OK(cuMemcpyHtoD(addresses[0], words, sizeof words));
  OK(cuMemsetD8(addresses[0], 0, bytes));
  OK(cuCtxSynchronize());
  for (CUdeviceptr address : addresses) {
    OK(cuMemUnmap(address, bytes));
    OK(cuMemAddressFree(address, 2 * bytes));
  }
  OK(cuMemRelease(memory));
}

// A graph writes memory at one address, and a kernel of it reads the memory at a second address, to
// which the device has read access only. The access at the first address ends behind the launch.
static void GraphReadsReadOnlyMapping() {
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
  Release(out);
}

int main() {
  Open();
  VirtualMemory();
  AliasesOfPhysicalMemory();
  CopiesOfReadOnlyMapping();
  GraphReadsReadOnlyMapping();
  Close();
}
