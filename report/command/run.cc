// `gpusan run`.
#include "report/command/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <thread>

#include "report/base/injecting_tools.h"
#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/command/command_line.h"
#include "report/command/report_files.h"
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
#include "report/record/attach_log.h"
#include "report/record/perf_maps.h"
#include "report/record/summary_cache.h"
#include "report/record/summary_service.h"
#include "tracker/base/text_util.h"
#include "tracker/model/apis.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan run [flags] [--] program [arguments]\n"
    "Runs a program with the gpusan library loaded, prints findings as they happen and a summary "
    "at the end.\n"
    "Exit code: the program's own if it fails (128+n for signal n); 66 if there are findings at or "
    "above --fail-on; 70 if gpusan could not do its work; 124 if --timeout ended the program and "
    "it did not return 0.\n"
    "With --repeat or --until the program runs in a loop. The loop ends with the first iteration "
    "that fails.\n";

using Clock = std::chrono::steady_clock;

constexpr char kRecordName[] = "%x.%p.jsonl";

// The folder for the record files: the one of --output, or a temporary one that is removed at the
// end.
class RecordFolder {
 public:
  ~RecordFolder() {
    std::error_code ignored;
    if (attach_log_ >= 0) close(attach_log_);
    if (!keep_ && owned_) std::filesystem::remove_all(path_, ignored);
  }

  // Returns an empty string, or an error message of one line.
  std::string Open(const std::string& wanted, const LocalRanks& ranks) {
    keep_ = !wanted.empty();
    if (ranks.several()) run_ = ranks.run();
    if (!keep_ && ranks.several()) {
      path_ = ranks.folder();
      owned_ = !ranks.follower();
    } else if (keep_) {
      std::error_code error;
      const std::string absolute = std::filesystem::absolute(wanted, error).string();
      if (const int failed = MakeParentFolders(absolute + "/"); failed != 0)
        return wanted + ": " + std::strerror(failed);
      char* real = realpath(absolute.c_str(), nullptr);
      if (real == nullptr) return wanted + ": " + std::strerror(errno);
      path_ = real;
      std::free(real);
    } else {
      const char* variable = std::getenv("TMPDIR");
      std::string name = std::string(variable != nullptr && *variable == '/' ? variable : "/tmp") +
                         "/gpusan.XXXXXX";
      if (mkdtemp(name.data()) == nullptr)
        return "cannot make a temporary folder " + name + ": " + std::strerror(errno);
      path_ = name;
      owned_ = true;
    }
    // Test before the program runs whether files can be created there.
    const std::string trial = path_ + "/.gpusan." + std::to_string(getpid());
    const int fd = open(trial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return "cannot write in " + path_ + ": " + std::strerror(errno);
    close(fd);
    unlink(trial.c_str());
    attach_log_ = memfd_create("gpusan-attached", MFD_CLOEXEC);
    if (attach_log_ < 0) return std::string("cannot create a memory file: ") + std::strerror(errno);
    // Files of other ranks may be there already. They name the run, and older files another one.
    if (!ranks.several()) RecordFilesIn(path_, &there_before_);
    return "";
  }

  const std::string& path() const { return path_; }
  // Where processes append to (attach_log.h). A memory file, because on a full disk a missing line
  // would look like a library that did not load.
  std::string attach_log() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(attach_log_);
  }
  const std::string& run() const { return run_; }
  const std::vector<std::string>& there_before() const { return there_before_; }
  bool keep() const { return keep_; }
  void Keep() { keep_ = true; }
  // The folder is removed at the end unless it is kept.
  void Own() { owned_ = true; }

 private:
  static std::string NewRun() {
    uint64_t number[2] = {};
    if (getrandom(number, sizeof(number), 0) != sizeof(number))
      number[0] = static_cast<uint64_t>(getpid());
    char text[40];
    std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(number[0]),
                  static_cast<unsigned long long>(number[1]));
    return text;
  }

  std::string run_ = NewRun();
  std::string path_;
  int attach_log_ = -1;
  std::vector<std::string> there_before_;
  bool keep_ = false;
  bool owned_ = false;  // a temporary folder of this process
};

// Adds the library to the value of a variable, once, also when one gpusan runs another.
std::string Joined(const std::string& library, const char* variable, bool prepend) {
  const char* value = std::getenv(variable);
  std::string there = value != nullptr ? value : "";
  if (there.empty()) return library;
  if ((":" + there + ":").find(":" + library + ":") != std::string::npos) return there;
  return prepend ? library + ":" + there : there + ":" + library;
}

// Process options that differ from their defaults, for GPUSAN_OPTIONS.
std::string OptionsForProcess(const Options& options) {
  std::string text;
  const Options defaults;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionInfo& info = kOptions[i];
    const std::string value = OptionText(options, info);
    if (info.scope != OptionScope::kProcess || value == OptionText(defaults, info)) continue;
    if (info.name == std::string_view("config")) continue;  // already read
    text += (text.empty() ? "" : ":") + std::string(info.name) + "=" + QuoteOptionValue(value);
  }
  return text;
}

// The value of a variable of words between blanks, with the words that it lacks.
std::string WithWords(const char* variable, std::span<const std::string_view> words) {
  const char* value = std::getenv(variable);
  std::string text = value != nullptr ? value : "";
  for (const std::string_view word : words) {
    if ((" " + text + " ").find(" " + std::string(word) + " ") != std::string::npos) continue;
    text += (text.empty() ? "" : " ") + std::string(word);
  }
  return text;
}

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Runtimes open the map by its name, in a folder that everybody may write to.
bool KernelProtectsLinks() {
  int value = 0;
  return (std::ifstream("/proc/sys/fs/protected_symlinks") >> value) && value != 0;
}

// The variables by which runtimes write the names of the functions that they compile. A runtime
// that the user has set up stays as it is.
void AddPerfMaps(const Options& options, const std::string& program,
                 std::vector<std::pair<std::string, std::string>>* environment) {
  if (options.jit_names == "never" || (options.jit_names == "auto" && !KernelProtectsLinks()))
    return;
  static constexpr std::string_view kMono[] = {"--jitmap"};
  static constexpr std::string_view kNode[] = {"--perf-basic-prof",
                                               "--interpreted-frames-native-stack"};
  const char* const mono = std::getenv("MONO_ENV_OPTIONS");
  const char* const node = std::getenv("NODE_OPTIONS");
  // The library deletes the maps, but not those that the user asks for.
  if ((mono == nullptr || std::strstr(mono, "jitmap") == nullptr) &&
      (node == nullptr || std::strstr(node, "perf") == nullptr) &&
      !IsSet("DOTNET_PerfMapEnabled") && !IsSet("COMPlus_PerfMapEnabled") &&
      !IsSet("PYTHONPERFSUPPORT") && !IsSet("JAVA_TOOL_OPTIONS"))
    environment->emplace_back(kPerfMapsVariable, "1");
  environment->emplace_back("MONO_ENV_OPTIONS", WithWords("MONO_ENV_OPTIONS", kMono));
  if (!IsSet("DOTNET_PerfMapEnabled") && !IsSet("COMPlus_PerfMapEnabled"))
    environment->emplace_back("DOTNET_PerfMapEnabled", "3");  // the map, and no other file
  // Other programs that contain this runtime warn about the variable.
  const std::string_view name = BaseName(program);
  if (name == "node" || name == "nodejs" || name == "npm" || name == "npx")
    environment->emplace_back("NODE_OPTIONS", WithWords("NODE_OPTIONS", kNode));
}

// The variables that start gpusan in the program. layer/process/child_environment.cc has the same
// but for those of AddPerfMaps, which children with an environment of their own do not get. With
// `loads` unset, none of them names the library.
std::vector<std::pair<std::string, std::string>> Environment(
    const Options& options, const std::string& program, const std::string& library,
    const RecordFolder& folder, const SummaryServer& kernels, bool loads) {
  std::vector<std::pair<std::string, std::string>> environment = {
      {"GPUSAN_OPTIONS", OptionsForProcess(options)},
      {kAttachLogVariable, folder.attach_log()},
      {kRunVariable, folder.run()},
      {kSummaryServiceVariable, kernels.path()},
  };
  if (!loads) return environment;
  AddPerfMaps(options, program, &environment);
  environment.emplace_back("LD_PRELOAD", Joined(library, "LD_PRELOAD", true));
  // For programs with a shared address sanitizer.
  environment.emplace_back("ASAN_OPTIONS",
                           Joined("verify_asan_link_order=0", "ASAN_OPTIONS", false));
  if (options.opencl_attach == "auto" || options.opencl_attach == "layer") {
    environment.emplace_back("OPENCL_LAYERS", Joined(library, "OPENCL_LAYERS", false));
  }
  // CUPTI injection serves programs that cannot be preloaded. Another tool in the variable stays,
  // and another tool that will set it gets it unset.
  const bool injects = !IsInjectingTool(program.c_str());
  if ((options.cuda_attach == "auto" && injects &&
       std::getenv("CUDA_INJECTION64_PATH") == nullptr) ||
      options.cuda_attach == "cupti") {
    environment.emplace_back("CUDA_INJECTION64_PATH", library);
  }
  // The names and ranges that the program gives. Another tool in the variable stays.
  if (injects && !IsSet("NVTX_INJECTION64_PATH"))
    environment.emplace_back("NVTX_INJECTION64_PATH", library);
  // Each array of JAX is then an allocation in stream order, instead of a part of one large block.
  if (options.pool_blocks && !IsSet("XLA_PYTHON_CLIENT_ALLOCATOR"))
    environment.emplace_back("XLA_PYTHON_CLIENT_ALLOCATOR", "cuda_async");
  if (options.vulkan_attach != "off") {
    // The manifest of the layer is in the folder of the library.
    const std::string folder_of_library = library.substr(0, library.rfind('/'));
    environment.emplace_back("VK_ADD_LAYER_PATH",
                             Joined(folder_of_library, "VK_ADD_LAYER_PATH", true));
    environment.emplace_back("VK_INSTANCE_LAYERS",
                             Joined("VK_LAYER_GPUSAN_shadow", "VK_INSTANCE_LAYERS", true));
  }
  return environment;
}

// Returns a sentence about the injection of CUDA if another tool has it; otherwise an empty string.
std::string InjectionText(const Options& options, const std::string& program,
                          const std::string& library) {
  const char* const value = std::getenv("CUDA_INJECTION64_PATH");
  const bool other = value != nullptr && *value != '\0' && value != library;
  if (options.cuda_attach == "cupti") {
    if (other)
      return std::string("CUDA_INJECTION64_PATH is ") + value +
             ", which --cuda-attach=cupti replaces: the driver loads one tool only";
    if (IsInjectingTool(program.c_str()))
      return std::string(BaseName(program)) +
             " does not work with --cuda-attach=cupti: the driver loads one tool only";
    return "";
  }
  if (options.cuda_attach != "auto") return "";
  std::string user;
  if (other) {
    user = std::string("CUDA_INJECTION64_PATH is ") + value;
  } else if (IsInjectingTool(program.c_str())) {
    user = "CUDA_INJECTION64_PATH is left to " + std::string(BaseName(program));
  } else {
    return "";
  }
  return user + ": gpusan watches CUDA by LD_PRELOAD alone, and not in programs that bypass it";
}

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
std::vector<std::string> LostLines(const ProcessLog& log, const UnseenProcesses& unseen,
                                   const std::set<int>& programs, const RecordFolder& folder,
                                   const Collector& collector, const LocalRanks& ranks) {
  std::set<int> named = {getpid()};  // this process, and those that the collector names
  for (const TableProcess& process : collector.table().processes()) named.insert(process.read.pid);
  // The programs that RunCommand started are named already.
  std::map<int, std::string> without = unseen.without();
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

}  // namespace

int RunCommand(const std::vector<std::string>& words) {
  ParsedFlags flags = ParseFlags(words, "run", /*stop_at_argument=*/true);
  Configuration& configuration = flags.configuration;
  Options& options = configuration.options;
  // With a log the process writes findings there, and the command prints them.
  if (!configuration.Given("print")) options.print = !options.log_path.empty();
  if (const auto record = configuration.origins.find("record");
      record == configuration.origins.end()) {
    options.record = kRecordName;
  } else if (record->second == "GPUSAN_OPTIONS") {
    Complain("option 'record' in GPUSAN_OPTIONS is not used by gpusan run; use --output");
    configuration.origins.erase(record);
    options.record = kRecordName;
  } else if (options.record.find('/') != std::string::npos ||
             options.record.find(".jsonl") == std::string::npos) {
    flags.complaint =
        record->second +
        ": the value for 'gpusan run' must be a file name that contains .jsonl, without a "
        "folder; name the folder with --output";
  }
  int done = 0;
  if (DoneByFlags(flags, "run", kUsage, &done)) return done;
  if (const size_t percent = options.output.find('%');
      percent != std::string::npos && percent + 1 < options.output.size() &&
      std::strchr("phrxtnq", options.output[percent + 1]) != nullptr) {
    Complain("--output names a folder, in which '%" + options.output.substr(percent + 1, 1) +
             "' is not expanded; use --record");
  }
  SoakLoop loop;
  if (const std::string complaint = loop.Set(options); !complaint.empty())
    return Complain(complaint);
  // The status line needs samples.
  if (loop.asked_for() && !configuration.Given("sample_interval")) options.sample_interval = 1000;
  if (flags.arguments.empty()) return Complain("no program to run; see 'gpusan run --help'");

  std::vector<ReportFile> reports;
  if (const std::string complaint = ParseReportFiles(options.report, &reports); !complaint.empty())
    return Complain(complaint);
  if (!options.suppressions.empty()) {
    std::error_code error;  // for programs that run in another folder
    options.suppressions = std::filesystem::absolute(options.suppressions, error).string();
  }
  Suppressions suppressions;
  if (const std::string complaint = LoadSuppressions(options, &suppressions); !complaint.empty())
    return Complain("suppressions: " + complaint);
  const std::string library = FindLibrary();
  if (const std::string complaint = InspectLibrary(library); !complaint.empty()) {
    return Complain("cannot load the library: " + complaint);
  }
  LibraryLink link;
  if (const std::string complaint = link.Open(library); !complaint.empty())
    return Complain("cannot load the library: " + complaint);
  const std::string& program = flags.arguments.front();
  const ProgramReport report = InspectProgram(program);
  if (const std::string text = InjectionText(options, program, library); !text.empty())
    Complain(text);
  if (!report.warning.empty()) {
    Complain("WARNING: gpusan cannot attach: " + report.warning +
             "; the program runs without checks");
  }
  LocalRanks ranks;
  if (options.merge_ranks) ranks.Meet();
  RecordFolder folder;
  if (const std::string complaint = folder.Open(options.output, ranks); !complaint.empty())
    return Complain("--output: " + complaint);
  options.record = EscapePercent(folder.path()) + "/" + options.record;

  SummaryServer kernels;
  if (options.kernel_analysis && options.opencl_attach != "off") {
    SummaryServerSettings settings;
    if (const char* path = std::getenv("PATH"); path != nullptr) settings.search_path = path;
    if (options.kernel_cache) settings.cache_folder = SummaryCache::DefaultFolder();
    if (const std::string complaint = kernels.Open(settings); !complaint.empty())
      Complain("--kernel-analysis: " + complaint);
  }

  Collector collector(options, std::move(suppressions), ranks.follower() ? -1 : STDERR_FILENO);
  if (!options.baseline.empty()) {
    if (access(options.baseline.c_str(), F_OK) != 0) {
      Complain("--baseline: " + options.baseline + " does not exist; every finding counts as new");
    } else if (!collector.LoadBaseline(options.baseline)) {
      return Complain("--baseline: " + options.baseline + " is not a complete record");
    }
  }
  if (folder.keep() || ranks.several()) collector.FollowRun(folder.run());
  StatusLine line(loop.asked_for() && !options.quiet);
  LiveMetrics metrics(options, &collector);
  // Polling is cheap and frequent enough for a reader. inotify would be immediate, but closing it
  // waits for the kernel for 20 ms. With very many files, polling gets a twentieth of the time.
  constexpr int kTickMs = 50;
  Clock::time_point next_records;
  Clock::time_point next_processes;
  UnseenProcesses unseen(library);
  const auto look = [&](int pid) {
    const Clock::time_point begin = Clock::now();
    loop.Look(pid);
    kernels.Look();
    if (begin >= next_records && !ranks.follower()) {
      collector.PollFolder(folder.path(), folder.there_before());
      const Clock::time_point end = Clock::now();
      next_records = end + 20 * (end - begin);
    }
    if (begin >= next_processes) {
      for (const std::string& trouble : unseen.Look(pid)) collector.Trouble(trouble);
      next_processes = begin + std::chrono::milliseconds(500);
    }
    if (line.Due()) line.Draw(loop.Status(collector));
    metrics.Look();
  };
  ProgramResult result;
  std::set<int> programs;
  ProcessLog log(folder.attach_log());
  do {
    loop.BeginTurn();
    const auto environment =
        Environment(options, program, link.path(), folder, kernels, !report.harmful);
    if (options.gdb) {
      const std::string script = folder.path() + "/.gdb." + std::to_string(getpid());
      if (const std::string complaint = WriteDebuggerScript(script, environment);
          !complaint.empty())
        return Complain("--gdb: " + complaint);
      result = RunProgram(DebuggerCommand(script, flags.arguments), {}, kTickMs, look,
                          [&] { line.Erase(); });
      unlink(script.c_str());
    } else {
      result = RunProgram(flags.arguments, environment, kTickMs, look, [&] { line.Erase(); });
    }
    line.Erase();
    if (result.start_error != 0)
      return Complain("cannot run '" + (options.gdb ? "gdb" : program) +
                      "': " + std::strerror(result.start_error));
    programs.insert(result.pid);
    if (!ranks.follower()) collector.PollFolder(folder.path(), folder.there_before());
    log.Read();
    if (!log.Attached(result.pid) && !options.gdb) {
      collector.NotAttached(report.warning.empty()
                                ? "DID NOT ATTACH to '" + program + "' (pid " +
                                      std::to_string(result.pid) + "): the loader did not load " +
                                      library + "; nothing it did was checked"
                                : "");
    }
    collector.FinishEnded();
  } while (loop.Again(result));
  const auto poll = [&] { collector.PollFolder(folder.path(), folder.there_before()); };
  if (ranks.follower() && ranks.LeaveToLeader()) {
    for (const std::string& lost : LostLines(log, unseen, programs, folder, collector, ranks))
      WriteToStderr("gpusan: " + Printable(lost) + "\n");
    const int code = loop.ExitCode(result);
    return code != 0 ? code : collector.ExitCode(/*count_findings=*/false);
  }
  if (ranks.follower()) {
    poll();
    if (ranks.Alone()) folder.Own();
  }
  if (ranks.several() && !ranks.follower()) ranks.AwaitOthers(poll);
  collector.Finish();
  collector.Lost(LostLines(log, unseen, programs, folder, collector, ranks));
  if (link.used() && !ProcessesOfRun(folder.run(), {getpid()}).empty()) link.Keep();
  bool unmet = false;
  for (const std::string_view api : SplitWords(options.require, ",")) {
    if (collector.Saw(api)) continue;
    unmet = true;
    Complain("--require: no call of " + std::string(HumanName(api)) + " was seen");
  }
  metrics.Write();
  for (const ReportFile& file : reports) {
    std::string note;
    if (const std::string complaint = WriteReportFile(&collector, file, &note); !complaint.empty())
      collector.Trouble("--report: " + complaint);
    if (!note.empty() && !options.quiet) Complain(note);
  }
  if (!options.quiet) {
    std::string summary = collector.Summary() + SwitchedOffApis(configuration) + kernels.Notes();
    if (options.gen_suppressions) summary += collector.GeneratedSuppressions();
    summary = loop.Summary(program, result) + summary;
    if (collector.printed()) summary.insert(0, "\n");
    if (collector.AnyRuns()) folder.Keep();
    if (folder.keep() && collector.files() > 0)
      summary += "gpusan: records: " + Printable(folder.path()) + "\n";
    WriteToStderr(summary);
  }
  if (const int code = loop.ExitCode(result); code != 0) return code;
  const int code = collector.ExitCode();
  return code == 0 && unmet ? kExitTrouble : code;
}

}  // namespace gpusan
