// The kernels of cubins, whole, cut and damaged.
#include <catch2/catch.hpp>

#include <random>

#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "tests/unit/cuda/access_ranges.h"
#include "tests/unit/cuda/cuda_small_cubin.h"

namespace gpusan::cuda {
namespace {

SmallCubin Small() {
  SmallCubin small;
  small.code = {0x000000000000794d, 0x000fea0003800000};  // EXIT
  small.parameters = {{0, 8}, {8, 24}, {32, 4}};
  return small;
}

TEST_CASE("a cubin gives its kernels with their parameters") {
  SmallCubin small = Small();
  small.second_version = GENERATE(false, true);
  const std::vector<unsigned char> bytes = small.Bytes();
  const Cubin cubin = ReadCubin(bytes);
  CHECK(cubin.damage.empty());
  REQUIRE(cubin.kernels.size() == 1);
  const CubinKernel& kernel = cubin.kernels[0];
  CHECK(kernel.name == "kernel");
  CHECK(kernel.architecture == 90);
  CHECK(kernel.parameter_base == 0x210);
  CHECK(kernel.parameter_bytes == 36);
  CHECK(kernel.code.size() == 16);
  REQUIRE(kernel.parameters.size() == 3);
  CHECK(kernel.parameters[1].ordinal == 1);
  CHECK(kernel.parameters[1].offset == 8);
  CHECK(kernel.parameters[1].size == 24);
  CHECK(kernel.parameters[2].size == 4);
}

TEST_CASE("a cubin that is cut anywhere gives no kernel, or whole ones") {
  const std::vector<unsigned char> bytes = Small().Bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<unsigned char> cut(bytes.begin(),
                                         bytes.begin() + static_cast<ptrdiff_t>(size));
    const Cubin cubin = ReadCubin(cut);
    CHECK(!cubin.damage.empty());
    for (const CubinKernel& kernel : cubin.kernels) CHECK(kernel.code.size() == 16);
  }
}

TEST_CASE("a damaged cubin is read without a fault") {
  const std::vector<unsigned char> bytes = Small().Bytes();
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<unsigned char> damaged = bytes;
    for (int j = 0; j < 3; ++j)
      damaged[random() % damaged.size()] = static_cast<unsigned char>(random());
    for (const CubinKernel& kernel : ReadCubin(damaged).kernels) {
      const KernelAccess access = Summarize(kernel);
      CHECK(KindsAt(access, 0) <= (kReads | kWrites | kAtomics));
    }
  }
}

TEST_CASE("random code is analysed without a fault") {
  std::mt19937_64 random(2);
  const unsigned architecture = GENERATE(75, 80, 90, 100, 120);
  for (int i = 0; i < 300; ++i) {
    SmallCubin small = Small();
    small.architecture = architecture;
    small.code.clear();
    static constexpr uint64_t kOpcodes[] = {0xa02, 0x210, 0x810, 0x211, 0x212, 0x219,
                                            0x224, 0x225, 0x382, 0x381, 0x386, 0x947,
                                            0x941, 0x945, 0x944, 0x950, 0x119, 0xb82};
    for (int j = 0; j < 40; ++j) {
      small.code.push_back((random() & ~uint64_t{0xfff}) |
                           kOpcodes[random() % std::size(kOpcodes)]);
      small.code.push_back(random());
      // Branches to nearby instructions.
      if ((small.code[small.code.size() - 2] & 0xfc0) == 0x940) {
        small.code[small.code.size() - 2] &= 0xffff | uint64_t{0x1f0} << 32;
        small.code.back() = 0x000fea0003800000;
      }
    }
    const std::vector<unsigned char> bytes = small.Bytes();
    for (const CubinKernel& kernel : ReadCubin(bytes).kernels) Summarize(kernel);
  }
}

}  // namespace
}  // namespace gpusan::cuda
