// Arrays of other APIs.
#include "hooks/cuda/arrays/imported_arrays.h"

namespace gpusan::cuda {

void ImportedArray(CuCall& call, CUarray array) {
  Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(array));
  if (known != nullptr && known->live()) return;
  const auto query = GPUSAN_CU_REAL(cuArray3DGetDescriptor_v2);
  CUDA_ARRAY3D_DESCRIPTOR shape;
  if (query == nullptr || query(&shape, array) != CUDA_SUCCESS) return;
  if (Resource* resource = NewArray(call, array, shape, kImported); resource != nullptr)
    resource->MarkOwned();
}

void ImportedMipmap(CuCall& call, CUmipmappedArray mipmap) {
  Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(mipmap));
  if (known != nullptr && known->live()) return;
  const auto level_of = GPUSAN_CU_REAL(cuMipmappedArrayGetLevel);
  const auto query = GPUSAN_CU_REAL(cuArray3DGetDescriptor_v2);
  CUarray level;
  CUDA_ARRAY3D_DESCRIPTOR shape;
  if (level_of == nullptr || query == nullptr || level_of(&level, mipmap, 0) != CUDA_SUCCESS ||
      query(&shape, level) != CUDA_SUCCESS)
    return;
  if (Resource* resource = NewMipmap(call, mipmap, shape, 1, kImported); resource != nullptr)
    resource->MarkOwned();
}

}  // namespace gpusan::cuda
