// The record writer: what stands in the file, and what happens when there can be no file.
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
#include <nlohmann/json.hpp>
#include <thread>

#include "report/record/json_writer.h"
#include "report/record/process_fingerprint.h"
#include "report/record/record_name.h"
#include "report/record/record_writer.h"
#include "tests/unit/report_fake_frames.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Json = nlohmann::json;

// What is written to descriptor 2 while it lives.
class StderrCapture {
 public:
  StderrCapture() : saved_(dup(2)), file_(std::tmpfile()) { dup2(fileno(file_), 2); }
  ~StderrCapture() {
    dup2(saved_, 2);
    close(saved_);
    std::fclose(file_);
  }
  std::string Text() const {
    std::string text(static_cast<size_t>(lseek(fileno(file_), 0, SEEK_END)), '\0');
    text.resize(static_cast<size_t>(pread(fileno(file_), text.data(), text.size(), 0)));
    return text;
  }

 private:
  int saved_;
  FILE* file_;
};

std::vector<Json> Records(const std::string& path) {
  std::vector<Json> records;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) records.push_back(Json::parse(line));
  return records;
}

std::vector<Json> OfType(const std::vector<Json>& records, const std::string& type) {
  std::vector<Json> chosen;
  for (const Json& record : records) {
    if (record.at("type") == type) chosen.push_back(record);
  }
  return chosen;
}

FakeFrames SomeFrames() {
  FakeFrames frames;
  frames.modules[1] = {"/opt/app/bin/app", "aa11"};
  frames.modules[2] = {"/usr/lib/libx.so", ""};
  frames.sites[1] = {{1, 0x1234}, {2, 0x20}};
  frames.sites[2] = {{1, 0x2000}};
  return frames;
}

Finding SomeFinding() {
  Finding finding;
  finding.rule = RuleId::kHostAccessFlag;
  finding.severity = Severity::kError;
  finding.api = Api::kOpenCL;
  finding.call = "clEnqueueWriteImage";
  finding.site = 1;
  finding.has_code = true;
  finding.code = -59;
  finding.code_name = "CL_INVALID_OPERATION";
  finding.what = "what";
  finding.why = "why";
  finding.fix = "fix";
  finding.parties.push_back({"allocation", "4 B image", 2});
  finding.resources.push_back({"image", 0xabc, 4, "albedo"});
  finding.facts.push_back({"region_bytes", uint64_t{1} << 63});
  finding.facts.push_back({"delta", int64_t{-1}});
  finding.facts.push_back({"format", std::string("CL_RGBA")});
  return finding;
}

Options WithRecord(const std::string& record) {
  Options options;
  options.record = record;
  options.print = false;
  return options;
}

TEST_CASE("Nothing is opened before there is something to say") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "a/b/%p.jsonl"), "0.1.0", &frames);
  writer.AddAttachPath("opencl-layer");
  writer.End({"exit", {}, {}, {}});
  REQUIRE_FALSE(std::filesystem::exists(folder / "a"));
}

TEST_CASE("A run with one finding is a process, its modules, the finding and the end") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "a/b/%p.jsonl"), "0.1.0", &frames);
  writer.AddAttachPath("opencl-layer");
  writer.Start();
  writer.Start();
  writer.Report(SomeFinding());
  writer.End({"exit", {{"opencl", 7}}, {{"accesses", 2}}, {{"opencl image", {{"live_bytes", 4}}}}});
  const std::string path = folder / ("a/b/" + std::to_string(getpid()) + ".jsonl");
  REQUIRE(writer.path() == path);
  const std::vector<Json> records = Records(path);
  std::vector<std::string> types;
  for (const Json& record : records) types.push_back(record.at("type"));
  REQUIRE(types == std::vector<std::string>{"process", "module", "module", "finding", "end"});

  const Json& process = records[0];
  CHECK(process.at("version") == 1);
  CHECK(process.at("gpusan") == "0.1.0");
  CHECK(process.at("pid") == getpid());
  CHECK(process.at("exe") == ExecutablePath());
  CHECK(process.at("argv").size() >= 1);
  CHECK(process.at("doors") == Json{"opencl-layer"});
  CHECK(process.at("options").at("host_block_min") == 1024);

  CHECK(records[1] ==
        Json{{"type", "module"}, {"id", 1}, {"path", "/opt/app/bin/app"}, {"build_id", "aa11"}});

  const Json& finding = records[3];
  CHECK(finding.at("seq") == 1);
  CHECK(finding.at("rule") == "host-access-flag");
  CHECK(finding.at("severity") == "error");
  CHECK(finding.at("api") == "opencl");
  CHECK(finding.at("code") == -59);
  CHECK(finding.at("site") == Json::parse("[[1,4660],[2,32]]"));
  CHECK(finding.at("parties").at(0).at("site") == Json::parse("[[1,8192]]"));
  CHECK(finding.at("resources").at(0).at("handle") == "0xabc");
  CHECK(finding.at("facts").at("region_bytes") == uint64_t{1} << 63);
  CHECK(finding.at("facts").at("delta") == -1);

  const Json& end = records[4];
  CHECK(end.at("reason") == "exit");
  CHECK(end.at("calls").at("opencl") == 7);
  CHECK(end.at("dropped") == Json{{"accesses", 2}});
  CHECK(end.at("ledger").at("opencl image").at("live_bytes") == 4);
  CHECK(end.at("findings") == Json{{finding.at("fingerprint").get<std::string>(), 1}});
}

TEST_CASE("Identical findings are written once and counted") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  Options options = WithRecord(folder / "r");
  options.max_per_fingerprint = 2;
  RecordWriter writer(options, "0.1.0", &frames);
  for (int i = 0; i < 5; ++i) writer.Report(SomeFinding());
  Finding other = SomeFinding();
  other.site = 2;
  writer.Report(std::move(other));
  writer.End({"exit", {}, {}, {}});
  const std::vector<Json> records = Records(folder / "r");
  REQUIRE(OfType(records, "finding").size() == 3);
  REQUIRE(OfType(records, "module").size() == 2);
  std::vector<int> counts;
  for (const auto& [fingerprint, count] : records.back().at("findings").items())
    counts.push_back(count);
  std::sort(counts.begin(), counts.end());
  REQUIRE(counts == std::vector<int>{1, 5});
  REQUIRE(writer.findings() == 6);
}

TEST_CASE("A fingerprint does not depend on folders, ids and load addresses, but on the place") {
  FakeFrames here = SomeFrames();
  FakeFrames there;
  there.modules[9] = {"/home/x/app", "bb"};
  there.modules[5] = {"/lib/libx.so", ""};
  const auto print = [](const FakeFrames& frames, std::vector<RecordFrame> site) {
    Fingerprint fingerprint;
    fingerprint.Add("rule");
    for (const RecordFrame& frame : site) fingerprint.Add(frame, frames);
    return fingerprint.value();
  };
  const uint64_t value = print(here, {{1, 0x10}, {2, 0x20}});
  REQUIRE(value == print(there, {{9, 0x10}, {5, 0x20}}));
  REQUIRE(value != print(here, {{1, 0x11}, {2, 0x20}}));
  REQUIRE(value != print(here, {{2, 0x10}, {1, 0x20}}));
  REQUIRE(print(here, {{0, 0x7f0000}}) == print(here, {{0, 0x7fffff}}));
  REQUIRE(FingerprintText(0xabc) == "v0-0000000000000abc");
}

TEST_CASE("Bytes that are no UTF-8 become replacement characters, control characters are escaped") {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"plain", "plain"},
           {"a\"b\\c\n\t\x01", "a\"b\\c\n\t\x01"},
           {"caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xF0\x9F\x98\x80"},
           {"\xC3", "\xEF\xBF\xBD"},
           {"\xFFx", "\xEF\xBF\xBDx"},
           {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
           {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"}}) {
    std::string json;
    AppendJsonString(bytes, &json);
    CAPTURE(json);
    REQUIRE(Json::parse(json).get<std::string>() == text);
  }
}

TEST_CASE("A name is expanded, and what is not known in it is named") {
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

TEST_CASE("The rank is that of Open MPI, PMIx, PMI, MVAPICH or Slurm, the nearest first") {
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

TEST_CASE("A numbered name takes the first number that is free, in a folder's name too") {
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

TEST_CASE("A file that holds somebody's records is never touched") {
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

TEST_CASE("An empty file made beforehand is used") {
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

TEST_CASE("A full disk costs records, one complaint, and nothing else") {
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
                                ": File too large; the "
                                "program runs on, and findings that do not fit are printed here\n"
                                "gpusan: error: "));
  // Once, as in the file.
  REQUIRE(text.find("SUMMARY: ") == text.rfind("SUMMARY: "));
  REQUIRE(writer.findings() == 2);
}

TEST_CASE("A limit on file sizes leaves whole lines and no signal behind") {
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

TEST_CASE("A folder that cannot be made is complained about once") {
  const FakeFrames frames = SomeFrames();
  StderrCapture captured;
  RecordWriter writer(WithRecord("/dev/null/x/r.jsonl"), "0.1.0", &frames);
  writer.Report(SomeFinding());
  writer.Report(SomeFinding());
  const std::string text = captured.Text();
  REQUIRE_THAT(text, Contains("cannot write /dev/null/x/r.jsonl: Not a directory"));
  REQUIRE(text.find("cannot write") == text.rfind("cannot write"));
}

TEST_CASE("When the program closes our descriptor and takes its number, its file stays its own") {
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

TEST_CASE("A closed stderr harms nobody") {
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

TEST_CASE("A forked child writes its own file and leaves the parent's alone") {
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

TEST_CASE("A warning about gpusan itself is a record") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Warn("no call was seen");
  REQUIRE(Records(folder / "r").at(1).at("text") == "no call was seen");
}

TEST_CASE("Samples stand between the process record and the end") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  const LedgerTable ledger = {{"opencl", {{"live_bytes", 5}}}};
  writer.Write({ledger, {}, {}});
  REQUIRE_FALSE(std::filesystem::exists(folder / "r"));
  writer.Start();
  writer.Write({ledger, {}, {}});
  writer.End({"exit", {}, {}, {}});
  writer.Write({ledger, {}, {}});
  const std::vector<Json> records = Records(folder / "r");
  REQUIRE(records.size() == 3);
  CHECK(records[1]["type"] == "sample");
  CHECK(records[1]["ledger"]["opencl"]["live_bytes"] == 5);
  CHECK(records[2]["type"] == "end");
}

TEST_CASE("A place is written once, before the first sample that names it") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Start();
  writer.Write({{}, {}, {{Api::kOpenCL, 1, 4096, 2}}});
  writer.Write({{}, {}, {{Api::kOpenCL, 1, 8192, 4}}});
  writer.End({"exit", {}, {}, {}});
  std::vector<std::string> types;
  for (const Json& record : Records(folder / "r")) {
    types.push_back(record["type"]);
    if (types.back() == "site") CHECK_FALSE(record["site"].empty());
    if (types.back() == "sample") CHECK(record["sites"][0]["id"] == 1);
  }
  types.erase(std::remove(types.begin(), types.end(), "module"), types.end());
  CHECK(types == std::vector<std::string>{"process", "site", "sample", "sample", "end"});
}

TEST_CASE("Later facts about a finding are written again and not counted again") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Report(SomeFinding());
  Finding later = SomeFinding();
  later.refreshes = true;
  later.what = "more of it";
  writer.Report(std::move(later));
  writer.End({"exit", {}, {}, {}});
  std::vector<Json> findings;
  for (const Json& record : Records(folder / "r")) {
    if (record["type"] == "finding") findings.push_back(record);
    if (record["type"] == "end") CHECK(record["findings"].begin().value() == 1);
  }
  REQUIRE(findings.size() == 2);
  CHECK_FALSE(findings[0].contains("refresh"));
  CHECK(findings[1]["refresh"] == true);
  CHECK(findings[1]["what"] == "more of it");
  CHECK(findings[1]["fingerprint"] == findings[0]["fingerprint"]);
}

TEST_CASE("Counts are recorded while they grow, with the time of the last") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  for (int i = 0; i < 9; ++i) writer.Report(SomeFinding());
  writer.Write(SampleRecord());
  writer.Write(SampleRecord());
  writer.End({"exit", {}, {}, {}});
  std::vector<uint64_t> told;
  for (const Json& record : Records(folder / "r")) {
    if (!record.contains("findings") || record["findings"].empty()) continue;
    told.push_back(record["findings"].begin().value());
    CHECK(record["last_ns"].begin().key() == record["findings"].begin().key());
    CHECK(record["last_ns"].begin().value() > int64_t{1600000000} * 1000000000);
  }
  CHECK(told == std::vector<uint64_t>{2, 4, 8, 9, 9});  // three tallies, one sample, the end
}

uint64_t BytesIn(const std::string& folder) {
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  return bytes;
}

TEST_CASE("With a size cap samples go on in parts, of which the last two stay, and findings stay") {
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
      if (types.empty() || types.back() != record["type"]) types.push_back(record["type"]);
    }
    types.erase(std::remove(types.begin(), types.end(), "module"), types.end());
    CHECK(types == std::vector<std::string>{"process", "site", "sample"});
  }
  CHECK(parts == 2);
  CHECK(records.back()["dropped"] == Json({{"samples", 5000 - samples}}));
}

TEST_CASE(
    "Commands that went with an old part are counted with those that the log had no room for") {
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

TEST_CASE("Findings that do not fit under the size cap are printed and counted") {
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

TEST_CASE(
    "A process out of descriptors prints what it cannot write, and writes when there are some") {
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

TEST_CASE("A process whose descriptors are used up later goes on writing") {
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

TEST_CASE("A record is its owner's alone, in a regular file and through no link") {
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

TEST_CASE("A folder that was removed is not made again for the child of a fork") {
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

TEST_CASE("Values in record names lead to no other folder") {
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

TEST_CASE("Reporting leaves errno alone") {
  const FakeFrames frames = SomeFrames();
  StderrCapture captured;
  RecordWriter writer(WithRecord("/dev/full"), "0.1.0", &frames);
  errno = 99;
  writer.Report(SomeFinding());
  REQUIRE(errno == 99);
}

}  // namespace
}  // namespace gpusan
