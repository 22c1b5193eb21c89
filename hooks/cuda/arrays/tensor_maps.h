// Tensor maps (CUtensorMap): descriptors of tensors in global memory, which kernels get by value.
//
// A tensor map is data of the program and no object of the driver. gpusan keeps a hash of those
// that the program encoded, by which it recognizes the arguments of launches.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

inline constexpr uint32_t kTensorMapBytes = 128;

// Whether the program has encoded a tensor map.
extern constinit std::atomic<bool> has_tensor_maps;

// Notes the tensor map of kTensorMapBytes at `bytes`, which a call has encoded.
void NoteTensorMap(const unsigned char* bytes, const CallInfo& call, SiteId site);
// As IsTensorMap, if there are any.
bool IsKnownTensorMap(const unsigned char* bytes);
// Whether the kTensorMapBytes at `bytes` are those of a tensor map that the program has encoded.
// Old ones are forgotten. Thread-safe, without a lock.
inline bool IsTensorMap(const unsigned char* bytes) {
  return has_tensor_maps.load(std::memory_order_relaxed) && IsKnownTensorMap(bytes);
}
// Returns the address of the memory that a tensor map describes.
uintptr_t MemoryOfTensorMap(const unsigned char* bytes);

// The call that encoded a tensor map. `call` is nullptr if it is forgotten.
struct TensorMapSource {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};
// Returns the source of a tensor map of the memory at `address`.
TensorMapSource SourceOfTensorMap(uintptr_t address);

// --- handlers

template <typename P>
struct TensorMapEncode {
  // No deferred command reads or changes a tensor map.
  static constexpr bool kLeavesDeferred = true;

  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    const auto* bytes = reinterpret_cast<const unsigned char*>(p.tensorMap);
    // Programs encode the same tensor for each launch.
    if (!IsTensorMap(bytes)) NoteTensorMap(bytes, call.info(), call.site());
  }
};

}  // namespace gpusan::cuda
