// `gpusan run`.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/base/temporary_root.h"
#include "report/command/command_line.h"
#include "report/command/commands.h"
#include "report/command/record_folder.h"
#include "report/command/report_files.h"
#include "report/command/run_environment.h"
#include "report/findings/collector.h"
#include "report/findings/suppression_files.h"
#include "report/kernels/summary_server.h"
#include "report/options/flags.h"
#include "report/processes/debugger.h"
#include "report/processes/inspect.h"
#include "report/processes/library_link.h"
#include "report/processes/lost_processes.h"
#include "report/processes/program.h"
#include "report/processes/ranks.h"
#include "report/processes/soak_loop.h"
#include "report/processes/status_line.h"
#include "report/processes/unwatched_processes.h"
#include "report/record/summary_cache.h"
#include "tracker/base/text_util.h"
#include "tracker/model/apis.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan run [flags] [--] program [arguments]\n"
    "Runs a program with the gpusan library loaded, prints findings as they happen and a summary "
    "at the end.\n"
    "Exit code: that of the program if it is not 0 (128+n if signal n ended it); 66 if there are "
    "findings at or above --fail-on; 70 if gpusan could not do its work; 124 if --timeout ended "
    "the program and it did not return 0.\n"
    "With --repeat or --until the program runs in a loop. The loop ends with the first iteration "
    "that fails.\n";

using Clock = std::chrono::steady_clock;

constexpr char kRecordName[] = "%x.%p.jsonl";

// One line per API whose attach path is switched off: its calls were not checked.
std::string SwitchedOffApis(const Configuration& configuration) {
  std::string lines;
  for (const ApiInfo& api : kApis) {
    const std::string text = SwitchedOffText(configuration, api);
    if (!text.empty()) lines += "gpusan: " + text + "\n";
  }
  return lines;
}

// Lines about processes without gpusan, and about those that outlive the program.
std::vector<std::string> LostLines(const ProcessLog& log, const UnwatchedProcesses& unwatched,
                                   const std::set<int>& programs, const RecordFolder& folder,
                                   const Collector& collector, const LocalRanks& ranks) {
  std::set<int> named = {getpid()};  // this process, and those that the collector names
  for (const TableProcess& process : collector.table().processes()) named.insert(process.read.pid);
  // The programs that RunCommand started are named already.
  std::map<int, std::string> without = unwatched.without();
  for (const int pid : programs) {
    if (!log.Attached(pid)) without.erase(pid);
  }
  std::vector<std::string> lines = LostPrograms(log, without);
  if (ranks.follower()) return lines;  // the other ranks may still run
  std::map<int, std::string> outliving = ProcessesOfRun(folder.run(), named);
  if (!outliving.empty()) {
    // Helpers of the program may be about to end.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    outliving = ProcessesOfRun(folder.run(), named);
  }
  const std::map<int, std::string> lost = log.Lost();
  for (const auto& [pid, executable] : outliving) {
    std::string line = "process " + std::to_string(pid) + " (" + executable + ") still runs";
    if (log.Attached(pid) || lost.count(pid) == 0) {
      line += folder.keep()
                  ? "; gpusan report " + folder.path() + " shows its later findings"
                  : "; its later activity is not recorded: use --output=FOLDER to keep the "
                    "records";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// "OpenCL" for "opencl".
std::string_view HumanName(std::string_view name) {
  for (const ApiInfo& api : kApis) {
    if (api.name == name) return api.human;
  }
  return name;
}

// Percent signs in the name of a folder are not expanded.
std::string EscapePercent(const std::string& path) {
  std::string escaped;
  for (char c : path) escaped += c == '%' ? "%%" : std::string(1, c);
  return escaped;
}

// What a run needs before the program starts. The functions return the exit code if the command
// ends there.
struct RunSetup {
  std::optional<int> ReadFlags(const std::vector<std::string>& words);
  std::optional<int> Open();

  const Configuration& configuration() const { return flags.configuration; }
  const Options& options() const { return flags.configuration.options; }
  const std::string& program() const { return flags.arguments.front(); }

  ParsedFlags flags;
  SoakLoop loop;
  std::vector<ReportFile> reports;
  Suppressions suppressions;
  std::string library;
  LibraryLink link;
  ProgramReport inspected;
  LocalRanks ranks;
  RecordFolder folder;
  SummaryServer kernels;

 private:
  void ReadRecordName();
  std::optional<int> FindLibraryAndProgram();
  std::optional<int> OpenRecords();
  void OpenSummaries();
};

// The folder of the records is that of --output.
void RunSetup::ReadRecordName() {
  Options& options = flags.configuration.options;
  const auto record = configuration().origins.find("record");
  if (record == configuration().origins.end()) {
    options.record = kRecordName;
  } else if (record->second == "GPUSAN_OPTIONS") {
    Complain("option 'record' in GPUSAN_OPTIONS is not used by gpusan run; use --output");
    flags.configuration.origins.erase(record);
    options.record = kRecordName;
  } else if (options.record.find('/') != std::string::npos ||
             options.record.find(".jsonl") == std::string::npos) {
    flags.complaint =
        record->second +
        ": the value for 'gpusan run' must be a file name that contains .jsonl, without a "
        "folder; name the folder with --output";
  }
}

std::optional<int> RunSetup::ReadFlags(const std::vector<std::string>& words) {
  flags = ParseFlags(words, "run", /*stop_at_argument=*/true);
  Options& options = flags.configuration.options;
  // With a log the process writes findings there, and the command prints them.
  if (!configuration().Given("print")) options.print = !options.log_path.empty();
  // A callback may end the program, or wait for its user.
  if (!configuration().Given("messengers")) options.messengers = false;
  ReadRecordName();
  int done = 0;
  if (DoneByFlags(flags, "run", kUsage, &done)) return done;
  if (const size_t percent = options.output.find('%');
      percent != std::string::npos && percent + 1 < options.output.size() &&
      std::strchr("phrxtnq", options.output[percent + 1]) != nullptr) {
    Complain("--output names a folder, in which '%" + options.output.substr(percent + 1, 1) +
             "' is not expanded; use --record");
  }
  if (const std::string complaint = loop.Set(options); !complaint.empty())
    return Complain(complaint);
  // The status line needs samples.
  if (loop.asked_for() && !configuration().Given("sample_interval")) options.sample_interval = 1000;
  if (flags.arguments.empty()) return Complain("no program to run; see 'gpusan run --help'");
  if (const std::string complaint = ParseReportFiles(options.report, &reports); !complaint.empty())
    return Complain(complaint);
  if (!options.suppressions.empty()) {
    std::error_code error;  // for programs that run in another folder
    options.suppressions = std::filesystem::absolute(options.suppressions, error).string();
  }
  if (const std::string complaint = LoadSuppressions(options, &suppressions); !complaint.empty())
    return Complain("suppressions: " + complaint);
  return std::nullopt;
}

std::optional<int> RunSetup::FindLibraryAndProgram() {
  library = FindLibrary();
  if (const std::string complaint = InspectLibrary(library); !complaint.empty())
    return Complain("cannot load the library: " + complaint);
  if (const std::string complaint = link.Open(library); !complaint.empty())
    return Complain("cannot load the library: " + complaint);
  inspected = InspectProgram(program());
  if (const std::string text = InjectionText(options(), program(), library); !text.empty())
    Complain(text);
  if (!inspected.warning.empty()) {
    Complain("WARNING: gpusan cannot attach: " + inspected.warning +
             "; the program runs without checks");
  }
  return std::nullopt;
}

std::optional<int> RunSetup::OpenRecords() {
  Options& options = flags.configuration.options;
  if (options.merge_ranks) ranks.Meet();
  if (const std::string complaint = folder.Open(options.output, ranks); !complaint.empty())
    return Complain("--output: " + complaint);
  options.record = EscapePercent(folder.path()) + "/" + options.record;
  return std::nullopt;
}

// Without the service, the program runs with less knowledge of its kernels.
void RunSetup::OpenSummaries() {
  if (!options().kernel_analysis || options().opencl_attach == "off") return;
  SummaryServerSettings settings;
  if (const char* path = std::getenv("PATH"); path != nullptr) settings.search_path = path;
  if (options().kernel_cache) settings.cache_folder = SummaryCache::DefaultFolder();
  if (const std::string complaint = kernels.Open(settings); !complaint.empty())
    Complain("--kernel-analysis: " + complaint);
}

std::optional<int> RunSetup::Open() {
  if (const auto code = FindLibraryAndProgram()) return code;
  if (const auto code = OpenRecords()) return code;
  OpenSummaries();
  return std::nullopt;
}

// The program while it runs, once or in a loop, and what follows from its records.
class WatchedRun {
 public:
  explicit WatchedRun(RunSetup& setup)
      : setup_(setup),
        options_(setup.options()),
        collector_(options_, std::move(setup.suppressions),
                   setup.ranks.follower() ? -1 : STDERR_FILENO),
        line_(setup.loop.asked_for() && !options_.quiet),
        metrics_(options_, &collector_),
        unwatched_(setup.library),
        log_(setup.folder.attach_log()) {
    if (setup.folder.keep() || setup.ranks.several()) collector_.FollowRun(setup.folder.run());
  }

  // Both return the exit code if the command ends there.
  std::optional<int> LoadBaseline();
  std::optional<int> RunAll();

  // Prints and writes the results. Returns the exit code.
  int Finish();

 private:
  void Poll(int pid);  // while the program runs
  std::optional<int> RunOnce();
  void Poll() { collector_.PollFolder(setup_.folder.path(), setup_.folder.there_before()); }
  // Lines about processes without gpusan, and about those that outlive the program.
  std::vector<std::string> Lost() const {
    return LostLines(log_, unwatched_, programs_, setup_.folder, collector_, setup_.ranks);
  }
  void AwaitRanks();
  bool MeetsRequirements() const;  // of --require. Complains otherwise
  void WriteReports();
  void WriteSummary();

  RunSetup& setup_;
  const Options& options_;
  Collector collector_;
  StatusLine line_;
  LiveMetrics metrics_;
  Clock::time_point next_records_, next_processes_;
  UnwatchedProcesses unwatched_;
  ProcessLog log_;
  ProgramResult result_;
  std::set<int> programs_;  // the process of each iteration
};

std::optional<int> WatchedRun::LoadBaseline() {
  if (options_.baseline.empty()) return std::nullopt;
  if (access(options_.baseline.c_str(), F_OK) != 0) {
    Complain("--baseline: " + options_.baseline + " does not exist; every finding counts as new");
  } else if (!collector_.LoadBaseline(options_.baseline)) {
    return Complain("--baseline: " + options_.baseline + " is not a complete record");
  }
  return std::nullopt;
}

void WatchedRun::Poll(int pid) {
  const Clock::time_point begin = Clock::now();
  setup_.loop.CheckTimeout(pid);
  setup_.kernels.Poll();
  // With very many files, polling gets a twentieth of the time.
  if (begin >= next_records_ && !setup_.ranks.follower()) {
    Poll();
    const Clock::time_point end = Clock::now();
    next_records_ = end + 20 * (end - begin);
  }
  if (begin >= next_processes_) {
    for (const std::string& trouble : unwatched_.Inspect(pid)) collector_.Trouble(trouble);
    next_processes_ = begin + std::chrono::milliseconds(500);
  }
  if (line_.Due()) line_.Draw(setup_.loop.Status(collector_));
  metrics_.WriteIfDue();
}

std::optional<int> WatchedRun::RunOnce() {
  // Polling is cheap and frequent enough for a reader. inotify would be immediate, but closing it
  // waits for the kernel for 20 ms.
  constexpr int kTickMs = 50;
  const auto look = [&](int pid) { Poll(pid); };
  const auto erase = [&] { line_.Erase(); };
  const RunPlace place = {setup_.program(), setup_.link.path(), &setup_.folder,
                          setup_.kernels.path()};
  const auto environment =
      EnvironmentOfRun(setup_.configuration(), place, !setup_.inspected.harmful);
  if (options_.gdb) {
    // gdb executes the file, and others may be able to write to the folder of records.
    std::string script = TemporaryRoot() + "/gpusan-gdb.XXXXXX";
    const int file = mkostemp(script.data(), O_CLOEXEC);
    if (file < 0) return Complain("--gdb: " + script + ": " + std::strerror(errno));
    close(file);
    if (const std::string complaint = WriteDebuggerScript(script, environment);
        !complaint.empty()) {
      unlink(script.c_str());
      return Complain("--gdb: " + complaint);
    }
    result_ = RunProgram(DebuggerCommand(script, setup_.flags.arguments), {}, kTickMs, look, erase);
    unlink(script.c_str());
  } else {
    result_ = RunProgram(setup_.flags.arguments, environment, kTickMs, look, erase);
  }
  line_.Erase();
  if (result_.start_error != 0)
    return Complain("cannot run '" + (options_.gdb ? "gdb" : setup_.program()) +
                    "': " + std::strerror(result_.start_error));
  programs_.insert(result_.pid);
  if (!setup_.ranks.follower()) Poll();
  log_.Read();
  if (!log_.Attached(result_.pid) && !options_.gdb) {
    collector_.NotAttached(setup_.inspected.warning.empty()
                               ? "DID NOT ATTACH to '" + setup_.program() + "' (pid " +
                                     std::to_string(result_.pid) + "): the loader did not load " +
                                     setup_.library + "; nothing it did was checked"
                               : "");
  }
  collector_.FinishEnded();
  return std::nullopt;
}

std::optional<int> WatchedRun::RunAll() {
  do {
    setup_.loop.BeginIteration();
    if (const auto code = RunOnce()) return code;
  } while (setup_.loop.Continues(result_));
  return std::nullopt;
}

// The other ranks of an MPI program may still write records.
void WatchedRun::AwaitRanks() {
  LocalRanks& ranks = setup_.ranks;
  if (ranks.follower()) {
    Poll();
    if (ranks.Alone()) setup_.folder.Own();
  } else if (ranks.several()) {
    ranks.AwaitOthers([&] { Poll(); });
  }
}

bool WatchedRun::MeetsRequirements() const {
  bool met = true;
  for (const std::string_view api : SplitWords(options_.require, ",")) {
    if (collector_.Saw(api)) continue;
    met = false;
    Complain("--require: no call of " + std::string(HumanName(api)) + " was seen");
  }
  return met;
}

void WatchedRun::WriteReports() {
  for (const ReportFile& file : setup_.reports) {
    std::string note;
    if (const std::string complaint = WriteReportFile(&collector_, file, &note); !complaint.empty())
      collector_.Trouble("--report: " + complaint);
    if (!note.empty() && !options_.quiet) Complain(note);
  }
}

void WatchedRun::WriteSummary() {
  std::string summary =
      collector_.Summary() + SwitchedOffApis(setup_.configuration()) + setup_.kernels.Notes();
  if (options_.gen_suppressions) summary += collector_.GeneratedSuppressions();
  summary = setup_.loop.Summary(setup_.program(), result_) + summary;
  if (collector_.printed()) summary.insert(0, "\n");
  RecordFolder& folder = setup_.folder;
  if (collector_.AnyRuns()) folder.Keep();
  if (folder.keep() && collector_.files() > 0)
    summary += "gpusan: records: " + Printable(folder.path()) + "\n";
  WriteToStderr(summary);
}

int WatchedRun::Finish() {
  const int program_code = setup_.loop.ExitCode(result_);
  if (setup_.ranks.follower() && setup_.ranks.LeaveToLeader()) {
    for (const std::string& lost : Lost()) WriteToStderr("gpusan: " + Printable(lost) + "\n");
    return program_code != 0 ? program_code : collector_.ExitCode(/*count_findings=*/false);
  }
  AwaitRanks();
  collector_.Finish();
  collector_.Lost(Lost());
  if (setup_.link.used() && !ProcessesOfRun(setup_.folder.run(), {getpid()}).empty())
    setup_.link.Keep();
  const bool met = MeetsRequirements();
  metrics_.Write();
  WriteReports();
  if (!options_.quiet) WriteSummary();
  if (program_code != 0) return program_code;
  const int code = collector_.ExitCode();
  return code == 0 && !met ? kExitTrouble : code;
}

}  // namespace

int RunCommand(const std::vector<std::string>& words) {
  RunSetup setup;
  if (const auto code = setup.ReadFlags(words)) return *code;
  if (const auto code = setup.Open()) return *code;
  WatchedRun run(setup);
  if (const auto code = run.LoadBaseline()) return *code;
  if (const auto code = run.RunAll()) return *code;
  return run.Finish();
}

}  // namespace gpusan
