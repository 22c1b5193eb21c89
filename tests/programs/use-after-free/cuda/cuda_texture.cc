// Defect array: A kernel reads through a texture object whose array is destroyed.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH
// EXPECT-PARTY release at RELEASE
// EXPECT-TEXT argument 0 of kernel
// EXPECT-TEXT array
// MAY sticky-error leak
// Defect array_of_a_surface: The kernel of a graph writes through a surface object whose array is
// destroyed before the launch.
// EXIT any
// EXPECT error use-after-free cuGraphLaunch at LAUNCH_2
// EXPECT-PARTY release at RELEASE_2
// EXPECT-TEXT surface object
// MAY sticky-error leak
// Defect mipmap: A kernel reads through a texture object of one level of a mipmapped array that is
// destroyed.
// EXIT any
// EXPECT error use-after-free cuLaunchKernel at LAUNCH_3
// EXPECT-PARTY release at RELEASE_3
// MAY sticky-error leak
// Defect over_freed_memory: A texture object is created over memory that was freed.
// EXPECT error use-after-free cuTexObjectCreate at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=devPtr
// EXIT any
// Fix: The texture, the surface and their memory are destroyed behind the last use.
#include "common/cuda.h"
#include "common/cuda_texels.h"

// Fix: The array is destroyed behind the last kernel that reads it.
static void ArrayOfATexture() {
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  CUarray array = NewTexels();
  CUtexObject texture = NewTexture(OfArray(array));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT_array
  // @RELEASE
  OK(cuArrayDestroy(array));
#endif
  // @LAUNCH
  OK(cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT_array
  OK(cuArrayDestroy(array));
#endif
  OK(cuTexObjectDestroy(texture));
  Release(out);
}

// Fix: The array is destroyed behind the launch of the graph.
static void ArrayOfASurface() {
  CUfunction write = TexelKernel(KERNEL_WRITE_SURFACE);
  CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  CUsurfObject surface;
  OK(cuSurfObjectCreate(&surface, &resource));
  float value = 2;
  int width = 8;
  void* arguments[] = {&surface, &value, &width};
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuLaunchKernel(write, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT_array_of_a_surface
  // @RELEASE_2
  OK(cuArrayDestroy(array));
#endif
  // @LAUNCH_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT_array_of_a_surface
  OK(cuArrayDestroy(array));
#endif
  OK(cuSurfObjectDestroy(surface));
  Release(executable, graph, stream);
}

// Fix: The mipmapped array is destroyed behind the last kernel that reads one of its levels.
static void Mipmap() {
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE);
  const CUDA_ARRAY3D_DESCRIPTOR shape = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUmipmappedArray mipmap;
  OK(cuMipmappedArrayCreate(&mipmap, &shape, 2));
  CUarray level;
  OK(cuMipmappedArrayGetLevel(&level, mipmap, 1));
  const float texels[64] = {};
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = texels;
  upload.srcPitch = upload.WidthInBytes = 8 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = level;
  upload.Height = 8;
  OK(cuMemcpy2D(&upload));
  CUtexObject texture = NewTexture(OfArray(level));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
#ifdef DEFECT_mipmap
  // @RELEASE_3
  OK(cuMipmappedArrayDestroy(mipmap));
#endif
  // @LAUNCH_3
  OK(cuLaunchKernel(read, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT_mipmap
  OK(cuMipmappedArrayDestroy(mipmap));
#endif
  OK(cuTexObjectDestroy(texture));
  Release(out);
}

// Fix: The memory is freed after the texture object is destroyed.
static void OverFreedMemory() {
  CUdeviceptr memory = NewZeros(1 << 20);
#ifdef DEFECT_over_freed_memory
  // @RELEASED
  OK(cuMemFree(memory));
#endif
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 1 << 20;
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  // @HERE
  const CUresult code = cuTexObjectCreate(&texture, &resource, &sampler, nullptr);
  if (code == CUDA_SUCCESS) OK(cuTexObjectDestroy(texture));
#ifndef DEFECT_over_freed_memory
  OK(code);
  OK(cuMemFree(memory));
#endif
}

int main() {
  Open();
  ArrayOfATexture();
  ArrayOfASurface();
  Mipmap();
  OverFreedMemory();
  Close();
}
