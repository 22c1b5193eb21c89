// JSON Lines back into structs.
#include "report/findings/record_reader.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "report/base/regular_file.h"

namespace gpusan {
namespace {

// Nanoseconds since 1970 as clocks have them: of a damaged record they may be any number, and here
// any two can be added and subtracted.
int64_t Moment(int64_t ns) { return std::clamp<int64_t>(ns, 0, INT64_MAX / 2); }

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Severity SeverityNamed(const std::string& name) {
  if (name == "error") return Severity::kError;
  if (name == "warning") return Severity::kWarning;
  return Severity::kNote;
}

// A whole number that T can hold; throws std::out_of_range for every other value.
template <typename T>
T Integer(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.get<int64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  }
  throw std::out_of_range("a number that is not whole, or too large");
}
// The same of a member; `otherwise` when the object lacks it.
template <typename T>
T Integer(const Json& object, const char* key, T otherwise) {
  const auto member = object.find(key);
  return member != object.end() ? Integer<T>(*member) : otherwise;
}

std::string Text(const Json& object, const char* key) { return object.value(key, std::string()); }

const ReadModule* Interned(ReadModule module) {
  static std::set<ReadModule>& modules = *new std::set<ReadModule>;
  return &*modules.insert(std::move(module)).first;
}

std::vector<RecordFrame> Frames(const Json& object) {
  std::vector<RecordFrame> frames;
  const auto site = object.find("site");
  if (site == object.end()) return frames;
  frames.reserve(site->size());
  for (const Json& frame : *site) {
    const auto module = Integer<uint32_t>(frame.at(0));
    if (!IsFunctionId(module)) {
      frames.push_back({module, Integer<uint64_t>(frame.at(1))});
      continue;
    }
    if (frame.size() > 3) {
      frames.push_back({module, CodeOffset(Integer<uint64_t>(frame.at(3)))});
      continue;
    }
    const uint32_t column = frame.size() > 2 ? Integer<uint32_t>(frame.at(2)) : 0;
    frames.push_back({module, SourceOffset(Integer<uint32_t>(frame.at(1)), column)});
  }
  return frames;
}

// Frames with symbols, of a merged file.
std::vector<TextFrame> SymbolFrames(const Json& object,
                                    std::map<std::string, std::string>* build_ids) {
  std::vector<TextFrame> frames;
  const auto site = object.find("frames");
  if (site == object.end()) return frames;
  for (const Json& frame : *site) {
    TextFrame& read = frames.emplace_back();
    read.function = Text(frame, "function");
    read.function_offset = Integer(frame, "function_offset", uint64_t{0});
    read.function_line = Integer(frame, "function_line", 0);
    read.file = Text(frame, "file");
    read.line = Integer(frame, "line", 0);
    read.column = Integer(frame, "column", 0);
    read.module = Text(frame, "module");
    read.language = Text(frame, "language");
    read.offset = Integer(frame, "offset", uint64_t{0});
    read.inlined = frame.value("inlined", false);
    if (frame.contains("build_id")) (*build_ids)[read.module] = Text(frame, "build_id");
  }
  return frames;
}

Figures FiguresOf(const Json& object, const char* key) {
  Figures figures;
  const auto table = object.find(key);
  if (table == object.end()) return figures;
  for (const auto& [name, figure] : table->items()) figures[name] = Integer<uint64_t>(figure);
  return figures;
}

LedgerFigures LedgerOf(const Json& object) {
  LedgerFigures ledger;
  const auto table = object.find("ledger");
  if (table == object.end()) return ledger;
  for (const auto& [name, figures] : table->items()) {
    ledger[name] = FiguresOf(*table, name.c_str());
  }
  return ledger;
}

ReadFinding FindingFrom(const Json& record) {
  ReadFinding finding;
  TextFinding& text = finding.text;
  text.rule = record.at("rule").get<std::string>();
  text.severity = SeverityNamed(record.at("severity").get<std::string>());
  finding.api = Text(record, "api");
  text.call = Text(record, "call");
  text.has_code = record.contains("code");
  if (text.has_code) text.code = Integer<int64_t>(record.at("code"));
  text.code_name = Text(record, "code_name");
  text.what = Text(record, "what");
  text.why = Text(record, "why");
  text.fix = Text(record, "fix");
  finding.fingerprint = record.at("fingerprint").get<std::string>();
  finding.refresh = record.value("refresh", false);
  finding.merged = finding.fingerprint.compare(0, 3, "v1-") == 0;
  finding.count = Integer(record, "count", uint64_t{1});
  finding.first_ns = Moment(Integer(record, "time_ns", int64_t{0}));
  finding.last_ns = Moment(Integer(record, "last_ns", finding.first_ns));
  finding.thread = Integer(record, "thread", int64_t{0});
  finding.frames = Frames(record);
  text.frames = SymbolFrames(record, &finding.build_ids);
  if (const auto parties = record.find("parties"); parties != record.end()) {
    for (const Json& party : *parties) {
      text.parties.push_back(
          {Text(party, "role"), Text(party, "text"), SymbolFrames(party, &finding.build_ids)});
      finding.party_frames.push_back(Frames(party));
    }
  }
  if (const auto resources = record.find("resources"); resources != record.end()) {
    for (const Json& resource : *resources) {
      FindingResource& read = text.resources.emplace_back();
      read.kind = Text(resource, "kind");
      read.handle = std::stoull(resource.value("handle", std::string("0x0")), nullptr, 16);
      read.bytes = Integer(resource, "bytes", uint64_t{0});
      read.label = Text(resource, "label");
    }
  }
  if (const auto facts = record.find("facts"); facts != record.end()) {
    for (const auto& [key, value] : facts->items()) {
      finding.fact_is_number.push_back(value.is_number());
      text.facts.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  return finding;
}

ReadSample SampleFrom(const Json& record) {
  ReadSample sample;
  sample.time_ns = Moment(Integer<int64_t>(record.at("time_ns")));
  sample.ledger = LedgerOf(record);
  sample.calls = FiguresOf(record, "calls");
  if (const auto sites = record.find("sites"); sites != record.end()) {
    for (const Json& site : *sites) {
      std::map<std::string, std::string> build_ids;
      sample.sites.push_back({Text(site, "api"), Integer(site, "id", uint32_t{0}), Frames(site),
                              SymbolFrames(site, &build_ids),
                              Integer(site, "live_bytes", uint64_t{0}),
                              Integer(site, "live_count", uint64_t{0})});
    }
  }
  return sample;
}

CommandPoint PointFrom(const Json& pair) {
  return {Integer<uint32_t>(pair.at(0)), Integer<uint64_t>(pair.at(1))};
}

ReadCommands CommandsFrom(const Json& record) {
  ReadCommands commands;
  const int64_t begin = Moment(Integer<int64_t>(record.at("time_ns")));
  commands.calls = record.at("calls").get<std::vector<std::string>>();
  for (const Json& queue : record.at("queues")) {
    commands.queues.push_back({Text(queue, "api"), Text(queue, "handle"),
                               Integer(queue, "site", uint32_t{0}),
                               queue.value("in_order", false)});
  }
  for (const Json& read : record.at("entries")) {
    ReadCommands::Entry& entry = commands.entries.emplace_back();
    const auto& name = read.at(0).get_ref<const std::string&>();
    const bool awaited = name == kCommandAwaitedName;
    const bool turns = awaited || name == kCommandTurnsName;
    const bool run = turns || name == kCommandRunName;
    int kind = 0;
    while (!run && kind < 3 && name != CommandEntryName(static_cast<CommandEntryKind>(kind)))
      ++kind;
    entry.kind = static_cast<CommandEntryKind>(kind);
    entry.time_ns = Moment(begin + Moment(Integer<int64_t>(read.at(1))));
    size_t at = 2;
    if (entry.kind != CommandEntryKind::kWait) {
      entry.point = {Integer<uint32_t>(read.at(2)), Integer<uint64_t>(read.at(3))};
      at = 4;
    }
    if (entry.kind == CommandEntryKind::kCommand) {
      entry.call = Integer<uint32_t>(read.at(4));
      entry.queue = Integer<uint32_t>(read.at(5));
      entry.site = Integer<uint32_t>(read.at(6));
      if (entry.call >= commands.calls.size() || entry.queue >= commands.queues.size())
        throw std::out_of_range("a command without its call or queue");
      at = 7;
      if (run) {
        entry.count = Integer<uint64_t>(read.at(7));
        entry.until_ns = Moment(begin + Moment(Integer<int64_t>(read.at(8))));
        if (entry.count == 0 || entry.until_ns < entry.time_ns || entry.last() < entry.point)
          throw std::out_of_range("a run of no commands, back in time, or without an end");
        at = 9;
      }
      if (turns) {
        for (const Json& place : read.at(9)) {
          if (entry.others.size() == LoggedCommand::kMostOthers)
            throw std::out_of_range("a run of more calls than gpusan writes");
          entry.others.emplace_back(Integer<uint32_t>(place.at(0)), Integer<uint32_t>(place.at(1)));
          if (entry.others.back().first >= commands.calls.size())
            throw std::out_of_range("a command without its call");
        }
        at = 10;
      }
      if (awaited) entry.waits = Integer<uint32_t>(read.at(at++));
    }
    for (size_t i = 0; i < 2 && at + i < read.size(); ++i)
      entry.behind[i] = PointFrom(read.at(at + i));
  }
  if (commands.entries.empty()) throw std::out_of_range("a record of no commands");
  return commands;
}

void ReadProcessRecord(const Json& record, ReadProcess* process) {
  process->seen = true;
  process->pid = Integer<int>(record.at("pid"));
  process->ppid = Integer(record, "ppid", 0);
  process->gpusan = Text(record, "gpusan");
  process->exe = Text(record, "exe");
  process->host = Text(record, "host");
  process->rank = Text(record, "rank");
  process->settings = Text(record, "settings");
  process->start_ns = Moment(Integer(record, "start_ns", int64_t{0}));
  process->last_ns = process->start_ns;
  process->record_bytes = Integer(record, "record_bytes", uint64_t{0});
  if (const auto list = record.find("argv"); list != record.end())
    process->arguments = list->get<std::vector<std::string>>();
  if (const auto list = record.find("doors"); list != record.end())
    process->attach_paths = list->get<std::vector<std::string>>();
  if (const auto options = record.find("options"); options != record.end()) {
    for (const auto& [name, value] : options->items()) {
      process->options[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
}

// The record without the members of "findings" and "last_ns", of which there may be a million; they
// go to `on_tally` and `on_last_seen` one by one.
Json ParseWithTallies(std::string_view line,
                      const std::function<void(const std::string&, uint64_t)>& on_tally,
                      const std::function<void(const std::string&, uint64_t)>& on_last_seen) {
  std::string member;
  std::string fingerprint;
  const auto look = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key) {
      if (depth == 1) member = parsed.get_ref<const std::string&>();
      if (depth != 2 || (member != "findings" && member != "last_ns")) return true;
      fingerprint = parsed.get_ref<const std::string&>();
      return false;
    }
    if (event == Json::parse_event_t::value && depth == 2 && parsed.is_number_unsigned()) {
      if (member == "findings") on_tally(fingerprint, Integer<uint64_t>(parsed));
      if (member == "last_ns") on_last_seen(fingerprint, Integer<uint64_t>(parsed));
    }
    return true;
  };
  return Json::parse(line, look, /*allow_exceptions=*/false);
}

}  // namespace

bool IsTooDeep(std::string_view line) {
  constexpr int kDeepest = 32;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::string CallsOf(const ReadCommands& commands, const ReadCommands::Entry& entry) {
  const auto waited = [&](size_t place) {
    return (entry.waits >> place & 1) != 0 ? " and wait" : "";
  };
  std::string calls = commands.calls[entry.call] + waited(0);
  for (size_t i = 0; i < entry.others.size(); ++i)
    calls += ", " + commands.calls[entry.others[i].first] + waited(i + 1);
  return entry.others.empty() ? calls : calls + " in turn";
}

RecordReader::RecordReader(std::string path, RecordVisitor* visitor, size_t longest_line)
    : modules_(std::make_shared<ModuleTable>()), visitor_(visitor), longest_line_(longest_line) {
  process_.file = std::move(path);
  process_.modules = modules_;
}

bool RecordReader::Poll(const std::function<void(uint64_t)>& on_progress) {
  if (gave_up_) return true;
  struct stat status;
  if (stat(process_.file.c_str(), &status) != 0) {
    failure_ = std::strerror(errno);
    return false;
  }
  // Half a line is read again from its start: the writer may take it back when the disk is full.
  rest_.clear();
  if (S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) == offset_) return true;
  const int fd = OpenRegularFile(process_.file, &failure_);
  if (fd < 0) return false;
  char chunk[64 * 1024];
  ssize_t count = 0;
  while ((count = pread(fd, chunk, sizeof(chunk), static_cast<off_t>(offset_ + rest_.size()))) !=
         0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    size_t looked_at = rest_.size();
    rest_.append(chunk, static_cast<size_t>(count));
    size_t begin = 0;
    for (size_t end; (end = rest_.find('\n', looked_at)) != std::string::npos;) {
      Line(std::string_view(rest_).substr(begin, end - begin), offset_ + begin);
      begin = looked_at = end + 1;
    }
    rest_.erase(0, begin);
    offset_ += begin;
    if (rest_.size() > longest_line_) {
      ++line_number_;
      visitor_->OnTrouble(process_, process_.file + ":" + std::to_string(line_number_) +
                                        ": a line of more than " + std::to_string(longest_line_) +
                                        " bytes is no record; the rest of the file is skipped");
      gave_up_ = true;
      rest_ = std::string();
      break;
    }
    if (on_progress) on_progress(static_cast<uint64_t>(count));
  }
  if (count < 0) failure_ = std::strerror(errno);
  close(fd);
  return count >= 0;
}

void RecordReader::ShareTables(RecordReader* main) {
  if (main->process_.sites == nullptr) main->process_.sites = std::make_shared<SiteTable>();
  modules_ = main->modules_;
  process_.modules = modules_;
  process_.sites = main->process_.sites;
}

void RecordReader::NextProcess(uint64_t offset) {
  if (!merged_) process_.record_bytes = offset - begin_;
  begin_ = offset;
  const std::string file = process_.file;
  visitor_->OnDone(std::move(process_));
  process_ = ReadProcess();
  process_.file = file;
  // In files put one after the other each process has ids of its own.
  if (!merged_) modules_ = std::make_shared<ModuleTable>();
  process_.modules = modules_;
}

void RecordReader::Finish() {
  const std::string place = process_.file + ":" + std::to_string(line_number_ + 1) + ": ";
  if (!rest_.empty()) {
    process_.ended = false;
    visitor_->OnTrouble(process_, place + "the last record is truncated and was skipped");
    rest_.clear();
    rest_.shrink_to_fit();
  }
  if (!process_.seen && line_number_ == 0) {
    visitor_->OnTrouble(process_, process_.file + ": no record in it");
  }
  NextProcess(offset_);
}

void RecordReader::Line(std::string_view line, uint64_t offset) {
  ++line_number_;
  if (IsTooDeep(line))
    return Trouble("not a gpusan record, because it is nested too deeply; skipped");
  const bool is_end = line.starts_with(R"({"type":"end")");
  if (line.starts_with(R"({"type":"process")") && (process_.seen || merged_)) NextProcess(offset);
  if (is_end) visitor_->OnEnd(process_);
  const auto on_tally = [&](const std::string& fingerprint, uint64_t count) {
    visitor_->OnTally(process_, fingerprint, count);
  };
  const auto on_last_seen = [&](const std::string& fingerprint, uint64_t time_ns) {
    visitor_->OnLastSeen(process_, fingerprint, Moment(static_cast<int64_t>(time_ns)));
  };
  const Json record = line.starts_with(R"({"type":"finding")")
                          ? Json::parse(line, nullptr, /*allow_exceptions=*/false)
                          : ParseWithTallies(line, on_tally, on_last_seen);
  if (!record.is_object() || !record.contains("type")) {
    Trouble("not a gpusan record; skipped");
    return;
  }
  try {
    Apply(record, offset);
  } catch (const std::exception& error) {
    Trouble(std::string("an incomplete record: ") + error.what());
  }
}

void RecordReader::Trouble(const std::string& what) {
  visitor_->OnTrouble(process_, process_.file + ":" + std::to_string(line_number_) + ": " + what);
}

void RecordReader::Apply(const Json& record, uint64_t offset) {
  const std::string type = record.at("type").get<std::string>();
  if (type == "process" || type == "merge") {
    if (type == "merge") merged_ = true;
    if (Integer(record, "version", 0) > kVersion) {
      Trouble("written by a newer gpusan (" + Text(record, "gpusan") +
              "); parts of it may be ignored");
    }
    if (type == "process") ReadProcessRecord(record, &process_);
  } else if (type == "module") {
    (*modules_)[Integer<uint32_t>(record.at("id"))] =
        Interned({.path = Text(record, "path"), .build_id = Text(record, "build_id")});
  } else if (type == "function") {
    (*modules_)[Integer<uint32_t>(record.at("id"))] =
        Interned({.path = Text(record, "file"),
                  .function = record.at("name").get<std::string>(),
                  .language = record.at("language").get<std::string>(),
                  .first_line = Integer(record, "line", 0)});
  } else if (type == "site") {
    if (process_.sites == nullptr) process_.sites = std::make_shared<SiteTable>();
    std::map<std::string, std::string> build_ids;
    (*process_.sites)[Integer<uint32_t>(record.at("id"))] = {Frames(record),
                                                             SymbolFrames(record, &build_ids)};
  } else if (type == "finding") {
    ReadFinding finding = FindingFrom(record);
    finding.offset = offset;
    process_.ended = false;
    process_.last_ns = std::max(process_.last_ns, finding.last_ns);
    visitor_->OnFinding(process_, std::move(finding));
  } else if (type == "warning") {
    process_.warnings.push_back(Text(record, "text"));
    visitor_->OnWarning(process_, process_.warnings.back());
  } else if (type == "sample") {
    ReadSample sample = SampleFrom(record);
    sample.offset = offset;
    process_.last_ns = std::max(process_.last_ns, sample.time_ns);
    visitor_->OnSample(process_, std::move(sample));
  } else if (type == "commands") {
    ReadCommands commands = CommandsFrom(record);
    commands.offset = offset;
    process_.last_ns = std::max(process_.last_ns, commands.entries.back().time_ns);
    visitor_->OnCommands(process_, std::move(commands));
  } else if (type == "end") {
    process_.ended = true;
    process_.reason = Text(record, "reason");
    process_.last_ns = std::max(process_.last_ns, Moment(Integer(record, "time_ns", int64_t{0})));
    process_.dropped = FiguresOf(record, "dropped");
    process_.calls = FiguresOf(record, "calls");
    process_.ledger = LedgerOf(record);
    process_.overhead = FiguresOf(record, "overhead");
  }
}

RecordSource::RecordSource(const std::string& path)
    : path_(path), fd_([&] {
        std::string why;
        return OpenRegularFile(path, &why);
      }()) {}

RecordSource::~RecordSource() {
  if (fd_ >= 0) close(fd_);
}

std::string_view RecordSource::Line(uint64_t offset) {
  constexpr size_t kStep = 4096;
  buffer_.clear();
  size_t end = std::string::npos;
  while (end == std::string::npos && buffer_.size() <= kLongestRecordLine) {
    const size_t before = buffer_.size();
    buffer_.resize(before + kStep);
    const ssize_t count =
        pread(fd_, buffer_.data() + before, kStep, static_cast<off_t>(offset + before));
    if (count < 0 && errno == EINTR) {
      buffer_.resize(before);
      continue;
    }
    if (count <= 0) return "";
    buffer_.resize(before + static_cast<size_t>(count));
    end = buffer_.find('\n', before);
  }
  const std::string_view line = std::string_view(buffer_).substr(0, end);
  return end == std::string::npos || IsTooDeep(line) ? "" : line;
}

namespace {

// Reads a record by `from`. Returns false if the line is no such record.
template <typename Record>
bool ReadLine(std::string_view line, uint64_t offset, Record (*from)(const Json&), Record* record) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return false;
  try {
    *record = from(json);
    record->offset = offset;
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool RecordSource::Read(uint64_t offset, ReadFinding* finding) {
  return ReadLine(Line(offset), offset, &FindingFrom, finding);
}

bool RecordSource::Read(uint64_t offset, ReadSample* sample) {
  return ReadLine(Line(offset), offset, &SampleFrom, sample);
}

bool RecordSource::Read(uint64_t offset, ReadCommands* commands) {
  return ReadLine(Line(offset), offset, &CommandsFrom, commands);
}

}  // namespace gpusan
