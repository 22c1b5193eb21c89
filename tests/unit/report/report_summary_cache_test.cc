// The cache of kernel summaries: damaged entries, several writers, foreign folders, its size.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/record/summary_cache.h"
#include "report/record/summary_service.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

SummaryCache::Key KeyNumber(int number) {
  return SummaryCache::KeyOf("test", 1, std::to_string(number));
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  return files;
}

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void Overwrite(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

TEST_CASE("a stored summary is found again, in a folder of the user alone") {
  TemporaryFolder folder;
  const SummaryCache cache(folder / "a/gpusan");
  std::string value;
  CHECK_FALSE(cache.Load(KeyNumber(1), &value));
  cache.Store(KeyNumber(1), "one\nline");
  REQUIRE(cache.Load(KeyNumber(1), &value));
  CHECK(value == "one\nline");
  CHECK_FALSE(cache.Load(KeyNumber(2), &value));
  CHECK_FALSE(cache.Load(SummaryCache::KeyOf("test", 2, "1"), &value));
  struct stat status = {};
  REQUIRE(stat((folder / "a/gpusan").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  const SummaryCache off("");
  off.Store(KeyNumber(1), "x");
  CHECK_FALSE(off.Load(KeyNumber(1), &value));
}

TEST_CASE("a damaged entry is no entry") {
  TemporaryFolder folder;
  const SummaryCache cache(folder / "cache");
  cache.Store(KeyNumber(1), "the summary");
  const std::vector<std::string> files = FilesIn(folder / "cache");
  REQUIRE(files.size() == 1);
  const std::string whole = Content(files[0]);
  std::string value;
  for (size_t length = 0; length < whole.size(); ++length) {
    Overwrite(files[0], whole.substr(0, length));
    CHECK_FALSE(cache.Load(KeyNumber(1), &value));
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] ^= 1;
    Overwrite(files[0], changed);
    CHECK_FALSE(cache.Load(KeyNumber(1), &value));
  }
  Overwrite(files[0], whole + "x");
  CHECK_FALSE(cache.Load(KeyNumber(1), &value));
  cache.Store(KeyNumber(1), "the summary");  // mends it
  CHECK(cache.Load(KeyNumber(1), &value));
}

TEST_CASE("links, pipes and folders that others may write to are not used") {
  TemporaryFolder folder;
  const std::string place = folder / "cache";
  const SummaryCache cache(place);
  cache.Store(KeyNumber(1), "text");
  const std::string entry = FilesIn(place)[0];
  std::string value;
  std::filesystem::rename(entry, folder / "elsewhere");
  std::filesystem::create_symlink(folder / "elsewhere", entry);
  CHECK_FALSE(cache.Load(KeyNumber(1), &value));
  std::filesystem::remove(entry);
  REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
  CHECK_FALSE(cache.Load(KeyNumber(1), &value));
  std::filesystem::remove(entry);
  REQUIRE(chmod(place.c_str(), 0770) == 0);
  cache.Store(KeyNumber(1), "text");
  CHECK(FilesIn(place).empty());
}

TEST_CASE("the oldest entries are removed first") {
  TemporaryFolder folder;
  const std::string place = folder / "cache";
  const SummaryCache cache(place, 10000);
  const std::string text(1000, 'x');
  for (int i = 0; i < 30; ++i) {
    cache.Store(KeyNumber(i), text);
    timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    for (const std::string& file : FilesIn(place)) {
      struct stat status = {};
      stat(file.c_str(), &status);
      if (status.st_mtime > 100000) utimensat(AT_FDCWD, file.c_str(), times, 0);
    }
  }
  CHECK(FilesIn(place).size() <= 10);
  CHECK(FilesIn(place).size() >= 8);
  std::string value;
  CHECK_FALSE(cache.Load(KeyNumber(0), &value));
  CHECK(cache.Load(KeyNumber(29), &value));
}

TEST_CASE("several processes write the same entries at once") {
  TemporaryFolder folder;
  const SummaryCache cache(folder / "cache", 20000);
  const std::string text(3000, 'y');
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      bool sound = true;
      for (int round = 0; round < 50; ++round) {
        cache.Store(KeyNumber(round % 9), text + std::to_string(round % 9));
        std::string value;
        if (cache.Load(KeyNumber(round % 7), &value))
          sound &= value == text + std::to_string(round % 7);
      }
      _exit(sound ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    CHECK(status == 0);
  }
  for (const std::string& file : FilesIn(folder / "cache"))
    CHECK(file.find(".new.") == std::string::npos);
}

TEST_CASE("the folder comes from the environment") {
  setenv("XDG_CACHE_HOME", "/some/cache", 1);
  CHECK(SummaryCache::DefaultFolder() == "/some/cache/gpusan");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/someone", 1);
  CHECK(SummaryCache::DefaultFolder() == "/home/someone/.cache/gpusan");
  setenv("HOME", "", 1);
  CHECK(SummaryCache::DefaultFolder().empty());
}

TEST_CASE("a program survives its message, and damaged messages are rejected") {
  OpenClProgram program;
  program.source = "kernel void k() {}\n";
  program.options = "-DX=\"a b\"";
  program.headers = {{"a.h", "one"}, {"b.h", ""}};
  program.working_folder = "/tmp";
  const std::string message = EncodeProgram(program, true);
  OpenClProgram again;
  REQUIRE(DecodeProgram(message, &again));
  CHECK(EncodeProgram(again, true) == message);
  CHECK(EncodeProgram(again, false) != message);
  for (size_t length = 0; length < message.size(); ++length)
    DecodeProgram(message.substr(0, length), &again);
  CHECK_FALSE(DecodeProgram("source 5\nabc\n", &again));
  CHECK_FALSE(DecodeProgram("gpusan-opencl-program 1\nsource 99\nabc\n", &again));
  CHECK_FALSE(DecodeProgram("gpusan-opencl-program 1\nsource -1\nabc\n", &again));
}

}  // namespace
}  // namespace gpusan
