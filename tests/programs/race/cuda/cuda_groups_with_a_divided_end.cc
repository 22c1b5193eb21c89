// Defect: A kernel writes 1024 elements in each group, except in the last one, which has fewer. The
// host reads whole groups on another stream without waiting.
// Fix: The other stream waits for the kernel, and reads beside it only what it does not write.
// EXPECT error race cuMemcpyDtoHAsync_v2 at READ
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

// As a kernel of Triton: two accesses of four elements in each work item.
static const char kGroups[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z4fillPii(.param .u64 out, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %a<3>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  shl.b32 %r1, %r1, 2;
  mad.lo.u32 %r2, %r0, 1024, %r1;
  ld.param.u64 %a0, [out];
  ld.param.u32 %r3, [count];
  mul.wide.u32 %a1, %r2, 4;
  add.u64 %a2, %a0, %a1;
  setp.lt.u32 %p0, %r2, %r3;
  add.u32 %r4, %r2, 512;
  setp.lt.u32 %p1, %r4, %r3;
  mov.u32 %r5, 1;
  @%p0 st.global.v4.u32 [%a2], {%r5, %r5, %r5, %r5};
  @%p1 st.global.v4.u32 [%a2+2048], {%r5, %r5, %r5, %r5};
  ret;
}
)";

int main() {
  Open();
  OK(cuModuleLoadData(&module_of_kernels, kGroups));
  CUfunction fill = Kernel(KERNEL_FILL);
  CUstream writer = NewStream(), reader = NewStream();
  int count = 5 * 1024 + 740;
  const size_t written = sizeof(int) * (size_t)count, bytes = 2 * written;
  CUdeviceptr out = NewZeros(bytes);
  char* host = NewPinned(bytes);
  CUevent done;
  OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  void* arguments[] = {&out, &count};
  // @LAUNCH
  OK(cuLaunchKernel(fill, 6, 1, 1, 128, 1, 1, 0, writer, arguments, nullptr));
  OK(cuEventRecord(done, writer));
  OK(cuMemcpyDtoHAsync(host + written, out + written, written, reader));
#ifndef DEFECT
  OK(cuStreamWaitEvent(reader, done, 0));
#endif
  // @READ
  OK(cuMemcpyDtoHAsync(host, out + 8192, 8192, reader));
  OK(cuCtxSynchronize());
  Close(done, host, out, reader, writer);
}
