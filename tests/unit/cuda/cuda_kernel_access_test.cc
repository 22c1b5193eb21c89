// What kernels access, from the machine code of three architectures.
#include <catch2/catch.hpp>

#include "hooks/cuda/machine_code/cubin_access.h"
#include "tests/unit/cuda/access_ranges.h"
#include "tests/unit/cuda/cuda_small_cubin.h"

namespace gpusan::cuda {
namespace {

// __global__ void scale(float* y, const float* x, float a, int n) {
//   int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (i < n) y[i] = a * x[i];
// }
SmallCubin Scale(unsigned architecture) {
  SmallCubin small;
  small.architecture = architecture;
  small.parameters = {{0, 8}, {8, 8}, {16, 4}, {20, 4}};
  if (architecture == 75) {
    small.parameter_base = 0x160;
    small.code = {0x00000a0000017a02, 0x000fe40000000f00, 0x0000000000047919, 0x000e280000002500,
                  0x0000000000037919, 0x000e240000002100, 0x0000000004047a24, 0x001fca00078e0203,
                  0x00005d0004007a0c, 0x000fd80003f06270, 0x000000000000094d, 0x000fea0003800000,
                  0x0000000400057802, 0x000fca0000000f00, 0x00005a0004027625, 0x000fd000078e0205,
                  0x0000000002027381, 0x000ea200001ee900, 0x0000580004047625, 0x000fc800078e0205,
                  0x00005c0002077a20, 0x004fd00000400000, 0x0000000704007386, 0x000fe2000010e900,
                  0x000000000000794d, 0x000fea0003800000, 0xfffffff000007947, 0x000fc0000383ffff};
  } else if (architecture == 90) {
    small.parameter_base = 0x210;
    small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000007919, 0x000e2e0000002100,
                  0x00000000000479c3, 0x000e300000002500, 0x00000000ff077b82, 0x000e240000000800,
                  0x0000000407077c24, 0x001fe2000f8e0200, 0x0000890000047ab9, 0x000fc80000000800,
                  0x0000000407007c0c, 0x000fda000bf06270, 0x000000000000094d, 0x000fea0003800000,
                  0x00008600ff027b82, 0x000e220000000a00, 0x0000820000047ab9, 0x000fe20000000a00,
                  0x0000880000067ab9, 0x000fcc0000000800, 0x00008400ff047b82, 0x000e620000000a00,
                  0x0000000407027825, 0x001fcc00078e0202, 0x0000000402027981, 0x000ea2000c1e1900,
                  0x0000000407047825, 0x002fc800078e0204, 0x0000000602077c20, 0x004fca0008400000,
                  0x0000000704007986, 0x000fe2000c101904, 0x000000000000794d, 0x000fea0003800000,
                  0xfffffffc00fc7947, 0x000fc0000383ffff};
  } else {
    small.parameter_base = 0x380;
    small.code = {0x0000df00ff017b82, 0x000fe20000000800, 0x0000000000007919, 0x000e2e0000002100,
                  0x00000000000479c3, 0x000e220000002500, 0x00007280ff0577ac, 0x000e6e0008000800,
                  0x0000d800ff077b82, 0x000e240000000800, 0x0000000407077c24, 0x001fca000f8e0200,
                  0x0000000507007c0c, 0x002fda000bf06270, 0x000000000000094d, 0x000fea0003800000,
                  0x0000e200ff027b82, 0x000e220000000a00, 0x00006b00ff0477ac, 0x000e620008000a00,
                  0x00007200ff0677ac, 0x000eac0008000800, 0x0000e000ff047b82, 0x000ee20000000a00,
                  0x0000000407027825, 0x001fcc00078e0202, 0x0000000402027981, 0x002ea2000c1e1900,
                  0x0000000407047825, 0x008fc800078e0204, 0x0000000602077c20, 0x004fca0008400000,
                  0x0000000704007986, 0x000fe2000c101904, 0x000000000000794d, 0x000fea0003800000,
                  0xfffffffc00fc7947, 0x000fc0000383ffff};
  }
  return small;
}

KernelAccess SummaryOf(const SmallCubin& small) {
  const std::vector<unsigned char> bytes = small.Bytes();
  const Cubin cubin = ReadCubin(bytes);
  REQUIRE(cubin.kernels.size() == 1);
  return Summarize(cubin.kernels[0]);
}

struct ScaleParameters {
  uint64_t y = 0x7f0000000000, x = 0x7f0000100000;
  float a = 2;
  int32_t n = 1000;
};
std::span<const unsigned char> BytesOf(const ScaleParameters& parameters) {
  return {reinterpret_cast<const unsigned char*>(&parameters), sizeof(parameters)};
}

TEST_CASE("a kernel reads one pointer and writes the other") {
  const KernelAccess access = SummaryOf(Scale(GENERATE(75, 90, 120)));
  REQUIRE(access.known());
  CHECK(access.unknown == 0);
  CHECK(access.globals == 0);
  CHECK(KindsAt(access, 0) == kWrites);
  CHECK(KindsAt(access, 8) == kReads);
  CHECK(KindsAt(access, 16) == 0);
}

TEST_CASE("the range of an access follows from the launch") {
  const KernelAccess access = SummaryOf(Scale(GENERATE(75, 90, 120)));
  const ScaleParameters parameters;
  const std::vector<AccessRange> ranges =
      RangesFor(access, {{4, 1, 1}, {256, 1, 1}}, BytesOf(parameters));
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].kind == kReads);
  CHECK(ranges[0].bounded);
  CHECK(!ranges[0].always);  // the guard i < n
  CHECK(ranges[0].first == parameters.x);
  CHECK(ranges[0].end == parameters.x + 4 * 1024);
  CHECK(ranges[1].kind == kWrites);
  CHECK(ranges[1].first == parameters.y);
  CHECK(ranges[1].end == parameters.y + 4 * 1024);
}

// __global__ void down(float* end) { end[-3 * (long)threadIdx.x] = 1; }
TEST_CASE("a negative factor of a wide product is sign-extended") {
  SmallCubin small;
  small.architecture = 90;
  small.parameters = {{0, 8}};
  small.parameter_base = 0x210;
  small.code = {0x0000000000057919, 0x000e2e0000002100,   // S2R R5, SR_TID.X
                0x00008400ff027b82, 0x000e220000000a00,   // LDC.64 R2, c[0x0][0x210]
                0x0000820000047ab9, 0x000fe20000000a00,   // ULDC.64 UR4, c[0x0][0x208]
                0xfffffff405027825, 0x001fca00078e0202,   // IMAD.WIDE R2, R5, -0xc, R2
                0x000000ff02007986, 0x000fe2000c101904,   // STG.E desc[UR4][R2.64], RZ
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  const uint64_t end = 0x7f0000001000;
  const std::vector<AccessRange> ranges =
      RangesFor(SummaryOf(small), {{1, 1, 1}, {32, 1, 1}},
                {reinterpret_cast<const unsigned char*>(&end), sizeof(end)});
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].bounded);
  CHECK(ranges[0].first == end - 31 * 12);
  CHECK(ranges[0].end == end + 4);
}

TEST_CASE("fences for other blocks may let a kernel wait") {
  const auto fenced = [](uint64_t fence) {
    SmallCubin small;
    small.architecture = 90;
    small.parameters = {{0, 8}};
    small.parameter_base = 0x210;
    small.code = {0x00008400ff027b82, 0x000e220000000a00,   // LDC.64 R2, c[0x0][0x210]
                  0x0000820000047ab9, 0x000fe20000000a00,   // ULDC.64 UR4, c[0x0][0x208]
                  0x000000ff02007986, 0x000fe2000c101904,   // STG.E desc[UR4][R2.64], RZ
                  0x0000000000007992, fence,                // MEMBAR
                  0x000000000000794d, 0x000fea0003800000};  // EXIT
    return SummaryOf(small);
  };
  CHECK(fenced(0x000fec0000008000).known());
  CHECK_FALSE(fenced(0x000fec0000008000).may_wait);  // .ALL.CTA
  CHECK_FALSE(fenced(0x000fec0000000000).may_wait);  // .SC.CTA
  CHECK(fenced(0x000fec000000a000).may_wait);        // .ALL.GPU
  CHECK(fenced(0x000fec0000003000).may_wait);        // .SC.SYS
}

TEST_CASE("an index that may overflow has no range") {
  const KernelAccess access = SummaryOf(Scale(90));
  const std::vector<AccessRange> ranges =
      RangesFor(access, {{0x7fffffff, 1, 1}, {1024, 1, 1}}, BytesOf({}));
  REQUIRE(ranges.size() == 2);
  CHECK(!ranges[0].bounded);
  CHECK(!ranges[1].bounded);
}

TEST_CASE("a parameter block that is too short gives no range") {
  const KernelAccess access = SummaryOf(Scale(90));
  const ScaleParameters parameters;
  const std::vector<AccessRange> ranges = RangesFor(access, {}, BytesOf(parameters).first(8));
  REQUIRE(ranges.size() == 2);
  CHECK(!ranges[0].bounded);
  CHECK(ranges[1].bounded);
}

TEST_CASE("an instruction that the decoder does not know makes the kernel unknown") {
  SmallCubin small = Scale(90);
  small.code[8] = 0x00000000000079ff;
  const KernelAccess access = SummaryOf(small);
  CHECK(!access.known());
  CHECK(access.failure_offset == 0x40);
  CHECK(KindsAt(access, 0) == (kReads | kWrites | kAtomics));
}

TEST_CASE("a pointer that was loaded from memory is unknown") {
  // __global__ void indirect(float** p) { *p[0] = 0; }
  SmallCubin small;
  small.parameters = {{0, 8}};
  small.code = {0x00008400ff027b82, 0x000e220000000a00,   // LDC.64 R2, c[0x0][0x210]
                0x0000820000047ab9, 0x000fcc0000000a00,   // ULDC.64 UR4, c[0x0][0x208]
                0x0000000402027981, 0x001ea2000c1e1b00,   // LDG.E.64 R2, desc[UR4][R2.64]
                0x000000ff02007986, 0x004fe2000c101904,   // STG.E desc[UR4][R2.64], RZ
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  const KernelAccess access = SummaryOf(small);
  REQUIRE(access.known());
  CHECK(access.unknown == kWrites);
  CHECK(KindsAt(access, 0) == (kReads | kWrites));
  REQUIRE(access.accesses.size() == 2);
  CHECK(access.accesses[0].always);
  CHECK(access.accesses[0].width == 8);
  const std::vector<AccessRange> ranges = RangesFor(access, {}, BytesOf({}));
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].bounded);
  CHECK(!ranges[1].bounded);
}

TEST_CASE("instructions with one guard read what the others wrote") {
  // A pointer is computed and used under a guard, in registers that held loaded data.
  SmallCubin small;
  small.parameters = {{0, 8}, {8, 8}};
  small.code = {0x00008400ff027b82, 0x000e220000000a00,   // LDC.64 R2, c[0x0][0x210]
                0x0000820000047ab9, 0x000fcc0000000a00,   // ULDC.64 UR4, c[0x0][0x208]
                0x0000000402027981, 0x001ea2000c1e1b00,   // LDG.E.64 R2, desc[UR4][R2.64]
                0x000000ff0200720c, 0x000fda0003f05270,   // ISETP.NE.AND P0, PT, R2, RZ, PT
                0x00008600ff020b82, 0x000e220000000a00,   // @P0 LDC.64 R2, c[0x0][0x218]
                0x000000ff02000986, 0x004fe2000c101904,   // @P0 STG.E desc[UR4][R2.64], RZ
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  const KernelAccess access = SummaryOf(small);
  REQUIRE(access.known());
  CHECK(access.unknown == 0);
  CHECK(KindsAt(access, 0) == kReads);
  CHECK(KindsAt(access, 8) == kWrites);
  // A guard that was computed anew is another guard.
  small.code.insert(small.code.begin() + 10, {0x000000ff0300720c, 0x000fda0003f05270});
  CHECK(SummaryOf(small).unknown == kWrites);
}

// __global__ void after(float* o) {
//   bool first = threadIdx.x == 0;
//   __syncthreads();
//   if (first) o[blockIdx.x] = 0;
// }
TEST_CASE("a barrier keeps the predicates") {
  SmallCubin small;
  small.parameters = {{0, 8}};
  small.code = {0x0000000000007919, 0x000e2e0000002100,   // S2R R0, SR_TID.X
                0x000000ff0000720c, 0x001fda0003f05270,   // ISETP.NE.AND P0, PT, R0, RZ, PT
                0x0000000000007b1d, 0x000fe20000010000,   // BAR.SYNC.DEFER_BLOCKING 0x0
                0x000000000000094d, 0x000fea0003800000,   // @P0 EXIT
                0x0000000000057919, 0x000e220000002500,   // S2R R5, SR_CTAID.X
                0x00008400ff027b82, 0x000e220000000a00,   // LDC.64 R2, c[0x0][0x210]
                0x0000820000047ab9, 0x000fe20000000a00,   // ULDC.64 UR4, c[0x0][0x208]
                0x0000000405027825, 0x001fca00078e0002,   // IMAD.WIDE.U32 R2, R5, 0x4, R2
                0x000000ff02007986, 0x000fe2000c101904,   // STG.E desc[UR4][R2.64], RZ
                0x000000000000794d, 0x000fea0003800000};  // EXIT
  const KernelAccess access = SummaryOf(small);
  REQUIRE(access.known());
  REQUIRE(access.accesses.size() == 1);
  CHECK(access.accesses[0].guards_complete);
  CHECK(access.accesses[0].guards.size() == 1);
}

// __global__ void fill(float* p, long n) {
//   long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
//   if (i < n) p[i] = 1;
// }
TEST_CASE("a comparison of 64 bits is a condition") {
  SmallCubin small;
  small.architecture = 90;
  small.parameters = {{0, 8}, {8, 8}};
  small.parameter_base = 0x210;
  small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000027919, 0x000e2e0000002100,
                0x00000000000479c3, 0x000e220000002500, 0x000000ffff037224, 0x000fce00078e00ff,
                0x00000000ff057b82, 0x000e240000000800, 0x0000000405027c25, 0x001fe2000f8e0002,
                0x0000860000047ab9, 0x000fe40000000a00, 0x0000000402007c0c, 0x000fc8000bf06070,
                0x0000000503007c0c, 0x000fda000bf06300, 0x000000000000094d, 0x000fea0003800000,
                0x0000840000047ab9, 0x000fe40000000a00, 0x0000000402047c11, 0x000fc8000f8010ff,
                0x0000000502057c11, 0x000fe200080f1403, 0x3f800000ff037424, 0x000fe200078e00ff,
                0x0000820000047ab9, 0x000fc80000000a00, 0x0000000304007986, 0x000fe2000c101904,
                0x000000000000794d, 0x000fea0003800000, 0xfffffffc00fc7947, 0x000fc0000383ffff};
  const KernelAccess access = SummaryOf(small);
  REQUIRE(access.known());
  REQUIRE(access.accesses.size() == 1);
  const KernelMemoryAccess& store = access.accesses[0];
  CHECK(store.guards_complete);
  REQUIRE(store.guards.size() == 1);
  CHECK(store.guards[0].relation == AccessGuard::Relation::kLess);
  CHECK(store.guards[0].wide);
  CHECK(store.guards[0].is_signed);
  CHECK(store.guards[0].right == Expression::Of({Atom::Kind::kParameter64, 8}));
}

// __global__ void fill(float* p, float*, int n) {
//   int b = blockIdx.x * 256;
//   if (n - b < 256) {
//     if (threadIdx.x < n - b) p[b + threadIdx.x] = 1;
//   } else {
//     p[b + threadIdx.x] = 2;
//   }
// }
TEST_CASE("the two sides of a branch have opposite conditions") {
  SmallCubin small;
  small.architecture = 90;
  small.parameters = {{0, 8}, {8, 8}, {16, 4}};
  small.parameter_base = 0x210;
  small.code = {0x00000a00ff017b82, 0x000fe20000000800, 0x0000000000057919, 0x000e2e0000002500,
                0x00008800ff007b82, 0x000e220000000800, 0x0000820000047ab9, 0x000fe20000000a00,
                0x0000000000047919, 0x000e6c0000002100, 0x00008400ff027b82, 0x000ea20000000a00,
                0xffffff0005007824, 0x041fe200078e0200, 0x0000000405057211, 0x002fc800078e40ff,
                0x000001000000780c, 0x000fe20003f06270, 0x0000000405027825, 0x004fd800078e0002,
                0x4000000000050802, 0x000fca0000000f00, 0x0000000502000986, 0x0001e2000c101904,
                0x000000000000094d, 0x000fea0003800000, 0x000000000400720c, 0x000fda0003f06070,
                0x000000000000094d, 0x000fea0003800000, 0x3f800000ff057435, 0x001fce00000001ff,
                0x0000000502007986, 0x000fe2000c101904, 0x000000000000794d, 0x000fea0003800000,
                0xfffffffc00fc7947, 0x000fc0000383ffff};
  const KernelAccess access = SummaryOf(small);
  REQUIRE(access.known());
  REQUIRE(access.accesses.size() == 2);
  const KernelMemoryAccess& full = access.accesses[0];
  const KernelMemoryAccess& last = access.accesses[1];
  CHECK(full.guards_complete);
  CHECK(last.guards_complete);
  REQUIRE(full.guards.size() == 1);
  REQUIRE(last.guards.size() == 2);
  CHECK(full.guards[0].relation == AccessGuard::Relation::kGreaterOrEqual);
  CHECK(last.guards[0].relation == AccessGuard::Relation::kLess);
  CHECK(full.guards[0].left == last.guards[0].left);
  CHECK(full.guards[0].right == last.guards[0].right);
}

}  // namespace
}  // namespace gpusan::cuda
