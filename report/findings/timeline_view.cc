// Selects and writes the commands around a finding.
#include "report/findings/timeline_view.h"

#include <algorithm>
#include <set>

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

void TimelineView::Append(const FindingGroup& group, const ReadFinding& finding, JsonWriter* json) {
  const auto& processes = collector_.table().processes();
  const int64_t time_ns = finding.first_ns;
  uint32_t process = kNoIndex;
  for (const uint32_t candidate :
       {group.process, group.seen_in[0], group.seen_in[1], group.seen_in[2]}) {
    if (process != kNoIndex || candidate == kNoIndex) continue;
    const TableProcess& one = processes[candidate];
    if (!one.commands.empty() && one.read.start_ns <= time_ns && time_ns <= one.read.last_ns)
      process = candidate;
  }
  if (process == kNoIndex) {
    json->Raw("null");
    return;
  }
  const std::vector<CommandsPlace>& records = processes[process].commands;
  size_t last = 0;
  while (last + 1 < records.size() && records[last + 1].begin_ns <= time_ns) ++last;

  // Roles by stack. The call of the finding itself is at its call site.
  std::map<std::string, std::string> roles;
  for (const TextParty& party : finding.text.parties)
    if (!party.frames.empty()) roles.emplace(KeyOf(party.frames), party.role);
  if (!finding.text.frames.empty()) roles[KeyOf(finding.text.frames)] = "finding";

  std::vector<Shown> before, after;
  std::vector<Shown> far;  // parties that are far back
  std::vector<ReadCommands::Entry> waits;
  std::set<CommandPoint> failed;
  // Without failed commands, the list may be empty.
  const auto left_of = [&](const ReadCommands::Entry& entry) {
    const auto first = failed.lower_bound(entry.point);
    return entry.count -
           static_cast<uint64_t>(std::distance(first, failed.upper_bound(entry.last())));
  };
  std::set<std::string> wanted;
  for (const auto& [key, role] : roles)
    if (role != "finding") wanted.insert(key);
  const auto keys_of = [&](const ReadCommands::Entry& entry) {
    std::vector<std::string> keys = {PlaceOf(process, entry.site).key};
    for (const auto& [call, site] : entry.others) keys.push_back(PlaceOf(process, site).key);
    return keys;
  };
  const auto shown_of = [&](const ReadCommands& commands, const ReadCommands::Entry& entry) {
    Shown shown{entry, CallsOf(commands, entry),
                commands.queues[entry.queue].api + " " + commands.queues[entry.queue].handle, ""};
    shown.count = left_of(entry);
    for (const std::string& key : keys_of(entry)) {
      if (const auto role = roles.find(key); role != roles.end() && shown.role.empty())
        shown.role = role->second;
    }
    return shown;
  };
  const auto erase_wanted = [&](const ReadCommands::Entry& entry) {
    size_t erased = 0;
    for (const std::string& key : keys_of(entry)) erased += wanted.erase(key);
    return erased != 0;
  };
  for (size_t record = std::min(last + 2, records.size()); record-- > 0;) {
    if (before.size() >= kBefore && (wanted.empty() || record + kRecordsBack < last)) break;
    if (!Load(process, record)) break;
    const ReadCommands& commands = read_[{process, record}];
    std::vector<Shown> later;
    for (size_t i = commands.entries.size(); i-- > 0;) {
      const ReadCommands::Entry& entry = commands.entries[i];
      if (entry.kind == CommandEntryKind::kFailed) failed.insert(entry.point);
      if (entry.kind == CommandEntryKind::kWait || entry.kind == CommandEntryKind::kOrder) {
        waits.push_back(entry);
        continue;
      }
      if (entry.kind != CommandEntryKind::kCommand || left_of(entry) == 0) continue;
      if (entry.time_ns > time_ns) {
        later.push_back(shown_of(commands, entry));
      } else if (before.size() < kBefore) {
        before.push_back(shown_of(commands, entry));
        erase_wanted(entry);
      } else if (erase_wanted(entry)) {
        far.push_back(shown_of(commands, entry));
      }
    }
    after.insert(after.begin(), later.rbegin(), later.rend());
  }
  if (after.size() > kAfter) after.resize(kAfter);
  std::vector<Shown> all(far.rbegin(), far.rend());
  all.insert(all.end(), before.rbegin(), before.rend());
  all.insert(all.end(), after.begin(), after.end());
  // The finding belongs to the last command of its call site that was enqueued before it.
  bool found = false;
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].role != "finding") continue;
    if (found || all[i].entry.time_ns > time_ns) all[i].role.clear();
    found |= all[i].role == "finding";
  }

  std::vector<std::string> rows;
  std::map<uint32_t, size_t> row_of;  // by timeline
  std::map<CommandPoint, size_t> index;
  json->BeginObject().Key("commands").BeginArray();
  for (size_t i = 0; i < all.size(); ++i) {
    const Shown& one = all[i];
    index[one.entry.last()] = i;
    const auto [row, is_new] = row_of.try_emplace(one.entry.point.timeline, rows.size());
    if (is_new) rows.push_back(one.queue);
    json->BeginObject().Field("row", uint64_t{row->second});
    json->Field("us", (one.entry.time_ns - time_ns) / 1000).Field("call", one.call);
    std::string place = PlaceOf(process, one.entry.site).text;
    for (const auto& [call, site] : one.entry.others) {
      const std::string& other = PlaceOf(process, site).text;
      if (!other.empty()) place += (place.empty() ? "" : ", ") + other;
    }
    json->Field("place", place);
    if (!one.role.empty()) json->Field("role", one.role);
    if (one.count != 1) json->Field("count", one.count);
    json->EndObject();
  }
  json->EndArray().Key("rows").BeginArray();
  for (const std::string& row : rows) json->String(row);
  json->EndArray().Key("orders").BeginArray();
  const auto find = [&](const CommandPoint& point) {
    const auto found = index.lower_bound(point);
    return found != index.end() && all[found->second].entry.point <= point ? found : index.end();
  };
  const auto order = [&](const CommandPoint& from, const CommandPoint& to) {
    const auto a = find(from), b = find(to);
    if (a == index.end() || b == index.end()) return;
    json->BeginArray().Uint(a->second).Uint(b->second).EndArray();
  };
  for (const Shown& one : all)
    for (const CommandPoint& point : one.entry.behind) order(point, one.entry.point);
  for (const ReadCommands::Entry& entry : waits)
    if (entry.kind == CommandEntryKind::kOrder)
      for (const CommandPoint& point : entry.behind) order(point, entry.point);
  json->EndArray().Key("waits").BeginArray();
  std::reverse(waits.begin(), waits.end());
  for (const ReadCommands::Entry& entry : waits) {
    if (entry.kind != CommandEntryKind::kWait) continue;
    for (const CommandPoint& point : entry.behind) {
      const auto of = find(point);
      if (of == index.end()) continue;
      json->BeginObject().Field("us", (entry.time_ns - time_ns) / 1000);
      json->Field("of", uint64_t{of->second}).EndObject();
    }
  }
  json->EndArray().EndObject();
}

}  // namespace gpusan
