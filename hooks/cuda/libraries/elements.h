// Element types of the CUDA libraries, and the regions of vectors and matrices.
#pragma once

#include <cstdint>

#include "tracker/model/region.h"

namespace gpusan::cuda {

enum class ScalarType : uint8_t { kUnknown, kHalf, kFloat, kDouble, kInteger };

struct Element {
  uint32_t bytes = 0;  // 0: unknown
  ScalarType scalar = ScalarType::kUnknown;
  bool complex = false;
};
inline constexpr Element kElementH = {2, ScalarType::kHalf, false};
inline constexpr Element kElementS = {4, ScalarType::kFloat, false};
inline constexpr Element kElementD = {8, ScalarType::kDouble, false};
inline constexpr Element kElementC = {8, ScalarType::kFloat, true};
inline constexpr Element kElementZ = {16, ScalarType::kDouble, true};

// The element of a cudaDataType_t; 0 bytes: not known, or smaller than a byte.
Element ElementOf(int data_type);

// Whether the host scalar at `value` is 0. True also for NULL and for unknown types: callers record
// what a library accesses for other values.
bool MayBeZero(const void* value, const Element& element);

// `n` elements with a distance of `stride` elements, which may be negative. Empty if n <= 0.
Region VectorRegion(int64_t n, const Element& element, int64_t stride);
// A matrix by columns. `batch` matrices with a distance of `stride` elements; a distance that is
// smaller than a matrix, or negative, leaves the first one. Empty for invalid sizes.
Region MatrixRegion(int64_t rows, int64_t columns, int64_t leading, const Element& element,
                    int64_t batch = 1, int64_t stride = 0);

}  // namespace gpusan::cuda
