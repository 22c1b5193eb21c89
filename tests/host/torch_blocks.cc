// Uses an allocator that makes the calls of PyTorch's. Loads it as Python does, not into the global
// scope.
//
//   torch_blocks LIBRARY CASE
// CASE: correct, overrun, reused, unwritten, graph, freed, nothing, no_memory, other_memory
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                             \
  do {                                                       \
    const CUresult code = (call);                            \
    if (code != CUDA_SUCCESS) {                              \
      fprintf(stderr, "%s returned %d\n", #call, (int)code); \
      exit(1);                                               \
    }                                                        \
  } while (0)

static CUdeviceptr (*torch_malloc)(size_t);
static void (*torch_free)(CUdeviceptr);

static void Capture(CUstream stream, char* data) {
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  const CUdeviceptr block = torch_malloc(8192);
  OK(cuMemsetD8Async(block, 3, 8192, stream));
  OK(cuMemcpyDtoHAsync(data, block, 8192, stream));
  torch_free(block);
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 3; ++turn) OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
}

// The input of a graph was there before the capture. `replaced`: it is given back before a launch.
static void CaptureInput(CUstream stream, char* data, bool replaced) {
  CUgraph graph;
  CUgraphExec executable;
  const CUdeviceptr input = torch_malloc(4096);
  OK(cuMemsetD8Async(input, 3, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemcpyDtoHAsync(data, input, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  const CUdeviceptr batch = torch_malloc(4096);
  OK(cuMemsetD8Async(batch, 4, 4096, stream));
  if (replaced) {
    torch_free(input);
  } else {
    OK(cuMemcpyDtoDAsync(input, batch, 4096, stream));
  }
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  if (!replaced) {
    // The same addresses, for a tensor of the same kind: the graph may use them again.
    torch_free(input);
    const CUdeviceptr again = torch_malloc(4096);
    OK(cuMemsetD8Async(again, 5, 4096, stream));
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamSynchronize(stream));
    torch_free(again);
  }
  torch_free(batch);
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
}

int main(int argc, char** argv) {
  void* library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return fprintf(stderr, "%s\n", dlerror()), 2;
  const auto find = [&](const char* name) { return dlsym(library, name); };
  torch_malloc = reinterpret_cast<CUdeviceptr (*)(size_t)>(find("TorchMalloc"));
  torch_free = reinterpret_cast<void (*)(CUdeviceptr)>(find("TorchFree"));
  const auto empty_cache = reinterpret_cast<void (*)()>(find("TorchEmptyCache"));
  const auto reports = reinterpret_cast<int (*)()>(find("TorchReports"));
  CUdevice device;
  CUcontext context;
  CUstream owner, other;
  void* memory;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  OK(cuStreamCreate(&owner, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  OK(cuMemAllocHost(&memory, 65536));
  char* data = static_cast<char*>(memory);
  memset(data, 0, 65536);
  if (strcmp(argv[2], "no_memory") == 0) return 0;
  if (strcmp(argv[2], "nothing") == 0) {
    reinterpret_cast<CUdeviceptr (*)()>(find("TorchMallocUnreported"))();
    return 0;
  }
  if (strcmp(argv[2], "other_memory") == 0) {
    CUdeviceptr segment;
    OK(cuMemAlloc(&segment, 2 << 20));
    return 0;
  }
  const bool overrun = strcmp(argv[2], "overrun") == 0;
  const bool reused = strcmp(argv[2], "reused") == 0;
  const bool unwritten = strcmp(argv[2], "unwritten") == 0;
  const bool freed = strcmp(argv[2], "freed") == 0;

  CUdeviceptr blocks[16];
  for (CUdeviceptr& block : blocks) {
    block = torch_malloc(4096);
    OK(cuMemcpyHtoDAsync(block, data, overrun && &block == blocks ? 4100 : 4096, owner));
  }
  OK(cuStreamSynchronize(owner));
  // A block that another stream uses, freed and handed out again.
  OK(cuMemcpyDtoHAsync(data + 4096, blocks[3], 4096, other));
  if (!reused) OK(cuStreamSynchronize(other));
  torch_free(blocks[3]);
  blocks[3] = torch_malloc(4096);
  OK(cuMemsetD8Async(blocks[3], 1, 4096, owner));
  OK(cuStreamSynchronize(other));
  // A block that was written under an earlier name.
  torch_free(blocks[5]);
  blocks[5] = torch_malloc(4096);
  if (!unwritten) OK(cuMemsetD8Async(blocks[5], 1, 4096, owner));
  OK(cuMemcpyDtoHAsync(data, blocks[5], 4096, owner));
  CaptureInput(owner, data, strcmp(argv[2], "graph") == 0);
  for (CUdeviceptr block : blocks) torch_free(block);
  OK(cuStreamSynchronize(owner));
  if (freed) OK(cuMemsetD8Async(blocks[7], 1, 4096, owner));
  Capture(owner, data);
  // In segments that grow, the second one of these lies in two mappings.
  constexpr size_t kLarge = size_t{3} << 19;
  for (int turn = 0; turn < 2; ++turn) {
    CUdeviceptr large[2];
    for (CUdeviceptr& one : large) {
      one = torch_malloc(kLarge);
      OK(cuMemsetD8Async(one, 2, kLarge, owner));
    }
    OK(cuMemcpyDtoHAsync(data, large[1], 65536, owner));
    OK(cuMemcpyDtoHAsync(data, large[1] + kLarge - 65536, 65536, owner));
    OK(cuStreamSynchronize(owner));
    for (CUdeviceptr one : large) torch_free(one);
  }
  empty_cache();
  const CUdeviceptr last = torch_malloc(1024);
  OK(cuMemsetD8Async(last, 1, 1024, owner));
  OK(cuCtxSynchronize());
  printf("%d reports\n", reports());
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(other));
  OK(cuStreamDestroy(owner));
  torch_free(last);
  empty_cache();
  OK(cuDevicePrimaryCtxRelease(device));
  return 0;
}
