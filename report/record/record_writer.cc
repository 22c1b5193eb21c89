// The record file: opens it, writes whole lines, handles errors.
#include "report/record/record_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include <cstdlib>
#include <utility>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/base/time_text.h"
#include "report/record/attach_log.h"
#include "report/record/process_fingerprint.h"
#include "report/record/process_text.h"
#include "report/record/record_name.h"
#include "report/record/site_record.h"
#include "report/text/json_writer.h"
#include "report/text/redaction.h"
#include "report/text/text.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr int kMaxFilesOfOneName = 10000;

std::vector<std::string> CommandLine() {
  std::vector<std::string> arguments;
  const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return arguments;
  std::string bytes;
  char chunk[4096];
  constexpr size_t kEnough = size_t{64} << 10;
  for (ssize_t count; bytes.size() < kEnough && (count = read(fd, chunk, sizeof(chunk))) > 0;) {
    bytes.append(chunk, static_cast<size_t>(count));
  }
  close(fd);
  for (size_t begin = 0; begin < bytes.size();) {
    size_t end = bytes.find('\0', begin);
    if (end == std::string::npos) end = bytes.size();
    arguments.push_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

void FindNames(const FrameSource* source, SiteId site) {
  if (source != nullptr && site != kUnknownSite) source->FindNames(site);
}

std::vector<RecordFrame> FramesOf(const FrameSource* source, SiteId site) {
  std::vector<RecordFrame> frames;
  if (source == nullptr || site == kUnknownSite) return frames;
  frames.resize(kMaxRecordFrames);
  const int count = source->Frames(site, frames.data(), kMaxRecordFrames);
  frames.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return frames;
}

void AppendCounts(std::string_view key, const CountTable& counts, JsonWriter* json) {
  json->Key(key).BeginObject();
  for (const auto& [name, count] : counts) json->Field(name, count);
  json->EndObject();
}

void AppendLedger(const LedgerTable& ledger, JsonWriter* json) {
  json->Key("ledger").BeginObject();
  for (const auto& [name, counts] : ledger) AppendCounts(name, counts, json);
  json->EndObject();
}

// A finding with its stacks looked up.
struct Resolved {
  std::vector<RecordFrame> frames;
  std::vector<std::vector<RecordFrame>> party_frames;
  uint64_t fingerprint = 0;
};

Resolved Resolve(const Finding& finding, const FrameSource* source) {
  Resolved resolved;
  FindNames(source, finding.site);
  for (const Party& party : finding.parties) FindNames(source, party.site);
  Fingerprint fingerprint;
  fingerprint.Add(InfoOf(finding.rule).id);
  fingerprint.Add(finding.call);
  resolved.frames = FramesOf(source, finding.site);
  for (const RecordFrame& frame : resolved.frames) fingerprint.Add(frame, *source);
  for (const Party& party : finding.parties) {
    fingerprint.Add(party.role);
    const auto& frames = resolved.party_frames.emplace_back(FramesOf(source, party.site));
    for (const RecordFrame& frame : frames) fingerprint.Add(frame, *source);
  }
  resolved.fingerprint = fingerprint.value();
  return resolved;
}

std::string FindingRecord(const Finding& finding, const Resolved& resolved, uint64_t sequence) {
  JsonWriter json;
  json.BeginObject().Field("type", "finding").Field("seq", sequence);
  json.Field("rule", InfoOf(finding.rule).id).Field("severity", SeverityName(finding.severity));
  json.Field("api", ApiName(finding.api)).Field("call", finding.call);
  if (finding.has_code) json.Field("code", finding.code).Field("code_name", finding.code_name);
  json.Field("what", finding.what).Field("why", finding.why).Field("fix", finding.fix);
  AppendSite(resolved.frames, &json);
  json.Key("parties").BeginArray();
  for (size_t i = 0; i < finding.parties.size(); ++i) {
    json.BeginObject()
        .Field("role", finding.parties[i].role)
        .Field("text", finding.parties[i].text);
    AppendSite(resolved.party_frames[i], &json);
    json.EndObject();
  }
  json.EndArray().Key("resources").BeginArray();
  for (const FindingResource& resource : finding.resources) {
    json.BeginObject().Field("kind", resource.kind).Field("handle", Hex(resource.handle));
    json.Field("bytes", resource.bytes).Field("label", resource.label).EndObject();
  }
  json.EndArray().Key("facts").BeginObject();
  for (const Fact& fact : finding.facts) {
    json.Key(fact.key);
    if (const auto* number = std::get_if<int64_t>(&fact.value)) {
      json.Int(*number);
    } else if (const auto* natural = std::get_if<uint64_t>(&fact.value)) {
      json.Uint(*natural);
    } else {
      json.String(std::get<std::string>(fact.value));
    }
  }
  json.EndObject().Field("fingerprint", FingerprintText(resolved.fingerprint));
  if (finding.refreshes) json.Field("refresh", true);
  json.Field("thread",
             static_cast<int64_t>(finding.thread != 0 ? finding.thread : syscall(SYS_gettid)))
      .Field("time_ns", NowNs())
      .EndObject();
  return json.TakeLine();
}

}  // namespace

std::string FingerprintText(uint64_t fingerprint) {
  std::string digits = Hex(fingerprint).substr(2);
  return "v0-" + std::string(16 - digits.size(), '0') + digits;
}

RecordWriter::RecordWriter(const Options& options, std::string version, const FrameSource* frames)
    : options_(options),
      version_(std::move(version)),
      frames_(frames),
      pattern_(AbsolutePattern(options.record)),
      pid_(getpid()),
      start_ns_(NowNs()) {
  ApplyTextOptions();
}

void RecordWriter::ApplyTextOptions() {
  output_.Set(options_.log_path, options_.color);
  suppressions_ = Suppressions();
  if (options_.suppressions.empty()) return;
  if (const std::string complaint = suppressions_.Load(options_.suppressions); !complaint.empty())
    WriteToStderr("gpusan: suppressions: " + Printable(complaint) + "\n");
}

void RecordWriter::SetOptions(const Options& options) {
  std::lock_guard lock(mutex_);
  if (started_) return;
  options_ = options;
  pattern_ = AbsolutePattern(options.record);
  ApplyTextOptions();
}

void RecordWriter::SetSettings(std::string settings) {
  std::lock_guard lock(mutex_);
  if (!started_) settings_ = std::move(settings);
}

void RecordWriter::AddAttachPath(std::string path) {
  std::lock_guard lock(mutex_);
  attach_paths_.push_back(std::move(path));
}

void RecordWriter::Start() {
  IoGuard guard;
  std::lock_guard lock(mutex_);
  StartLocked();
}

std::string RecordWriter::path() {
  std::lock_guard lock(mutex_);
  return main_.path();
}

uint64_t RecordWriter::findings() {
  std::lock_guard lock(mutex_);
  uint64_t sum = 0;
  for (const auto& [fingerprint, tally] : tallies_) sum += tally.count;
  return sum;
}

void RecordWriter::Report(Finding&& finding) {
  if (!finding.refreshes && CountRepeat(FindingKey(finding))) return;
  IoGuard guard;
  try {
    const Resolved resolved = Resolve(finding, frames_);
    bool print = false, first = false;
    {
      std::lock_guard lock(mutex_);
      if (pid_ != getpid()) ResetLocked();  // a fork that ran no fork handlers
      Tally& tally = tallies_[resolved.fingerprint];
      if (finding.refreshes && tally.written > 0) {
        WriteModulesLocked(resolved.frames, &main_);
        if (!IsFullLocked() && WriteLocked(FindingRecord(finding, resolved, sequence_ + 1)))
          ++sequence_;
        return;
      }
      const auto limit = static_cast<uint64_t>(options_.max_per_fingerprint);
      first = tally.count < limit;
      print = options_.print && first;
      ++tally.count;
      tally.last_ns = NowNs();
      if (IsPastLimit(tally)) {
        WriteCountLocked(resolved.fingerprint, &tally);
        if (repeats_.size() < kMostRepeats) repeats_.emplace(FindingKey(finding).value(), &tally);
      } else {
        StartLocked();
        WriteModulesLocked(resolved.frames, &main_);
        for (const auto& frames : resolved.party_frames) WriteModulesLocked(frames, &main_);
        if (!IsFullLocked() && WriteLocked(FindingRecord(finding, resolved, sequence_ + 1))) {
          ++tally.written;
          ++sequence_;
        } else {
          print = first;  // nowhere else would it be read
        }
      }
    }
    if (first || print) Deliver(finding, print);
  } catch (...) {
    // Out of memory: the program decides how to handle it, not gpusan.
  }
}

bool RecordWriter::CountRepeat(const FindingKey& key) {
  std::lock_guard lock(mutex_);
  const auto found = repeats_.find(key.value());
  if (found == repeats_.end() || pid_ != getpid()) return false;
  Tally& tally = *found->second;
  Tally counted = tally;
  ++counted.count;
  counted.last_ns = NowNs();
  // Report writes the count.
  if (IsCountDue(counted)) return false;
  tally = counted;
  return true;
}

void RecordWriter::Deliver(const Finding& finding, bool print) {
  const bool may_be_suppressed = !suppressions_.lines().empty();
  if (print || may_be_suppressed) {
    const TextFinding text = DescribeInProcess(finding, frames_);
    if (may_be_suppressed) {
      std::lock_guard lock(suppressions_mutex_);
      if (suppressions_.Match(text) != 0) return;
    }
    static std::atomic<bool> printed{false};  // a blank line separates findings
    if (print)
      output_.Write((printed.exchange(true) ? "\n" : "") + FormatFinding(text, output_.Style()));
  }
  const bool is_error = finding.severity == Severity::kError;
  if (is_error) errors_.fetch_add(1, std::memory_order_relaxed);
  for (const auto& listener : listeners_) {
    if (const auto call = listener.load(std::memory_order_acquire); call != nullptr) call(finding);
  }
  const auto halt = halt_.load(std::memory_order_acquire);
  if (is_error && options_.halt_on_error && halt != nullptr) halt();
}

void RecordWriter::AddListener(void (*listener)(const Finding&)) {
  for (auto& slot : listeners_) {
    void (*known)(const Finding&) = nullptr;
    if (slot.compare_exchange_strong(known, listener, std::memory_order_acq_rel) ||
        known == listener)
      return;
  }
}

void RecordWriter::Warn(const std::string& text) {
  IoGuard guard;
  std::lock_guard lock(mutex_);
  if (pid_ != getpid()) ResetLocked();
  StartLocked();
  JsonWriter json;
  json.BeginObject()
      .Field("type", "warning")
      .Field("text", text)
      .Field("time_ns", NowNs())
      .EndObject();
  WriteLocked(json.TakeLine());
  if (options_.print) output_.Write("gpusan: warning: " + Printable(text, /*lines=*/true) + "\n");
}

void RecordWriter::Write(const SampleRecord& sample) {
  IoGuard guard;
  try {
    for (const SampleSite& site : sample.sites) FindNames(frames_, site.site);
    std::lock_guard lock(mutex_);
    if (pid_ != getpid() || !started_ || ended_) return;
    RecordFile* file = SampleFileLocked();
    if (file == nullptr) {
      ++gone_.samples;
      return;
    }
    for (const SampleSite& site : sample.sites) WriteSiteLocked(site.site, file);
    JsonWriter json;
    json.BeginObject().Field("type", "sample").Field("time_ns", NowNs());
    AppendLedger(sample.ledger, &json);
    if (!sample.calls.empty()) AppendCounts("calls", sample.calls, &json);
    AppendTalliesLocked(/*all=*/false, &json);
    if (!sample.sites.empty()) {
      json.Key("sites").BeginArray();
      for (const SampleSite& site : sample.sites) {
        json.BeginObject().Field("api", ApiName(site.api)).Field("id", uint64_t{site.site});
        json.Field("live_bytes", site.live_bytes).Field("live_count", site.live_count).EndObject();
      }
      json.EndArray();
    }
    json.EndObject();
    if (WriteLocked(json.TakeLine(), file) && file == &part_) ++in_part_.samples;
  } catch (...) {
    // Out of memory: skip the sample.
  }
}

void RecordWriter::Write(std::span<const LoggedCommand> commands) {
  IoGuard guard;
  try {
    while (!commands.empty()) {
      const auto part = commands.first(std::min(commands.size(), kCommandsOfRecord));
      commands = commands.subspan(part.size());
      for (const LoggedCommand& one : part) {
        FindNames(frames_, one.site);
        for (const LoggedCommand::Other& other : std::span(one.others, one.other_count))
          FindNames(frames_, other.site);
      }
      std::lock_guard lock(mutex_);
      if (pid_ != getpid() || !started_ || ended_) return;
      uint64_t count = 0;
      for (const LoggedCommand& one : part) count += one.count;
      RecordFile* file = SampleFileLocked();
      if (file == nullptr) {
        gone_.commands += count;
        continue;
      }
      for (const LoggedCommand& one : part) {
        WriteSiteLocked(one.site, file);
        for (const LoggedCommand::Other& other : std::span(one.others, one.other_count))
          WriteSiteLocked(other.site, file);
        WriteSiteLocked(one.queue_site, file);
      }
      if (WriteLocked(CommandsRecord(part), file) && file == &part_) in_part_.commands += count;
    }
  } catch (...) {
    // Out of memory: skip the commands.
  }
}

void RecordWriter::End(const EndRecord& end) {
  IoGuard guard;
  std::lock_guard lock(mutex_);
  if (pid_ != getpid() || !started_) return;
  JsonWriter json;
  json.BeginObject().Field("type", "end").Field("reason", end.reason).Field("time_ns", NowNs());
  AppendTalliesLocked(/*all=*/true, &json);
  CountTable dropped = end.dropped;
  const auto drop = [&](const char* what, uint64_t count) {
    if (count == 0) return;
    for (auto& [name, known] : dropped) {
      if (name == what) return void(known += count);
    }
    dropped.emplace_back(what, count);
  };
  drop("records", lost_records_);
  drop("samples", gone_.samples);
  drop("timeline", gone_.commands);
  AppendCounts("dropped", dropped, &json);
  AppendCounts("calls", end.calls, &json);
  AppendLedger(end.ledger, &json);
  if (end.own_ns != 0) {
    const auto wall_ns = static_cast<uint64_t>(std::max<int64_t>(0, NowNs() - start_ns_));
    json.Key("overhead").BeginObject().Field("own_ns", end.own_ns).Field("wall_ns", wall_ns);
    json.EndObject();
  }
  json.EndObject();
  WriteLocked(json.TakeLine());
  ended_ = true;
}

void RecordWriter::PrepareFork() { mutex_.lock(); }

void RecordWriter::AfterForkInParent() { mutex_.unlock(); }

void RecordWriter::AfterForkInChild() {
  IoGuard guard;
  ResetLocked();
  mutex_.unlock();
}

void RecordWriter::ResetLocked() {
  main_.Close();
  part_.Close();
  part_before_.clear();
  parts_ = 0;
  in_part_ = in_part_before_ = gone_ = {};
  pid_ = getpid();
  start_ns_ = NowNs();
  started_ = ended_ = gave_up_ = complained_ = full_ = false;
  sequence_ = lost_records_ = 0;
  errors_.store(0, std::memory_order_relaxed);
  tallies_.clear();
  repeats_.clear();
}

std::string RecordWriter::ProcessRecordLocked(uint64_t part) {
  const RecordNameParts parts = CurrentRecordNameParts();
  JsonWriter json;
  json.BeginObject().Field("type", "process").Field("version", 1).Field("gpusan", version_);
  if (part != 0) json.Field("part", part);
  if (const char* run = std::getenv(kRunVariable); run != nullptr && *run != '\0')
    json.Field("run", run);
  json.Field("pid", static_cast<int64_t>(pid_)).Field("ppid", static_cast<int64_t>(getppid()));
  json.Field("exe", ExecutablePath()).Key("argv").BeginArray();
  for (const std::string& argument : Redacted(CommandLine(), options_.redact))
    json.String(argument);
  json.EndArray().Field("host", parts.host).Field("rank", parts.rank).Field("start_ns", start_ns_);
  json.Key("options").BeginObject();
  for (int i = 0; i < kOptionCount; ++i) {
    if (kOptions[i].scope == OptionScope::kProcess &&
        (kOptions[i].type == OptionType::kBool || kOptions[i].type == OptionType::kInt64)) {
      json.Key(kOptions[i].name).Int(std::stoll(OptionText(options_, kOptions[i])));
    } else if (kOptions[i].scope == OptionScope::kProcess) {
      json.Field(kOptions[i].name, OptionText(options_, kOptions[i]));
    }
  }
  json.EndObject().Key("doors").BeginArray();
  for (const std::string& path : attach_paths_) json.String(path);
  json.EndArray();
  if (!settings_.empty()) json.Field("settings", settings_);
  json.EndObject();
  return json.TakeLine();
}

void RecordWriter::StartLocked() {
  if (started_ || gave_up_) return;
  if (const int error = OpenLocked(); error != 0) {
    ComplainLocked(error);
    // Descriptors may be available again.
    gave_up_ = error != EMFILE && error != ENFILE;
    return;
  }
  started_ = true;
  WriteLocked(ProcessRecordLocked(0));
}

int RecordWriter::OpenLocked() {
  RecordNameParts parts = CurrentRecordNameParts();
  parts.time_ns = start_ns_;
  const bool numbered = HasNumber(pattern_);
  for (int i = 0; i < kMaxFilesOfOneName; ++i) {
    std::string complaint;
    if (numbered) parts.number = i;
    wanted_ = ExpandRecordName(pattern_, parts, &complaint);
    if (i > 0 && !numbered) wanted_ += "." + std::to_string(i);
    if (i == 0 && !complaint.empty()) WriteAll(STDERR_FILENO, "gpusan: " + complaint + "\n");
    if (const int error = i == 0 || numbered ? MakeParentFolders(wanted_, made_folder_) : 0;
        error != 0) {
      return error;
    }
    bool taken = false;
    if (main_.Open(wanted_, &taken)) {
      made_folder_ = wanted_.substr(0, wanted_.rfind('/'));
      return 0;
    }
    if (!taken) return errno;
  }
  return EEXIST;
}

// The file for a sample. Samples get a quarter of record_max in the main file and two quarters in
// the parts. The last quarter is reserved for findings, so that samples cannot displace them.
RecordFile* RecordWriter::SampleFileLocked() {
  const auto quarter = static_cast<uint64_t>(options_.record_max) / 4;
  if (quarter == 0 || !main_.is_open()) return &main_;
  if (parts_ == 0 && main_.bytes() < quarter) return &main_;
  if (!part_.path().empty() && part_.bytes() < quarter) return &part_;
  if (!part_before_.empty()) unlink(part_before_.c_str());
  gone_.samples += in_part_before_.samples;
  gone_.commands += in_part_before_.commands;
  in_part_before_ = std::exchange(in_part_, {});
  part_before_ = part_.path();
  part_.Close();
  bool taken = false;
  const std::string path = main_.path() + ".part" + std::to_string(++parts_);
  if (!part_.Open(path, &taken)) {
    ComplainLocked(taken ? EEXIST : errno);
    return nullptr;
  }
  WriteLocked(ProcessRecordLocked(parts_), &part_);
  return &part_;
}

// The file is full: findings are printed and counted as lost records.
bool RecordWriter::IsFullLocked() {
  const auto half = static_cast<uint64_t>(options_.record_max) / 2;
  if (half == 0 || !main_.is_open() || main_.bytes() < half) return false;
  ++lost_records_;
  if (!full_) {
    WriteAll(STDERR_FILENO, "gpusan: " + main_.path() +
                                " is as large as record_max allows; findings that do not fit are "
                                "printed here\n");
  }
  full_ = true;
  return true;
}

bool RecordWriter::WriteLocked(std::string_view record, RecordFile* file) {
  if (!started_ || file == nullptr) {
    ++lost_records_;
    return false;
  }
  const int error = file->Append(record);
  if (error == 0) return true;
  ++lost_records_;
  ComplainLocked(error);
  return false;
}

void RecordWriter::ComplainLocked(int error) {
  if (complained_) return;
  complained_ = true;
  char text[256];
  const char* reason = strerror_r(error, text, sizeof(text));
  if (error == EINVAL || error == ENXIO) reason = "not a regular file";
  if (error == ELOOP) reason = "a symbolic link, or a loop of them";
  WriteAll(STDERR_FILENO,
           "gpusan: cannot write " + (main_.path().empty() ? wanted_ : main_.path()) + ": " +
               reason + "; the program runs on, and findings that do not fit are printed here\n");
}

// Counts, and the time of the last occurrence of findings that are counted and not written. Without
// `all`, only the changes that do not follow from the written findings.
void RecordWriter::AppendTalliesLocked(bool all, JsonWriter* json) {
  const auto is_due = [&](const Tally& tally) {
    return all || (tally.count > tally.written && tally.count > tally.recorded);
  };
  bool any = all;
  for (const auto& [fingerprint, tally] : tallies_) any = any || is_due(tally);
  if (!any) return;
  json->Key("findings").BeginObject();
  for (const auto& [fingerprint, tally] : tallies_) {
    if (is_due(tally)) json->Field(FingerprintText(fingerprint), tally.count);
  }
  json->EndObject().Key("last_ns").BeginObject();
  for (auto& [fingerprint, tally] : tallies_) {
    if (is_due(tally) && tally.count > tally.written)
      json->Field(FingerprintText(fingerprint), tally.last_ns);
    if (is_due(tally)) tally.recorded = tally.count;
  }
  json->EndObject();
}

// Whether the count has doubled since it was last written.
bool RecordWriter::IsCountDue(const Tally& tally) {
  return tally.count >= 2 * std::max(tally.recorded, tally.written);
}

// Called each time the count has doubled, so that the records of a killed process contain at least
// half of it.
void RecordWriter::WriteCountLocked(uint64_t fingerprint, Tally* tally) {
  if (!started_ || !IsCountDue(*tally)) return;
  JsonWriter json;
  json.BeginObject().Field("type", "tally").Field("time_ns", tally->last_ns);
  json.Key("findings").BeginObject().Field(FingerprintText(fingerprint), tally->count).EndObject();
  json.Key("last_ns").BeginObject().Field(FingerprintText(fingerprint), tally->last_ns);
  json.EndObject().EndObject();
  if (WriteLocked(json.TakeLine())) tally->recorded = tally->count;
}

void RecordWriter::WriteSiteLocked(SiteId site, RecordFile* file) {
  if (site == kUnknownSite || file->sites.count(site) != 0) return;
  const std::vector<RecordFrame> frames = FramesOf(frames_, site);
  WriteModulesLocked(frames, file);
  JsonWriter json;
  json.BeginObject().Field("type", "site").Field("id", uint64_t{site});
  AppendSite(frames, &json);
  json.EndObject();
  if (WriteLocked(json.TakeLine(), file)) file->sites.insert(site);
}

void RecordWriter::WriteModulesLocked(const std::vector<RecordFrame>& frames, RecordFile* file) {
  for (const RecordFrame& frame : frames) {
    RecordModule module;
    if (frame.module == 0 || file->modules.count(frame.module) != 0 ||
        !frames_->Module(frame.module, &module))
      continue;
    JsonWriter json;
    if (!module.function.empty()) {
      json.BeginObject().Field("type", "function").Field("id", uint64_t{frame.module});
      json.Field("language", module.language).Field("name", module.function);
      if (!module.path.empty()) json.Field("file", module.path);
      if (module.first_line > 0) json.Field("line", module.first_line);
      json.EndObject();
    } else {
      json.BeginObject().Field("type", "module").Field("id", uint64_t{frame.module});
      json.Field("path", module.path).Field("build_id", module.build_id).EndObject();
    }
    if (WriteLocked(json.TakeLine(), file)) file->modules.insert(frame.module);
  }
}

}  // namespace gpusan
