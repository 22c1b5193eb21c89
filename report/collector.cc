// Bringing the records of many processes together.
#include "report/collector.h"

#include <dirent.h>
#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "report/safe_write.h"

namespace gpusan {
namespace {

constexpr char kExtension[] = ".jsonl";

bool IsRecordName(const std::string& name) {
  const size_t at = name.rfind(kExtension);
  if (at == std::string::npos) return false;
  std::string_view rest = std::string_view(name).substr(at + std::strlen(kExtension));
  if (rest.empty()) return true;
  if (rest.front() != '.' || rest.size() == 1) return false;
  rest.remove_prefix(1);
  return std::all_of(rest.begin(), rest.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string Count(uint64_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string HostName() {
  utsname names;
  return uname(&names) == 0 ? names.nodename : "";
}

std::string ProcessName(const ReadProcess& process) {
  return (process.exe.empty() ? "a program" : process.exe) + " (pid " +
         std::to_string(process.pid) + ")";
}

// By its executable: the number may belong to another process by now, or to one that waits to be
// reaped.
bool StillRuns(const ReadProcess& process) {
  if (process.pid <= 0 || process.host != HostName()) return false;
  char path[4096];
  const std::string link = "/proc/" + std::to_string(process.pid) + "/exe";
  const ssize_t length = readlink(link.c_str(), path, sizeof(path));
  return length > 0 && process.exe == std::string_view(path, static_cast<size_t>(length));
}

constexpr Severity kSeverities[] = {Severity::kError, Severity::kWarning, Severity::kNote};

}  // namespace

bool SeverityFrom(const std::string& fail_on, Severity* severity) {
  for (const Severity candidate : kSeverities) {
    if (fail_on == SeverityName(candidate)) return *severity = candidate, true;
  }
  return false;
}

bool RecordFilesIn(const std::string& folder, std::vector<std::string>* files) {
  DIR* stream = opendir(folder.c_str());
  if (stream == nullptr) return false;
  while (const dirent* entry = readdir(stream)) {
    if (IsRecordName(entry->d_name)) files->push_back(folder + "/" + entry->d_name);
  }
  closedir(stream);
  std::sort(files->begin(), files->end());
  return true;
}

Collector::Collector(const Options& options, Suppressions suppressions, int findings_fd)
    : options_(options),
      suppressions_(std::move(suppressions)),
      symbolizer_([this](const std::string& line) {
        if (!options_.quiet) WriteToStderr("gpusan: " + line + "\n");
      }),
      fd_(findings_fd),
      style_(StyleFor(findings_fd)) {}

bool Collector::Poll(const std::string& file) {
  std::unique_ptr<RecordReader>& reader = readers_[file];
  if (reader == nullptr) reader = std::make_unique<RecordReader>(file, this);
  if (reader->Poll()) return true;
  Trouble("cannot read " + file + ": " + std::strerror(errno));
  return false;
}

bool Collector::PollFolder(const std::string& folder, const std::vector<std::string>& ignored) {
  std::vector<std::string> files;
  if (!RecordFilesIn(folder, &files)) {
    Trouble("cannot read " + folder + ": " + std::strerror(errno));
    return false;
  }
  bool all = true;
  for (const std::string& file : files) {
    if (!std::binary_search(ignored.begin(), ignored.end(), file)) all = Poll(file) && all;
  }
  return all;
}

void Collector::Finish() {
  for (const auto& [file, reader] : readers_) {
    reader->Finish();
    const ReadProcess& process = reader->process();
    if (process.seen && !process.ended) {
      const bool runs = StillRuns(process);
      any_runs_ = any_runs_ || runs;
      incomplete_.push_back(ProcessName(process) +
                            (runs ? " still runs" : " ended without its last record"));
    }
    const auto lost = process.dropped.find("records");
    if (lost != process.dropped.end()) {
      Trouble(ProcessName(process) + " could not write " +
              Count(lost->second, "record", "records") + " to " + file);
    }
  }
}

void Collector::Trouble(const std::string& line) {
  ++troubles_;
  WriteToStderr("gpusan: " + line + "\n");
}

void Collector::OnTrouble(const ReadProcess&, const std::string& line) { Trouble(line); }

void Collector::OnWarning(const ReadProcess& process, const std::string& text) {
  Trouble("warning from " + ProcessName(process) + ": " + text);
}

std::vector<TextFrame> Collector::Symbolize(const ReadProcess& process,
                                            const std::vector<RecordFrame>& frames) {
  std::vector<TextFrame> shown;
  for (const RecordFrame& frame : frames) {
    const auto module = process.modules.find(frame.module);
    if (module == process.modules.end()) {
      shown.push_back(TextFrame{.offset = frame.offset});
      continue;
    }
    const auto found =
        symbolizer_.Symbolize(module->second.path, module->second.build_id, frame.offset);
    shown.insert(shown.end(), found.begin(), found.end());
  }
  return shown;
}

void Collector::OnFinding(const ReadProcess& process, ReadFinding&& finding) {
  const auto [entry, is_new] = groups_.try_emplace(finding.fingerprint);
  if (!is_new) return;
  TextFinding& text = finding.text;
  text.frames = Symbolize(process, finding.frames);
  for (size_t i = 0; i < text.parties.size(); ++i) {
    text.parties[i].frames = Symbolize(process, finding.party_frames[i]);
  }
  Group& group = entry->second;
  group.severity = text.severity;
  group.rule = text.rule;
  group.suppressed = suppressions_.Matches(text);
  if (group.suppressed) return;
  IoGuard guard;
  WriteAll(fd_, FormatFinding(text, style_));
}

uint64_t Collector::Occurrences(const std::string& fingerprint) const {
  uint64_t sum = 0;
  for (const auto& [file, reader] : readers_) {
    const ReadProcess& process = reader->process();
    const auto count = [&](const std::map<std::string, uint64_t>& table) {
      const auto found = table.find(fingerprint);
      return found == table.end() ? uint64_t{0} : found->second;
    };
    sum += std::max(count(process.written), count(process.counts));
  }
  return sum;
}

std::string Collector::Summary() const {
  const TextStyle style = StyleFor(STDERR_FILENO);
  uint64_t processes = 0;
  for (const auto& [file, reader] : readers_) processes += reader->process().seen ? 1 : 0;
  // Severity and check -> places, times.
  std::map<std::pair<int, std::string>, std::pair<uint64_t, uint64_t>> table;
  uint64_t suppressed = 0;
  uint64_t by_severity[3] = {};
  for (const auto& [fingerprint, group] : groups_) {
    if (group.suppressed) {
      ++suppressed;
      continue;
    }
    ++by_severity[static_cast<int>(group.severity)];
    auto& [places, times] = table[{-static_cast<int>(group.severity), group.rule}];
    ++places;
    times += Occurrences(fingerprint);
  }
  std::string counts;
  for (const Severity severity : kSeverities) {
    const uint64_t count = by_severity[static_cast<int>(severity)];
    if (count == 0) continue;
    const std::string name = SeverityName(severity);
    counts += (counts.empty() ? "" : ", ") +
              ColorSeverity(severity, Count(count, name, name + "s"), style);
  }
  if (counts.empty()) counts = processes == 0 ? "no call of a GPU API was seen" : "no findings";
  std::string out = "gpusan: " + counts;
  if (processes > 0) out += " in " + Count(processes, "process", "processes");
  if (suppressed > 0) out += "; " + std::to_string(suppressed) + " suppressed";
  out += "\n";
  for (const auto& [key, row] : table) {
    std::string line = std::string("  ") + SeverityName(static_cast<Severity>(-key.first));
    line.resize(11, ' ');
    line += key.second;
    if (line.size() < 36) line.resize(36, ' ');
    out += "gpusan:" + line + " " + Count(row.first, "place", "places") + ", " +
           Count(row.second, "time", "times") + "\n";
  }
  for (const Suppression& line : suppressions_.lines()) {
    out += "gpusan:   suppression " + line.file + ":" + std::to_string(line.line) + " " +
           line.check + ":" + line.glob + " " + Count(line.hits, "hit", "hits") + "\n";
  }
  for (const std::string& line : incomplete_) {
    out += "gpusan: " + ColorSeverity(Severity::kWarning, "incomplete", style) + ": " + line +
           ", so this run does not count as clean\n";
  }
  return out;
}

int Collector::ExitCode() const {
  Severity least;
  const bool fails = SeverityFrom(options_.fail_on, &least);
  for (const auto& [fingerprint, group] : groups_) {
    if (fails && !group.suppressed && group.severity >= least) return kExitFindings;
  }
  if (troubles_ > 0 || (fails && !incomplete_.empty())) return kExitTrouble;
  return 0;
}

}  // namespace gpusan
