// The findings of many processes, one entry per fingerprint, with the processes that found them and
// the counts.
//
// Texts and frames stay in the files; the table has their offsets. A million distinct findings take
// about 150 MB. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "report/findings/record_reader.h"
#include "report/findings/stable_fingerprint.h"

namespace gpusan {

inline constexpr uint32_t kNoIndex = ~uint32_t{0};

struct FindingGroup {
  FindingKey key;
  uint64_t count = 0;    // in all processes; complete once they are done
  int64_t first_ns = 0;  // since 1970; 0: not known
  int64_t last_ns = 0;
  uint64_t offset = 0;          // of the example in its file: the first with the highest severity
  uint32_t process = kNoIndex;  // of the example; kNoIndex in a merged file
  uint32_t file = kNoIndex;     // index for FileName
  uint32_t processes = 0;       // number of processes that found it
  std::array<uint32_t, 3> seen_in = {kNoIndex, kNoIndex, kNoIndex};  // the first of them
  uint16_t rule = 0;                                                 // index for RuleName
  uint16_t suppression = 0;  // number of the matching line, from 1; 0: none
  Severity severity = Severity::kNote;
  Severity before = Severity::kError;  // the severity before the example's process raised it
  bool in_baseline = false;
};

inline constexpr int kPartShift = 44;

// A commands record.
struct CommandsPlace {
  uint64_t offset = 0;  // as of samples
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

struct TableProcess {
  ReadProcess read;
  std::vector<std::pair<uint32_t, uint64_t>> found;  // group and count, by group
  // Positions of the samples: the offset in the file and, from bit kPartShift on, the number of the
  // part.
  std::vector<uint64_t> samples;
  std::vector<CommandsPlace> commands;  // in the order of time
  uint64_t unwritten = 0;               // findings that were counted but have no record
  bool done = false;
};

class FindingTable {
 public:
  // The index of the group with that key. Creates the group if necessary.
  uint32_t GroupOf(const FindingKey& key, bool* is_new);

  // kNoIndex when there is none.
  uint32_t FindGroup(const FindingKey& key) const;

  // Adds `finding` of process `process` (kNoIndex for a merged file) to `group`.
  void Add(uint32_t group, const ReadFinding& finding, uint32_t process, uint32_t file);

  uint32_t AddProcess();
  uint32_t FileIndex(const std::string& path);
  const std::string& FileName(uint32_t file) const { return files_[file]; }

  // `part` is 0 for the main file, or the number of the part.
  void AddSample(uint32_t process, const ReadSample& sample, uint64_t part) {
    processes_[process].samples.push_back(part << kPartShift | sample.offset);
  }

  void AddCommands(uint32_t process, const ReadCommands& commands, uint64_t part) {
    processes_[process].commands.push_back({part << kPartShift | commands.offset,
                                            commands.entries.front().time_ns,
                                            commands.entries.back().time_ns});
  }

  // The counts of an end record follow; they replace earlier ones.
  void BeginTallies(uint32_t process);
  void Tally(uint32_t process, const std::string& fingerprint, uint64_t count);
  void LastSeen(uint32_t process, const std::string& fingerprint, int64_t time_ns);

  // Completes the counts of a process. `read` is its final state.
  void ProcessDone(uint32_t process, ReadProcess&& read);

  std::deque<FindingGroup>& groups() { return groups_; }
  const std::deque<FindingGroup>& groups() const { return groups_; }
  const std::deque<TableProcess>& processes() const { return processes_; }

  // Check ids in the order of rules.def, then ids that this version does not define.
  uint16_t RuleIndex(const std::string& rule);
  const std::string& RuleName(uint16_t rule) const { return rules_[rule]; }

  // Indices of the groups: most severe first, then in the order of rules.def, then by first
  // occurrence.
  std::vector<uint32_t> Ranked() const;

  FindingTable();

 private:
  // Findings of one process by its own fingerprints (v0).
  struct Open {
    struct Entry {
      uint32_t group = kNoIndex;
      uint32_t written = 0;
      uint64_t counted = 0;
      int64_t last_ns = 0;
    };
    absl::flat_hash_map<uint64_t, Entry> entries;
  };

  struct KeyHash {
    const FindingTable* table;
    using is_transparent = void;
    size_t operator()(uint32_t group) const { return (*this)(table->groups_[group].key); }
    size_t operator()(const FindingKey& key) const;
  };
  struct KeyEqual {
    const FindingTable* table;
    using is_transparent = void;
    const FindingKey& Key(uint32_t group) const { return table->groups_[group].key; }
    const FindingKey& Key(const FindingKey& key) const { return key; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return Key(a) == Key(b);
    }
  };

  std::deque<FindingGroup> groups_;
  absl::flat_hash_set<uint32_t, KeyHash, KeyEqual> by_key_;
  std::deque<TableProcess> processes_;
  absl::flat_hash_map<uint32_t, Open> open_;  // by process, until the process is done
  std::vector<std::string> rules_;
  std::vector<std::string> files_;
};

}  // namespace gpusan
