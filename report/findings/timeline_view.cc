// Selects and writes the commands around a finding.
#include "report/findings/timeline_view.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gpusan {
namespace {

constexpr size_t kBefore = 14;
constexpr size_t kAfter = 6;
constexpr size_t kRecordsBack = 32;  // searched for the commands of the parties
constexpr size_t kKept = 64;         // records

std::string KeyOf(const std::vector<TextFrame>& frames) {
  std::string key;
  for (const TextFrame& frame : frames) key += FormatFrame(0, frame, {.verbose = true}) + "\n";
  return key;
}

struct Shown {
  ReadCommands::Entry entry;
  std::string call;
  std::string queue;
  std::string role;  // "finding", the role of a party, or empty
  uint64_t count = 1;
};

}  // namespace

const TimelineView::Place& TimelineView::PlaceOf(uint32_t process, uint32_t site) {
  const auto [found, is_new] = places_.try_emplace({process, site});
  if (!is_new) return found->second;
  const TableProcess& of = collector_.table().processes()[process];
  if (site == 0 || of.read.sites == nullptr) return found->second;
  const auto known = of.read.sites->find(site);
  if (known == of.read.sites->end()) return found->second;
  const std::vector<TextFrame> frames = collector_.SymbolsOf(of, known->second);
  found->second = {KeyOf(frames), ShortLocation(frames)};
  return found->second;
}

bool TimelineView::Load(uint32_t process, size_t record) {
  if (read_.count({process, record}) != 0) return true;
  if (read_.size() >= kKept) read_.clear();
  const TableProcess& of = collector_.table().processes()[process];
  ReadCommands commands;
  if (!collector_.Commands(of, of.commands[record].offset, &commands)) return false;
  read_[{process, record}] = std::move(commands);
  return true;
}

uint32_t TimelineView::ProcessOf(const FindingGroup& group, int64_t time_ns) const {
  const auto& processes = collector_.table().processes();
  for (const uint32_t candidate :
       {group.process, group.seen_in[0], group.seen_in[1], group.seen_in[2]}) {
    if (candidate == kNoIndex) continue;
    const TableProcess& one = processes[candidate];
    if (!one.commands.empty() && one.read.start_ns <= time_ns && time_ns <= one.read.last_ns)
      return candidate;
  }
  return kNoIndex;
}

// The commands of a process that the page shows for a finding.
class TimelineView::Selection {
 public:
  Selection(TimelineView& view, uint32_t process, const ReadFinding& finding)
      : view_(view), process_(process), time_ns_(finding.first_ns) {
    for (const TextParty& party : finding.text.parties)
      if (!party.frames.empty()) roles_.emplace(KeyOf(party.frames), party.role);
    if (!finding.text.frames.empty()) roles_[KeyOf(finding.text.frames)] = kFinding;
    for (const auto& [key, role] : roles_)
      if (role != kFinding) wanted_.insert(key);
    ReadRecords();
  }

  // The commands in the order in which they were enqueued.
  std::vector<Shown> Commands() const;
  // Waits of the host and of queues, newest first.
  const std::vector<ReadCommands::Entry>& waits() const { return waits_; }

 private:
  static constexpr char kFinding[] = "finding";  // the role of the call of the finding

  void ReadRecords();
  void ReadRecord(const ReadCommands& commands);
  Shown ShownOf(const ReadCommands& commands, const ReadCommands::Entry& entry);
  // Commands of the entry that did not fail.
  uint64_t LeftOf(const ReadCommands::Entry& entry) const;
  std::vector<std::string> KeysOf(const ReadCommands::Entry& entry);
  // Whether the entry has the call of a party that was not found yet. It is found then.
  bool IsWanted(const ReadCommands::Entry& entry);

  TimelineView& view_;
  const uint32_t process_;
  const int64_t time_ns_;
  std::map<std::string, std::string> roles_;  // by stack
  std::set<std::string> wanted_;              // stacks of the parties that were not found yet
  std::set<CommandPoint> failed_;
  std::vector<ReadCommands::Entry> waits_;
  std::vector<Shown> before_, after_;  // before_: newest first
  std::vector<Shown> far_;             // parties that are far back, newest first
};

uint64_t TimelineView::Selection::LeftOf(const ReadCommands::Entry& entry) const {
  const auto first = failed_.lower_bound(entry.point);
  return entry.count -
         static_cast<uint64_t>(std::distance(first, failed_.upper_bound(entry.last())));
}

std::vector<std::string> TimelineView::Selection::KeysOf(const ReadCommands::Entry& entry) {
  std::vector<std::string> keys = {view_.PlaceOf(process_, entry.site).key};
  for (const auto& [call, site] : entry.others) keys.push_back(view_.PlaceOf(process_, site).key);
  return keys;
}

Shown TimelineView::Selection::ShownOf(const ReadCommands& commands,
                                       const ReadCommands::Entry& entry) {
  const auto& queue = commands.queues[entry.queue];
  Shown shown{entry, CallsOf(commands, entry), queue.api + " " + queue.handle, ""};
  shown.count = LeftOf(entry);
  for (const std::string& key : KeysOf(entry)) {
    if (const auto role = roles_.find(key); role != roles_.end() && shown.role.empty())
      shown.role = role->second;
  }
  return shown;
}

bool TimelineView::Selection::IsWanted(const ReadCommands::Entry& entry) {
  size_t erased = 0;
  for (const std::string& key : KeysOf(entry)) erased += wanted_.erase(key);
  return erased != 0;
}

// From two records after the finding back to those of its parties.
void TimelineView::Selection::ReadRecords() {
  const std::vector<CommandsPlace>& records =
      view_.collector_.table().processes()[process_].commands;
  size_t last = 0;
  while (last + 1 < records.size() && records[last + 1].begin_ns <= time_ns_) ++last;
  for (size_t record = std::min(last + 2, records.size()); record-- > 0;) {
    if (before_.size() >= kBefore && (wanted_.empty() || record + kRecordsBack < last)) break;
    if (!view_.Load(process_, record)) break;
    ReadRecord(view_.read_[{process_, record}]);
  }
  if (after_.size() > kAfter) after_.resize(kAfter);
}

void TimelineView::Selection::ReadRecord(const ReadCommands& commands) {
  std::vector<Shown> later;
  for (size_t i = commands.entries.size(); i-- > 0;) {
    const ReadCommands::Entry& entry = commands.entries[i];
    if (entry.kind == CommandEntryKind::kFailed) failed_.insert(entry.point);
    if (entry.kind == CommandEntryKind::kWait || entry.kind == CommandEntryKind::kOrder) {
      waits_.push_back(entry);
      continue;
    }
    if (entry.kind != CommandEntryKind::kCommand || LeftOf(entry) == 0) continue;
    if (entry.time_ns > time_ns_) {
      later.push_back(ShownOf(commands, entry));
    } else if (before_.size() < kBefore) {
      before_.push_back(ShownOf(commands, entry));
      IsWanted(entry);
    } else if (IsWanted(entry)) {
      far_.push_back(ShownOf(commands, entry));
    }
  }
  after_.insert(after_.begin(), later.rbegin(), later.rend());
}

std::vector<Shown> TimelineView::Selection::Commands() const {
  std::vector<Shown> all(far_.rbegin(), far_.rend());
  all.insert(all.end(), before_.rbegin(), before_.rend());
  all.insert(all.end(), after_.begin(), after_.end());
  // The finding belongs to the last command of its call site that was enqueued before it.
  bool found = false;
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].role != kFinding) continue;
    if (found || all[i].entry.time_ns > time_ns_) all[i].role.clear();
    found |= all[i].role == kFinding;
  }
  return all;
}

// Writes selected commands, and the order between them.
class TimelineView::Writer {
 public:
  // Times are relative to `time_ns`.
  Writer(std::vector<Shown> commands, int64_t time_ns, JsonWriter* json)
      : commands_(std::move(commands)), time_ns_(time_ns), json_(*json) {
    for (size_t i = 0; i < commands_.size(); ++i) index_[commands_[i].entry.last()] = i;
  }

  void Write(TimelineView& view, uint32_t process, const std::vector<ReadCommands::Entry>& waits);

 private:
  // Returns the names of the rows.
  std::vector<std::string> WriteCommands(TimelineView& view, uint32_t process);
  void WriteOrders(const std::vector<ReadCommands::Entry>& waits);
  void WriteOrder(const CommandPoint& from, const CommandPoint& to);
  void WriteWaits(const std::vector<ReadCommands::Entry>& waits);
  // Returns the index of the command; nullopt: it is not among them.
  std::optional<size_t> Find(const CommandPoint& point) const;

  const std::vector<Shown> commands_;
  const int64_t time_ns_;
  JsonWriter& json_;
  std::map<CommandPoint, size_t> index_;  // by the last point of each
};

std::optional<size_t> TimelineView::Writer::Find(const CommandPoint& point) const {
  const auto found = index_.lower_bound(point);
  if (found == index_.end() || point < commands_[found->second].entry.point) return std::nullopt;
  return found->second;
}

std::vector<std::string> TimelineView::Writer::WriteCommands(TimelineView& view, uint32_t process) {
  std::vector<std::string> rows;
  std::map<uint32_t, size_t> row_of;  // by timeline
  for (const Shown& one : commands_) {
    const auto [row, is_new] = row_of.try_emplace(one.entry.point.timeline, rows.size());
    if (is_new) rows.push_back(one.queue);
    json_.BeginObject().Field("row", uint64_t{row->second});
    json_.Field("us", (one.entry.time_ns - time_ns_) / 1000).Field("call", one.call);
    std::string place = view.PlaceOf(process, one.entry.site).text;
    for (const auto& [call, site] : one.entry.others) {
      const std::string& other = view.PlaceOf(process, site).text;
      if (!other.empty()) place += (place.empty() ? "" : ", ") + other;
    }
    json_.Field("place", place);
    if (!one.role.empty()) json_.Field("role", one.role);
    if (one.count != 1) json_.Field("count", one.count);
    json_.EndObject();
  }
  return rows;
}

void TimelineView::Writer::WriteOrder(const CommandPoint& from, const CommandPoint& to) {
  const auto a = Find(from), b = Find(to);
  if (a && b) json_.BeginArray().Uint(*a).Uint(*b).EndArray();
}

void TimelineView::Writer::WriteOrders(const std::vector<ReadCommands::Entry>& waits) {
  for (const Shown& one : commands_)
    for (const CommandPoint& point : one.entry.behind) WriteOrder(point, one.entry.point);
  for (const ReadCommands::Entry& entry : waits)
    if (entry.kind == CommandEntryKind::kOrder)
      for (const CommandPoint& point : entry.behind) WriteOrder(point, entry.point);
}

void TimelineView::Writer::WriteWaits(const std::vector<ReadCommands::Entry>& waits) {
  for (auto entry = waits.rbegin(); entry != waits.rend(); ++entry) {
    if (entry->kind != CommandEntryKind::kWait) continue;
    for (const CommandPoint& point : entry->behind) {
      const auto of = Find(point);
      if (!of) continue;
      json_.BeginObject().Field("us", (entry->time_ns - time_ns_) / 1000);
      json_.Field("of", uint64_t{*of}).EndObject();
    }
  }
}

void TimelineView::Writer::Write(TimelineView& view, uint32_t process,
                                 const std::vector<ReadCommands::Entry>& waits) {
  json_.BeginObject().Key("commands").BeginArray();
  const std::vector<std::string> rows = WriteCommands(view, process);
  json_.EndArray().Key("rows").BeginArray();
  for (const std::string& row : rows) json_.String(row);
  json_.EndArray().Key("orders").BeginArray();
  WriteOrders(waits);
  json_.EndArray().Key("waits").BeginArray();
  WriteWaits(waits);
  json_.EndArray().EndObject();
}

void TimelineView::Append(const FindingGroup& group, const ReadFinding& finding, JsonWriter* json) {
  const uint32_t process = ProcessOf(group, finding.first_ns);
  if (process == kNoIndex) {
    json->Raw("null");
    return;
  }
  const Selection selection(*this, process, finding);
  Writer(selection.Commands(), finding.first_ns, json).Write(*this, process, selection.waits());
}

}  // namespace gpusan
