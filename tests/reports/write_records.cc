// Writes record files that hold every member a writer can write: write_records FOLDER.
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "report/record/record_writer.h"
#include "tests/unit/report/report_fake_frames.h"

namespace gpusan {
namespace {

Finding Full() {
  Finding finding;
  finding.rule = RuleId::kRace;
  finding.severity = Severity::kWarning;
  finding.api = Api::kCuda;
  finding.call = "cuMemcpyHtoDAsync_v2";
  finding.site = 1;
  finding.has_code = true;
  finding.code = -719;
  finding.code_name = "CUDA_ERROR_LAUNCH_FAILED";
  finding.what = "not UTF-8: \xff, a quote: \", a newline:\n, a control: \x01";
  finding.why = "why";
  finding.fix = "fix";
  finding.parties = {{"pending-command", "text", 2}, {"allocation", "", kUnknownSite}};
  finding.resources = {{"buffer", ~uint64_t{0}, ~uint64_t{0}, "label"}, {"host block", 0, 0, ""}};
  finding.facts = {{"hazard", "RAW"}, {"delta_bytes", int64_t{-4}}, {"x2_bytes", ~uint64_t{0}}};
  return finding;
}

Finding Bare(Api api) {
  Finding finding;
  finding.rule = RuleId::kLeak;
  finding.api = api;
  return finding;
}

void Write(const std::string& folder) {
  static FakeFrames frames;
  frames.modules[1] = {"/opt/app/bin/app", "aa11"};
  frames.modules[2] = {"[vdso]", ""};
  frames.sites[1] = {{1, 0x1234}, {2, 0x20}, {0, 0x7fff12345678}};
  frames.sites[2] = std::vector<RecordFrame>(kMaxRecordFrames, RecordFrame{1, 0x2000});
  Options options;
  options.record = folder + "/%x.%p.jsonl";
  options.print = false;
  options.disable = "leak";
  static RecordWriter& writer = *new RecordWriter(options, "0.1.0", &frames);
  writer.AddAttachPath("opencl-layer");
  writer.AddAttachPath("cuda-dlsym");
  writer.Start();
  writer.Report(Full());
  writer.Report(Full());
  Finding later = Full();
  later.refreshes = true;
  writer.Report(std::move(later));
  for (const Api api : {Api::kNone, Api::kOpenCL, Api::kVulkan, Api::kHost})
    writer.Report(Bare(api));
  writer.Warn("libOpenCL.so.1 was loaded and none of its calls was seen");
  writer.Write({{{"opencl", {{"live_bytes", 5}, {"peak_bytes", ~uint64_t{0}}}}, {"cuda", {}}},
                {{"opencl", 9}},
                {{Api::kOpenCL, 1, 5, 1}, {Api::kCuda, 2, ~uint64_t{0}, 2}}});
  writer.Write(std::vector<LoggedCommand>{{CommandEntryKind::kCommand,
                                           1000,
                                           {1, 1},
                                           {},
                                           Api::kOpenCL,
                                           "clEnqueueFillBuffer",
                                           1,
                                           0xa0,
                                           2,
                                           true},
                                          {CommandEntryKind::kCommand,
                                           1100,
                                           {1, 2},
                                           {},
                                           Api::kOpenCL,
                                           "clEnqueueFillBuffer",
                                           1,
                                           0xa0,
                                           2,
                                           true,
                                           9,
                                           1900},
                                          {CommandEntryKind::kCommand,
                                           1950,
                                           {1, 11},
                                           {{2, 1}},
                                           Api::kOpenCL,
                                           "clEnqueueFillBuffer",
                                           1,
                                           0xa0,
                                           2,
                                           true,
                                           7,
                                           1990,
                                           {{"clEnqueueReadBuffer", 2}, {"clEnqueueCopyBuffer"}},
                                           2},
                                          {CommandEntryKind::kCommand,
                                           1960,
                                           {1, 18},
                                           {},
                                           Api::kOpenCL,
                                           "clEnqueueFillBuffer",
                                           1,
                                           0xa0,
                                           2,
                                           true,
                                           5,
                                           1990,
                                           {},
                                           0,
                                           1},
                                          {CommandEntryKind::kCommand,
                                           1970,
                                           {1, 23},
                                           {{2, 1}},
                                           Api::kOpenCL,
                                           "clEnqueueFillBuffer",
                                           1,
                                           0xa0,
                                           2,
                                           true,
                                           6,
                                           1990,
                                           {{"clEnqueueReadBuffer", 2}},
                                           1,
                                           2},
                                          {CommandEntryKind::kCommand,
                                           2000,
                                           {2, 1},
                                           {{1, 1}, {3, ~uint64_t{0} >> 16}},
                                           Api::kCuda,
                                           "cuLaunchKernel"},
                                          {CommandEntryKind::kOrder, 2500, {2, 2}, {{1, 1}}},
                                          {CommandEntryKind::kWait, 2600, {}, {{2, 1}, {1, 1}}},
                                          {CommandEntryKind::kFailed, 2700, {2, 2}}});
  for (const char* reason : {"exec", "_exit", "quick_exit", "unload", "exit"}) {
    writer.End({reason,
                {{"opencl", 0}, {"cuda", 7}},
                {{"sites", 3}},
                {{"opencl", {{"live_bytes", ~uint64_t{0}}, {"live_count", 1}}}},
                251});
  }
  writer.PrepareFork();
  const pid_t child = fork();
  if (child == 0) {
    writer.AfterForkInChild();
    writer.Report(Bare(Api::kHost));
    writer.End({"_exit", {}, {}, {}});
    _exit(0);
  }
  writer.AfterForkInParent();
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace gpusan

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  gpusan::Write(argv[1]);
  return 0;
}
