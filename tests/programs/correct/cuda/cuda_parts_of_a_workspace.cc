// A kernel of a library, which may be linked statically, gets the addresses of three parts of its
// workspace. The second is empty and lies far behind the workspace, in no memory, the third in a
// block that was freed. The kernel accesses no byte of either.
#include <string>

#include "common/cuda.h"

static const char kHeader[] = R"(
.version 7.0
.target sm_75
.address_size 64

)";
static const char kCopy[] = R"((
  .param .u64 in, .param .u64 out, .param .u64 more, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<3>;
  .reg .b64 %a<5>;
  .reg .f32 %f;
  mov.u32 %r0, %tid.x;
  ld.param.u32 %r1, [count];
  setp.ge.u32 %p, %r0, %r1;
  @%p bra END;
  ld.param.u64 %a0, [in];
  ld.param.u64 %a1, [out];
  ld.param.u64 %a2, [more];
  mul.wide.u32 %a3, %r0, 4;
  add.u64 %a4, %a0, %a3;
  ld.global.f32 %f, [%a4];
  add.u64 %a4, %a1, %a3;
  st.global.f32 [%a4], %f;
  add.u64 %a4, %a2, %a3;
  st.global.f32 [%a4], %f;
END:
  ret;
}
)";

static void Launch(const std::string& name) {
  CUmodule module;
  CUfunction copy;
  OK(cuModuleLoadData(&module, (kHeader + (".visible .entry " + name) + kCopy).c_str()));
  OK(cuModuleGetFunction(&copy, module, name.c_str()));
  CUdeviceptr workspace = NewZeros(4096), freed = NewMemory(1 << 20);
  OK(cuMemFree(freed));
  CUdeviceptr behind = workspace + 0x7000000000, inside = freed + 131328;
  int count = 0;
  void* arguments[] = {&workspace, &behind, &inside, &count};
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(workspace));
  OK(cuModuleUnload(module));
}

int main() {
  Open();
  Launch("_ZN8cusparse4copyEPKfPfS2_i");
  Launch("_ZN3cub4scanIfEEvPKfPfPji");
  Launch("_Z11getrf_pivotI13getrf_params_IfLi4EEEvPKfPfPji");  // of cuSOLVER
  Close();
}
