// A fourth API: one row in the list of APIs and the files of this folder give it findings, records
// and an attach option.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/options/config.h"
#include "report/record/record_writer.h"
#include "report/text/gpu_drivers.h"
#include "tests/unit/fourth_api/call.h"
#include "tests/unit/report/report_fake_frames.h"
#include "tests/unit/temporary_folder.h"
#include "tracker/memory/host_memory.h"
#include "tracker/model/apis.h"

namespace toy_driver {

ToyStream last_stream = 0;
ToyBuffer last_buffer = 0;

ToyResult toyStreamCreate(ToyStream* stream) {
  *stream = ++last_stream;
  return kToySuccess;
}
ToyResult toyAllocate(ToyBuffer* buffer, size_t bytes) {
  if (bytes == 0) return kToyInvalidValue;
  *buffer = ++last_buffer;
  return kToySuccess;
}
ToyResult toyFree(ToyBuffer) { return kToySuccess; }
ToyResult toyFill(ToyStream, ToyBuffer, size_t, size_t) { return kToySuccess; }
ToyResult toyStreamSynchronize(ToyStream) { return kToySuccess; }

}  // namespace toy_driver

namespace gpusan {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Json = nlohmann::json;

// Every stack is the same call site.
SiteId TheSite(const void*, const void*) { return 1; }

// A process that uses the toy API: its calls go to a tracker whose findings go to a record file.
class Process {
 public:
  Process() : writer_(Recorded(folder_ / "record.jsonl"), "0.1.0", &frames_) {
    frames_.modules[1] = {"/opt/app/bin/app", "aa11"};
    frames_.sites[1] = {{1, 0x1234}};
    TrackerOptions options;
    options.capture = TheSite;
    tracker_ = std::make_unique<Tracker>(writer_, host_memory_, options);
    toy::tracker = tracker_.get();
    toy_driver::last_stream = toy_driver::last_buffer = 0;
  }
  ~Process() { toy::tracker = nullptr; }

  // The findings in the record of the process.
  std::vector<Json> Findings() {
    writer_.End({"exit", {{ApiName(Api::kToy), 1}}, {}, {}});
    std::vector<Json> findings;
    std::ifstream file(folder_ / "record.jsonl");
    for (std::string line; std::getline(file, line);) {
      const Json record = Json::parse(line);
      if (record.at("type") == "finding") findings.push_back(record);
    }
    return findings;
  }

 private:
  static Options Recorded(const std::string& path) {
    Options options;
    options.record = path;
    options.print = false;
    return options;
  }

  TemporaryFolder folder_;
  FakeFrames frames_;
  HostMemory host_memory_;
  RecordWriter writer_;
  std::unique_ptr<Tracker> tracker_;
};

TEST_CASE("A fill of a freed buffer is a use after free of the toy API") {
  Process process;
  ToyStream stream;
  ToyBuffer buffer;
  REQUIRE(toyStreamCreate(&stream) == kToySuccess);
  REQUIRE(toyAllocate(&buffer, 64) == kToySuccess);
  REQUIRE(stream == buffer);
  REQUIRE(toyFill(stream, buffer, 0, 64) == kToySuccess);
  REQUIRE(toyStreamSynchronize(stream) == kToySuccess);
  REQUIRE(toyFree(buffer) == kToySuccess);
  REQUIRE(toyFill(stream, buffer, 0, 64) == kToySuccess);

  const std::vector<Json> findings = process.Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].at("rule") == "use-after-free");
  CHECK(findings[0].at("api") == "toy");
  CHECK(findings[0].at("call") == "toyFill");
  CHECK_THAT(findings[0].at("what").get<std::string>(), Contains("buffer 0x1 (64 B)"));
  CHECK_THAT(findings[0].at("why").get<std::string>(), Contains("Toy 1.0, k"));
}

TEST_CASE("Two streams that fill the same bytes are a race of the toy API") {
  Process process;
  ToyStream streams[2];
  ToyBuffer buffer;
  REQUIRE(toyStreamCreate(&streams[0]) == kToySuccess);
  REQUIRE(toyStreamCreate(&streams[1]) == kToySuccess);
  REQUIRE(toyAllocate(&buffer, 64) == kToySuccess);
  REQUIRE(toyFill(streams[0], buffer, 0, 64) == kToySuccess);
  REQUIRE(toyFill(streams[1], buffer, 32, 32) == kToySuccess);

  const std::vector<Json> findings = process.Findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].at("rule") == "race");
  CHECK(findings[0].at("api") == "toy");
  CHECK(findings[0].at("call") == "toyFill");
  CHECK(findings[0].at("code_name") == "TOY_SUCCESS");
  CHECK_THAT(findings[0].at("fix").get<std::string>(), Contains("toyStreamSynchronize"));
}

TEST_CASE("Ordered fills of live buffers cause no finding") {
  Process process;
  ToyStream streams[2];
  ToyBuffer buffer;
  REQUIRE(toyStreamCreate(&streams[0]) == kToySuccess);
  REQUIRE(toyStreamCreate(&streams[1]) == kToySuccess);
  REQUIRE(toyAllocate(&buffer, 64) == kToySuccess);
  REQUIRE(toyFill(streams[0], buffer, 0, 64) == kToySuccess);
  REQUIRE(toyStreamSynchronize(streams[0]) == kToySuccess);
  REQUIRE(toyFill(streams[1], buffer, 32, 32) == kToySuccess);
  REQUIRE(toyStreamSynchronize(streams[1]) == kToySuccess);
  REQUIRE(toyFree(buffer) == kToySuccess);
  CHECK(process.Findings().empty());
}

TEST_CASE("The row of the toy API gives it a name, an attach option and its libraries") {
  CHECK(ApiName(Api::kToy) == std::string("toy"));
  CHECK(kApiCount == 6);
  CHECK(HandlesAreUniqueInKind(Api::kToy));
  CHECK(ApiOfDriver("/usr/lib/libtoy.so.1") == &InfoOf(Api::kToy));
  CHECK(IsForwarding("/usr/lib/libtoy.so.1"));

  Configuration configuration;
  CHECK(AttachOf(configuration.options, Api::kToy) == "auto");
  CHECK_THAT(SetOption("toy_attach", "layer", "", OptionScope::kProcess, &configuration.options),
             Contains("it must be one of auto, preload, off"));
  CHECK(SetOption("toy_attach", "off", "", OptionScope::kProcess, &configuration.options).empty());
  CHECK_THAT(SwitchedOffText(configuration, InfoOf(Api::kToy)), StartsWith("Toy was not watched"));
  CHECK(AttachOf(PassingConfiguration().options, Api::kToy) == "off");
}

}  // namespace
}  // namespace gpusan
