// Loops in machine code: what launches of grid-stride loops and counted loops access.
#include <catch2/catch.hpp>

#include <vector>

#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/summaries/kernel_uses.h"
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
// __global__ void in_place(float* data, int64_t n) {
//   for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
//        i += (int64_t)blockDim.x * gridDim.x)
//     data[i] += 1;
// }
// The compiler unrolls the loop by four, with a loop for the remainder and a division.
SmallCubin Unrolled() {
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 8}};
  small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000027919, 0x000e2e0000002100,
                0x00000000000479c3, 0x000e220000002500, 0x000000ffff037224, 0x000fe200078e00ff,
                0x0000860000087ab9, 0x000fcc0000000a00, 0x00000000ff077b82, 0x000e240000000800,
                0x00000004070a7c25, 0x001fc6000f8e0002, 0x000000080a007c0c, 0x000fc8000bf06070,
                0x000000090b007c0c, 0x000fda000bf06300, 0x000000000000094d, 0x000fea0003800000,
                0x0000030000057ab9, 0x000fe20000000800, 0x000002a000007945, 0x000fe20003800000,
                0x0000000504047290, 0x000fc8000ff1e03f, 0x0000003f3f067290, 0x000fe400087fe43f,
                0x0000000407047c25, 0x000fe2000f8e0002, 0x0000003f00047c82, 0x000fc60008000000,
                0x00000006070d7c24, 0x040fe2000f8e02ff, 0x00000004ff097212, 0x000fe200078e33ff,
                0x0000000507027c25, 0x000fc8000f8e00ff, 0x0000000105047824, 0x000fe200078e020d,
                0x0000000809097c10, 0x000fe2000f91e002, 0x0000000403057c36, 0x000fe40008000000,
                0x000000ffff077224, 0x000fe200078e000a, 0x00000004ff047212, 0x000fc800078e33ff,
                0x0000000904047c10, 0x000fc800087e2405, 0x0000000504007212, 0x000fc800078efcff,
                0x000000ff0000720c, 0x000fe40003f05070, 0x0000000b00007202, 0x000fd60000000f00,
                0x0000000000148947, 0x000fea0003800000, 0x000001f000067802, 0x000fce0000000f00,
                0x00000004005c7944, 0x000fea0003c00000, 0x000000ffff087224, 0x000fe400078e0004,
                0x000000ffff097224, 0x000fe200078e000b, 0x00000000004c7947, 0x000fec0003800000,
                0x0000000200047306, 0x000e220000209000, 0x000000ff0200720c, 0x000fce0003f45070,
                0x0000000400047308, 0x001e240000001000, 0x0ffffffe040a7836, 0x001fcc0000000000,
                0x0000000a000b7305, 0x000064000021f000, 0x00000000ff0a7435, 0x001fe200000001ff,
                0x000000ffff0d7224, 0x002fc800078e0a0b, 0x000000020d0d7224, 0x000fca00078e02ff,
                0x0000000d0b067227, 0x000fcc00078e000a, 0x0000000906087227, 0x000fc800078e00ff,
                0x000000ffff067224, 0x000fc800078e0a08, 0x0000000602097224, 0x000fca00078e0209,
                0x000000020900720c, 0x000fda0003f06070, 0x0000000109090824, 0x000fe400078e0a02,
                0x0000000108080836, 0x000fc60000000000, 0x000000020900720c, 0x000fe40003f26070,
                0x000000ff00097202, 0x000fd60000000f00, 0x0000000108081836, 0x000fe20000000000,
                0x00000002ff08a212, 0x000fce00078e33ff, 0x0000000000007941, 0x000fea0003800000,
                0x0000000108067836, 0x040fe20000000000, 0x000000030800780c, 0x000fe20003f06070,
                0x0000820000047ab9, 0x000fe20000000a00, 0x0000019000007945, 0x000fe40003800000,
                0x0000000306067812, 0x000fe400078ec0ff, 0x000000ff0900720c, 0x000fe40003f06100,
                0x000000ff0600720c, 0x000fc80003f25070, 0x000000ffff00720c, 0x000fda0003f25310,
                0x00000000004c9947, 0x000fea0003800000, 0x0000840000067ab9, 0x000fe20000000a00,
                0x000000ffff0a7224, 0x000fe200078e00ff, 0x0000000607047c11, 0x040fe4000f8210ff,
                0x00000002020f7819, 0x000fe40000010205, 0x00000007070d7c11, 0x000fd200088f1400,
                0x000000ffff087224, 0x001fe400078e0004, 0x000000ffff097224, 0x000fca00078e000d,
                0x0000000408047981, 0x000ea2000c1e1900, 0xffffffff06067810, 0x000fe40007f3e0ff,
                0x0000000207077210, 0x000fe40007f5e0ff, 0xffffffff0a0a7810, 0x000fe40000ffe4ff,
                0x000000ff0600720c, 0x000fe20003f25070, 0x0000000100007824, 0x000fc600010e0605,
                0x000000ff0a00720c, 0x000fe20003f25310, 0x3f800000040b7421, 0x004fe20000000000,
                0x0000000802047211, 0x000fc800078610ff, 0x0000000b08007986, 0x0001e2000c101904,
                0x0000000f090d7210, 0x000fcc0001ffe4ff, 0xfffffffc00c81947, 0x000fea000383ffff,
                0x0000000000007941, 0x000fea0003800000, 0x000000000000894d, 0x000fea0003800000,
                0x0000840000067ab9, 0x000fe20000000a00, 0x0000000202177819, 0x040fe20000010205,
                0x0000000402197824, 0x000fe200078e00ff, 0x00000006070a7c11, 0x000fc8000f8010ff,
                0x00000007070b7c11, 0x001fe200080f1400, 0x0000860000067ab9, 0x000fd00000000a00,
                0x000000040a047981, 0x000ea2000c1e1900, 0x000000190a0c7210, 0x000fca0007f1e0ff,
                0x000000010b0d7824, 0x000fe400000e0617, 0x3f80000004117421, 0x004fca0000000000,
                0x000000110a007986, 0x0001e8000c101904, 0x000000040c047981, 0x000ea2000c1e1900,
                0x000000190c0e7210, 0x000fca0007f1e0ff, 0x000000010d0f7824, 0x000fe400000e0617,
                0x3f80000004137421, 0x004fca0000000000, 0x000000130c007986, 0x000fe8000c101904,
                0x000000040e047981, 0x000ea2000c1e1900, 0x000000190e087210, 0x000fc80007f1e0ff,
                0x000000170f097210, 0x000fe400007fe4ff, 0x0000000702077210, 0x000fc8000791e002,
                0x0000000005007210, 0x000fe200007e2405, 0x3f80000004157421, 0x004fca0000000000,
                0x000000150e007986, 0x000fe8000c101904, 0x0000000408047981, 0x000ea2000c1e1900,
                0x0000000702077210, 0x000fc8000791e002, 0x0000000005007210, 0x000fe400007e2405,
                0x0000000607007c0c, 0x000fe4000bf06070, 0x00000019080a7210, 0x001fe40007f3e0ff,
                0x0000000700007c0c, 0x000fe2000bf06300, 0x3f800000040b7421, 0x004fca0000000000,
                0x0000000b08007986, 0x0001e4000c101904, 0x00000001090b7824, 0x001fca00008e0617,
                0xfffffffc00948947, 0x000fea000383ffff, 0x000000000000794d, 0x000fea0003800000,
                0x000000ffff0e7224, 0x000fe400078e0002, 0x000000ffff0f7224, 0x000fc800078e0005,
                0x0000000e00087312, 0x000e300000309000, 0x0000000800087308, 0x001e240000001000,
                0x1ffffffe080a7810, 0x001fcc0007ffe0ff, 0x0000000a000a7311, 0x000e24000020d800,
                0x000000020a0c7225, 0x001fc800078e00ff, 0x000000050a0d7224, 0x000fe200078e020d,
                0x8000000cff117210, 0x000fc60007f1e0ff, 0x000000020b0d7224, 0x000fe400078e020d,
                0x000000110a0c7227, 0x000fc800078e00ff, 0x000000ffff137224, 0x000fe400000e0e0d,
                0x000000ffff0d7224, 0x000fe400078e000a, 0x000000130b0f7224, 0x080fe400078e02ff,
                0x000000130a0c7225, 0x000fc8000780000c, 0x000000130b137227, 0x000fc800078e00ff,
                0x000000110b0c7227, 0x000fc8000782000c, 0x0000000113087824, 0x000fe200000e060b,
                0x0000000c0f0d7210, 0x000fc80007f5e0ff, 0x000000ffff0f7210, 0x000fe200017e2408,
                0x000000020d0a7225, 0x000fc800078e00ff, 0x000000050d087224, 0x000fe200078e020b,
                0x8000000aff0b7210, 0x000fc60007f1e0ff, 0x000000020f087224, 0x000fe400078e0208,
                0x0000000b0d0c7227, 0x000fc600078e00ff, 0x80000008ff087210, 0x000fca00007fe4ff,
                0x000000080d0c7225, 0x000fc8000780000c, 0x000000080f0a7224, 0x040fe400078e02ff,
                0x0000000b0f0d7227, 0x000fc8000782000c, 0x000000080f087227, 0x000fe200078e00ff,
                0x0000000d0a0d7210, 0x000fc60007f5e0ff, 0x00000001080f7824, 0x000fe400000e060f,
                0x000000090d0a7227, 0x000fc600078e00ff, 0x000000ffff0f7210, 0x000fe200017e240f,
                0x000000ffff0b7224, 0x000fe400078e00ff, 0x000000040d0a7225, 0x000fc800078e000a,
                0x000000040f0d7224, 0x040fe400078e02ff, 0x000000090f0a7227, 0x000fc8000780000a,
                0x000000040f087227, 0x000fe200078e00ff, 0x0000000a0d0d7210, 0x000fc60007f3e0ff,
                0x000000ffff087224, 0x000fe400000e0608, 0x000000020d0a7225, 0x000fc600078e00ff,
                0x00000008ff0f7210, 0x000fe20000ffe4ff, 0x000000050d087224, 0x000fe200078e020b,
                0x000000090a0b7210, 0x000fc60007f3e1ff, 0x000000020f097224, 0x080fe200078e0208,
                0x000000020b00720c, 0x000fc60003f06070, 0x00000001040c7824, 0x000fe200008e0e09,
                0x0000000b02097210, 0x000fe40007f3e1ff, 0x000000010d047810, 0x000fe40007f5e0ff,
                0x000000050c00720c, 0x040fe20003f06100, 0x000000010c0a7824, 0x000fe200008e0e05,
                0x000000ff0200720c, 0x000fe20003f25070, 0x000000ffff087224, 0x000fe200010e060f,
                0x0000000b09097207, 0x000fe40000000000, 0x0000000d040d7207, 0x000fc40000000000,
                0x0000000c0a0a7207, 0x000fe40000000000, 0x0000000f08087207, 0x000fe40000000000,
                0x000000020900720c, 0x000fe20003f06070, 0x00000000ff097424, 0x000fe200078e00ff,
                0x000000010d047810, 0x000fe40007f5e0ff, 0x000000050a00720c, 0x000fe40003f06100,
                0x00000008ff0b7210, 0x000fc400017fe4ff, 0x000000ff0500720c, 0x000fe40003f25310,
                0x000000080b0b7207, 0x000fe20000000000, 0x000000ffff087224, 0x000fe200078e0006,
                0x0000000d04047207, 0x000fe40000000000, 0xffffffff0b0b7807, 0x000fe40000800000,
                0xffffffff04047807, 0x000fe20000800000, 0xfffffff408107950, 0x000fec0003c3ffff,
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

TEST_CASE("a loop with a second exit may access fewer elements") {
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

TEST_CASE("after a loop its counter is unknown") {
  const std::vector<LaunchUses> uses = UsesOf(After(), 1, 64, 100);
  CHECK(uses[0].writes.sure);
  CHECK(!uses[0].writes.ranged);
  CHECK(uses[0].writes.core_first == 0);
  CHECK(uses[0].writes.core_last == 400);
}

TEST_CASE("an unrolled loop surely accesses what the first iterations access") {
  for (const int n : {1, 100, 1000, 1024}) {
    const std::vector<LaunchUses> uses = UsesOf(Unrolled(), 8, 128, n);
    REQUIRE(uses.size() == 1);
    for (const LaunchUse* use : {&uses[0].reads, &uses[0].writes}) {
      CHECK(use->sure);
      CHECK(!use->ranged);
      CHECK(use->core_first == 0);
      CHECK(use->core_last == 4 * n);
    }
  }
  // Further iterations access more, of which nothing is known.
  CHECK(UsesOf(Unrolled(), 8, 128, 5000)[0].writes.core_last == 4096);
  CHECK(!UsesOf(Unrolled(), 8, 128, 0)[0].writes.possible);
}

TEST_CASE("a value that some iterations reset is no counter") {
  const std::vector<LaunchUses> uses = UsesOf(Reset(), 1, 64, 100);
  CHECK(uses[0].writes.possible);
  CHECK(!uses[0].writes.ranged);
}

}  // namespace
}  // namespace gpusan::cuda
