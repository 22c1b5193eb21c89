// Where commands write to: devices, files that are replaced as a whole, and what stays open.
#include "report/formats/output.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

long OpenFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

std::string Content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("An output closes what it opened") {
  TemporaryFolder folder;
  const long before = OpenFiles();
  for (const bool commit : {true, false}) {
    for (const std::string& path : {std::string("/dev/null"), folder / "file", std::string("-")}) {
      Output output;
      REQUIRE(output.Open(path).empty());
      if (path != "-") output.Write("text");
      if (commit) CHECK(output.Commit().empty());
    }
    CHECK(OpenFiles() == before);
  }
}

TEST_CASE("A file gets its content at the end, or keeps the old one") {
  TemporaryFolder folder;
  std::ofstream(folder / "file") << "old";
  {
    Output output;
    REQUIRE(output.Open(folder / "file").empty());
    output.Write("lost");
  }
  CHECK(Content(folder / "file") == "old");
  Output output;
  REQUIRE(output.Open(folder / "file").empty());
  output.Write("new");
  CHECK(Content(folder / "file") == "old");
  CHECK(output.Commit().empty());
  CHECK(Content(folder / "file") == "new");
  CHECK(std::distance(begin(std::filesystem::directory_iterator(folder / "")), {}) == 1);
}

}  // namespace
}  // namespace gpusan
