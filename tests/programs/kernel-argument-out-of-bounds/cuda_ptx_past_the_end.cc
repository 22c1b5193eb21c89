// Defect: Kernels of which only PTX is known write more elements than their buffers have.
// Fix: The buffers have room for all elements.
#include "common/cuda.h"
#include "common/cuda_ptx.h"

// Defect: A kernel that the driver compiles from PTX gets a count that is larger than its buffer.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
static void Count() {
  CUfunction set = PtxKernel(CODE_SET);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
#ifdef DEFECT
  int count = 1025;
#else
  int count = 1024;
#endif
  int value = 5;
  void* arguments[] = {&data, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 5, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(data);
}

// Defect: Each block writes its partial sum, but the buffer has room for one block less. The kernel
// also reads the buffer
//   in more places than gpusan keeps.
// Fix: The buffer has room for all blocks.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT outside_bytes=4
// Follows an index in the buffer.
#define STEP                 \
  "  and.b32 %r1, %r1, 7;\n" \
  "  mul.wide.u32 %a2, %r1, 4;\n  add.s64 %a3, %a0, %a2;\n  ld.global.u32 %r1, [%a3];\n"
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP

static const char kPartialSums[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry _Z4sumsPj(.param .u64 sums) {\n"
    "  .reg .pred %p;\n  .reg .b32 %r<3>;\n  .reg .b64 %a<4>;\n"
    "  ld.param.u64 %a0, [sums];\n"
    "  cvta.to.global.u64 %a0, %a0;\n"
    "  mov.u32 %r0, %tid.x;\n"
    "  mov.u32 %r1, %ctaid.x;\n"
    "  setp.ne.u32 %p, %r0, 0;\n"
    "  @%p bra END;\n"
    "  mul.wide.u32 %a1, %r1, 4;\n"
    "  add.s64 %a1, %a0, %a1;\n"
    "  st.global.u32 [%a1], %r0;\n"
    "  setp.ne.u32 %p, %r1, 0;\n"
    "  @%p bra END;\n" STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS
    "  st.global.u32 [%a0], %r1;\n"
    "END:\n"
    "  ret;\n}\n";

static void PartialSums() {
  CUmodule module;
  CUfunction sums;
  OK(cuModuleLoadData(&module, kPartialSums));
  OK(cuModuleGetFunction(&sums, module, "_Z4sumsPj"));
#ifdef DEFECT
  const size_t room = 15;
#else
  const size_t room = 16;
#endif
  CUdeviceptr buffer = NewZeros(room * 4);
  void* arguments[] = {&buffer};
  // @HERE_2
  OK(cuLaunchKernel(sums, 16, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuModuleUnload(module));
}

int main() {
  Open();
  Count();
  PartialSums();
  Close();
}
