// Suppressions: what a line says, and what it matches.
#include "report/text/suppressions.h"

#include <catch2/catch.hpp>

namespace gpusan {
namespace {

TextFrame Frame(std::string function, std::string file, std::string module) {
  TextFrame frame;
  frame.function = std::move(function);
  frame.file = std::move(file);
  frame.module = std::move(module);
  frame.line = 1;
  return frame;
}

TextFinding SomeFinding() {
  TextFinding finding;
  finding.rule = "race";
  finding.frames = {
      Frame("render::Pass::draw(int, float)", "/src/render/pass.cc", "/opt/app/bin/app")};
  finding.parties.push_back(
      {"pending-command", "", {Frame("fill", "/src/fill.c", "/opt/app/lib/libfill.so.2")}});
  finding.resources.push_back({"image", 1, 4, "shadow map"});
  return finding;
}

bool Matches(const std::string& line) {
  Suppressions suppressions;
  REQUIRE(suppressions.Parse(line, "s").empty());
  const bool matched = suppressions.Match(SomeFinding()) != 0;
  REQUIRE(suppressions.lines().at(0).hits == (matched ? 1 : 0));
  return matched;
}

TEST_CASE(
    "A suppression matches functions, files, modules and labels of the site and its parties") {
  REQUIRE(Matches("race:render::Pass::draw(int, float)"));
  REQUIRE(Matches("race:render::Pass::draw"));
  REQUIRE(Matches("race:render::*"));
  REQUIRE(Matches("race:pass.cc"));
  REQUIRE(Matches("race:/src/render/*"));
  REQUIRE(Matches("race:app"));
  REQUIRE(Matches("race:fill"));
  REQUIRE(Matches("race:libfill.so*"));
  REQUIRE(Matches("race:shadow *"));
  REQUIRE(Matches("*:fill"));
  REQUIRE(Matches("race:*"));
}

TEST_CASE("A suppression of another check or a part of a name matches nothing") {
  REQUIRE_FALSE(Matches("leak:*"));
  REQUIRE_FALSE(Matches("race:draw"));
  REQUIRE_FALSE(Matches("race:pass"));
  REQUIRE_FALSE(Matches("race:shadow"));
}

TEST_CASE("A chain of globs is matched with the site alone, from the innermost frame outwards") {
  TextFinding finding = SomeFinding();
  finding.frames = {Frame("cudaMalloc", "", "/opt/lib/libcudart.so.13"),
                    Frame("cudaApiMalloc", "", "/opt/lib/libcudart.so.13"),
                    Frame("Pool::Grow()", "", "/opt/lib/libpool.so"),
                    Frame("main", "/src/main.cc", "/opt/app/bin/app")};
  const auto matches = [&](const std::string& line) {
    Suppressions suppressions;
    REQUIRE(suppressions.Parse(line, "s").empty());
    return suppressions.Match(finding) != 0;
  };
  CHECK(matches("race:^libcudart.so* < libpool.so"));
  CHECK(matches("race:^libcudart.so* < Pool::* < main.cc"));
  CHECK(matches("race:^libother.so < libcudart.so.13"));
  CHECK(matches("race:^cudaMalloc"));
  CHECK_FALSE(matches("race:^libpool.so"));
  CHECK_FALSE(matches("race:^libcudart.so* < main"));
  CHECK_FALSE(matches("race:^libcudart.so* < libpool.so < app < app"));
  CHECK_FALSE(matches("race:^fill"));  // a party
  CHECK_FALSE(matches("race:allocation^cudaMalloc"));
  finding.parties.push_back({"allocation", "", finding.frames});
  CHECK(matches("race:allocation^libcudart.so* < libpool.so"));
  CHECK_FALSE(matches("race:allocation^libpool.so"));
  CHECK_FALSE(matches("race:allocation^fill"));  // a party of another role
  finding.frames.clear();
  CHECK_FALSE(matches("race:^*"));
}

TEST_CASE("Names with unnamed namespaces and call operators lose only their parameters") {
  Suppressions suppressions;
  REQUIRE(
      suppressions.Parse("race:(anonymous namespace)::f\nrace:F::operator()\nrace:g", "s").empty());
  for (const char* function :
       {"(anonymous namespace)::f(int)", "F::operator()(int) const", "g()"}) {
    TextFinding finding;
    finding.rule = "race";
    finding.frames = {Frame(function, "", "")};
    CAPTURE(function);
    REQUIRE(suppressions.Match(finding) != 0);
  }
}

TEST_CASE("A finding without a stack is matched only by a star") {
  TextFinding finding;
  finding.rule = "leak";
  Suppressions suppressions;
  REQUIRE(suppressions.Parse("leak:?*\n", "s").empty());
  REQUIRE(suppressions.Match(finding) == 0);
  REQUIRE(suppressions.Parse("leak:*\n", "s").empty());
  REQUIRE(suppressions.Match(finding) != 0);
}

TEST_CASE("Comments and empty lines are skipped, a hash inside a name is not a comment") {
  Suppressions suppressions;
  REQUIRE(suppressions.Parse("# all\n\n  race:fill  # known\r\nleak:a#b\n", "s").empty());
  REQUIRE(suppressions.lines().size() == 2);
  REQUIRE(suppressions.lines()[0].glob == "fill");
  REQUIRE(suppressions.lines()[0].line == 3);
  REQUIRE(suppressions.lines()[1].glob == "a#b");
}

TEST_CASE(
    "A malformed line is named with file, line and column, and nothing is taken from the file") {
  for (const auto& [text, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"race:a\n  race\n", "s:2:3: expected 'check:glob'"},
           {"race:\n", "s:1:6: expected a glob after ':'; '*' matches everything"},
           {"\n rac:a\n", "s:2:2: unknown check 'rac'; did you mean 'race'?"},
           {":a\n", "s:1:1: expected a check before ':'; '*' stands for all"},
           {"race:a until=2026-02-30\n", "s:1:14: expected a date like 2027-01-31"},
           {"race:a until=\n", "s:1:14: expected a date like 2027-01-31"},
           {"race: until=2026-02-03\n",
            "s:1:7: expected a glob before 'until='; '*' matches everything"}}) {
    Suppressions suppressions;
    REQUIRE(suppressions.Parse(text, "s") == complaint);
    REQUIRE(suppressions.lines().empty());
  }
}

TEST_CASE("A suppression applies up to its last day and has a reason") {
  for (const auto& [today, matches] : std::vector<std::pair<std::string, bool>>{
           {"2026-12-30", true}, {"2026-12-31", true}, {"2027-01-01", false}}) {
    Suppressions suppressions(today);
    REQUIRE(
        suppressions.Parse("race:fill until=2026-12-31  # waits for 2.1 \nleak:x_until=y\n", "s")
            .empty());
    REQUIRE(suppressions.lines().size() == 2);
    const Suppression& line = suppressions.lines()[0];
    CHECK(line.glob == "fill");
    CHECK(line.until == "2026-12-31");
    CHECK(line.reason == "waits for 2.1");
    CHECK(line.expired == !matches);
    CHECK((suppressions.Match(SomeFinding()) == 1) == matches);
  }
}

TEST_CASE("A generated suppression matches its finding, whatever characters are in the name") {
  TextFinding finding = SomeFinding();
  CHECK(SuppressionFor(finding) == "race:^render::Pass::draw");
  for (const char* function : {"a[0]*b?\\c(int)", "operator*(V, V)", "F::operator()(int) const",
                               "If<(N < 3)>::f(int)", "^f"}) {
    finding.frames[0].function = function;
    Suppressions suppressions;
    CAPTURE(function, SuppressionFor(finding));
    REQUIRE(suppressions.Parse(SuppressionFor(finding) + "  # reason", "s").empty());
    CHECK(suppressions.Match(finding) == 1);
  }
  finding.frames[0].function.clear();
  CHECK(SuppressionFor(finding) == "race:^pass.cc");
  finding.frames[0].file.clear();
  CHECK(SuppressionFor(finding) == "race:^app");
  finding.frames.clear();
  CHECK(SuppressionFor(finding) == "race:shadow map");
  finding.resources.clear();
  CHECK(SuppressionFor(finding) == "race:*");
}

TEST_CASE(
    "A generated suppression hides its own place, and nothing that others do which it calls") {
  TextFinding finding = SomeFinding();
  TextFrame main = finding.frames[0];
  main.function = "main";
  main.file = "/src/app/start.cc";
  finding.frames = {main};
  CHECK(SuppressionFor(finding) == "race:^start.cc");
  TextFinding within = finding;
  within.frames.insert(within.frames.begin(), SomeFinding().frames[0]);
  Suppressions suppressions;
  REQUIRE(suppressions.Parse(SuppressionFor(finding), "s").empty());
  CHECK(suppressions.Match(finding) == 1);
  CHECK(suppressions.Match(within) == 0);
  TextFrame runtime = {};  // without symbols, in front of the program's own
  runtime.module = "/usr/lib/libvendor.so.1";
  finding.frames = {runtime, runtime, main};
  Suppressions chained;
  CAPTURE(SuppressionFor(finding));
  REQUIRE(chained.Parse(SuppressionFor(finding), "s").empty());
  CHECK(chained.Match(finding) == 1);
  CHECK(chained.Match(within) == 0);
}

TEST_CASE("The suppressions that come with gpusan hide no finding of the program itself") {
  Suppressions suppressions;
  REQUIRE(suppressions.Load(DEFAULT_SUPPRESSIONS).empty());
  TextFinding finding = SomeFinding();
  for (const char* rule : {"leak", "module-invalid", "race"}) {
    finding.rule = rule;
    finding.frames = {Frame("cudaMalloc", "", "/opt/lib/libcudart.so.13"),
                      Frame("main", "/src/main.cc", "/opt/app/bin/app")};
    CAPTURE(rule);
    CHECK(suppressions.Match(finding) == 0);
  }
  finding.rule = "module-invalid";
  finding.frames = {Frame("", "", "/opt/lib/libnccl.so.2"),
                    Frame("main", "/src/main.cc", "/opt/app/bin/app")};
  CHECK(suppressions.Match(finding) != 0);
  finding.rule = "leak";
  CHECK(suppressions.Match(finding) == 0);
  // An array of Numba, but not memory that a program allocates by Numba's driver module.
  const auto driver = Frame("memalloc", "/env/numba/cuda/cudadrv/driver.py", "");
  finding.frames = {driver, Frame("__init__", "/env/numba/cuda/cudadrv/devicearray.py", ""),
                    Frame("main", "/src/main.py", "")};
  CHECK(suppressions.Match(finding) != 0);
  finding.frames = {driver, Frame("mapped_array", "/env/numba/cuda/api.py", ""),
                    Frame("main", "/src/main.py", "")};
  CHECK(suppressions.Match(finding) != 0);
  finding.frames = {driver, Frame("main", "/src/main.py", "")};
  CHECK(suppressions.Match(finding) == 0);
  // The tables of a plan of cuFFT that CuPy keeps, but not of a plan of the program.
  const auto fft = Frame("", "", "/opt/lib/libcufft.so.12");
  const auto hook = Frame("cufftMakePlan1d", "", "/opt/lib/libgpusan.so.0");
  const auto cupy = Frame("", "", "/env/cupy/cuda/cufft.cpython-312-x86_64-linux-gnu.so");
  for (const auto& frames : {std::vector{fft, fft, hook, cupy}, std::vector{fft, cupy}}) {
    finding.frames = frames;
    CHECK(suppressions.Match(finding) != 0);
  }
  finding.frames = {fft, hook, Frame("main", "/src/main.cc", "/opt/app/bin/app")};
  CHECK(suppressions.Match(finding) == 0);
}

TEST_CASE("A file that cannot be read is one line") {
  Suppressions suppressions;
  REQUIRE(suppressions.Load("/nonexistent/file") == "/nonexistent/file: No such file or directory");
  REQUIRE(suppressions.Load("/tmp") == "/tmp: Is a directory");
  REQUIRE(suppressions.Load("/dev/zero") ==
          "/dev/zero: a device, not a regular file; name a regular file");
  REQUIRE(suppressions.Parse("race:" + std::string(100000, 'x'), "f") ==
          "f:1:65537: the line is longer than 65536 characters; shorten it");
}

}  // namespace
}  // namespace gpusan
