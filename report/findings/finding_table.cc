// Counts and groups findings.
#include "report/findings/finding_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

// Fingerprints of one process as numbers: FNV-1a over the text.
uint64_t NumberOf(std::string_view fingerprint) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : fingerprint) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace

size_t FindingTable::KeyHash::operator()(const FindingKey& key) const {
  size_t hash;
  std::memcpy(&hash, key.bytes.data(), sizeof(hash));  // the key is a hash already
  return hash;
}

FindingTable::FindingTable() : by_key_(0, KeyHash{this}, KeyEqual{this}) {
  for (const RuleInfo& rule : kRules) rules_.emplace_back(rule.id);
}

uint32_t FindingTable::GroupOf(const FindingKey& key, bool* is_new) {
  const uint32_t found = FindGroup(key);
  *is_new = found == kNoIndex;
  if (!*is_new) return found;
  const auto group = static_cast<uint32_t>(groups_.size());
  groups_.emplace_back().key = key;
  by_key_.insert(group);
  return group;
}

uint32_t FindingTable::FindGroup(const FindingKey& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? kNoIndex : *found;
}

uint16_t FindingTable::RuleIndex(const std::string& rule) {
  const auto found = std::find(rules_.begin(), rules_.end(), rule);
  if (found != rules_.end()) return static_cast<uint16_t>(found - rules_.begin());
  rules_.push_back(rule);
  return static_cast<uint16_t>(rules_.size() - 1);
}

void FindingTable::Add(uint32_t index, const ReadFinding& finding, uint32_t process,
                       uint32_t file) {
  FindingGroup& group = groups_[index];
  if (finding.refresh && group.process == process && group.offset != finding.offset &&
      (group.processes == 0 || finding.text.severity >= group.severity ||
       finding.text.severity >= group.before)) {
    group.severity = finding.text.severity;
    group.offset = finding.offset;
    group.file = file;
  }
  if (group.file == kNoIndex || finding.text.severity > group.severity) {
    if (group.file != kNoIndex && group.process != process) group.before = group.severity;
    group.severity = finding.text.severity;
    group.rule = RuleIndex(finding.text.rule);
    group.offset = finding.offset;
    group.process = process;
    group.file = file;
  }
  if (finding.first_ns != 0 && (group.first_ns == 0 || finding.first_ns < group.first_ns))
    group.first_ns = finding.first_ns;
  group.last_ns = std::max(group.last_ns, finding.last_ns);
  if (finding.merged) {
    group.count += finding.count;
  } else {
    Open::Entry& entry = open_[process].entries[NumberOf(finding.fingerprint)];
    entry.group = index;
    if (!finding.refresh || entry.written == 0) ++entry.written;
  }
}

uint32_t FindingTable::FileIndex(const std::string& path) {
  if (files_.empty() || files_.back() != path) {
    const auto found = std::find(files_.begin(), files_.end(), path);
    if (found != files_.end()) return static_cast<uint32_t>(found - files_.begin());
    files_.push_back(path);
  }
  return static_cast<uint32_t>(files_.size() - 1);
}

uint32_t FindingTable::AddProcess() {
  processes_.emplace_back();
  return static_cast<uint32_t>(processes_.size() - 1);
}

void FindingTable::BeginTallies(uint32_t process) {
  for (auto& [number, entry] : open_[process].entries) entry.counted = 0;
}

void FindingTable::Tally(uint32_t process, const std::string& fingerprint, uint64_t count) {
  FindingKey key;
  if (ParseKey(fingerprint, &key)) {
    // In a merged file the group already has the sum.
    const uint32_t group = FindGroup(key);
    if (group != kNoIndex) processes_[process].found.emplace_back(group, count);
    return;
  }
  open_[process].entries[NumberOf(fingerprint)].counted = count;
}

void FindingTable::LastSeen(uint32_t process, const std::string& fingerprint, int64_t time_ns) {
  open_[process].entries[NumberOf(fingerprint)].last_ns = time_ns;
}

void FindingTable::ProcessDone(uint32_t index, ReadProcess&& read) {
  TableProcess& process = processes_[index];
  process.read = std::move(read);
  std::sort(process.samples.begin(), process.samples.end());  // parts arrive in any order
  std::sort(process.commands.begin(), process.commands.end(),
            [](const CommandsPlace& a, const CommandsPlace& b) { return a.offset < b.offset; });
  process.done = true;
  const auto open = open_.find(index);
  if (open != open_.end()) {
    // Two fingerprints of the process may belong to one group.
    for (const auto& [number, entry] : open->second.entries) {
      const uint64_t count = std::max<uint64_t>(entry.written, entry.counted);
      if (entry.group == kNoIndex) {
        process.unwritten += count;
        continue;
      }
      process.found.emplace_back(entry.group, count);
      groups_[entry.group].count += count;
      groups_[entry.group].last_ns = std::max(groups_[entry.group].last_ns, entry.last_ns);
    }
    open_.erase(open);
  }
  auto& found = process.found;
  std::sort(found.begin(), found.end());
  size_t kept = 0;
  for (const auto& [group, count] : found) {
    if (kept > 0 && found[kept - 1].first == group) {
      found[kept - 1].second += count;
    } else {
      found[kept++] = {group, count};
    }
  }
  found.resize(kept);
  found.shrink_to_fit();
  for (const auto& [group_index, count] : found) {
    FindingGroup& group = groups_[group_index];
    if (group.processes < group.seen_in.size()) group.seen_in[group.processes] = index;
    ++group.processes;
  }
}

std::vector<uint32_t> FindingTable::Ranked() const {
  std::vector<uint32_t> order(groups_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const FindingGroup& left = groups_[a];
    const FindingGroup& right = groups_[b];
    if (left.severity != right.severity) return left.severity > right.severity;
    return left.rule < right.rule;
  });
  return order;
}

}  // namespace gpusan
