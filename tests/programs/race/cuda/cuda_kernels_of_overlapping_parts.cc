// Defect: Kernels on two streams write parts of a buffer that have an element or rows in common, or
// the host reads more than a part.
// Fix: The parts do not overlap, or one stream waits for the other one.
#include "common/cuda.h"
#include "common/cuda_machine_code.h"

// Defect: Kernels on two streams, which write as many elements as an argument says, overlap by one
// element.
// Fix: The second kernel begins behind the elements of the first.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=3996 to 7995
// EXPECT-FACT earlier_byte_range=0 to 3999
static void KernelsOfCountedElements() {
  CUfunction set = CodeKernel(CODE_SET);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(8000);
#ifdef DEFECT
  CUdeviceptr behind = data + 3996;
#else
  CUdeviceptr behind = data + 4000;
#endif
  int value = 5, count = 1000;
  void *low[] = {&data, &value, &count}, *high[] = {&behind, &value, &count};
  // @FIRST
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Defect: Kernels on two streams, which write as many elements as an argument of 64 bits says,
// overlap by one element.
// Fix: The second kernel begins behind the elements of the first.
// EXPECT error race cuLaunchKernel at SECOND_2
// EXPECT-PARTY pending-command at FIRST_2
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=3996 to 7995
// EXPECT-FACT earlier_byte_range=0 to 3999
static void KernelsOfLongCounts() {
  CUfunction set = CodeKernel(CODE_SET_LONG);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(8000);
#ifdef DEFECT
  CUdeviceptr behind = data + 3996;
#else
  CUdeviceptr behind = data + 4000;
#endif
  int value = 5;
  long long count = 1000;
  void *low[] = {&data, &value, &count}, *high[] = {&behind, &value, &count};
  // @FIRST_2
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND_2
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Defect: Kernels on two streams change halves of a buffer that overlap by one element.
// Fix: The second kernel begins behind the first one's half.
// EXPECT error race cuLaunchKernel at SECOND_3
// EXPECT-PARTY pending-command at FIRST_3
// EXPECT-FACT byte_range=1020 to 2043
// EXPECT-FACT earlier_byte_range=0 to 1023
static void KernelsOfOverlappingHalves() {
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(2048);
#ifdef DEFECT
  const int half = 255;
#else
  const int half = 256;
#endif
  int begins[] = {0, half};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  // @FIRST_3
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  // @SECOND_3
  OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(data, second, first);
}

// Defect: Kernels in two streams write images of one buffer whose rows they find by a division, and
// the second image begins where the first one does. Fix: The images lie side by side.
// EXPECT error race cuLaunchKernel at HERE_4
// EXPECT-FACT hazard=WAW
static void ImagesOfTwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUfunction image = CodeKernel(CODE_IMAGE);
  int width = 24, pitch = 32, count = 24 * 8;
  const size_t row = 32 * sizeof(float);
  CUdeviceptr out = NewMemory(16 * row);
#ifdef DEFECT
  CUdeviceptr rest = out;
#else
  CUdeviceptr rest = out + 8 * row;
#endif
  void *low[] = {&out, &width, &pitch, &count}, *high[] = {&rest, &width, &pitch, &count};
  OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  // @HERE_4
  OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Release(out, second, first);
}

// Defect: A kernel writes 1024 elements in each group, except in the last one, which has fewer. The
// host reads whole groups on another stream without waiting.
// Fix: The other stream waits for the kernel, and reads beside it only what it does not write.
// EXPECT error race cuMemcpyDtoHAsync_v2 at READ
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
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

static void GroupsWithADividedEnd() {
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
  Release(done, host, out, reader, writer);
}

int main() {
  Open();
  KernelsOfCountedElements();
  KernelsOfLongCounts();
  KernelsOfOverlappingHalves();
  ImagesOfTwoStreams();
  GroupsWithADividedEnd();
  Close();
}
