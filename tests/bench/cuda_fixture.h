// What the CUDA benches share: their arguments, and streams that each have memory of their own,
// beside allocations that only live.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/programs/common/cuda_code.h"
#include "tests/programs/common/cuda_kernels.h"

namespace bench {

// Ends the program unless the code, a CUresult or a cudaError_t, is 0.
inline void CheckCuda(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s failed with %d\n", what, code);
  std::exit(1);
}
#define CHECK_CUDA(call) ::bench::CheckCuda(static_cast<int>(call), #call)

struct CudaOptions {
  int batches = 60;
  int live = 0;      // allocations of 512 B beside those that are used
  int streams = 1;   // that calls are spread over
  std::string only;  // a case; empty: all

  // Takes --batches, --live, --streams and --case; what it does not know is passed over.
  CudaOptions(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
      if (std::strcmp(argv[i], "--batches") == 0) batches = std::atoi(argv[i + 1]);
      if (std::strcmp(argv[i], "--live") == 0) live = std::atoi(argv[i + 1]);
      if (std::strcmp(argv[i], "--streams") == 0) streams = std::atoi(argv[i + 1]);
      if (std::strcmp(argv[i], "--case") == 0) only = argv[i + 1];
    }
  }
};

// In the first device's primary context, which it makes the calling thread's.
class CudaFixture {
 public:
  struct PerStream {
    CUstream stream;
    CUdeviceptr a, b, c;  // 4096 B each, zeros
    void* host;           // 4096 B, pinned
  };

  explicit CudaFixture(const CudaOptions& options)
      : live_(static_cast<size_t>(options.live)), streams_(static_cast<size_t>(options.streams)) {
    CUcontext context;
    CHECK_CUDA(cuInit(0));
    CHECK_CUDA(cuDeviceGet(&device_, 0));
    CHECK_CUDA(cuDevicePrimaryCtxRetain(&context, device_));
    CHECK_CUDA(cuCtxSetCurrent(context));
    CHECK_CUDA(cuModuleLoadData(&module_, kKernels));
    CHECK_CUDA(cuModuleGetFunction(&add, module_, KERNEL_ADD));
    CHECK_CUDA(cuModuleGetFunction(&nothing, module_, KERNEL_NOTHING));
    CHECK_CUDA(cuModuleLoadData(&code_, kCode));
    CHECK_CUDA(cuModuleGetFunction(&code_add, code_, CODE_ADD));
    for (CUdeviceptr& block : live_) CHECK_CUDA(cuMemAlloc(&block, 512));
    for (PerStream& at : streams_) {
      CHECK_CUDA(cuStreamCreate(&at.stream, CU_STREAM_DEFAULT));
      for (CUdeviceptr* block : {&at.a, &at.b, &at.c}) {
        CHECK_CUDA(cuMemAlloc(block, kBytes));
        CHECK_CUDA(cuMemsetD8(*block, 0, kBytes));
      }
      CHECK_CUDA(cuMemAllocHost(&at.host, kBytes));
    }
    CHECK_CUDA(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    CHECK_CUDA(cuCtxSynchronize());
  }
  CudaFixture(const CudaFixture&) = delete;
  CudaFixture& operator=(const CudaFixture&) = delete;
  ~CudaFixture() {
    CHECK_CUDA(cuEventDestroy(event));
    for (PerStream& at : streams_) {
      for (CUdeviceptr block : {at.a, at.b, at.c}) CHECK_CUDA(cuMemFree(block));
      CHECK_CUDA(cuMemFreeHost(at.host));
      CHECK_CUDA(cuStreamDestroy(at.stream));
    }
    for (CUdeviceptr block : live_) CHECK_CUDA(cuMemFree(block));
    CHECK_CUDA(cuModuleUnload(code_));
    CHECK_CUDA(cuModuleUnload(module_));
    CHECK_CUDA(cuDevicePrimaryCtxRelease(device_));
  }

  // In turn.
  PerStream& at(int call) { return streams_[static_cast<size_t>(call) % streams_.size()]; }

  CUfunction add, nothing;
  CUfunction code_add;  // the same kernel as machine code, which gpusan reads
  CUevent event;

 private:
  static constexpr size_t kBytes = 4096;
  CUdevice device_;
  CUmodule module_, code_;
  std::vector<CUdeviceptr> live_;
  std::vector<PerStream> streams_;
};

}  // namespace bench
