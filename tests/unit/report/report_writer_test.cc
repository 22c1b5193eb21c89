// The record writer: the records that it writes, and their contents.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "report/record/process_fingerprint.h"
#include "report/record/record_name.h"
#include "report/text/json_writer.h"
#include "tests/unit/report/report_records.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("The file is opened at the first record") {
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

TEST_CASE("Repeated findings are counted without their texts") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  const FindingKey key(SomeFinding());
  Finding other = SomeFinding();
  other.parties.clear();
  // The first two are reported: the second one tells that the others need no text.
  CHECK_FALSE(writer.CountRepeat(key));
  uint64_t counted = 0;
  for (int i = 0; i < 100; ++i) {
    if (writer.CountRepeat(key)) {
      ++counted;
    } else {
      writer.Report(SomeFinding());
    }
  }
  // A count that has doubled is written.
  CHECK(counted > 90);
  CHECK_FALSE(writer.CountRepeat(FindingKey(other)));
  CHECK(writer.findings() == 100);
  writer.End({"exit", {}, {}, {}});
  const std::vector<Json> records = Records(folder / "r");
  REQUIRE(OfType(records, "finding").size() == 1);
  CHECK(records.back().at("findings").begin().value() == 100);
  // The child of a fork has counts of its own.
  writer.PrepareFork();
  writer.AfterForkInChild();
  CHECK_FALSE(writer.CountRepeat(key));
  CHECK(writer.findings() == 0);
}

TEST_CASE("A fingerprint depends on the location, not on folders, ids and load addresses") {
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

TEST_CASE("Invalid UTF-8 becomes replacement characters, control characters are escaped") {
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

TEST_CASE("A warning about gpusan itself is a record") {
  TemporaryFolder folder;
  const FakeFrames frames = SomeFrames();
  RecordWriter writer(WithRecord(folder / "r"), "0.1.0", &frames);
  writer.Warn("no call was seen");
  REQUIRE(Records(folder / "r").at(1).at("text") == "no call was seen");
}

TEST_CASE("Samples are between the process record and the end record") {
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

TEST_CASE("A site is written once, before the first sample that names it") {
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

TEST_CASE("A changed finding is written again and not counted again") {
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

TEST_CASE("Reporting does not change errno") {
  const FakeFrames frames = SomeFrames();
  StderrCapture captured;
  RecordWriter writer(WithRecord("/dev/full"), "0.1.0", &frames);
  errno = 99;
  writer.Report(SomeFinding());
  REQUIRE(errno == 99);
}

}  // namespace
}  // namespace gpusan
