// Packed parts of fat binaries: their decompression, and which of them a device runs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <string>

#include "common/cuda_code.h"
#include "hooks/cuda/images/module_image.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/machine_code/unpack.h"
#include "tests/unit/cuda/access_ranges.h"

namespace gpusan::cuda {
namespace {

using Bytes = std::vector<unsigned char>;

class Held final : public ImageSource {
 public:
  size_t Read(uint64_t offset, void* to, size_t bytes) const override {
    constexpr size_t kBytes = sizeof(kCode) - 1;
    if (offset >= kBytes) return 0;
    bytes = std::min<size_t>(bytes, kBytes - static_cast<size_t>(offset));
    std::memcpy(to, kCode + offset, bytes);
    return bytes;
  }
};

// "abcabcabcabcxyzzy": three literals, a match of nine bytes that overlaps itself, five literals.
const Bytes kBlock = {0x35, 'a', 'b', 'c', 3, 0, 0x50, 'x', 'y', 'z', 'z', 'y'};

TEST_CASE("an LZ4 block is unpacked, and every cut or other size of it is damage") {
  Bytes unpacked;
  REQUIRE(Unpack(Packing::kLz4, kBlock, 17, &unpacked));
  CHECK(std::string(unpacked.begin(), unpacked.end()) == "abcabcabcabcxyzzy");
  for (size_t length = 0; length < kBlock.size(); ++length) {
    INFO(length);
    CHECK_FALSE(
        Unpack(Packing::kLz4, Bytes(kBlock.begin(), kBlock.begin() + length), 17, &unpacked));
  }
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{16}, uint64_t{18}, kMaxUnpackedBytes + 1})
    CHECK_FALSE(Unpack(Packing::kLz4, kBlock, bytes, &unpacked));
}

TEST_CASE("a length of an LZ4 block may continue in further bytes") {
  // One literal, and a match of 4 + 15 + 255 + 6 bytes at distance 1; then no literals.
  const Bytes block = {0x1f, 'a', 1, 0, 255, 6, 0x00};
  Bytes unpacked;
  REQUIRE(Unpack(Packing::kLz4, block, 281, &unpacked));
  CHECK(std::count(unpacked.begin(), unpacked.end(), 'a') == 281);
}

TEST_CASE("garbage is unpacked without a fault") {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    Bytes block(1 + random() % 40);
    for (unsigned char& byte : block) byte = static_cast<unsigned char>(random());
    Bytes unpacked;
    Unpack(round % 2 == 0 ? Packing::kLz4 : Packing::kZstd, block, random() % 500, &unpacked);
    CHECK(unpacked.size() <= 500);
  }
}

TEST_CASE("a device runs the newest machine code of its family") {
  ModuleImage image;
  image.form = ModuleImage::Form::kFatbin;
  for (const unsigned arch : {75u, 80u, 86u, 90u, 90u}) {
    image.parts.emplace_back().kind = ImagePart::Kind::kCubin;
    image.parts.back().arch = arch;
  }
  image.parts[4].variant = 'a';
  CHECK(CodeFor(image, 75) == std::vector<size_t>{0});
  CHECK(CodeFor(image, 89) == std::vector<size_t>{2});
  CHECK(CodeFor(image, 80) == std::vector<size_t>{1});
  CHECK(CodeFor(image, 90) == std::vector<size_t>{3, 4});
  CHECK(CodeFor(image, 100).empty());
}

#if defined(GPUSAN_ZSTD)
TEST_CASE("the kernels of a packed fat binary are found") {
  const ModuleImage image = ReadModuleImage(Held());
  REQUIRE(image.damage.empty());
  REQUIRE(CodeFor(image, 90) == std::vector<size_t>{0});
  const ImagePart& part = image.parts[0];
  REQUIRE(part.packing == Packing::kZstd);
  Bytes packed(part.bytes);
  REQUIRE(Held().Read(part.offset, packed.data(), packed.size()) == packed.size());
  Bytes cubin;
  REQUIRE(Unpack(part.packing, packed, part.unpacked_bytes, &cubin));
  const Cubin read = ReadCubin(cubin);
  CHECK(read.damage.empty());
  const auto summary = [&](std::string_view name) {
    for (const CubinKernel& kernel : read.kernels) {
      if (kernel.name == name) return Summarize(kernel);
    }
    return KernelAccess();
  };
  CHECK(KindsAt(summary(CODE_COPY), 0) == kReads);
  CHECK(KindsAt(summary(CODE_COPY), 8) == kWrites);
  CHECK_FALSE(summary(CODE_COPY).may_wait);
  CHECK(KindsAt(summary(CODE_PAIR), 24) == kWrites);
  const KernelAccess set = summary(CODE_SET), choose = summary(CODE_CHOOSE);
  REQUIRE(set.accesses.size() == 1);
  CHECK(set.accesses[0].guards_complete);
  REQUIRE(set.accesses[0].guards.size() == 1);
  CHECK(set.accesses[0].guards[0].relation == AccessGuard::Relation::kLess);
  CHECK(set.accesses[0].guards[0].is_signed);
  REQUIRE(choose.accesses.size() == 2);
  CHECK(choose.accesses[0].guards[0].relation != choose.accesses[1].guards[0].relation);
  CHECK(summary(CODE_ROWS).accesses[0].guards.size() == 2);
  CHECK(summary(CODE_STRIDE).accesses[0].guards_complete);
  CHECK_FALSE(summary(CODE_STRIDE).accesses[0].address.inexact);
  CHECK(summary(CODE_CONSUME).may_wait);
  CHECK(summary(CODE_PRODUCE).may_wait);
  CHECK_FALSE(summary(CODE_COUNT).may_wait);
  CHECK(summary(CODE_POLL).may_wait);
  CHECK_FALSE(summary(CODE_DELAYED).may_wait);
  packed.resize(packed.size() / 2);
  CHECK_FALSE(Unpack(part.packing, packed, part.unpacked_bytes, &cubin));
}
#endif

}  // namespace
}  // namespace gpusan::cuda
