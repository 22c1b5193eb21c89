// Tensor maps: descriptors that the program passes to kernels by value. As on an H200, the first
// word is the address, and the strides of a tensor with one dimension must not be NULL; the other
// words differ from those of a device.
#include <cuda.h>

#include <cstdint>
#include <cstring>

#include "state.h"

using namespace fake;

namespace {

constexpr uintptr_t kAlignment = 16;
constexpr cuuint32_t kMostDimensions = 5;
constexpr uint64_t kLargestDimension = uint64_t{1} << 32;

// CUDA driver API, cuTensorMapEncodeTiled.
CUresult Encode(CUtensorMap* map, uint64_t kind, cuuint32_t rank, void* address,
                const cuuint64_t* sizes, const cuuint64_t* strides, cuuint32_t least_rank) {
  if (map == nullptr || address == nullptr || sizes == nullptr || rank < least_rank ||
      rank > kMostDimensions || strides == nullptr ||
      reinterpret_cast<uintptr_t>(address) % kAlignment != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  uint64_t words[CU_TENSOR_MAP_NUM_QWORDS] = {reinterpret_cast<uintptr_t>(address), kind, rank};
  uint64_t* to = words + 3;
  for (cuuint32_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0 || sizes[i] > kLargestDimension ||
        (i + 1 < rank && strides[i] % kAlignment != 0)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *to++ = sizes[i];
    *to++ = i + 1 < rank ? strides[i] : 0;
  }
  std::memcpy(map->opaque, words, sizeof(words));
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                        void* address, const cuuint64_t* sizes,
                                        const cuuint64_t* strides, const cuuint32_t* box,
                                        const cuuint32_t* steps, CUtensorMapInterleave,
                                        CUtensorMapSwizzle, CUtensorMapL2promotion,
                                        CUtensorMapFloatOOBfill) {
  return WithDriver([&] {
    if (box == nullptr || steps == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return Encode(map, static_cast<uint64_t>(type), rank, address, sizes, strides, 1);
  });
}

CUresult CUDAAPI cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type,
                                         cuuint32_t rank, void* address, const cuuint64_t* sizes,
                                         const cuuint64_t* strides, const int* lower,
                                         const int* upper, cuuint32_t, cuuint32_t,
                                         const cuuint32_t* steps, CUtensorMapInterleave,
                                         CUtensorMapSwizzle, CUtensorMapL2promotion,
                                         CUtensorMapFloatOOBfill) {
  return WithDriver([&] {
    if (lower == nullptr || upper == nullptr || steps == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return Encode(map, static_cast<uint64_t>(type) | 0x100, rank, address, sizes, strides, 3);
  });
}

CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return WithDriver([&] {
    if (map == nullptr || address == nullptr ||
        reinterpret_cast<uintptr_t>(address) % kAlignment != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    map->opaque[0] = reinterpret_cast<uintptr_t>(address);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
