// Defect: Arrays are filled with data, or used by a texture, whose elements are smaller or larger.
// Fix: The elements have the same size.
#include "common/cuda.h"

// Defect: Bytes are uploaded to an array of floats: the host block has one byte a texel. (Another
// block after it makes the read harmless.)
// Fix: Floats are uploaded to an array of floats.
// EXPECT error format-size-mismatch cuMemcpy2D_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=1
static void BytesForFloatArray() {
#ifdef DEFECT
  typedef unsigned char Texel;
#else
  typedef float Texel;
#endif
  // @BLOCK
  Texel* data = (Texel*)calloc(64 * 64, sizeof(Texel));
  char* behind = (char*)calloc(1, 65536);
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64 * 4;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 64 * 4;
  upload.Height = 64;
  // @HERE
  OK(cuMemcpy2D(&upload));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
}

// Defect: Half-precision numbers are uploaded to a one-dimensional array of floats. (Another block
// after theirs makes the read harmless.)
// Fix: The elements of the array are half-precision numbers.
// EXPECT error format-size-mismatch cuMemcpyHtoA_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_texel_bytes=2
static void ShortsForFloatLine() {
  // @BLOCK_2
  short* data = (short*)calloc(4096, sizeof(short));
  char* behind = (char*)calloc(1, 65536);
#ifdef DEFECT
  const CUarray_format format = CU_AD_FORMAT_FLOAT;
  const size_t texel = 4;
#else
  const CUarray_format format = CU_AD_FORMAT_HALF;
  const size_t texel = 2;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {4096, 0, format, 1};
  CUarray array;
  // @CREATED_2
  OK(cuArrayCreate(&array, &shape));
  // @HERE_2
  OK(cuMemcpyHtoA(array, 0, data, 4096 * texel));
  OK(cuArrayDestroy(array));
  free(behind);
  free(data);
}

// Defect: A texture looks at blocks of a compressed format of 8 B, in an array whose elements have
// 4 B.
// Fix: The elements of the array are as large as the blocks of the compressed format.
// EXPECT error format-size-mismatch cuTexObjectCreate at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void CompressedView() {
#ifdef DEFECT
  CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_UNSIGNED_INT32, 1};
#else
  CUDA_ARRAY_DESCRIPTOR shape = {16, 16, CU_AD_FORMAT_UNSIGNED_INT32, 2};
#endif
  CUarray array;
  // @CREATED_3
  OK(cuArrayCreate(&array, &shape));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC texture = {};
  CUDA_RESOURCE_VIEW_DESC view = {};
  view.format = CU_RES_VIEW_FORMAT_UNSIGNED_BC1;
  view.width = view.height = 64;  // a block is four texels each way
  CUtexObject object = 0;
  // @HERE_3
  cuTexObjectCreate(&object, &resource, &texture, &view);
  if (object != 0) OK(cuTexObjectDestroy(object));
  Release(array);
}

int main() {
  Open();
  BytesForFloatArray();
  ShortsForFloatLine();
  CompressedView();
  Close();
}
