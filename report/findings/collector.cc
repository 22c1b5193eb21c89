// Combines the records of many processes.
#include "report/findings/collector.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <utility>

#include "report/base/printable.h"
#include "report/base/regular_file.h"
#include "report/base/safe_write.h"
#include "report/base/time_text.h"
#include "report/findings/merged_duplicates.h"
#include "report/findings/progress.h"
#include "report/record/process_fingerprint.h"
#include "report/record/site_record.h"
#include "report/text/framework_remedies.h"
#include "report/text/handle_numbers.h"
#include "report/text/redaction.h"
#include "report/text/runtime_calls.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr char kExtension[] = ".jsonl";
constexpr char kMoment[] = "%Y-%m-%d %H:%M:%S";

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

// The main file of a further part, which is read with it. The path itself for other files, and when
// the main file no longer exists.
std::string MainFileOf(const std::string& path) {
  const size_t at = path.rfind(".part");
  if (at == std::string::npos || at + 5 == path.size() ||
      path.find_first_not_of("0123456789", at + 5) != std::string::npos)
    return path;
  const std::string main = path.substr(0, at);
  struct stat status;
  return IsRecordName(main) && stat(main.c_str(), &status) == 0 ? main : path;
}

std::string HostName() {
  utsname names;
  return uname(&names) == 0 ? names.nodename : "";
}

// Compares the executable: the pid may now belong to another process, or to a zombie.
bool StillRuns(const ReadProcess& process) {
  if (process.pid <= 0 || process.host != HostName()) return false;
  char path[4096];
  const std::string link = "/proc/" + std::to_string(process.pid) + "/exe";
  const ssize_t length = readlink(link.c_str(), path, sizeof(path));
  return length > 0 && process.exe == std::string_view(path, static_cast<size_t>(length));
}

constexpr Severity kSeverities[] = {Severity::kError, Severity::kWarning, Severity::kNote};

// Two findings with the same hash have equal records, except for addresses, times and texts.
uint64_t RecordedAs(const ModuleTable& modules, const ReadFinding& finding) {
  Fingerprint hash;
  hash.Add(finding.text.rule);
  hash.Add(finding.api);
  hash.Add(finding.text.call);
  hash.Add(static_cast<uint64_t>(finding.text.severity));
  const auto add = [&](const std::vector<RecordFrame>& frames) {
    for (const RecordFrame& frame : frames) {
      const auto module = modules.find(frame.module);
      // Equal modules are one object.
      const ReadModule* known = module == modules.end() ? nullptr : module->second;
      hash.Add(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(known)));
      hash.Add(known == nullptr ? 0 : frame.offset);
    }
    hash.Add("");
  };
  for (const FindingResource& resource : finding.text.resources) hash.Add(resource.kind);
  hash.Add("");
  add(finding.frames);
  for (size_t i = 0; i < finding.party_frames.size(); ++i) {
    hash.Add(finding.text.parties[i].role);
    add(finding.party_frames[i]);
  }
  return hash.value();
}

}  // namespace

std::string ProcessName(const ReadProcess& process) {
  std::string name = process.exe.empty() ? "a program" : process.exe;
  if (!process.rank.empty() && process.rank != "0") name += " rank " + process.rank;
  return name + " (pid " + std::to_string(process.pid) + ")";
}

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
        if (!options_.quiet) WriteToStderr("gpusan: " + Printable(line, /*lines=*/true) + "\n");
      }),
      sources_of_program_(options.source_root),
      fd_(findings_fd),
      printer_(options, findings_fd) {}

// A part contains samples and commands only.
struct Collector::Part final : RecordVisitor {
  Part(const std::string& file, Collector* collector, const ReadProcess* main, uint64_t number)
      : collector(*collector), main(*main), number(number), reader(file, this) {}

  void OnFinding(const ReadProcess&, ReadFinding&&) override {}
  void OnWarning(const ReadProcess&, const std::string&) override {}
  void OnTrouble(const ReadProcess&, const std::string& line) override { collector.Trouble(line); }
  void OnSample(const ReadProcess&, ReadSample&& sample) override {
    collector.AddSample(main, std::move(sample), number);
  }
  void OnCommands(const ReadProcess&, ReadCommands&& commands) override {
    collector.AddCommands(main, std::move(commands), number);
  }

  Collector& collector;
  const ReadProcess& main;
  const uint64_t number;
  RecordReader reader;
};

Collector::~Collector() = default;

void Collector::PollParts(const std::string& file, RecordReader* reader) {
  const auto cap = reader->process().options.find("record_max");
  if (cap == reader->process().options.end() || cap->second == "0") return;
  const size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  const std::string start = file.substr(slash + 1) + ".part";
  DIR* stream = opendir(folder.c_str());
  if (stream == nullptr) return;
  auto& parts = parts_[file];
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name.substr(0, start.size()) != start) continue;
    const uint64_t number = std::strtoull(name.data() + start.size(), nullptr, 10);
    std::unique_ptr<Part>& part = parts[number];
    if (number == 0 || part != nullptr) continue;
    part = std::make_unique<Part>(file + ".part" + std::to_string(number), this, &reader->process(),
                                  number);
    part->reader.ShareTables(reader);
  }
  closedir(stream);
  for (auto& [number, part] : parts) {
    if (part != nullptr) part->reader.Poll(on_progress_);  // a deleted part had older samples
  }
}

void Collector::FinishReader(const std::string& file) {
  if (const auto parts = parts_.find(file); parts != parts_.end()) {
    for (auto& [number, part] : parts->second) {
      if (part != nullptr) part->reader.Finish();
    }
    parts_.erase(parts);
  }
  readers_[file]->Finish();
}

bool Collector::Poll(const std::string& file) {
  const auto [known, is_new] = readers_.try_emplace(file);
  std::unique_ptr<RecordReader>& reader = known->second;
  if (is_new) reader = std::make_unique<RecordReader>(file, this);
  if (reader == nullptr) return true;  // already completed
  if (reader->Poll(on_progress_)) {
    PollParts(file, reader.get());
    return true;
  }
  Trouble("cannot read " + file + ": " + reader->failure());
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
    if (std::binary_search(ignored.begin(), ignored.end(), file) || OfAnotherRun(file)) continue;
    all = Poll(file) && all;
  }
  return all;
}

bool Collector::OfAnotherRun(const std::string& file) {
  if (run_.empty() || readers_.count(file) != 0) return false;
  if (others_.count(file) != 0) return true;
  std::string begin(512, '\0');  // the run is at the start of the process record
  std::string why;
  const int fd = OpenRegularFile(file, &why);
  if (fd < 0) return false;  // reading it says why
  const ssize_t count = pread(fd, begin.data(), begin.size(), 0);
  close(fd);
  begin.resize(count > 0 ? static_cast<size_t>(count) : 0);
  constexpr std::string_view kMember = "\"run\":\"";
  constexpr std::string_view kMerge = R"({"type":"merge")";
  const std::string_view line = std::string_view(begin).substr(0, begin.find("\"ppid\""));
  const size_t member = line.find(kMember);
  const bool others = line.substr(0, kMerge.size()) == kMerge ||
                      (member != std::string_view::npos &&
                       line.substr(member + kMember.size(), run_.size() + 1) != run_ + "\"");
  if (others) others_.insert(file);
  return others || line.empty();  // the file is just being created: try again later
}

void Collector::ReadAll(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::set<std::pair<dev_t, ino_t>> seen;  // a file may have two names
  uint64_t bytes = 0;
  for (const std::string& path : paths) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) {
      Trouble("cannot read " + path + ": " + std::strerror(errno));
      continue;
    }
    std::vector<std::string> found = {MainFileOf(path)};
    if (S_ISDIR(status.st_mode)) {
      found.clear();
      if (!RecordFilesIn(path, &found))
        Trouble("cannot read " + path + ": " + std::strerror(errno));
      else if (found.empty())
        Trouble("no record files (*.jsonl) in " + path);
    }
    for (const std::string& file : found) {
      if (stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
          !seen.insert({status.st_dev, status.st_ino}).second)
        continue;
      files.push_back(file);
    }
  }
  WithoutCopies once = LeaveOutCopies(files);
  for (const std::string& note : once.notes) {
    if (!options_.quiet) WriteToStderr("gpusan: " + Printable(note) + "\n");
  }
  files = std::move(once.files);
  for (const std::string& file : files) {
    struct stat status;
    if (stat(file.c_str(), &status) == 0) bytes += static_cast<uint64_t>(status.st_size);
  }
  Progress progress("reading", bytes, !options_.quiet);
  on_progress_ = [&](uint64_t count) { progress.Advance(count); };
  for (const std::string& file : files) {
    // Finish each file at once, so that only its counts stay in memory.
    if (readers_.count(file) != 0) continue;
    if (Poll(file)) FinishReader(file);
    readers_[file].reset();
  }
  on_progress_ = nullptr;
  Finish();
}

bool Collector::LoadBaseline(const std::string& path) {
  Options options = options_;
  options.quiet = true;
  auto older = std::make_unique<Collector>(options, Suppressions(), -1);
  older->ReadAll({path});
  // A file with incomplete processes is still a baseline.
  if (older->troubles_ > 0) return false;
  baseline_ = std::move(older);
  return true;
}

void Collector::Finish() {
  for (const auto& [file, reader] : readers_) {
    if (reader != nullptr) FinishReader(file);
  }
}

void Collector::FinishEnded() {
  for (auto& [file, reader] : readers_) {
    if (reader == nullptr || !reader->process().ended || StillRuns(reader->process())) continue;
    FinishReader(file);
    reader.reset();
  }
}

void Collector::OnDone(ReadProcess&& process) {
  running_.erase(&process);
  const auto slot = slots_.find(&process);
  const bool known = slot != slots_.end();
  if (!process.seen && !known) return;
  const uint32_t index = known ? slot->second : table_.AddProcess();
  if (known) slots_.erase(slot);
  process.arguments = Redacted(std::move(process.arguments), options_.redact);
  if (process.seen && !process.ended) {
    const bool runs = StillRuns(process);
    any_runs_ = any_runs_ || runs;
    incomplete_.push_back(ProcessName(process) +
                          (runs ? " still runs" : " ended without an end record"));
  }
  const std::string name = ProcessName(process);
  const std::string file = process.file;
  const auto lost = process.dropped.find("records");
  const uint64_t lost_records = lost == process.dropped.end() ? 0 : lost->second;
  table_.ProcessDone(index, std::move(process));
  const uint64_t unwritten = table_.processes()[index].unwritten;
  if (lost_records > 0) {
    Trouble(name + " could not write " + CountText(lost_records, "record", "records") + " to " +
            file);
  } else if (unwritten > 0) {
    Trouble(name + " counted " + CountText(unwritten, "finding", "findings") +
            " whose record is not in " + file);
  }
}

uint32_t Collector::Slot(const ReadProcess& process) {
  const auto [slot, is_new] = slots_.try_emplace(&process);
  if (is_new) slot->second = table_.AddProcess();
  return slot->second;
}

void Collector::Trouble(const std::string& line) {
  ++troubles_;
  WriteToStderr("gpusan: " + Printable(line, /*lines=*/true) + "\n");
}

void Collector::NotAttached(const std::string& line) {
  not_attached_ = true;
  if (line.empty()) {
    ++troubles_;
  } else {
    Trouble(line);
  }
}

void Collector::OnTrouble(const ReadProcess&, const std::string& line) { Trouble(line); }

void Collector::OnWarning(const ReadProcess& process, const std::string& text) {
  Trouble("warning from " + ProcessName(process) + ": " + text);
}

void Collector::OnSample(const ReadProcess& process, ReadSample&& sample) {
  AddSample(process, std::move(sample), 0);
}

void Collector::AddSample(const ReadProcess& process, ReadSample&& sample, uint64_t part) {
  table_.AddSample(Slot(process), sample, part);
  Running& running = running_[&process];
  uint64_t calls = 0;
  for (const auto& [api, count] : sample.calls) calls += count;
  const double seconds = static_cast<double>(sample.time_ns - running.time_ns) / 1e9;
  if (running.time_ns != 0 && seconds > 0 && calls >= running.calls)
    running.calls_per_second = static_cast<double>(calls - running.calls) / seconds;
  running.time_ns = sample.time_ns;
  running.calls = calls;
  running.ledger = std::move(sample.ledger);
  running.calls_by_api = std::move(sample.calls);
}

void Collector::OnCommands(const ReadProcess& process, ReadCommands&& commands) {
  AddCommands(process, std::move(commands), 0);
}

void Collector::AddCommands(const ReadProcess& process, ReadCommands&& commands, uint64_t part) {
  table_.AddCommands(Slot(process), commands, part);
}

void Collector::OnEnd(const ReadProcess& process) {
  running_.erase(&process);
  table_.BeginTallies(Slot(process));
}

void Collector::OnTally(const ReadProcess& process, const std::string& fingerprint,
                        uint64_t count) {
  table_.Tally(Slot(process), fingerprint, count);
}

void Collector::OnLastSeen(const ReadProcess& process, const std::string& fingerprint,
                           int64_t time_ns) {
  table_.LastSeen(Slot(process), fingerprint, time_ns);
}

std::vector<TextFrame> Collector::Symbolize(const ModuleTable& modules,
                                            const std::vector<RecordFrame>& frames) {
  std::vector<TextFrame> shown;
  for (const RecordFrame& frame : frames) {
    const auto module = modules.find(frame.module);
    if (module == modules.end()) {
      shown.push_back(TextFrame{.offset = frame.offset});
      continue;
    }
    if (const ReadModule& function = *module->second; !function.function.empty()) {
      shown.push_back(SourceTextFrame({.path = function.path,
                                       .build_id = "",
                                       .function = function.function,
                                       .language = function.language,
                                       .first_line = function.first_line},
                                      frame.offset));
      continue;
    }
    const auto& found =
        symbolizer_.Symbolize(module->second->path, module->second->build_id, frame.offset);
    shown.insert(shown.end(), found.begin(), found.end());
    // Frames above main are the start-up code of the C library.
    if (shown.back().function == "main") break;
  }
  return shown;
}

void Collector::Resolve(const ModuleTable& modules, ReadFinding* finding) {
  TextFinding& text = finding->text;
  if (finding->merged) {
    NumberHandles(&text);
    return;
  }
  text.frames = Symbolize(modules, finding->frames);
  for (size_t i = 0; i < text.parties.size(); ++i) {
    text.parties[i].frames = Symbolize(modules, finding->party_frames[i]);
  }
  NameRuntimeCalls(&text);
  NameFrameworkRemedy(&text);
  NumberHandles(&text);
  const auto note = [&](const std::vector<RecordFrame>& frames) {
    for (const RecordFrame& frame : frames) {
      const auto module = modules.find(frame.module);
      if (module != modules.end() && module->second->function.empty())
        finding->build_ids[module->second->path] = module->second->build_id;
    }
  };
  note(finding->frames);
  for (const auto& frames : finding->party_frames) note(frames);
}

void Collector::OnFinding(const ReadProcess& process, ReadFinding&& finding) {
  constexpr size_t kMostKnown = 100000;
  const uint32_t slot = finding.merged ? kNoIndex : Slot(process);
  const uint32_t file = table_.FileIndex(process.file);
  const uint64_t recorded = finding.merged ? 0 : RecordedAs(*process.modules, finding);
  if (const auto known = known_.find(recorded); !finding.merged && known != known_.end()) {
    finding.text.severity = known->second.severity;
    table_.Add(known->second.group, finding, slot, file);
    return;
  }
  Resolve(*process.modules, &finding);
  FindingKey key;
  if (!finding.merged || !ParseKey(finding.fingerprint, &key)) {
    key = KeyOf(finding.text, finding.api, [&](const std::string& module) {
      const auto id = finding.build_ids.find(module);
      return id == finding.build_ids.end() ? std::string() : id->second;
    });
  }
  bool is_new = false;
  const uint32_t index = table_.GroupOf(key, &is_new);
  FindingGroup& group = table_.groups()[index];
  const Severity before = group.severity;
  table_.Add(index, finding, slot, file);
  if (!finding.merged) {
    if (known_.size() >= kMostKnown) known_.clear();
    known_[recorded] = {index, finding.text.severity};
  }
  if (is_new) {
    group.suppression = static_cast<uint16_t>(suppressions_.Match(finding.text));
    group.in_baseline = baseline_ != nullptr && baseline_->table().FindGroup(key) != kNoIndex;
    if (group.suppression == 0) NoteMissingLines(finding);
  }
  // A finding is printed again when its severity is not the printed one any more: it has become
  // more severe, or a later event of its process shows that it is less so.
  if (is_new || group.severity != before) {
    if (group.suppression == 0 && fd_ >= 0) Print(process, &finding, !is_new && finding.refresh);
  }
}

void Collector::Print(const ReadProcess& process, ReadFinding* finding, bool same_event) {
  finding->text.process = ProcessText(process);
  AddExcerpts(finding);
  const std::string text = printer_.Next(finding->text, same_event);
  if (text.empty()) return;
  IoGuard guard;
  WriteAll(fd_, text);
}

void Collector::AddExcerpts(ReadFinding* finding) {
  constexpr int kBefore = 2;  // lines
  if (options_.brief) return;
  TextFinding& text = finding->text;
  text.excerpt = sources_of_program_.Excerpt(text.frames, kBefore, finding->first_ns);
  for (TextParty& party : text.parties)
    party.excerpt = sources_of_program_.Excerpt(party.frames, kBefore, finding->first_ns);
}

void Collector::NoteMissingLines(const ReadFinding& finding) {
  const auto note = [&](const std::vector<TextFrame>& frames) {
    const TextFrame* frame = ProgramFrame(frames);
    if (frame == nullptr || frame->line > 0) return;
    if (IsLibraryFrame(frames, static_cast<size_t>(frame - frames.data()))) return;
    const auto build_id = finding.build_ids.find(frame->module);
    if (build_id != finding.build_ids.end() && symbolizer_.Reads(frame->module, build_id->second))
      without_lines_.insert(frame->module);
  };
  note(finding.text.frames);
  for (const TextParty& party : finding.text.parties) note(party.frames);
}

// "rank 3, pid 77", the rank only if any process has one; empty for a single process.
std::string Collector::ProcessText(const ReadProcess& process) const {
  size_t processes = 0;
  bool ranks = false;
  const auto add = [&](const ReadProcess& one) {
    if (!one.seen) return;
    ++processes;
    ranks = ranks || (!one.rank.empty() && one.rank != "0");
  };
  for (const TableProcess& one : table_.processes()) add(one.read);
  for (const auto& [file, reader] : readers_) {
    if (reader != nullptr) add(reader->process());
  }
  if (processes < 2 || !process.seen) return "";
  const std::string pid = "pid " + std::to_string(process.pid);
  return ranks && !process.rank.empty() ? "rank " + process.rank + ", " + pid : pid;
}

std::string Collector::SeenText(const FindingGroup& group) const {
  if (group.count <= 1 && group.processes <= 1) return "";
  std::string text = CountText(group.count, "time", "times") + " in " +
                     CountText(group.processes, "process", "processes");
  if (group.first_ns > 0) {
    text += ", first " + UtcText(group.first_ns, kMoment) + " UTC";
    if (group.last_ns / 1000000000 != group.first_ns / 1000000000)
      text += ", last " + UtcText(group.last_ns, kMoment) + " UTC";
  }
  std::string names;
  for (const uint32_t index : group.seen_in) {
    if (index == kNoIndex) continue;
    const ReadProcess& process = table_.processes()[index].read;
    names += (names.empty() ? ": " : "; ") + ProcessName(process) +
             (process.host.empty() ? "" : " on " + process.host);
  }
  const uint32_t named = static_cast<uint32_t>(group.seen_in.size());
  if (group.processes > named)
    names += "; and " + std::to_string(group.processes - named) + " more";
  return text + names;
}

RecordSource& Collector::Source(uint32_t file) {
  constexpr size_t kMostOpen = 64;
  if (sources_.size() >= kMostOpen && sources_.count(file) == 0) sources_.clear();
  auto& source = sources_[file];
  if (source == nullptr) source = std::make_unique<RecordSource>(table_.FileName(file));
  return *source;
}

// The file of a position; *place becomes the offset in it.
RecordSource& Collector::SourceOf(const TableProcess& process, uint64_t* place) {
  const uint64_t part = *place >> kPartShift;
  *place &= (uint64_t{1} << kPartShift) - 1;
  return Source(table_.FileIndex(part == 0 ? process.read.file
                                           : process.read.file + ".part" + std::to_string(part)));
}

bool Collector::Sample(const TableProcess& process, uint64_t position, ReadSample* sample) {
  RecordSource& source = SourceOf(process, &position);
  if (!source.Read(position, sample)) {
    Trouble(source.path() + " changed while it was read; a sample is missing");
    return false;
  }
  for (ReadSample::Site& site : sample->sites) {
    if (site.id != 0 && process.read.sites != nullptr) {
      const auto known = process.read.sites->find(site.id);
      if (known != process.read.sites->end()) {
        site.frames = known->second.frames;
        site.text_frames = known->second.text_frames;
      }
    }
    if (site.text_frames.empty()) site.text_frames = Symbolize(*process.read.modules, site.frames);
  }
  return true;
}

bool Collector::Commands(const TableProcess& process, uint64_t offset, ReadCommands* commands) {
  RecordSource& source = SourceOf(process, &offset);
  if (source.Read(offset, commands)) return true;
  Trouble(source.path() + " changed while it was read; commands are missing");
  return false;
}

std::string_view Collector::RecordLine(const TableProcess& process, uint64_t offset) {
  RecordSource& source = SourceOf(process, &offset);
  return source.Line(offset);
}

bool Collector::Example(const FindingGroup& group, ReadFinding* finding) {
  if (on_example_) on_example_();
  RecordSource& source = Source(group.file);
  if (!source.Read(group.offset, finding)) {
    Trouble(source.path() + " changed while it was read; a finding is missing");
    return false;
  }
  static const ModuleTable& none = *new ModuleTable;
  const bool has_process = group.process != kNoIndex;
  Resolve(has_process ? *table_.processes()[group.process].read.modules : none, finding);
  finding->text.severity = group.severity;
  finding->text.seen = SeenText(group);
  const uint32_t process = has_process ? group.process : group.seen_in[0];
  if (process != kNoIndex) finding->text.process = ProcessText(table_.processes()[process].read);
  return true;
}

std::string Collector::GeneratedSuppressions() {
  std::string text;
  std::set<std::string> lines;
  for (const uint32_t index : table_.Ranked()) {
    const FindingGroup& group = table_.groups()[index];
    ReadFinding finding;
    if (group.suppression != 0 || !Example(group, &finding)) continue;
    const std::string line = SuppressionFor(finding.text);
    if (!lines.insert(line).second) continue;
    text += line + "  # " + Printable(finding.text.call) + (finding.text.call.empty() ? "" : " ") +
            ShortLocation(finding.text.frames) + "\n";
  }
  return text;
}

bool Collector::Saw(std::string_view api) const {
  return std::any_of(
      table_.processes().begin(), table_.processes().end(), [&](const TableProcess& process) {
        const ReadProcess& read = process.read;
        const auto calls = read.calls.find(std::string(api));
        if (calls != read.calls.end() && calls->second > 0) return true;
        // A killed process has no counts, but names the first path.
        return std::any_of(
            read.attach_paths.begin(), read.attach_paths.end(),
            [&](const std::string& path) { return path.starts_with(std::string(api) + "-"); });
      });
}

int Collector::ExitCode(bool count_findings) const {
  Severity least = Severity::kNote;
  const bool by_severity = SeverityFrom(options_.fail_on, &least);
  const bool fails = count_findings && (by_severity || options_.fail_on == "new");
  for (const FindingGroup& group : table_.groups()) {
    if (!fails || group.suppression != 0) continue;
    if (by_severity ? group.severity >= least : !group.in_baseline) return kExitFindings;
  }
  if (troubles_ > 0 || (fails && !incomplete_.empty())) return kExitTrouble;
  if (options_.fail_on_unused_suppressions) {
    for (const Suppression& line : suppressions_.lines()) {
      if (line.hits == 0 && !line.is_default) return kExitTrouble;
    }
  }
  return 0;
}

}  // namespace gpusan
