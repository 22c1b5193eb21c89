// Kernels that access texels, as PTX, and the objects that they access. The fake driver executes
// them by name.
#pragma once

#include "common/cuda.h"

// read_texture(texture, float* out, int width): out[i] = the texel (i % width, i / width)
#define KERNEL_READ_TEXTURE "_Z12read_textureyPfi"
// write_surface(surface, float value, int width): the texel (i % width, i / width) = value
#define KERNEL_WRITE_SURFACE "_Z13write_surfaceyfi"

[[maybe_unused]] static const char kTexelKernels[] = R"(
.version 7.0
.target sm_75
.address_size 64

.visible .entry _Z12read_textureyPfi(.param .u64 texture, .param .u64 out, .param .u32 width)
{
  .reg .b32 %r<7>;
  .reg .b64 %a<4>;
  .reg .f32 %f<6>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [texture];
  ld.param.u64 %a1, [out];
  ld.param.u32 %r4, [width];
  rem.u32 %r5, %r3, %r4;
  div.u32 %r6, %r3, %r4;
  cvt.rn.f32.u32 %f0, %r5;
  cvt.rn.f32.u32 %f1, %r6;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%a0, {%f0, %f1}];
  mul.wide.u32 %a2, %r3, 4;
  add.u64 %a3, %a1, %a2;
  st.f32 [%a3], %f2;
  ret;
}

.visible .entry _Z13write_surfaceyfi(.param .u64 surface, .param .f32 value, .param .u32 width)
{
  .reg .b32 %r<9>;
  .reg .b64 %a;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a, [surface];
  ld.param.f32 %f, [value];
  ld.param.u32 %r4, [width];
  rem.u32 %r5, %r3, %r4;
  div.u32 %r6, %r3, %r4;
  shl.b32 %r7, %r5, 2;
  mov.b32 %r8, %f;
  sust.b.2d.b32.trap [%a, {%r7, %r6}], {%r8};
  ret;
}
)";

[[maybe_unused]] static CUfunction TexelKernel(const char* name) {
  if (!module_of_kernels) OK(cuModuleLoadData(&module_of_kernels, kTexelKernels));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module_of_kernels, name));
  return kernel;
}

// 8 by 8 numbers, all 1.
[[maybe_unused]] static CUarray NewTexels(unsigned flags = 0) {
  const CUDA_ARRAY3D_DESCRIPTOR shape = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, flags};
  CUarray array;
  OK(cuArray3DCreate(&array, &shape));
  float ones[64];
  for (float& one : ones) one = 1;
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = ones;
  upload.srcPitch = 8 * sizeof(float);
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 8 * sizeof(float);
  upload.Height = 8;
  OK(cuMemcpy2D(&upload));
  return array;
}

[[maybe_unused]] static CUDA_RESOURCE_DESC OfArray(CUarray array) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

// 8 rows of 8 numbers in linear memory.
[[maybe_unused]] static CUDA_RESOURCE_DESC OfRows(CUdeviceptr memory, size_t pitch) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 8;
  resource.res.pitch2D.height = 8;
  resource.res.pitch2D.pitchInBytes = pitch;
  return resource;
}

[[maybe_unused]] static CUtexObject NewTexture(const CUDA_RESOURCE_DESC& resource) {
  const CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture;
  OK(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  return texture;
}
