// Defect: A texture looks at blocks of a compressed format of 8 B, in an array whose elements have
// 4 B.
// Fix: The elements of the array are as large as the blocks of the compressed format.
// EXPECT error format-size-mismatch cuTexObjectCreate at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_UNSIGNED_INT32, 1};
#else
  CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_UNSIGNED_INT32, 2};
#endif
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC texture = {};
  CUDA_RESOURCE_VIEW_DESC view = {};
  view.format = CU_RES_VIEW_FORMAT_UNSIGNED_BC1;
  view.width = view.height = 64;  // a block is four texels each way
  CUtexObject object = 0;
  // @HERE
  cuTexObjectCreate(&object, &resource, &texture, &view);
  if (object != 0) OK(cuTexObjectDestroy(object));
  Close(array);
}
