// Kernels that get tensor maps, as PTX. The fake driver of the tests does not execute them.
#pragma once

#include "common/cuda.h"

// tiles(CUtensorMap map, unsigned count): the first thread, if `count` is not 0, copies 64 floats
// from the start of the tensor into shared memory. ignores(CUtensorMap map, unsigned count): does
// nothing.
static const char kTensorKernels[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry tiles(.param .align 128 .b8 map[128], .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  .reg .b64 %a<3>;
  .shared .align 128 .b8 tile[256];
  .shared .align 8 .b64 barrier;
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p0, %r1, %r0;
  @%p0 bra END;
  mov.b64 %a0, map;
  cvta.param.u64 %a1, %a0;
  mov.u32 %r2, barrier;
  mov.u32 %r3, tile;
  mov.u32 %r4, 0;
  mbarrier.init.shared.b64 [%r2], 1;
  fence.proxy.async;
  mbarrier.arrive.expect_tx.shared.b64 %a2, [%r2], 256;
  cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
      [%r3], [%a1, {%r4}], [%r2];
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
  @!%p1 bra WAIT;
END:
  ret;
}
.visible .entry ignores(.param .align 128 .b8 map[128], .param .u32 count)
{
  ret;
}
)";

[[maybe_unused]] static CUfunction TensorKernel(const char* name) {
  if (!module_of_kernels) OK(cuModuleLoadData(&module_of_kernels, kTensorKernels));
  return Kernel(name);
}

// A tensor map of `count` floats, from which a kernel copies 64 at once.
[[maybe_unused]] static CUtensorMap TensorMapOf(CUdeviceptr memory, cuuint64_t count) {
  CUtensorMap map;
  const cuuint64_t stride = 4096;  // of a second dimension; must not be null
  const cuuint32_t box = 64, step = 1;
  OK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, &count,
                            &stride, &box, &step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  return map;
}

[[maybe_unused]] static void LaunchWithMap(CUfunction kernel, CUtensorMap map, unsigned count,
                                           CUstream stream = nullptr) {
  void* arguments[] = {&map, &count};
  OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
}
