// The layouts of CPython, the table of functions, and code objects that are none.
#include "hooks/common/sites/python_code.h"
#include "hooks/common/sites/python_layout.h"
#include "hooks/common/sites/site_table.h"
#include "hooks/common/sites/source_functions.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

namespace gpusan {
namespace {

TEST_CASE("versions 3.8 to 3.12 have a layout, and other versions need a description") {
  PythonLayout layout;
  for (int minor = 8; minor <= 12; ++minor) {
    CHECK(FindPythonLayout(minor, nullptr, &layout));
    CHECK(layout.frame_objects == (minor <= 10));
  }
  for (const int minor : {-1, 0, 7, 13, 14, 15, 30})
    CHECK(!FindPythonLayout(minor, nullptr, &layout));
}

TEST_CASE(
    "a description of another version, of a build without GIL or with absurd offsets is refused") {
  std::vector<uint64_t> words(64, 8);
  std::memcpy(words.data(), "xdebugpy", 8);
  words[1] = 0x030d00f0;
  words[2] = 0;
  PythonLayout layout;
  CHECK(FindPythonLayout(13, words.data(), &layout));
  CHECK(!FindPythonLayout(14, words.data(), &layout));
  words[2] = 1;
  CHECK(!FindPythonLayout(13, words.data(), &layout));
  words[2] = 0;
  words[25] = 1 << 20;
  CHECK(!FindPythonLayout(13, words.data(), &layout));
  words[25] = 8;
  words[0] = 0;
  CHECK(!FindPythonLayout(13, words.data(), &layout));
}

TEST_CASE("the description of 3.14 has other groups than that of 3.13") {
  // The first words of _PyRuntime in CPython 3.14.8 and 3.13.0.
  std::array<uint64_t, 64> later = {0x7970677562656478,
                                    0x30e08f0,
                                    0,
                                    0x4d4c8,
                                    784,
                                    808,
                                    0x37248,
                                    0x1c70,
                                    0x1c68,
                                    0x1cb0,
                                    0x1cc0,
                                    0x1cf0,
                                    0x1e08,
                                    0x1df8,
                                    0x1e00,
                                    16,
                                    0x1e68,
                                    0,
                                    0x1e78,
                                    0x1e70,
                                    0x1f38,
                                    0,
                                    832,
                                    0,
                                    8,
                                    16,
                                    72,
                                    152,
                                    160,
                                    232,
                                    32,
                                    88,
                                    8,
                                    0,
                                    56,
                                    80,
                                    74,
                                    64,
                                    0,
                                    216,
                                    112,
                                    120,
                                    128,
                                    136,
                                    68,
                                    52,
                                    96,
                                    104,
                                    208};
  std::array<uint64_t, 64> earlier = {0x7970677562656478,
                                      0x30d00f0,
                                      0,
                                      0x452b8,
                                      608,
                                      632,
                                      0x2f998,
                                      0x1c68,
                                      0x1c60,
                                      0x1cb0,
                                      0x1ce8,
                                      0x1de8,
                                      0x1dd8,
                                      0x1de0,
                                      16,
                                      0x1e48,
                                      0,
                                      0x1e58,
                                      0x1e50,
                                      304,
                                      0,
                                      8,
                                      16,
                                      72,
                                      152,
                                      160,
                                      232,
                                      32,
                                      80,
                                      8,
                                      0,
                                      56,
                                      72,
                                      70,
                                      208,
                                      112,
                                      120,
                                      128,
                                      136,
                                      68,
                                      52,
                                      96,
                                      104,
                                      200};
  PythonLayout of_later, of_earlier;
  REQUIRE(FindPythonLayout(14, later.data(), &of_later));
  REQUIRE(FindPythonLayout(13, earlier.data(), &of_earlier));
  CHECK(of_later.owner == 74);
  CHECK(of_later.instructions == 208);
  CHECK(of_earlier.owner == 70);
  CHECK(of_earlier.instructions == 200);
  for (const PythonLayout& layout : {of_later, of_earlier}) {
    CHECK(layout.current == 72);
    CHECK(layout.previous == 8);
    CHECK(layout.code == 0);
    CHECK(layout.instruction == 56);
    CHECK(layout.first_line == 68);
    CHECK(layout.file_name == 112);
    CHECK(layout.name == 128);
    CHECK(layout.line_table == 136);
  }
}

TEST_CASE("memory that is no code object, or not mapped, has no function") {
  PythonLayout layout;
  REQUIRE(FindPythonLayout(11, nullptr, &layout));
  std::vector<uintptr_t> type(8), object(64);
  const PythonTypes types = {reinterpret_cast<uintptr_t>(type.data()),
                             reinterpret_cast<uintptr_t>(type.data() + 1),
                             reinterpret_cast<uintptr_t>(type.data() + 2)};
  const auto code = reinterpret_cast<uintptr_t>(object.data());
  SourceFrame frame;
  CHECK(!ReadPythonCode(layout, types, 0, 0, &frame));
  CHECK(!ReadPythonCode(layout, types, 8, 0, &frame));
  CHECK(!ReadPythonCode(layout, types, code, 0, &frame));
  object[1] = types.code;
  CHECK(!ReadPythonCode(layout, types, code, 0, &frame));
  // Names that point to nowhere, to the code object and behind the end of a page.
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(page != MAP_FAILED);
  const uintptr_t end = reinterpret_cast<uintptr_t>(page) + 4096;
  REQUIRE(munmap(page, 4096) == 0);
  for (const uintptr_t name : {uintptr_t{16}, code, end, end - 16, ~uintptr_t{0} - 8}) {
    std::fill(object.begin() + 8, object.end(), name);
    CHECK(!ReadPythonCode(layout, types, code, 0, &frame));
  }
}

TEST_CASE("equal functions have one id, and a frame is one word") {
  const SiteFunction function = {.language = "python", .name = "f", .file = "/a.py", .line = 3};
  const uint32_t id = InternFunction(function);
  std::string name = "f";
  CHECK(InternFunction({.language = "python", .name = name.c_str(), .file = "/a.py", .line = 3}) ==
        id);
  CHECK(InternFunction({.language = "python", .name = "f", .file = "/a.py", .line = 4}) != id);
  CHECK(InternFunction({.language = "python", .name = "g", .file = "/a.py", .line = 3}) != id);
  REQUIRE(SiteFunctionById(id) != nullptr);
  CHECK(std::string(SiteFunctionById(id)->file) == "/a.py");
  CHECK(SiteFunctionById(0) == nullptr);
  CHECK(SiteFunctionById(kMaxFunctions) == nullptr);
  const SourceFrame frame = SourceFrameFrom(WordOf({id, kMaxSourceLine, kMaxSourceColumn}));
  CHECK(frame.function == id);
  CHECK(frame.line == kMaxSourceLine);
  CHECK(frame.column == kMaxSourceColumn);
}

TEST_CASE("a site keeps its source frames apart from the others") {
  const SiteFrame native[] = {{1, 16}, {2, 32}};
  const SourceFrame source[] = {{5, 10, 3}};
  const SiteId with = InternSite(native, 2, source, 1);
  const SiteId without = InternSite(native, 2);
  CHECK(with != without);
  CHECK(with == InternSite(native, 2, source, 1));
  SiteFrame frames[4];
  SourceFrame lines[4];
  CHECK(SiteFrames(with, frames, 4) == 2);
  CHECK(frames[1].offset == 32);
  CHECK(SiteSourceFrames(with, lines, 4) == 1);
  CHECK(lines[0].line == 10);
  CHECK(SiteSourceFrames(without, lines, 4) == 0);
  CHECK(InternSite(native, 0, source, 1) == kUnknownSite);
}

}  // namespace
}  // namespace gpusan
