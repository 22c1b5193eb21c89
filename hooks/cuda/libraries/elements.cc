// Element types of the CUDA libraries, and the regions of vectors and matrices.
#include "hooks/cuda/libraries/elements.h"

#include <cstring>

namespace gpusan::cuda {
namespace {

template <typename T>
bool IsZero(const void* value, bool complex) {
  T parts[2] = {};
  std::memcpy(parts, value, sizeof(T) * (complex ? 2 : 1));
  return parts[0] == T{0} && parts[1] == T{0};
}

}  // namespace

Element ElementOf(int data_type) {
  switch (data_type) {
    case 0:  // CUDA_R_32F
      return kElementS;
    case 1:  // CUDA_R_64F
      return kElementD;
    case 2:  // CUDA_R_16F
      return kElementH;
    case 4:  // CUDA_C_32F
      return kElementC;
    case 5:  // CUDA_C_64F
      return kElementZ;
    case 3:   // CUDA_R_8I
    case 8:   // CUDA_R_8U
    case 28:  // CUDA_R_8F_E4M3
    case 29:  // CUDA_R_8F_E5M2
      return {1};
    case 14:  // CUDA_R_16BF
    case 20:  // CUDA_R_16I
    case 22:  // CUDA_R_16U
      return {2};
    case 6:   // CUDA_C_16F
    case 12:  // CUDA_R_32U
    case 15:  // CUDA_C_16BF
      return {4};
    case 10:  // CUDA_R_32I
      return {4, ScalarType::kInteger};
    case 24:  // CUDA_R_64I
    case 26:  // CUDA_R_64U
      return {8};
    default:
      return {};
  }
}

bool MayBeZero(const void* value, const Element& element) {
  if (value == nullptr) return true;
  switch (element.scalar) {
    case ScalarType::kHalf: {
      uint16_t bits;
      std::memcpy(&bits, value, sizeof(bits));
      return element.complex || (bits & 0x7fff) == 0;
    }
    case ScalarType::kFloat:
      return IsZero<float>(value, element.complex);
    case ScalarType::kDouble:
      return IsZero<double>(value, element.complex);
    case ScalarType::kInteger:
      return IsZero<int32_t>(value, false);
    case ScalarType::kUnknown:
      break;
  }
  return true;
}

Region VectorRegion(int64_t n, const Element& element, int64_t stride) {
  if (n <= 0 || element.bytes == 0 || stride == INT64_MIN) return {};
  const auto distance = static_cast<uint64_t>(stride < 0 ? -stride : stride);
  if (distance == 0) return Region::Linear(0, element.bytes);
  return Region::Strided(0, element.bytes, static_cast<uint64_t>(n),
                         SaturatingMultiply(distance, element.bytes), 1, 0);
}

Region MatrixRegion(int64_t rows, int64_t columns, int64_t leading, const Element& element,
                    int64_t batch, int64_t stride) {
  if (rows <= 0 || columns <= 0 || leading < rows || batch <= 0 || element.bytes == 0) return {};
  const uint64_t width = SaturatingMultiply(static_cast<uint64_t>(rows), element.bytes);
  const uint64_t pitch = SaturatingMultiply(static_cast<uint64_t>(leading), element.bytes);
  const Region one = Region::Strided(0, width, static_cast<uint64_t>(columns), pitch, 1, 0);
  if (batch == 1 || stride <= 0) return one;
  const uint64_t distance = SaturatingMultiply(static_cast<uint64_t>(stride), element.bytes);
  if (distance < one.end()) return one;
  return Region::Strided(0, width, static_cast<uint64_t>(columns), pitch,
                         static_cast<uint64_t>(batch), distance);
}

}  // namespace gpusan::cuda
