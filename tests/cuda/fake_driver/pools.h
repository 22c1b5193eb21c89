// Memory pools and stream-ordered allocations.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_POOLS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_POOLS_H_

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <set>

#include "state.h"

namespace fake {

struct Pool {
  int device = 0;
  bool is_default = false;
  uint64_t release_threshold = 0;
  uint64_t used_bytes = 0;
  uint64_t max_bytes = 0;  // 0: unlimited
  uint64_t used_high = 0;
  std::set<int> peers;            // other devices that may use its memory
  int options[4] = {1, 1, 1, 1};  // reuse policies
};

extern Handles<CUmemoryPool, Pool>& pools;

std::shared_ptr<Pool> DefaultPool(int device);
// Takes an allocation at once, for use after its place in the stream. A block that the stream will
// have freed by then is taken again, so that a program sees the same address twice.
CUresult TakeFromPool(Stream& stream, const std::shared_ptr<Pool>& pool, size_t bytes,
                      CUdeviceptr* pointer);
// Frees an allocation of a pool, or makes what a graph allocated inaccessible. False when it is
// neither.
bool ReturnToPool(CUdeviceptr pointer);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_POOLS_H_
