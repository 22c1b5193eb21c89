// Arrays, linear memory and mipmaps under textures and surfaces.
#include "common/cuda.h"

int main() {
  Open();
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 64, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array;
  OK(cuArray3DCreate(&array, &shape));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture;
  CUsurfObject surface;
  OK(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  OK(cuSurfObjectCreate(&surface, &resource));
  OK(cuSurfObjectDestroy(surface));
  OK(cuTexObjectDestroy(texture));
  OK(cuArrayDestroy(array));
  CUdeviceptr linear;
  size_t pitch;
  OK(cuMemAllocPitch(&linear, &pitch, 60 * 4, 32, 4));
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = linear;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 60;
  resource.res.pitch2D.height = 32;
  resource.res.pitch2D.pitchInBytes = pitch;
  OK(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  OK(cuTexObjectDestroy(texture));
  OK(cuMemFree(linear));
  CUmipmappedArray mipmaps;
  shape.Flags = 0;
  OK(cuMipmappedArrayCreate(&mipmaps, &shape, 3));
  CUarray level;
  OK(cuMipmappedArrayGetLevel(&level, mipmaps, 1));
  static float data[32 * 32];
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 32 * 4;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = level;
  upload.WidthInBytes = 32 * 4;
  upload.Height = 32;
  OK(cuMemcpy2D(&upload));
  OK(cuMipmappedArrayDestroy(mipmaps));
  Close();
}
