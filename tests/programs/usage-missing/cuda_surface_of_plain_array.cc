// Defect: A surface is created from an array that was created without CUDA_ARRAY3D_SURFACE_LDST.
// Fix: A surface is created from an array that was created for surfaces.
// EXPECT error usage-missing cuSurfObjectCreate at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT CUDA_ARRAY3D_SURFACE_LDST
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const unsigned flags = 0;
#else
  const unsigned flags = CUDA_ARRAY3D_SURFACE_LDST;
#endif
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_FLOAT, 1, flags};
  CUarray array;
  // @CREATED
  OK(cuArray3DCreate(&array, &shape));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface;
  // @HERE
  if (cuSurfObjectCreate(&surface, &resource) == CUDA_SUCCESS) OK(cuSurfObjectDestroy(surface));
  Close(array);
}
