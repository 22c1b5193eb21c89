// Kernels of which only the parameters are known read whole buffers: the unwritten bytes are the
// padding of rows or of the last block, or a count in device memory keeps the kernel from them.
#include "common/cuda.h"

// limited(const float* in, const int* count, float* out): where i < *count, out[i] = in[i]
static const char kLimited[] = R"(
.version 7.0
.target sm_75
.address_size 64

.visible .entry _Z7limitedPKfPKiPf(.param .u64 in, .param .u64 count, .param .u64 out)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %a<5>;
  .reg .f32 %f;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [count];
  ld.u32 %r4, [%a0];
  setp.ge.s32 %p, %r3, %r4;
  @%p ret;
  ld.param.u64 %a1, [in];
  ld.param.u64 %a2, [out];
  mul.wide.u32 %a3, %r3, 4;
  add.u64 %a4, %a1, %a3;
  ld.f32 %f, [%a4];
  add.u64 %a4, %a2, %a3;
  st.f32 [%a4], %f;
  ret;
}
)";

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  static float data[1024];
  CUdeviceptr blocks = NewMemory(4096), part = NewMemory(4096), count = NewMemory(4), rows,
              out = NewZeros(4096);
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 400, 8, 4));
  CHECK(pitch > 400 && pitch * 8 <= 4096);
  OK(cuMemcpyHtoD(blocks, data, 4000));
  OK(cuMemsetD2D32(rows, pitch, 0, 100, 8));
  void* last_block[] = {&blocks, &out};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, last_block, nullptr));
  void* flat[] = {&rows, &out};
  OK(cuLaunchKernel(copy, (unsigned)pitch / 64, 1, 1, 128, 1, 1, 0, nullptr, flat, nullptr));
  CUmodule module;
  CUfunction limited;
  OK(cuModuleLoadData(&module, kLimited));
  OK(cuModuleGetFunction(&limited, module, "_Z7limitedPKfPKiPf"));
  int n = 256;
  OK(cuMemcpyHtoD(count, &n, 4));
  OK(cuMemcpyHtoD(part, data, 1024));
  void* by_count[] = {&part, &count, &out};
  OK(cuLaunchKernel(limited, 4, 1, 1, 256, 1, 1, 0, nullptr, by_count, nullptr));
  OK(cuCtxSynchronize());
  OK(cuModuleUnload(module));
  Close(out, rows, count, part, blocks);
}
