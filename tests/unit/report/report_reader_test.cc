// Reading records back: growing files, truncated ones, and lines that are none.
#include "report/findings/record_reader.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "report/findings/collector.h"
#include "report/findings/merged_duplicates.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

using Catch::Matchers::Contains;

constexpr char kProcess[] =
    R"({"type":"process","version":1,"gpusan":"0.1.0","pid":77,"exe":"/opt/app","host":"node1"})"
    "\n";
constexpr char kModule[] = R"({"type":"module","id":1,"path":"/opt/app","build_id":"ab"})"
                           "\n";
constexpr char kFinding[] =
    R"({"type":"finding","seq":1,"rule":"race","severity":"error","api":"opencl","call":"clEnqueueReadBuffer",)"
    R"("code":-5,"code_name":"CL_OUT_OF_RESOURCES","what":"w","why":"y","fix":"f","site":[[1,16],[0,255]],)"
    R"("parties":[{"role":"pending-command","text":"t","site":[[1,32]]}],)"
    R"("resources":[{"kind":"buffer","handle":"0xff","bytes":64,"label":"l"}],)"
    R"("facts":{"hazard":"RAW","bytes":18446744073709551615},"fingerprint":"v0-1","thread":1,"time_ns":1})"
    "\n";
constexpr char kEnd[] =
    R"({"type":"end","reason":"exit","findings":{"v0-1":9},"dropped":{"accesses":1},"calls":{"opencl":5},"ledger":{}})"
    "\n";

class Notes final : public RecordVisitor {
 public:
  void OnFinding(const ReadProcess&, ReadFinding&& finding) override {
    findings.push_back(std::move(finding));
  }
  void OnWarning(const ReadProcess&, const std::string& text) override { warnings.push_back(text); }
  void OnTrouble(const ReadProcess&, const std::string& line) override { troubles.push_back(line); }
  void OnEnd(const ReadProcess&) override { tallies.clear(); }
  void OnTally(const ReadProcess&, const std::string& fingerprint, uint64_t count) override {
    tallies[fingerprint] = count;
  }
  void OnSample(const ReadProcess&, ReadSample&& sample) override {
    samples.push_back(std::move(sample));
  }
  void OnDone(ReadProcess&& process) override { done.push_back(std::move(process)); }

  std::vector<ReadFinding> findings;
  std::vector<std::string> warnings;
  std::vector<std::string> troubles;
  std::map<std::string, uint64_t> tallies;
  std::vector<ReadSample> samples;
  std::vector<ReadProcess> done;
};

void Append(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

TEST_CASE("A complete file is read with all members of its finding") {
  TemporaryFolder folder;
  Append(folder / "r", std::string(kProcess) + kModule + kFinding + kEnd);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.troubles.empty());
  REQUIRE(notes.findings.size() == 1);
  const ReadFinding& finding = notes.findings[0];
  CHECK(finding.text.rule == "race");
  CHECK(finding.text.severity == Severity::kError);
  CHECK(finding.text.code == -5);
  CHECK(finding.frames.size() == 2);
  CHECK(finding.frames[1].offset == 255);
  CHECK(finding.party_frames.at(0).at(0).offset == 32);
  CHECK(finding.text.resources.at(0).handle == 255);
  CHECK(finding.text.facts.at(0) == std::make_pair(std::string("hazard"), std::string("RAW")));
  CHECK(finding.text.facts.at(1).second == "18446744073709551615");
  REQUIRE(notes.done.size() == 1);
  const ReadProcess& process = notes.done[0];
  CHECK(process.pid == 77);
  CHECK(process.ended);
  CHECK(process.calls.at("opencl") == 5);
  CHECK(process.modules->at(1)->build_id == "ab");
  CHECK(notes.tallies == std::map<std::string, uint64_t>{{"v0-1", 9}});
}

TEST_CASE("A growing file gives each record once, whole lines only") {
  TemporaryFolder folder;
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE_FALSE(reader.Poll());
  const std::string finding = kFinding;
  Append(folder / "r", kProcess + finding.substr(0, 50));
  REQUIRE(reader.Poll());
  REQUIRE(notes.findings.empty());
  Append(folder / "r", finding.substr(50));
  REQUIRE(reader.Poll());
  REQUIRE(reader.Poll());
  REQUIRE(notes.findings.size() == 1);
}

TEST_CASE("A partial record that the writer removes is ignored") {
  TemporaryFolder folder;
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  Append(folder / "r", std::string(kProcess) + "{\"type\":\"fin");
  REQUIRE(reader.Poll());
  std::filesystem::resize_file(folder / "r", std::string(kProcess).size());
  Append(folder / "r", kFinding);
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.findings.size() == 1);
  REQUIRE(notes.troubles.empty());
}

TEST_CASE("A truncated last line is reported with file and line, and the rest counts") {
  TemporaryFolder folder;
  const std::string finding = kFinding;
  Append(folder / "r", kProcess + finding + finding.substr(0, 30));
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.findings.size() == 1);
  REQUIRE(notes.troubles ==
          std::vector<std::string>{(folder / "r") +
                                   ":3: the last record is truncated and was skipped"});
  REQUIRE_FALSE(notes.done.at(0).ended);
}

TEST_CASE("Lines that are not records are reported and skipped") {
  TemporaryFolder folder;
  Append(folder / "r", std::string(kProcess) +
                           "garbage\n[1]\n{\"type\":\"finding\"}\n{\"type\":7}\n" +
                           "{\"type\":\"novelty\"}\n" + kFinding + kEnd);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.findings.size() == 1);
  REQUIRE(notes.troubles.size() == 4);
  CHECK_THAT(notes.troubles[0], Contains("r:2: not a gpusan record"));
  CHECK_THAT(notes.troubles[1], Contains("r:3: not a gpusan record"));
  CHECK_THAT(notes.troubles[2], Contains("r:4: an incomplete record"));
  CHECK_THAT(notes.troubles[3], Contains("r:5: "));
}

// Reads one line behind a good process record, and returns what is wrong with it.
std::vector<std::string> TroublesWith(const std::string& line) {
  TemporaryFolder folder;
  Append(folder / "r", kProcess + line + "\n" + kEnd);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.done.size() == 1);
  CHECK(notes.done[0].ended);  // what follows counts
  for (const std::string& trouble : notes.troubles) CHECK_THAT(trouble, Contains("/r:2: "));
  return notes.troubles;
}

TEST_CASE("Numbers that no record can have are reported") {
  for (const char* number :
       {"1e300", "-1e300", "1.5", "99999999999999999999999", "-1", "4294967296"}) {
    CAPTURE(number);
    const std::string id = number;
    CHECK(
        TroublesWith(R"({"type":"module","id":)" + id + R"(,"path":"/a","build_id":""})").size() ==
        1);
    CHECK(TroublesWith(R"({"type":"site","id":)" + id + R"(,"site":[]})").size() == 1);
  }
  CHECK(TroublesWith(R"({"type":"sample","time_ns":1e99,"ledger":{}})").size() == 1);
  CHECK(TroublesWith(R"({"type":"sample","time_ns":1,"ledger":{"opencl":{"live_bytes":1e99}}})")
            .size() == 1);
}

TEST_CASE("Records that are nested deeply are skipped without recursion") {
  const std::string open(200000, '['), close(200000, ']');
  CHECK(TroublesWith(R"({"type":"module","id":1,"path":)" + open + close + "}").size() == 1);
  CHECK(TroublesWith(R"({"type":"finding","facts":{"a":)" + open + close + "}}").size() == 1);
  CHECK(TroublesWith(open).size() == 1);
  // Brackets in a string nest nothing.
  CHECK(
      TroublesWith(R"({"type":"module","id":1,"path":"\")" + open + R"(","build_id":""})").empty());
}

TEST_CASE("A run of commands has at most the calls that gpusan writes") {
  const auto run = [](int others) {
    std::string places;
    for (int i = 0; i < others; ++i) places += i == 0 ? "[0,0]" : ",[0,0]";
    return R"({"type":"commands","time_ns":1,"calls":["f"],"queues":[{"api":"opencl","handle":"0x1","site":0}],"entries":[[")" +
           std::string(kCommandAwaitedName) + R"(",1,1,1,0,0,0,8,2,[)" + places + "],7]]}";
  };
  CHECK(TroublesWith(run(3)).empty());
  CHECK(TroublesWith(run(4)).size() == 1);
  CHECK(TroublesWith(run(40)).size() == 1);
}

TEST_CASE("A run of commands does not end before it begins") {
  const auto run = [](const std::string& tick, const std::string& count) {
    return R"({"type":"commands","time_ns":1,"calls":["f"],"queues":[{"api":"opencl","handle":"0x1","site":0}],"entries":[[")" +
           std::string(kCommandRunName) + "\",1,1," + tick + ",0,0,0," + count + ",2]]}";
  };
  CHECK(TroublesWith(run("1", "18446744073709551615")).empty());
  CHECK(TroublesWith(run("2", "18446744073709551615")).size() == 1);
  CHECK(TroublesWith(run("18446744073709551615", "1")).empty());
  CHECK(TroublesWith(run("18446744073709551615", "2")).size() == 1);
}

TEST_CASE("Process records with values of other types are not copies of others") {
  TemporaryFolder folder;
  Append(folder / "part", R"({"type":"process","pid":7,"exe":"/a","host":"h","start_ns":1})"
                          "\n");
  const std::string open(30000, '['), close(30000, ']');
  const std::string merge = R"({"type":"merge","version":1})"
                            "\n";
  for (const std::string& member :
       {R"("start_ns":)" + open + close, std::string(R"("start_ns":[1])"),
        std::string(R"("start_ns":1,"record_bytes":"x")"),
        std::string(R"("start_ns":1,"record_bytes":1e300)"),
        std::string(R"("start_ns":1,"record_bytes":-1)")}) {
    Append(folder / "merged",
           merge + R"({"type":"process","pid":7,"exe":"/a","host":"h",)" + member + "}\n");
    const std::vector<std::string> files = {folder / "merged", folder / "part"};
    const WithoutCopies kept = LeaveOutCopies(files);
    CHECK(kept.files == files);
    CHECK(kept.notes.empty());
    std::filesystem::remove(folder / "merged");
  }
}

TEST_CASE("A file with a line that is too long is not read further") {
  TemporaryFolder folder;
  Append(folder / "r", kProcess + std::string(5000, 'x') + "\n");
  Notes good, notes;
  RecordReader long_enough(folder / "r", &good, 5000);
  REQUIRE(long_enough.Poll());
  CHECK(good.troubles.size() == 1);  // no record
  Append(folder / "endless", kProcess + std::string(500000, 'x'));
  RecordReader reader(folder / "endless", &notes, 5000);
  REQUIRE(reader.Poll());
  Append(folder / "endless", std::string(500000, 'x'));
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.troubles.size() == 1);
  CHECK_THAT(notes.troubles[0], Contains("endless:2: a line of more than 5000 bytes"));
}

TEST_CASE("Only regular files are read, without waiting") {
  TemporaryFolder folder;
  REQUIRE(mkfifo((folder / "pipe.jsonl").c_str(), 0600) == 0);
  Notes notes;
  RecordReader reader(folder / "pipe.jsonl", &notes);
  CHECK_FALSE(reader.Poll());
  CHECK(reader.failure() == "a pipe, not a regular file; name a regular file");
  RecordReader device("/dev/zero", &notes);
  CHECK_FALSE(device.Poll());
  CHECK(device.failure() == "a device, not a regular file; name a regular file");
  ReadFinding finding;
  CHECK_FALSE(RecordSource(folder / "pipe.jsonl").Read(0, &finding));
}

TEST_CASE("A finding after the end makes the file incomplete until another end comes") {
  TemporaryFolder folder;
  Append(folder / "r", std::string(kProcess) + kEnd + kFinding);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  REQUIRE_FALSE(reader.process().ended);
  Append(folder / "r", kEnd);
  REQUIRE(reader.Poll());
  REQUIRE(reader.process().ended);
}

TEST_CASE("The counts of the last end record apply") {
  TemporaryFolder folder;
  Append(folder / "r", std::string(kProcess) + kFinding + kEnd +
                           R"({"type":"end","reason":"exit","findings":{"v0-2":1}})" + "\n");
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  REQUIRE(notes.tallies == std::map<std::string, uint64_t>{{"v0-2", 1}});
}

TEST_CASE("Concatenated files are processes with modules of their own") {
  TemporaryFolder folder;
  Append(folder / "r", std::string(kProcess) + kModule + kFinding + kEnd + kProcess + kFinding);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  reader.Finish();
  REQUIRE(notes.done.size() == 2);
  CHECK(notes.done[0].ended);
  CHECK(notes.done[0].modules->size() == 1);
  CHECK_FALSE(notes.done[1].ended);
  CHECK(notes.done[1].modules->empty());
}

TEST_CASE("Samples are read with their ledger and sites") {
  TemporaryFolder folder;
  Append(folder / "r",
         std::string(kProcess) +
             R"({"type":"sample","time_ns":5,"ledger":{"opencl":{"live_bytes":7}},)"
             R"("sites":[{"api":"opencl","site":[[1,16]],"live_bytes":7,"live_count":1}]})"
             "\n");
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  REQUIRE(notes.samples.size() == 1);
  CHECK(notes.samples[0].ledger.at("opencl").at("live_bytes") == 7);
  CHECK(notes.samples[0].sites.at(0).frames.at(0).offset == 16);
}

TEST_CASE("A finding is read again from its position in the file") {
  TemporaryFolder folder;
  Append(folder / "r", std::string(kProcess) + kFinding + kEnd);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  RecordSource source(folder / "r");
  ReadFinding finding;
  REQUIRE(source.Read(notes.findings.at(0).offset, &finding));
  CHECK(finding.text.what == "w");
  CHECK_FALSE(source.Read(notes.findings[0].offset + 1, &finding));
  CHECK_FALSE(source.Read(1 << 20, &finding));
}

TEST_CASE("A file of a newer version is read with a warning") {
  TemporaryFolder folder;
  Append(folder / "r",
         std::string(R"({"type":"process","version":2,"gpusan":"9.0","pid":1})") + "\n" + kEnd);
  Notes notes;
  RecordReader reader(folder / "r", &notes);
  REQUIRE(reader.Poll());
  REQUIRE(notes.troubles.size() == 1);
  REQUIRE_THAT(notes.troubles[0], Contains("written by a newer gpusan (9.0)"));
}

TEST_CASE("Record files of a folder are found by name, in order") {
  TemporaryFolder folder;
  for (const char* name :
       {"b.jsonl", "a.jsonl", "a.jsonl.1", "a.jsonl.x", "a.json", ".attached.1", "c.jsonl."}) {
    Append(folder / name, "");
  }
  std::vector<std::string> files;
  REQUIRE(RecordFilesIn(folder.path(), &files));
  REQUIRE(files ==
          std::vector<std::string>{folder / "a.jsonl", folder / "a.jsonl.1", folder / "b.jsonl"});
  REQUIRE_FALSE(RecordFilesIn(folder / "none", &files));
}

}  // namespace
}  // namespace gpusan
