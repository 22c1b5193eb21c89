// Textures and surfaces of arrays, of linear memory and of mipmaps, on several streams, and kept to
// the end.
#include "common/cuda.h"
#include "common/cuda_texels.h"

// Arrays, linear memory and mipmaps under textures and surfaces.
static void TexturesAndSurfaces() {
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
}

// Kernels read and write texels. Arrays are destroyed behind the last kernel and in front of their
// objects, a handle is used again for another object, memory of a texture is freed and allocated
// again at the same address, and a kernel that reads no texture gets a number that equals a handle.
static void Read(CUfunction kernel, CUtexObject texture, CUdeviceptr out, float wanted) {
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
  OK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  float result[64];
  OK(cuMemcpyDtoH(result, out, sizeof(result)));
  for (const float one : result) CHECK(one == wanted);
}

static void KernelsOfTexels() {
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE), write = TexelKernel(KERNEL_WRITE_SURFACE);
  CUmodule others;
  CUfunction poke;
  OK(cuModuleLoadData(&others, kKernels));
  OK(cuModuleGetFunction(&poke, others, KERNEL_POKE));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  for (int round = 0; round < 3; ++round) {
    CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
    const CUDA_RESOURCE_DESC resource = OfArray(array);
    CUtexObject texture = NewTexture(resource);
    Read(read, texture, out, 1);
    CUsurfObject surface;
    OK(cuSurfObjectCreate(&surface, &resource));
    float value = 3;
    int width = 8;
    void* arguments[] = {&surface, &value, &width};
    OK(cuLaunchKernel(write, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    Read(read, texture, out, 3);
    OK(cuArrayDestroy(array));
    if (texture < 16) {
      long long number = (long long)texture;
      void* numbers[] = {&out, &number};
      OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, numbers, nullptr));
    }
    OK(cuSurfObjectDestroy(surface));
    OK(cuTexObjectDestroy(texture));
  }
  CUdeviceptr memory, again;
  size_t pitch;
  OK(cuMemAllocPitch(&memory, &pitch, 8 * sizeof(float), 8, 4));
  OK(cuMemsetD8(memory, 0, pitch * 8));
  CUtexObject texture = NewTexture(OfRows(memory, pitch));
  Read(read, texture, out, 0);
  OK(cuCtxSynchronize());
  OK(cuMemFree(memory));
  OK(cuMemAllocPitch(&again, &pitch, 8 * sizeof(float), 8, 4));
  OK(cuMemsetD8(again, 0, pitch * 8));
  if (again == memory) Read(read, texture, out, 0);
  OK(cuMemFree(again));
  OK(cuTexObjectDestroy(texture));
  OK(cuModuleUnload(others));
  Release(out);
}

// Kernels of two streams write different texels of one array, read it at the same time, and sample
// one row while a copy on another stream uploads other rows.
static void Launch(CUfunction kernel, unsigned threads, CUstream stream, void** arguments) {
  OK(cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
}

static void TexelsOfSeveralStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  CUtexObject texture = NewTexture(resource);
  CUsurfObject surface;
  OK(cuSurfObjectCreate(&surface, &resource));
  CUdeviceptr outs[] = {NewZeros(64 * sizeof(float)), NewZeros(64 * sizeof(float))};
  float* host = (float*)NewPinned(64 * sizeof(float));
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE), write = TexelKernel(KERNEL_WRITE_SURFACE);
  float value = 2;
  int width = 8;
  void* writes[] = {&surface, &value, &width};
  void* reads[2][3] = {{&texture, &outs[0], &width}, {&texture, &outs[1], &width}};
  OK(cuCtxSynchronize());
  // The last rows are uploaded while the first row is written and sampled.
  CUDA_MEMCPY2D rows = {};
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = host;
  rows.srcPitch = rows.WidthInBytes = 8 * sizeof(float);
  rows.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  rows.dstArray = array;
  rows.dstY = 4;
  rows.Height = 4;
  Launch(write, 8, first, writes);
  OK(cuMemcpy2DAsync(&rows, second));
  Launch(read, 8, first, reads[0]);
  OK(cuCtxSynchronize());
  Launch(read, 64, first, reads[0]);
  Launch(read, 64, second, reads[1]);
  OK(cuCtxSynchronize());
  for (CUdeviceptr out : outs) {
    float result[64];
    OK(cuMemcpyDtoH(result, out, sizeof(result)));
    CHECK(result[7] == 2);
    CHECK(result[32] == 0);
  }
  OK(cuSurfObjectDestroy(surface));
  OK(cuTexObjectDestroy(texture));
  Release(array, outs[0], outs[1], host, first, second);
}

// A program creates texture objects of many arrays in a loop, of different parts of one allocation,
// and with different looks, and keeps them to its end.
static void TexturesKeptToTheEnd() {
  static CUarray arrays[48];
  CUdeviceptr memory = NewZeros(48 * 4096);
  CUtexObject texture;
  CUDA_TEXTURE_DESC look = {};
  for (int i = 0; i < 48; ++i) {
    arrays[i] = NewTexels();
    const CUDA_RESOURCE_DESC resource = OfArray(arrays[i]);
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
  }
  for (int i = 0; i < 48; ++i) {
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory + 4096 * i;
    resource.res.linear.format = CU_AD_FORMAT_FLOAT;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = 4096;
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
  }
  for (int i = 0; i < 48; ++i) {
    const CUDA_RESOURCE_DESC resource = OfArray(arrays[0]);
    look.borderColor[0] = i / 48.0f;
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
  }
  for (CUarray array : arrays) OK(cuArrayDestroy(array));
  Release(memory);
}

int main() {
  Open();
  TexturesAndSurfaces();
  KernelsOfTexels();
  TexelsOfSeveralStreams();
  TexturesKeptToTheEnd();
  Close();
}
