// A kernel exchanges the content of new memory atomically, and ignores what was there.
#include "common/cuda.h"

// As KERNEL_FILL, by atomic exchanges.
static const char kExchange[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z4fillPii(.param .u64 out, .param .u32 value)
{
  .reg .b32 %r<6>;
  .reg .b64 %a<3>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u64 %a0, [out];
  ld.param.u32 %r4, [value];
  mul.wide.u32 %a1, %r3, 4;
  add.u64 %a2, %a0, %a1;
  atom.global.exch.b32 %r5, [%a2], %r4;
  ret;
}
)";

int main() {
  Open();
  OK(cuModuleLoadData(&module_of_kernels, kExchange));
  CUfunction fill = Kernel(KERNEL_FILL);
  CUdeviceptr out = NewMemory(4096);
  int value = 7, result[1024];
  void* arguments[] = {&out, &value};
  OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuMemcpyDtoH(result, out, 4096));
  CHECK(result[1023] == 7);
  Close(out);
}
