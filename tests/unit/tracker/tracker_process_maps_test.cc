// The reader of /proc/self/maps.
#include "tracker/base/process_maps.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

namespace gpusan {
namespace {

const int constant = 1;
int variable = 1;

TEST_CASE("a line of /proc/self/maps") {
  ProcessMapping mapping;
  const std::string file =
      "7f0000001000-7f0000003000 r-xp 00002000 fe:01 1234        /usr/lib/x [y].so";
  REQUIRE(ParseMapping(file, &mapping));
  CHECK(mapping.begin == 0x7f0000001000);
  CHECK(mapping.end == 0x7f0000003000);
  CHECK(mapping.readable);
  CHECK_FALSE(mapping.writable);
  CHECK(mapping.name == "/usr/lib/x [y].so");
  const std::string heap = "00400000-00421000 rw-p 00000000 00:00 0            [heap]";
  REQUIRE(ParseMapping(heap, &mapping));
  CHECK(mapping.writable);
  CHECK(mapping.name == "[heap]");
  const std::string anonymous = "00400000-00421000 ---p 00000000 00:00 0 ";
  REQUIRE(ParseMapping(anonymous, &mapping));
  CHECK_FALSE(mapping.readable);
  CHECK_FALSE(mapping.writable);
  CHECK(mapping.name.empty());
}

TEST_CASE("malformed lines of /proc/self/maps") {
  ProcessMapping mapping;
  for (const char* line : {"", "-", "00400000", "00400000 00421000 r--p", "00400000-00421000",
                           "00400000-00421000 ", "x"}) {
    CAPTURE(line);
    CHECK_FALSE(ParseMapping(line, &mapping));
  }
}

TEST_CASE("the mappings of the process") {
  int constants = 0, variables = 0, visited = 0;
  uintptr_t last = 0;
  VisitMappings([&](const ProcessMapping& mapping) {
    CHECK(last <= mapping.begin);
    CHECK(mapping.begin < mapping.end);
    last = mapping.end;
    const auto holds = [&](const int& value) {
      const auto address = reinterpret_cast<uintptr_t>(&value);
      return mapping.begin <= address && address < mapping.end;
    };
    if (holds(constant)) constants += mapping.writable ? 0 : 1;
    if (holds(variable)) variables += mapping.writable ? 1 : 0;
    return true;
  });
  CHECK(constants == 1);
  CHECK(variables == 1);
  VisitMappings([&](const ProcessMapping&) { return ++visited < 2; });
  CHECK(visited == 2);
}

}  // namespace
}  // namespace gpusan
