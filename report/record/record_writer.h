// Writes the record file of this process: one JSON object per line, one write per record.
//
// Thread-safe. Throws nothing, leaks no signal, keeps errno. A full disk, a descriptor that the
// program closed, or a folder without write permission loses records but never disturbs the
// program: one message goes to stderr, and findings are still counted. Create it with `new` and
// never delete it: it may be called until the last instruction of the process, after all static
// destructors.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/options/options.h"
#include "report/record/command_record.h"
#include "report/record/frame_source.h"
#include "report/record/record_file.h"
#include "report/record/text_output.h"
#include "report/text/suppressions.h"
#include "tracker/model/finding.h"
#include "tracker/model/repeated_findings.h"

namespace gpusan {

using CountTable = std::vector<std::pair<std::string, uint64_t>>;

// "opencl": live_bytes, peak_bytes, ...
using LedgerTable = std::vector<std::pair<std::string, CountTable>>;

class JsonWriter;

// The memory allocated at one call site.
struct SampleSite {
  Api api = Api::kNone;
  SiteId site = kUnknownSite;  // never kUnknownSite in a record
  uint64_t live_bytes = 0;
  uint64_t live_count = 0;
};

// The content of a sample record.
struct SampleRecord {
  LedgerTable ledger;
  CountTable calls;               // intercepted so far, by API name
  std::vector<SampleSite> sites;  // with the most memory, or with growth
};

// The content of the end record.
struct EndRecord {
  std::string reason;  // "exit", "_exit", "quick_exit", "exec", "unload", "halt"
  CountTable calls;    // intercepted calls by API name, including zeros
  // Dropped items by name. The writer adds "records" that could not be written, and the "samples"
  // and commands ("timeline") of deleted parts.
  CountTable dropped;
  LedgerTable ledger;
  uint64_t own_ns = 0;  // gpusan's share of the program's time, over all threads; 0: not known
};

class RecordWriter final : public FindingSink, public RepeatCounter {
 public:
  // `frames` must outlive this object. Opens no file. A relative record name is relative to the
  // folder that is current now.
  RecordWriter(const Options& options, std::string version, const FrameSource* frames);

  // Adds the name of an attach path in use ("opencl-layer"). The process record contains the names
  // that were added before the file is opened.
  void AddAttachPath(std::string path);

  // Opens the file and writes the process record unless that was done. Call it at the first call of
  // a GPU API; Report does the same.
  void Start();

  // Writes the finding, and prints it if the option `print` is on and nothing suppresses it.
  // Identical findings (same fingerprint) beyond max_per_fingerprint are only counted. A finding
  // that refreshes an earlier one is written and not counted.
  void Report(Finding&& finding) override;
  bool CountRepeat(const FindingKey& key) override;
  // Replaces the options of the constructor. Has no effect after the first record.
  void SetOptions(const Options& options);
  // Sets the member `settings` of the process record (SettingsText). Has no effect after the first
  // record.
  void SetSettings(std::string settings);
  // Adds a function that is called for each finding that is written in full and not suppressed, on
  // the thread that reports it and with no lock held. There are at most kMostListeners; a function
  // that was added before is not added again.
  static constexpr int kMostListeners = 4;
  void AddListener(void (*listener)(const Finding&));
  // Sets the function that ends the process after a finding when halt_on_error is set. Called after
  // the listeners, as they are.
  void SetHalt(void (*halt)()) { halt_.store(halt, std::memory_order_release); }

  // Writes a message about gpusan itself ("libOpenCL.so.1 was loaded and none of its calls came
  // through gpusan") as a record of type "warning" and, if the option `print` is on, to stderr.
  void Warn(const std::string& text);

  // Writes a sample record. Does nothing before the first record and after the end record.
  void Write(const SampleRecord& sample);

  // Writes records of commands, which are in the order of time. Otherwise as for samples.
  void Write(std::span<const LoggedCommand> commands);

  // Writes the end record if the file is open. May be called again (an exec that failed, then
  // exit): the last end record counts. Does nothing in a child of vfork.
  void End(const EndRecord& end);

  // Handlers for pthread_atfork. The parent keeps its file. The child opens its own file at its
  // first record, with counts of zero. PrepareFork takes the mutex, the others release it.
  void PrepareFork();
  void AfterForkInParent();
  void AfterForkInChild();

  // The path of the file; empty while no file is open.
  std::string path();

  // The number of findings so far, written or not.
  uint64_t findings();

  // The number of different findings that are errors and not suppressed by the option suppressions.
  uint64_t errors() const { return errors_.load(std::memory_order_relaxed); }

 private:
  struct Tally {
    uint64_t count = 0;
    uint64_t written = 0;
    uint64_t recorded = 0;  // the part of `count` that a record contains
    int64_t last_ns = 0;    // since 1970
  };

  // Samples and commands in one part, or in deleted parts.
  struct PartCounts {
    uint64_t samples = 0;
    uint64_t commands = 0;  // including orderings and waits
  };

  void ApplyTextOptions();
  // Prints the finding and passes it on, unless it is suppressed.
  void Deliver(const Finding& finding, bool print);
  void StartLocked();
  int OpenLocked();  // returns 0 or errno
  RecordFile* SampleFileLocked();
  bool IsFullLocked();
  bool WriteLocked(std::string_view record) { return WriteLocked(record, &main_); }
  bool WriteLocked(std::string_view record, RecordFile* file);
  void ComplainLocked(int error);
  // Whether findings with the tally are no longer written.
  bool IsPastLimit(const Tally& tally) const {
    return tally.written >= static_cast<uint64_t>(options_.max_per_fingerprint);
  }
  void AppendTalliesLocked(bool all, JsonWriter* json);
  static bool IsCountDue(const Tally& tally);
  void WriteCountLocked(uint64_t fingerprint, Tally* tally);
  void WriteSiteLocked(SiteId site, RecordFile* file);
  void WriteModulesLocked(const std::vector<RecordFrame>& frames, RecordFile* file);
  void ResetLocked();
  std::string ProcessRecordLocked(uint64_t part);

  Options options_;  // constant after the first record
  const std::string version_;
  const FrameSource* const frames_;
  std::string pattern_;            // absolute
  TextOutput output_;              // constant after the first record
  Suppressions suppressions_;      // its lines are constant after the first record
  std::mutex suppressions_mutex_;  // guards the counts of hits
  std::atomic<uint64_t> errors_{0};
  std::atomic<void (*)(const Finding&)> listeners_[kMostListeners] = {};
  std::atomic<void (*)()> halt_{nullptr};

  std::mutex mutex_;
  pid_t pid_;
  int64_t start_ns_;
  std::vector<std::string> attach_paths_;
  std::string settings_;
  std::string wanted_;  // the path of the last attempt to open
  // The folder of the last record of this process, or of the parent that it was forked from. It is
  // not created again when it was removed.
  std::string made_folder_;
  RecordFile main_;
  // With record_max, samples that do not fit into main_ go into parts; the last two parts are kept.
  RecordFile part_;
  std::string part_before_;  // its path
  PartCounts in_part_, in_part_before_, gone_;
  uint64_t parts_ = 0;
  bool started_ = false;
  bool ended_ = false;    // an end record was written; another one may follow
  bool gave_up_ = false;  // the file could not be opened
  bool complained_ = false;
  bool full_ = false;  // record_max is reached, and the message was printed
  uint64_t sequence_ = 0;
  uint64_t lost_records_ = 0;
  std::unordered_map<uint64_t, Tally> tallies_;
  // By FindingKey: the tallies of findings that are only counted. At most kMostRepeats.
  static constexpr size_t kMostRepeats = 1 << 16;
  std::unordered_map<uint64_t, Tally*> repeats_;
};

// "v0-" and 16 hex digits: equal for the same defect at the same call site, across runs, hosts and
// load addresses.
std::string FingerprintText(uint64_t fingerprint);

}  // namespace gpusan
