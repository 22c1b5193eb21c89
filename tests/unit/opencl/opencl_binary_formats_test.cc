// What the headers of program binaries say about their lengths.
#include "hooks/opencl/programs/binary_formats.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

namespace gpusan::opencl {
namespace {

template <typename Number>
void Put(std::string* binary, size_t at, Number number) {
  std::memcpy(binary->data() + at, &number, sizeof(number));
}

// 64-bit ELF: a header, 100 bytes of content, and a table of two sections.
std::string Elf() {
  std::string elf(64 + 100 + 2 * 64, '\0');
  elf.replace(0, 6,
              "\x7f"
              "ELF\x02\x01");
  Put<uint64_t>(&elf, 40, 164);
  Put<uint16_t>(&elf, 58, 64);
  Put<uint16_t>(&elf, 60, 2);
  Put<uint32_t>(&elf, 164 + 64 + 4, 1);
  Put<uint64_t>(&elf, 164 + 64 + 24, 64);
  Put<uint64_t>(&elf, 164 + 64 + 32, 100);
  return elf;
}

// The header of a binary of PoCL.
struct PoclHeader {
  uint32_t version;
  size_t files_at;
  // A binary may have no part for a kernel.
  size_t WithoutKernels() const { return files_at + 8 + 50; }
};
constexpr PoclHeader kPocl3 = {9, 77}, kPocl6 = {11, 85};

// A program of PoCL with 50 bytes of files and a kernel of 30 bytes.
std::string Pocl(const PoclHeader& header) {
  std::string binary(header.WithoutKernels() + 30, '\0');
  binary.replace(0, 7, "poclbin");
  Put<uint32_t>(&binary, 16, header.version);
  Put<uint32_t>(&binary, 20, 1);
  Put<uint64_t>(&binary, header.files_at, 50);
  Put<uint64_t>(&binary, header.WithoutKernels(), 30);
  return binary;
}

constexpr const char* kPtx =
    ".version 9.0\n.target sm_90\n// {\n.entry k()\n{\n/* { */\n.reg .b32 %r<2>;\nret;\n}\n";

TEST_CASE("Complete binaries lack no bytes") {
  CHECK_FALSE(FindMissingEnd(Elf()));
  CHECK_FALSE(FindMissingEnd(Elf() + "behind the end"));
  CHECK_FALSE(FindMissingEnd(Pocl(kPocl3)));
  CHECK_FALSE(FindMissingEnd(Pocl(kPocl6)));
  CHECK_FALSE(FindMissingEnd(kPtx));
  CHECK_FALSE(FindMissingEnd(std::string(kPtx) + '\0' + "{"));
}

TEST_CASE("Binaries that end too early lack bytes, wherever they end") {
  const auto ends_early = [](const std::string& whole, size_t shortest, size_t also_whole = 0) {
    for (size_t length = shortest; length < whole.size(); ++length) {
      if (length == also_whole) continue;
      CAPTURE(length);
      CHECK(FindMissingEnd(whole.substr(0, length)));
    }
  };
  ends_early(Elf(), 6);
  ends_early(Pocl(kPocl3), 24, kPocl3.WithoutKernels());
  ends_early(Pocl(kPocl6), 24, kPocl6.WithoutKernels());
  const std::string ptx = kPtx;
  for (size_t length = ptx.find("{\n/*") + 1; length < ptx.rfind('}'); ++length)
    CHECK(FindMissingEnd(ptx.substr(0, length)));
}

TEST_CASE("Other formats and damaged headers are unknown") {
  CHECK_FALSE(FindMissingEnd(""));
  CHECK_FALSE(FindMissingEnd("BC\xc0\xde and so on"));
  CHECK_FALSE(FindMissingEnd("int main() {"));
  CHECK_FALSE(
      FindMissingEnd(std::string("\x7f"
                                 "ELF",
                                 4)));
  std::string elf = Elf();
  Put<uint64_t>(&elf, 40, 0);  // no table of sections
  CHECK_FALSE(FindMissingEnd(elf));
  std::string pocl = Pocl(kPocl3);
  Put<uint32_t>(&pocl, 16, 10);
  CHECK_FALSE(FindMissingEnd(pocl.substr(0, 100)));
  Put<uint32_t>(&pocl, 16, 9);
  Put<uint64_t>(&pocl, 77, UINT64_MAX);
  CHECK(FindMissingEnd(pocl));
}

}  // namespace
}  // namespace gpusan::opencl
