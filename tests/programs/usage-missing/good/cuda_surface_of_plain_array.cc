// A surface is made of an array that was created for surfaces.
#include "common/cuda.h"

int main() {
  Open();
  const unsigned flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_FLOAT, 1, flags};
  CUarray array;
  OK(cuArray3DCreate(&array, &shape));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface;
  if (cuSurfObjectCreate(&surface, &resource) == CUDA_SUCCESS) OK(cuSurfObjectDestroy(surface));
  OK(cuArrayDestroy(array));
  Close();
}
