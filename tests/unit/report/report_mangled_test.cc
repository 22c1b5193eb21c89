// Record files that were damaged on their way: whatever is in them, every form of a report is
// written, is of its form, and says that something was wrong only where it was.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/findings/collector.h"
#include "report/formats/formats.h"
#include "report/formats/output.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {
namespace {

// As processes write them.
constexpr char kRecorded[] =
    R"({"type":"process","version":1,"gpusan":"0.1.0","run":"5f","pid":7,"ppid":6,"exe":"/opt/app","argv":["/opt/app","-x"],"host":"n1","rank":"3","start_ns":1795286978523710121,"options":{"disable":"","growth_after":300},"doors":["opencl-layer"]})"
    "\n"
    R"({"type":"module","id":1,"path":"/opt/app","build_id":"ab12"})"
    "\n"
    R"({"type":"site","id":4,"site":[[1,16],[1,32]]})"
    "\n"
    R"({"type":"sample","time_ns":1795286978568890515,"ledger":{"opencl":{"live_bytes":4096,"live_objects":1,"peak_bytes":4096,"pending_release_bytes":0}},"calls":{"opencl":2},"sites":[{"api":"opencl","id":4,"live_bytes":4096,"live_count":1}]})"
    "\n"
    R"({"type":"finding","seq":1,"rule":"race","severity":"error","api":"opencl","call":"clEnqueueReadBuffer","code":-5,"code_name":"CL_OUT_OF_RESOURCES","what":"w <b> \"q\"","why":"y","fix":"f","site":[[1,16],[0,255]],"parties":[{"role":"pending-command","text":"t & u","site":[[1,32]]}],"resources":[{"kind":"buffer","handle":"0xff","bytes":64,"label":"l"}],"facts":{"hazard":"RAW","bytes":18446744073709551615},"fingerprint":"v0-0011","thread":1,"time_ns":1795286978570000000})"
    "\n"
    R"({"type":"commands","time_ns":1795286978571518416,"calls":["clEnqueueReadBuffer"],"queues":[{"api":"opencl","handle":"0x55","site":4,"in_order":true},{"api":"opencl","handle":"0x66","site":4,"in_order":false}],"entries":[["command",0,1,1,0,0,4],["command",10004,2,1,0,1,4],["order",10010,2,2,[1,1]],["wait",2135869,[1,1]],["failed",2138933,0,0]]})"
    "\n"
    R"({"type":"warning","text":"something","time_ns":1795286978571518416})"
    "\n"
    R"({"type":"end","reason":"exit","time_ns":1795286978574927374,"findings":{"v0-0011":3},"last_ns":{"v0-0011":1795286978574000000},"dropped":{"sites":2},"calls":{"opencl":16},"ledger":{"opencl":{"live_bytes":0,"live_objects":0,"peak_bytes":8192,"pending_release_bytes":0}},"overhead":{"own_ns":5,"wall_ns":50}})"
    "\n";

// As gpusan merge writes them.
constexpr char kMerged[] =
    R"({"type":"merge","version":1,"gpusan":"0.1.0","files":1,"processes":1,"time_ns":1795286978600330045})"
    "\n"
    R"({"type":"finding","seq":1,"rule":"leak-growth","severity":"warning","api":"opencl","call":"clCreateBuffer","what":"w","why":"y","fix":"f","frames":[{"function":"main","function_line":6,"file":"../a.c","line":17,"column":3,"module":"/opt/app","build_id":"ab12","offset":5405}],"parties":[{"role":"holder","text":"t","frames":[{"module":"/opt/app","offset":9}]}],"resources":[],"facts":{"bytes_per_hour":4096},"fingerprint":"v1-0022","thread":1,"time_ns":1795286978570000000,"count":9,"first_ns":1,"last_ns":2})"
    "\n"
    R"({"type":"process","version":1,"gpusan":"0.1.0","pid":7,"ppid":6,"exe":"/opt/app","argv":["/opt/app"],"host":"n1","rank":"0","start_ns":1795286978523710121,"options":{"disable":""},"doors":["opencl-layer"],"findings":{"v1-0022":9}})"
    "\n"
    R"({"type":"site","id":2,"frames":[{"function":"NewQueue","file":"b.h","line":47,"module":"/opt/app","offset":4727}]})"
    "\n"
    R"({"type":"sample","time_ns":1795286978568890515,"ledger":{"opencl":{"live_bytes":1,"live_objects":1,"peak_bytes":1,"pending_release_bytes":0}},"calls":{"opencl":2},"sites":[{"api":"opencl","id":2,"live_bytes":1,"live_count":1}]})"
    "\n"
    R"({"type":"end","reason":"exit","time_ns":1795286978574927374,"findings":{},"dropped":{},"calls":{"opencl":16},"ledger":{}})"
    "\n";

// The same numbers in every run.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  size_t Below(size_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % end;
  }

 private:
  uint64_t state_;
};

std::string Nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string Mangled(std::string text, Dice* dice) {
  static const std::vector<std::string> kPieces = {"null",
                                                   "-1",
                                                   "1e400",
                                                   "18446744073709551616",
                                                   "-9223372036854775809",
                                                   "[]",
                                                   "{}",
                                                   "\"",
                                                   "\\",
                                                   "\\ud800",
                                                   std::string(1, '\0'),
                                                   "\xff\xfe",
                                                   "true",
                                                   "4294967295",
                                                   "\n",
                                                   "]]]]",
                                                   "0.5",
                                                   "\"</script><!--\"",
                                                   "%s%n",
                                                   Nested(5000)};
  for (size_t damages = 1 + dice->Below(4); damages > 0 && text.size() > 64; --damages) {
    const size_t at = dice->Below(text.size());
    const size_t length = 1 + dice->Below(dice->Below(4) == 0 ? text.size() - at : 16);
    switch (dice->Below(7)) {
      case 0:
        text[at] = static_cast<char>(dice->Below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, kPieces[dice->Below(kPieces.size())]);
        break;
      case 4: {  // a value for another
        const size_t colon = text.find(':', at);
        if (colon == std::string::npos) break;
        const size_t end = text.find_first_of(",}]", colon);
        text.replace(colon + 1, (end == std::string::npos ? text.size() : end) - colon - 1,
                     kPieces[dice->Below(kPieces.size())]);
        break;
      }
      case 5: {  // a line elsewhere
        const size_t begin = text.rfind('\n', at) + 1;
        const size_t end = text.find('\n', at);
        if (end == std::string::npos) break;
        const std::string line = text.substr(begin, end + 1 - begin);
        text.erase(begin, line.size());
        const size_t to = text.find('\n', dice->Below(text.size() + 1));
        text.insert(to == std::string::npos ? 0 : to + 1, line);
        break;
      }
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

// What commands say on stderr about such files is much.
class Silence {
 public:
  Silence() : kept_(dup(2)) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, 2);
    close(nothing);
  }
  ~Silence() {
    dup2(kept_, 2);
    close(kept_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int kept_;
};

void Put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// What the form says of the file; the exit code too.
std::string Report(const TemporaryFolder& folder, const char* form, int* code) {
  Options options;
  options.format = form;
  options.output = folder / "out";
  Output output;
  REQUIRE(output.Open(options.output).empty());
  Collector collector(options, Suppressions(), -1);
  collector.ReadAll({folder / "r.jsonl"});
  FindFormat(form)->write(&collector, &output);
  REQUIRE(output.Commit().empty());
  *code = collector.ExitCode();
  std::ifstream file(options.output, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

constexpr const char* kJsonForms[] = {"json", "sarif", "trace"};
constexpr const char* kOtherForms[] = {"text", "junit", "html", "metrics"};

TEST_CASE("Intact files cause no message") {
  for (const char* seed : {kRecorded, kMerged}) {
    TemporaryFolder folder;
    Put(folder / "r.jsonl", seed);
    Silence silence;
    int code = 0;
    const nlohmann::json report = nlohmann::json::parse(Report(folder, "json", &code));
    CHECK(report["findings"].size() == 1);
    CHECK(report["findings"][0]["count"] == (seed == kRecorded ? 3 : 9));
    CHECK(code == (seed == kRecorded ? 66 : 0));  // a race; a warning
  }
}

TEST_CASE("Each kind of damaged file is written and recognized as this kind") {
  constexpr uint64_t kFiles = 150;
  TemporaryFolder folder;
  Silence silence;
  for (uint64_t number = 0; number < kFiles; ++number) {
    for (const char* seed : {kRecorded, kMerged}) {
      Dice dice(number);
      Put(folder / "r.jsonl", Mangled(seed, &dice));
      INFO("file " << number << " of the " << (seed == kRecorded ? "recorded" : "merged"));
      int code = 0, first = -1;
      for (const char* form : kJsonForms) {
        INFO(form);
        REQUIRE(nlohmann::json::accept(Report(folder, form, &code)));
        REQUIRE((code == 0 || code == 66 || code == 70));
        REQUIRE((first == -1 || first == code));
        first = code;
      }
      for (const char* form : kOtherForms) {
        INFO(form);
        Report(folder, form, &code);
        REQUIRE(first == code);
      }
    }
  }
}

TEST_CASE("A record that is cut anywhere keeps its complete lines and does not count as clean") {
  const std::string whole = kRecorded;
  TemporaryFolder folder;
  Silence silence;
  for (size_t bytes = whole.find('\n') + 1; bytes < whole.size() - 1; bytes += 7) {
    Put(folder / "r.jsonl", whole.substr(0, bytes));
    int code = 0;
    const nlohmann::json report = nlohmann::json::parse(Report(folder, "json", &code));
    const size_t found = whole.find("\"type\":\"finding\"");
    const size_t finding_end = whole.find('\n', found) + 1;
    CHECK(report["findings"].size() == (bytes >= finding_end ? 1 : 0));
    CHECK(code == (bytes >= finding_end ? 66 : 70));
  }
}

TEST_CASE("Facts are written as they were recorded, and those that were added as text") {
  ReadFinding finding;
  finding.text.rule = "race";
  finding.text.facts = {
      {"bytes", "4096"}, {"hazard", "RAW"}, {"name", "12"}, {"call", "cuMemcpy \"x\""}};
  finding.fact_is_number = {true, false, false};  // the last one came later
  JsonWriter json;
  json.BeginObject();
  AppendFindingMembers(finding, /*symbols=*/true, &json);
  json.EndObject();
  const nlohmann::json facts = nlohmann::json::parse(json.text())["facts"];
  CHECK(facts["bytes"] == 4096);
  CHECK(facts["hazard"] == "RAW");
  CHECK(facts["name"] == "12");
  CHECK(facts["call"] == "cuMemcpy \"x\"");
}

}  // namespace
}  // namespace gpusan
