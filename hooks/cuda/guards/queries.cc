// Queries of the program about guarded memory. The results are those for the program's part alone.
#include "hooks/cuda/guards/queries.h"

#include "hooks/common/guard.h"

namespace gpusan::cuda {
namespace {

// Whether the query comes from inside of a guarded function, where addresses are the driver's.
bool IsOfDriver() { return guard_internal::depth > 1; }

}  // namespace

CUresult GuardedAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  if (IsOfDriver()) return GPUSAN_CU_DRIVER(cuMemGetAddressRange_v2)(base, bytes, pointer);
  const ReentryGuard guard;  // the program may call this function directly
  GuardedBlock block;
  if (!Guards().FindAround(pointer, /*own=*/false, &block))
    return GPUSAN_CU_DRIVER(cuMemGetAddressRange_v2)(base, bytes, pointer);
  if (pointer < block.key || pointer - block.key >= block.bytes) return CUDA_ERROR_NOT_FOUND;
  if (base != nullptr) *base = block.key;
  if (bytes != nullptr) *bytes = block.bytes;
  return CUDA_SUCCESS;
}

CUresult GuardedAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  const auto query = GPUSAN_CU_DRIVER(cuPointerGetAttribute);
  if (IsOfDriver()) return query(value, attribute, pointer);
  const ReentryGuard guard;  // the program may call this function directly
  GuardedBlock block;
  if (value == nullptr || !Guards().FindAround(pointer, /*own=*/false, &block))
    return query(value, attribute, pointer);
  // The program has no memory there.
  if (pointer < block.key || pointer - block.key >= block.bytes) return CUDA_ERROR_INVALID_VALUE;
  const CUresult code = query(value, attribute, pointer);
  if (code != CUDA_SUCCESS) return code;
  if (attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
    *static_cast<CUdeviceptr*>(value) = block.key;
  if (attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE) *static_cast<size_t*>(value) = block.bytes;
  return code;
}

CUresult GuardedAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                           CUdeviceptr pointer) {
  const CUresult code =
      GPUSAN_CU_DRIVER(cuPointerGetAttributes)(count, attributes, values, pointer);
  if (IsOfDriver()) return code;
  const ReentryGuard guard;  // the program may call this function directly
  GuardedBlock block;
  if (code != CUDA_SUCCESS || attributes == nullptr || values == nullptr ||
      !Guards().FindAround(pointer, /*own=*/true, &block))
    return code;
  for (unsigned i = 0; i < count; ++i) {
    if (values[i] == nullptr) continue;
    if (attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
      *static_cast<CUdeviceptr*>(values[i]) = block.key;
    if (attributes[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE)
      *static_cast<size_t*>(values[i]) = block.bytes;
  }
  return code;
}

}  // namespace gpusan::cuda
