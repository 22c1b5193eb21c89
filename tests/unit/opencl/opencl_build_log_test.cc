// What a finding quotes of a build log.
#include "hooks/opencl/programs/build_log.h"

#include <catch2/catch.hpp>

#include "absl/strings/str_cat.h"

namespace gpusan::opencl {
namespace {

constexpr char kWhole[] = "the build log:";
constexpr char kBegin[] = "the build log begins:";

TEST_CASE("A log without words is not quoted") {
  REQUIRE(BeginOfLog("").empty());
  REQUIRE(BeginOfLog(" \n\r\n\t").empty());
}

TEST_CASE("A short log is quoted whole, without the blank lines around it") {
  REQUIRE(BeginOfLog("\n  1:2: error: x\r\n    x + 1\n    ^\n\n") ==
          absl::StrCat(kWhole, "\n  1:2: error: x\n    x + 1\n    ^"));
}

TEST_CASE("Twelve lines of a long log are quoted, and the others are counted") {
  std::string log, wanted = kBegin;
  for (int i = 0; i < 14; ++i) log += "line " + std::to_string(i) + "\n";
  for (int i = 0; i < 12; ++i) wanted += "\nline " + std::to_string(i);
  REQUIRE(BeginOfLog(log) == wanted + "\n(2 more lines)");
}

TEST_CASE("Lines that would be more than a kibibyte in all are left out whole") {
  const std::string wide(600, 'x');
  REQUIRE(BeginOfLog(wide + "\n" + wide + "\nshort\n") ==
          kBegin + ("\n" + wide) + "\n(2 more lines)");
  REQUIRE(BeginOfLog(wide + "\n" + wide) == kBegin + ("\n" + wide) + "\n(1 more line)");
}

TEST_CASE("An endless first line is cut between characters") {
  std::string line(1023, 'x');
  line += "\xC3\xA9" + std::string(100, 'y');
  REQUIRE(BeginOfLog(line) == kWhole + ("\n" + std::string(1023, 'x')) + "...");
}

}  // namespace
}  // namespace gpusan::opencl
