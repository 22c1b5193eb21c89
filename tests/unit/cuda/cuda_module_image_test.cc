// What module images hold, whole, cut and damaged.
#include <catch2/catch.hpp>

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/cuda_cubin.h"
#include "hooks/cuda/images/module_image.h"

namespace gpusan::cuda {
namespace {

using Bytes = std::vector<unsigned char>;

// Ends where its bytes end.
class Held final : public ImageSource {
 public:
  explicit Held(Bytes bytes) : bytes_(std::move(bytes)) {}
  size_t Read(uint64_t offset, void* to, size_t bytes) const override {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min<uint64_t>(bytes, bytes_.size() - offset);
    std::memcpy(to, bytes_.data() + offset, count);
    return count;
  }

 private:
  Bytes bytes_;
};

Bytes Of(const std::string& text) { return Bytes(text.begin(), text.end()); }
Bytes Cubin() { return Bytes(kCubinForSm75, kCubinForSm75 + sizeof(kCubinForSm75) - 1); }
ModuleImage Read(const Bytes& bytes) { return ReadModuleImage(Held(bytes)); }

template <typename T>
void Append(Bytes* bytes, T value) {
  const auto* begin = reinterpret_cast<const unsigned char*>(&value);
  bytes->insert(bytes->end(), begin, begin + sizeof(T));
}

struct Part {
  uint16_t kind;
  uint32_t arch;
  uint16_t major, minor;  // of PTX
  uint64_t flags;
};

Bytes Fatbin(const std::vector<Part>& parts) {
  Bytes body;
  for (const Part& part : parts) {
    Append<uint16_t>(&body, part.kind);
    Append<uint16_t>(&body, 0x101);
    Append<uint32_t>(&body, 64);
    Append<uint64_t>(&body, 16);
    Append<uint32_t>(&body, 0);
    Append<uint32_t>(&body, 0);
    Append<uint16_t>(&body, part.minor);
    Append<uint16_t>(&body, part.major);
    Append<uint32_t>(&body, part.arch);
    Append<uint32_t>(&body, 0);
    Append<uint32_t>(&body, 0);
    Append<uint64_t>(&body, part.flags);
    body.resize(body.size() + 16 + 16);
  }
  Bytes image;
  Append<uint32_t>(&image, 0xba55ed50);
  Append<uint16_t>(&image, 1);
  Append<uint16_t>(&image, 16);
  Append<uint64_t>(&image, body.size());
  image.insert(image.end(), body.begin(), body.end());
  return image;
}

TEST_CASE("PTX is recognized by its version and target") {
  const ModuleImage image =
      Read(Of("// compiled\n.version 8.8\n  .target sm_90a, debug\n.address_size 64\n"));
  REQUIRE(image.form == ModuleImage::Form::kPtx);
  CHECK(ImageText(image) == "PTX 8.8 for sm_90a");
  CHECK(image.damage.empty());
  CHECK(Read(Of(".target sm_75\n")).damage == "it has no .version");
  CHECK(Read(Of(".version 7.0\n")).damage == "it has no .target");
}

TEST_CASE("text and bytes that are not a module are recognized as such") {
  CHECK(Read({}).form == ModuleImage::Form::kUnreadable);
  CHECK(Read(Of("this is a sentence\n")).form == ModuleImage::Form::kUnknown);
  CHECK(Read(Bytes(4096, 0xab)).form == ModuleImage::Form::kUnknown);
  CHECK(Read(Bytes(64, 0)).form == ModuleImage::Form::kUnknown);
}

TEST_CASE("a cubin is recognized by its header, and every cut of it is damage") {
  const ModuleImage whole = Read(Cubin());
  CHECK(ImageText(whole) == "a cubin for sm_75");
  CHECK(whole.damage.empty());
  for (size_t length = sizeof(Elf64_Ehdr); length < Cubin().size() - 600; length += 64) {
    Bytes cut = Cubin();
    cut.resize(length);
    INFO(length);
    CHECK(ImageText(Read(cut)) == "a cubin for sm_75");
    CHECK(!Read(cut).damage.empty());
  }
  Bytes program = Cubin();
  program[18] = 62;  // x86-64
  CHECK(Read(program).damage == "it is an object for a CPU, not for a GPU (e_machine 62)");
  CHECK(ImageText(Read(program)) == "an object in ELF format");
}

TEST_CASE("a fat binary is recognized by its parts") {
  const Bytes bytes = Fatbin({{2, 80, 0, 0, 0}, {2, 90, 0, 0, 0x100000}, {1, 90, 8, 7, 0x2000}});
  const ModuleImage image = Read(bytes);
  CHECK(ImageText(image) ==
        "a fat binary with a cubin for sm_80, a cubin for sm_90a and PTX 8.7 for sm_90");
  CHECK(image.damage.empty());
  CHECK(image.parts[2].packing == Packing::kLz4);
  CHECK(ImageText(Read(Fatbin({}))) == "a fat binary");
  Bytes cut = bytes;
  cut.resize(bytes.size() - 8);
  CHECK(Read(cut).damage == "its part 2 is cut");
  cut.resize(bytes.size() - 50);
  CHECK(Read(cut).damage == "its part 2 is cut or damaged");
}

TEST_CASE("garbage after any valid beginning is read without a fault") {
  std::mt19937 random(7);
  const std::vector<Bytes> seeds = {Cubin(), Fatbin({{2, 80, 0, 0, 0}, {1, 90, 8, 7, 0}}),
                                    Of(".version 8.8\n.target sm_90\n")};
  for (int round = 0; round < 3000; ++round) {
    Bytes bytes = seeds[static_cast<size_t>(round) % seeds.size()];
    const int changes = 1 + static_cast<int>(random() % 12);
    for (int i = 0; i < changes; ++i) {
      const size_t at = random() % std::min<size_t>(bytes.size(), round % 2 != 0 ? 80 : 100000);
      bytes[at] = static_cast<unsigned char>(random());
    }
    bytes.resize(random() % (bytes.size() + 1));
    const ModuleImage image = Read(bytes);
    CHECK(image.parts.size() <= 256);
    CHECK(!ImageText(image).empty());
  }
}

TEST_CASE("a cubin fits its own major capability from its minor on, PTX all newer devices") {
  auto part = [](ImagePart::Kind kind, unsigned arch, char variant = 0, unsigned version = 80) {
    return ImagePart{kind, arch, variant, version};
  };
  using Kind = ImagePart::Kind;
  CHECK(Fits(part(Kind::kCubin, 80), 86, 0));
  CHECK_FALSE(Fits(part(Kind::kCubin, 86), 80, 0));
  CHECK_FALSE(Fits(part(Kind::kCubin, 80), 90, 0));
  CHECK(Fits(part(Kind::kCubin, 90, 'a'), 90, 0));
  CHECK(Fits(part(Kind::kPtx, 75), 90, 90));
  CHECK_FALSE(Fits(part(Kind::kPtx, 100), 90, 90));
  CHECK_FALSE(Fits(part(Kind::kPtx, 90, 'a'), 100, 90));
  CHECK_FALSE(Fits(part(Kind::kPtx, 75, 0, 99), 90, 90));
  CHECK(Fits(part(Kind::kPtx, 75, 0, 99), 90, 0));  // what the driver knows is not known
  CHECK_FALSE(Fits(part(Kind::kLto, 90), 90, 90));
}

TEST_CASE("the version of PTX follows from the driver's") {
  CHECK(PtxOf(13000) == 90);
  CHECK(PtxOf(12060) == 85);
  CHECK(PtxOf(11080) == 78);
  CHECK(PtxOf(99000) == 0);
  CHECK(PtxOf(9000) == 0);
}

}  // namespace
}  // namespace gpusan::cuda
