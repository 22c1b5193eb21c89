// Kernels of cuda_code.h as PTX alone, as nvcc writes it: gpusan reads from the text what they
// access. The fake driver executes them by name.
#pragma once

#include "common/cuda.h"
#include "common/cuda_code.h"

// CODE_PLAIN_COPY and CODE_SET.
[[maybe_unused]] static const char kPtx[] = R"(
.version 9.0
.target sm_75
.address_size 64

.visible .entry plain_copy(
  .param .u64 plain_copy_param_0,
  .param .u64 plain_copy_param_1
)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;

  ld.param.u64 %rd1, [plain_copy_param_0];
  ld.param.u64 %rd2, [plain_copy_param_1];
  cvta.to.global.u64 %rd3, %rd2;
  cvta.to.global.u64 %rd4, %rd1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd5, %r4, 4;
  add.s64 %rd6, %rd4, %rd5;
  ld.global.u32 %r5, [%rd6];
  add.s64 %rd7, %rd3, %rd5;
  st.global.u32   [%rd7], %r5;
  ret;

}
.visible .entry _Z8code_setPiii(
  .param .u64 _Z8code_setPiii_param_0,
  .param .u32 _Z8code_setPiii_param_1,
  .param .u32 _Z8code_setPiii_param_2
)
{
  .reg .pred %p<2>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<5>;

  ld.param.u64 %rd1, [_Z8code_setPiii_param_0];
  ld.param.u32 %r2, [_Z8code_setPiii_param_1];
  ld.param.u32 %r3, [_Z8code_setPiii_param_2];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ntid.x;
  mov.u32 %r6, %tid.x;
  mad.lo.s32 %r1, %r4, %r5, %r6;
  setp.ge.s32 %p1, %r1, %r3;
  @%p1 bra   $L__BB1_2;

  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32   [%rd4], %r2;

$L__BB1_2:
  ret;

}
)";

// The kernel of this name. A program uses these kernels or those of cuda_kernels.h, not both.
[[maybe_unused]] static CUfunction PtxKernel(const char* name) {
  if (!module_of_kernels) OK(cuModuleLoadData(&module_of_kernels, kPtx));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module_of_kernels, name));
  return kernel;
}
