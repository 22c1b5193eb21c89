// Loops in machine code: what launches of grid-stride loops and counted loops access.
#include <catch2/catch.hpp>

#include <vector>

#include "hooks/cuda/kernels/kernel_uses.h"
#include "hooks/cuda/machine_code/kernel_access.h"
#include "tests/unit/cuda/cuda_small_cubin.h"

namespace gpusan::cuda {
namespace {

// The code was compiled by nvcc 13.0 for sm_90.

// __global__ void stride(float* y, const float* x, int n) {
// #pragma unroll 1
//   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//     y[i] = x[i] * 2;
// }
SmallCubin Stride() {
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 8}, {16, 4}};
  small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000007919, 0x000e220000002500,
                0x0000000000047ab9, 0x000fe20000000800, 0x0000880000087ab9, 0x000fe20000000800,
                0x0000000000037919, 0x000e240000002100, 0x0000000400007c24, 0x001fca000f8e0203,
                0x0000000800007c0c, 0x000fda000bf06270, 0x000000000000094d, 0x000fea0003800000,
                0x00008600ff067b82, 0x000e220000000a00, 0x0000030000057ab9, 0x000fe20000000800,
                0x0000820000067ab9, 0x000fe20000000a00, 0x00000005040472a4, 0x000fca000f8e023f,
                0x00008400ff087b82, 0x000e6e0000000a00, 0x0000000400027825, 0x001fcc00078e0206,
                0x0000000602027981, 0x004ea2000c1e1900, 0x0000000400047825, 0x042fe200078e0208,
                0x0000000400007c10, 0x000fc8000fffe0ff, 0x0000000800007c0c, 0x000fe2000bf06270,
                0x00000002020b7221, 0x004fca0000000000, 0x0000000b04007986, 0x0005ee000c101906,
                0xfffffffc00e08947, 0x000fea000383ffff, 0x000000000000794d, 0x000fea0003800000,
                0xfffffffc00fc7947, 0x000fc0000383ffff};
  return small;
}
// __global__ void breaks(float* y, const float* x, int n) {
// #pragma unroll 1
//   for (int i = threadIdx.x; i < n; i += blockDim.x) {
//     if (x[i] > 3.f) break;
//     y[i] = 1;
//   }
// }
SmallCubin Breaks() {
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 8}, {16, 4}};
  small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000077919, 0x000e220000002100,
                0x0000880000047ab9, 0x000fe40000000800, 0x0000000407007c0c, 0x001fda000bf06270,
                0x000000000000094d, 0x000fea0003800000, 0x00008600ff047b82, 0x000e220000000a00,
                0x0000000000047ab9, 0x000fe20000000800, 0x0000820000067ab9, 0x000fe20000000a00,
                0x0000880000057ab9, 0x000fe20000000800, 0x0000840000087ab9, 0x000fca0000000a00,
                0x0000000407027825, 0x001fcc00078e0204, 0x0000000602027981, 0x000ea4000c1e1900,
                0x404000000200780b, 0x004fda0003f04000, 0x000000000000094d, 0x000fea0003800000,
                0x0000001fff007819, 0x000fe20000011407, 0x3f800000ff097424, 0x000fe200078e00ff,
                0x0000000807027c11, 0x000fc8000f8010ff, 0x0000000907037c11, 0x040fe200080f1400,
                0x0000000407077c36, 0x000fc80008000000, 0x0000000902007986, 0x0003e2000c101906,
                0x0000000507007c0c, 0x000fda000bf06270, 0xfffffffc00d08947, 0x002fea000383ffff,
                0x000000000000794d, 0x000fea0003800000, 0xfffffffc00fc7947, 0x000fc0000383ffff};
  return small;
}
// __global__ void counted(float* y, int n) {
// #pragma unroll 1
//   for (int i = 0; i < n; ++i) y[i * 32 + threadIdx.x] = 1;
// }
SmallCubin Counted() {
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 4}};
  small.code = {0x00000a00ff017b82, 0x000ff00000000800, 0x00008600ff007b82, 0x000e240000000800,
                0x000000010000780c, 0x001fda0003f06270, 0x000000000000894d, 0x000fea0003800000,
                0x0000000000077919, 0x000e220000002100, 0x00008400ff047b82, 0x000e620000000a00,
                0x3f800000ff097424, 0x000fe200078e00ff, 0x0000003f00047c82, 0x000fe20008000000,
                0x0000820000067ab9, 0x000fca0000000a00, 0x0000000104047890, 0x000fe2000fffe03f,
                0x0000000407027825, 0x043fe200078e0004, 0x0000002007077810, 0x000fc80007ffe0ff,
                0x0000000400007c0c, 0x000fe2000bf03270, 0x0000000902007986, 0x0005d8000c101906,
                0xfffffffc00e88947, 0x004fea000383ffff, 0x000000000000794d, 0x000fea0003800000,
                0xfffffffc00fc7947, 0x000fc0000383ffff};
  return small;
}
// __global__ void after(float* y, int n) {
//   int i = threadIdx.x;
// #pragma unroll 1
//   for (; i < n; i += blockDim.x) y[i] = 1;
//   y[i + 7] = 2;
// }
SmallCubin After() {
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 4}};
  small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000097919, 0x000e2e0000002100,
                0x00008400ff067b82, 0x000e620000000a00, 0x0000860000067ab9, 0x000fe20000000800,
                0x0000820000047ab9, 0x000fe20000000a00, 0x000000b000007945, 0x000fe20003800000,
                0x0000000609007c0c, 0x001fda000bf06270, 0x0000000000200947, 0x000fea0003800000,
                0x00000000ff007b82, 0x000e220000000800, 0x3f800000ff0b7424, 0x000fce00078e00ff,
                0x00008400ff047b82, 0x000ea40000000a00, 0x0000000409027825, 0x004fc800078e0204,
                0x0000000100097824, 0x001fe200078e0209, 0x0000000b02007986, 0x0007e8000c101904,
                0x0000000609007c0c, 0x000fda000bf06270, 0xfffffffc00ec8947, 0x008fea000383ffff,
                0x0000000000007941, 0x000fea0003800000, 0x0000000709037810, 0x000fe20007ffe0ff,
                0x40000000ff057435, 0x000fc800000001ff, 0x0000000403027825, 0x002fca00078e0206,
                0x0000000502007986, 0x000fe2000c101904, 0x000000000000794d, 0x000fea0003800000,
                0xfffffffc00fc7947, 0x000fc0000383ffff};
  return small;
}
// __global__ void reset(float* y, int n) {
//   int r = 5;
// #pragma unroll 1
//   for (int k = 0; k < n; ++k) {
//     y[r] = 1;
//     r = (k & 3) ? r + 1 : 5;
//   }
// }
SmallCubin Reset() {
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 4}};
  small.code = {0x00000a00ff017b82, 0x000ff00000000800, 0x00008600ff097b82, 0x000e240000000800,
                0x000000010900780c, 0x001fda0003f06270, 0x000000000000894d, 0x000fea0003800000,
                0x00008400ff047b82, 0x000e220000000a00, 0x3f800000ff0b7435, 0x000fe200000001ff,
                0x00000005ff077424, 0x000fe200078e00ff, 0x0000820000047ab9, 0x000fe20000000a00,
                0x000000ffff007224, 0x000fd000078e00ff, 0x0000000300ff7812, 0x040fe2000780c0ff,
                0x0000000100007836, 0x000fe40000000000, 0x0000000407027825, 0x043fe200078e0204,
                0x0000000107077810, 0x000fe40007ffe0ff, 0x000000090000720c, 0x000fe40003f26270,
                0x0000000b02007986, 0x0003e2000c101904, 0x0000000507077807, 0x000fd40000000000,
                0xfffffffc00e09947, 0x000fea000383ffff, 0x000000000000794d, 0x000fea0003800000,
                0xfffffffc00fc7947, 0x000fc0000383ffff};
  return small;
}
// The accesses of a launch through the pointers of the kernel. `n`: the last parameter.
std::vector<LaunchUses> UsesOf(const SmallCubin& small, uint64_t blocks, uint64_t threads,
                               int64_t n) {
  const std::vector<unsigned char> bytes = small.Bytes();
  const Cubin cubin = ReadCubin(bytes);
  REQUIRE(cubin.kernels.size() == 1);
  const KernelAccess access = Summarize(cubin.kernels[0]);
  REQUIRE(access.known());
  std::vector<uint32_t> offsets, sizes;
  for (const SmallCubin::Parameter& parameter : small.parameters) {
    offsets.push_back(parameter.offset);
    sizes.push_back(parameter.size);
  }
  const KernelUses kernel(access, offsets, sizes);
  std::vector<LaunchInteger> integers;
  for (const ParameterWord& word : kernel.integers()) {
    REQUIRE(word.parameter + 1 == small.parameters.size());
    integers.push_back({static_cast<uint64_t>(n), static_cast<uint8_t>(word.bytes)});
  }
  gpusan::LaunchShape shape;
  shape.global_size[0] = blocks * threads;
  shape.local_size[0] = threads;
  std::vector<LaunchUses> uses(kernel.pointers().size());
  kernel.Evaluate(shape, integers, absl::MakeSpan(uses));
  return uses;
}

TEST_CASE("a grid-stride loop accesses each element once") {
  for (const int n : {1, 100, 127, 128, 129, 1000}) {
    const std::vector<LaunchUses> uses = UsesOf(Stride(), 2, 64, n);
    REQUIRE(uses.size() == 2);
    for (const LaunchUse* use : {&uses[0].writes, &uses[1].reads}) {
      CHECK(use->sure);
      CHECK(use->ranged);
      CHECK(use->exact);
      CHECK(use->first == 0);
      CHECK(use->last == 4 * n);
    }
    CHECK(!uses[0].reads.possible);
    CHECK(!uses[1].writes.possible);
  }
  const std::vector<LaunchUses> none = UsesOf(Stride(), 2, 64, 0);
  CHECK(!none[0].writes.possible);
  CHECK(!none[1].reads.possible);
}

TEST_CASE("a grid-stride loop whose index may overflow has no range") {
  const std::vector<LaunchUses> uses = UsesOf(Stride(), 1 << 12, 1 << 10, 0x7fffffff);
  CHECK(uses[0].writes.possible);
  CHECK(!uses[0].writes.ranged);
  CHECK(!uses[0].writes.sure);
}

TEST_CASE("a loop with another way out may access less") {
  const std::vector<LaunchUses> uses = UsesOf(Breaks(), 1, 64, 1000);
  CHECK(uses[0].writes.ranged);
  CHECK(uses[0].writes.last == 4000);
  CHECK(!uses[0].writes.sure);
  CHECK(!uses[0].writes.exact);
  CHECK(!uses[0].writes.has_core());
}

TEST_CASE("a counted loop accesses what all threads access in all iterations") {
  const std::vector<LaunchUses> whole = UsesOf(Counted(), 1, 32, 10);
  CHECK(whole[0].writes.exact);
  CHECK(whole[0].writes.last == 10 * 128);
  // Half a warp leaves gaps.
  const std::vector<LaunchUses> half = UsesOf(Counted(), 1, 16, 10);
  CHECK(half[0].writes.sure);
  CHECK(half[0].writes.ranged);
  CHECK(!half[0].writes.exact);
  CHECK(half[0].writes.last == 9 * 128 + 64);
}

TEST_CASE("behind a loop its counter is not known") {
  const std::vector<LaunchUses> uses = UsesOf(After(), 1, 64, 100);
  CHECK(uses[0].writes.sure);
  CHECK(!uses[0].writes.ranged);
  CHECK(uses[0].writes.core_first == 0);
  CHECK(uses[0].writes.core_last == 400);
}

TEST_CASE("a value that some iterations reset is no counter") {
  const std::vector<LaunchUses> uses = UsesOf(Reset(), 1, 64, 100);
  CHECK(uses[0].writes.possible);
  CHECK(!uses[0].writes.ranged);
}

}  // namespace
}  // namespace gpusan::cuda
