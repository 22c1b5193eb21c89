// The files of the record writer: names, owners and sizes, and what happens when there can be none.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "report/record/record_name.h"
#include "tests/unit/report/report_records.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("A record name is expanded, and unknown sequences are reported") {
  setenv("GPUSAN_TEST_JOB", "j7", 1);
  const RecordNameParts parts{42, "node1", "3", "app", 1767225600000000000, 7};
  std::string complaint;
  REQUIRE(ExpandRecordName("%x.%h.%r.%p.%q{GPUSAN_TEST_JOB}%q{GPUSAN_TEST_UNSET}.100%%", parts,
                           &complaint) == "app.node1.3.42.j7.100%");
  REQUIRE(complaint.empty());
  REQUIRE(ExpandRecordName("%t/%n", parts, &complaint) == "20260101T000000Z/7");
  setenv("GPUSAN_TEST_JOB", "nightly/7", 1);
  REQUIRE(ExpandRecordName("%q{GPUSAN_TEST_JOB}/%q{GPUSAN_TEST_JOB}.jsonl", parts, &complaint) ==
          "nightly/7/nightly_7.jsonl");
  REQUIRE(ExpandRecordName("a%zb%", parts, &complaint) == "a%zb%");
  REQUIRE_THAT(complaint, Contains("known are %p %h %r %x %t %n %q{VAR} %%"));
  REQUIRE(ExpandRecordName("%q{open", parts, &complaint) == "%q{open");
}

TEST_CASE("The rank is read from Open MPI, PMIx, PMI, MVAPICH or Slurm, in this order") {
  const char* const variables[] = {"SLURM_PROCID", "MV2_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                   "OMPI_COMM_WORLD_RANK"};
  for (const char* variable : variables) unsetenv(variable);
  REQUIRE(CurrentRecordNameParts().rank == "0");
  int rank = 3;
  for (const char* variable : variables) {
    const std::string text = std::to_string(rank++);
    setenv(variable, text.c_str(), 1);
    CHECK(CurrentRecordNameParts().rank == text);
  }
  for (const char* variable : variables) unsetenv(variable);
}

TEST_CASE("A numbered name takes the first free number, also in the name of a folder") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  std::filesystem::create_directory(folder / "0");
  std::ofstream(folder / "0/r.0.jsonl") << "precious\n";
  RecordWriter first(WithRecord(folder / "%n/r.%n.jsonl"), "0.1.0", &frames);
  RecordWriter second(WithRecord(folder / "%n/r.%n.jsonl"), "0.1.0", &frames);
  first.Start();
  second.Start();
  CHECK(first.path() == folder / "1/r.1.jsonl");
  CHECK(second.path() == folder / "2/r.2.jsonl");
}

TEST_CASE("A file with records is never changed") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  std::ofstream(folder / "r") << "precious\n";
  std::ofstream(folder / "r.1") << "precious too\n";
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Start();
  REQUIRE(writer.path() == folder / "r.2");
  RecordWriter other(WithRecord(folder / "r"), "0.1.0", &frames);
  other.Start();
  REQUIRE(other.path() == folder / "r.3");
  REQUIRE(std::filesystem::file_size(folder / "r") == 9);
}

TEST_CASE("An existing empty file is used") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  std::ofstream(folder / "r").flush();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  RecordWriter other(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Start();
  other.Start();
  REQUIRE(writer.path() == folder / "r");
  REQUIRE(other.path() == folder / "r.1");
}

TEST_CASE("A full disk loses records and prints one message") {
  const FakeFrames frames = SomeFrames();
  TemporaryFolder folder;
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit nothing = {0, before.rlim_max};
  // The limit is for files: what is printed goes through a pipe, which has room for it.
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int saved = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  setrlimit(RLIMIT_FSIZE, &nothing);
  writer.Report(SomeFinding());
  writer.Report(SomeFinding());
  writer.End({"exit", {}, {}, {}});
  setrlimit(RLIMIT_FSIZE, &before);
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(ends[1]);
  std::string text(65536, '\0');
  text.resize(static_cast<size_t>(read(ends[0], text.data(), text.size())));
  close(ends[0]);
  REQUIRE_THAT(text, StartsWith("gpusan: cannot write " + folder / "r" +
                                ": File too large; the program runs on, and findings that do not "
                                "fit are printed here\n"));
  // A blank line precedes a finding if the process has printed one before.
  REQUIRE_THAT(text, Contains("\ngpusan: error: "));
  // Once, as in the file.
  REQUIRE(text.find("SUMMARY: ") == text.rfind("SUMMARY: "));
  REQUIRE(writer.findings() == 2);
}

TEST_CASE("A limit on file sizes leaves whole lines and causes no signal") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  const std::string path = folder / "r";
  const pid_t child = fork();
  if (child == 0) {
    StderrCapture captured;
    RecordWriter writer(WithRecord(path), "0.1.0", &frames);
    writer.Start();
    struct stat status;
    stat(path.c_str(), &status);
    const rlimit limit = {static_cast<rlim_t>(status.st_size) + 100, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    writer.Report(SomeFinding());
    const rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &none);
    writer.Report(SomeFinding());
    writer.End({"exit", {}, {}, {}});
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(status == 0);
  const std::vector<Json> records = Records(path);
  REQUIRE(OfType(records, "finding").size() == 1);
  REQUIRE(records.back().at("dropped").at("records") >= 1);
  REQUIRE(records.back().at("findings").begin().value() == 2);
}

TEST_CASE("A folder that cannot be created is reported once") {
  const FakeFrames frames = SomeFrames();
  StderrCapture captured;
  RecordWriter writer(WithRecord("/dev/null/x/r.jsonl"), "0.1.0", &frames);
  writer.Report(SomeFinding());
  writer.Report(SomeFinding());
  const std::string text = captured.Text();
  REQUIRE_THAT(text, Contains("cannot write /dev/null/x/r.jsonl: Not a directory"));
  REQUIRE(text.find("cannot write") == text.rfind("cannot write"));
}

TEST_CASE("A program that reuses the number of the record's descriptor keeps its own file") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Start();
  int ours = -1;
  for (int fd = 3; fd < 1024; ++fd) {
    char target[4096] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    if (readlink(link.c_str(), target, sizeof(target) - 1) > 0 && target == folder / "r") ours = fd;
  }
  REQUIRE(ours > 100);
  const int theirs = open((folder / "data").c_str(), O_CREAT | O_WRONLY, 0600);
  REQUIRE(dup2(theirs, ours) == ours);
  writer.Report(SomeFinding());
  REQUIRE(std::filesystem::file_size(folder / "data") == 0);
  REQUIRE(OfType(Records(folder / "r"), "finding").size() == 1);
  close(theirs);
}

TEST_CASE("A closed stderr changes no record and no file of the program") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  const std::string path = folder / "r";
  for (const bool broken_pipe : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      int ends[2];
      if (broken_pipe && pipe(ends) == 0) {
        close(ends[0]);
        dup2(ends[1], 2);
      } else {
        close(2);
      }
      Options options = WithRecord(path);
      options.print = true;
      RecordWriter writer(options, "0.1.0", &frames);
      writer.Report(SomeFinding());
      _exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 7);
  }
  REQUIRE(OfType(Records(path), "finding").size() == 1);
  REQUIRE(OfType(Records(path + ".1"), "finding").size() == 1);
}

TEST_CASE("A forked child writes its own file and not that of its parent") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "%p"), "0.1.0", &frames);
  writer.Report(SomeFinding());
  for (const bool with_handlers : {true, false}) {
    if (with_handlers) writer.PrepareFork();
    const pid_t child = fork();
    if (child == 0) {
      if (with_handlers) writer.AfterForkInChild();
      writer.Report(SomeFinding());
      writer.End({"_exit", {}, {}, {}});
      _exit(0);
    }
    if (with_handlers) writer.AfterForkInParent();
    waitpid(child, nullptr, 0);
    const std::vector<Json> records = Records(folder / std::to_string(child));
    REQUIRE(records.front().at("pid") == child);
    REQUIRE(OfType(records, "finding").size() == 1);
    REQUIRE(records.back().at("findings").begin().value() == 1);
  }
  REQUIRE(OfType(Records(folder / std::to_string(getpid())), "end").empty());
}

TEST_CASE("Many threads write whole lines") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  Options options = WithRecord(folder / "r");
  options.max_per_fingerprint = 1000;
  RecordWriter writer(options, "0.1.0", &frames);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) writer.Report(SomeFinding());
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(OfType(Records(folder / "r"), "finding").size() == 200);
}

uint64_t BytesIn(const std::string& folder) {
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  return bytes;
}

TEST_CASE(
    "With a size limit, later samples are in parts, of which the last two are kept; findings are "
    "kept") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  Options options = WithRecord(folder / "r");
  options.record_max = 64 << 10;
  RecordWriter writer(options, "0.1.0", &frames);
  writer.Start();
  const LedgerTable ledger = {{"opencl", {{"live_bytes", 5}}}};
  for (int i = 0; i < 5000; ++i) {
    writer.Write({ledger, {}, {{Api::kOpenCL, 1, 4096, 2}}});
    REQUIRE(BytesIn(folder / "") <= uint64_t{64} << 10);
  }
  writer.Report(SomeFinding());
  writer.End({"exit", {}, {}, {}});
  CHECK(BytesIn(folder / "") <= uint64_t{64} << 10);
  const std::vector<Json> records = Records(folder / "r");
  CHECK(records[records.size() - 2]["type"] == "finding");
  CHECK(records.back()["type"] == "end");
  const auto samples_of = [](const std::vector<Json>& of) {
    return std::count_if(of.begin(), of.end(),
                         [](const Json& record) { return record["type"] == "sample"; });
  };
  int64_t samples = samples_of(records);
  int parts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) {
    const std::string path = entry.path();
    if (path.find(".part") == std::string::npos) continue;
    ++parts;
    const std::vector<Json> part = Records(path);
    samples += samples_of(part);
    CHECK(part[0]["part"] == std::stoi(path.substr(path.rfind("part") + 4)));
    std::vector<std::string> types;
    for (const Json& record : part) {
      const std::string type = record["type"];
      if (types.empty() || types.back() != type) types.push_back(type);
    }
    types.erase(std::remove(types.begin(), types.end(), "module"), types.end());
    CHECK(types == std::vector<std::string>{"process", "site", "sample"});
  }
  CHECK(parts == 2);
  CHECK(records.back()["dropped"] == Json({{"samples", 5000 - samples}}));
}

TEST_CASE("Commands of a removed part are counted as dropped commands") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  Options options = WithRecord(folder / "r");
  options.record_max = 64 << 10;
  RecordWriter writer(options, "0.1.0", &frames);
  writer.Start();
  LoggedCommand run;
  run.point = {1, 1};
  run.count = 3;
  run.until_ns = 10;
  const std::vector<LoggedCommand> commands(100, run);
  for (int i = 0; i < 500; ++i) writer.Write(commands);
  writer.End({"exit", {}, {{"timeline", 7}}, {}});
  uint64_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) {
    for (const Json& record : Records(entry.path())) {
      if (record["type"] != "commands") continue;
      for (const Json& one : record["entries"]) {
        CHECK(one[0] == "run");
        kept += one[7].get<uint64_t>();
      }
    }
  }
  CHECK(kept > 0);
  CHECK(Records(folder / "r").back()["dropped"] == Json({{"timeline", 500 * 100 * 3 - kept + 7}}));
}

TEST_CASE("Findings that exceed the size limit are printed and counted") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  Options options = WithRecord(folder / "r");
  options.record_max = 64 << 10;
  options.max_per_fingerprint = 1000;
  StderrCapture captured;
  RecordWriter writer(options, "0.1.0", &frames);
  for (int i = 0; i < 100; ++i) writer.Report(SomeFinding());
  writer.End({"exit", {}, {}, {}});
  const std::vector<Json> records = Records(folder / "r");
  uint64_t written = 0;
  for (const Json& record : records) written += record["type"] == "finding" ? 1 : 0;
  CHECK(written > 0);
  CHECK(written < 100);
  CHECK(records.back()["dropped"]["records"] == 100 - written);
  CHECK(records.back()["findings"].begin().value() == 100);
  CHECK_THAT(captured.Text(), Contains("as large as record_max allows"));
}

TEST_CASE("A process without free descriptors prints its findings, and writes records later") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  StderrCapture captured;
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none = {0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  writer.Report(SomeFinding());
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK_THAT(captured.Text(), Contains("Too many open files") && Contains("SUMMARY: "));
  writer.Report(SomeFinding());
  writer.End({"exit", {}, {}, {}});
  const std::vector<Json> records = Records(folder / "r");
  CHECK(records.front()["type"] == "process");
  CHECK(records.back()["findings"].begin().value() == 2);
  CHECK(records.back()["dropped"]["records"] > 0);
}

TEST_CASE("A process that uses up its descriptors later continues to write") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Start();
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none = {0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  writer.Report(SomeFinding());
  writer.End({"exit", {}, {}, {}});
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(Records(folder / "r").back()["type"] == "end");
  CHECK(Records(folder / "r").back()["dropped"].empty());
}

TEST_CASE("A record has mode 0600, and is written to a regular file and through no link") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  const mode_t mask = umask(0);
  {
    RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
    writer.Start();
  }
  umask(mask);
  struct stat status;
  REQUIRE(stat((folder / "r").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  std::ofstream(folder / "target").flush();
  REQUIRE(symlink((folder / "target").c_str(), (folder / "link").c_str()) == 0);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const auto& [name, why] :
       {std::pair("link", "a symbolic link, or a loop of them"),
        std::pair("pipe", "not a regular file"),
        std::pair("../../../../../../../../dev/full", "not a regular file")}) {
    StderrCapture captured;
    RecordWriter writer(WithRecord(folder / name), "0.1.0", &frames);
    writer.Start();
    CHECK_THAT(captured.Text(), Contains(std::string(": ") + why + "; the program runs on"));
    CHECK(writer.path().empty());
  }
  CHECK(std::filesystem::is_empty(folder / "target"));
}

TEST_CASE("A child of a fork does not create a removed folder again") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "gone/%p/r"), "0.1.0", &frames);
  writer.Start();
  REQUIRE(std::filesystem::exists(folder / "gone"));
  std::filesystem::remove_all(folder / "gone");
  const pid_t child = fork();
  if (child == 0) {
    StderrCapture captured;
    writer.PrepareFork();
    writer.AfterForkInChild();
    writer.Start();
    _exit(std::filesystem::exists(folder / "gone") ? 1 : 0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

TEST_CASE("Values in record names cannot change the folder") {
  RecordNameParts parts;
  parts.host = "a/../b";
  parts.rank = "../../etc/passwd";
  parts.executable = "x\x1b[2J\ny";
  setenv("GPUSAN_TEST_JOB", "/scratch/../job\x07", 1);
  std::string complaint;
  CHECK(ExpandRecordName("%h", parts, &complaint) == "a____b");
  CHECK(ExpandRecordName("d/%r", parts, &complaint) == "d/______etc_passwd");
  CHECK(ExpandRecordName("%r/d", parts, &complaint) == "______etc_passwd/d");
  CHECK(ExpandRecordName("%x", parts, &complaint) == "x_[2J_y");
  CHECK(ExpandRecordName("%q{GPUSAN_TEST_JOB}/r", parts, &complaint) == "/scratch/__/job_/r");
  CHECK(ExpandRecordName("%q{GPUSAN_TEST_JOB}", parts, &complaint) == "_scratch____job_");
}

}  // namespace
}  // namespace gpusan
