// Writes the record file of this process: one JSON object a line, one write a record.
//
// Thread-safe. Nothing is thrown, no signal escapes, errno is kept. A disk that is full, a
// descriptor that the program closed or a folder that cannot be written costs records, never the
// program: one complaint on stderr, and findings go on to be counted. Make it with `new` and never
// delete it: it may be called until the process's last instruction, after all static destructors.
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
#include "tracker/model/finding.h"

namespace gpusan {

using CountTable = std::vector<std::pair<std::string, uint64_t>>;

// "opencl": live_bytes, peak_bytes, ...
using LedgerTable = std::vector<std::pair<std::string, CountTable>>;

class JsonWriter;

// What one place of the program holds.
struct SampleSite {
  Api api = Api::kNone;
  SiteId site = kUnknownSite;  // known
  uint64_t live_bytes = 0;
  uint64_t live_count = 0;
};

// What a sample record says.
struct SampleRecord {
  LedgerTable ledger;
  CountTable calls;               // seen so far, by API name
  std::vector<SampleSite> sites;  // those that hold most, or are otherwise of interest
};

// What the last record says.
struct EndRecord {
  std::string reason;  // "exit", "_exit", "quick_exit", "exec", "unload"
  CountTable calls;    // calls seen, by API name; also those with 0
  // What was given up, by name. The writer adds "records" that could not be written, and "samples"
  // and the commands ("timeline") that went with old parts.
  CountTable dropped;
  LedgerTable ledger;
  uint64_t own_ns = 0;  // gpusan's share of the program's time, over all threads; 0: not known
};

class RecordWriter final : public FindingSink {
 public:
  // `frames` must live as long as this object. Opens nothing. A relative record name is taken from
  // the current folder of this moment.
  RecordWriter(const Options& options, std::string version, const FrameSource* frames);

  // Name of a door that the process came through ("opencl-layer"); those added before the file is
  // opened are in the process record.
  void AddAttachPath(std::string path);

  // Opens the file and writes the process record unless that was done. For the first call of a GPU
  // API; findings do it by themselves.
  void Start();

  // Writes the finding, and prints it if the options say so. Identical ones (same fingerprint) past
  // max_per_fingerprint are only counted. One that refreshes another is written and not counted.
  void Report(Finding&& finding) override;
  // In place of those that it was made with; nothing once it has begun to write.
  void SetOptions(const Options& options);
  // Called for each finding that is written in full, on the thread that reports it and with no lock
  // held. Set before the first finding.
  void SetListener(void (*listener)(const Finding&)) {
    listener_.store(listener, std::memory_order_release);
  }

  // Something about gpusan itself that the reader of the records must know ("libOpenCL.so.1 was
  // loaded and none of its calls was seen"): a record of type "warning" and, if the options say so,
  // a line on stderr.
  void Warn(const std::string& text);

  // A record of what is held now. Nothing before the first record and after the end.
  void Write(const SampleRecord& sample);

  // Records of commands, in the order of time. As a sample.
  void Write(std::span<const LoggedCommand> commands);

  // Writes the end record if the file was opened. May be called again (an exec that failed, then
  // exit): the last one counts. Does nothing in a child of vfork.
  void End(const EndRecord& end);

  // For pthread_atfork: the file of the parent stays the parent's; the child starts its own when it
  // has something to write, with counts at zero.
  void PrepareFork();
  void AfterForkInParent();
  void AfterForkInChild();

  // The file written to; empty while none is open.
  std::string path();

  // Findings counted so far, written or not.
  uint64_t findings();

 private:
  struct Tally {
    uint64_t count = 0;
    uint64_t written = 0;
    uint64_t told = 0;    // of `count`, in a record
    int64_t last_ns = 0;  // since 1970
  };

  // What of a soak is in a part, or no more anywhere.
  struct PartCounts {
    uint64_t samples = 0;
    uint64_t commands = 0;  // and their orders and waits
  };

  void StartLocked();
  int OpenLocked();  // an errno
  RecordFile* SampleFileLocked();
  bool IsFullLocked();
  bool WriteLocked(std::string_view record) { return WriteLocked(record, &main_); }
  bool WriteLocked(std::string_view record, RecordFile* file);
  void ComplainLocked(int error);
  void AppendTalliesLocked(bool all, JsonWriter* json);
  void WriteCountLocked(uint64_t fingerprint, Tally* tally);
  void WriteSiteLocked(SiteId site, RecordFile* file);
  void WriteModulesLocked(const std::vector<RecordFrame>& frames, RecordFile* file);
  void ResetLocked();
  std::string ProcessRecordLocked(uint64_t part);

  Options options_;  // constant once it has begun to write
  const std::string version_;
  const FrameSource* const frames_;
  std::string pattern_;  // absolute
  std::atomic<void (*)(const Finding&)> listener_{nullptr};

  std::mutex mutex_;
  pid_t pid_;
  int64_t start_ns_;
  std::vector<std::string> attach_paths_;
  std::string wanted_;  // the path that was tried last
  RecordFile main_;
  // With record_max, samples that do not fit there go into parts, of which the last two are kept.
  RecordFile part_;
  std::string part_before_;  // its path
  PartCounts in_part_, in_part_before_, gone_;
  uint64_t parts_ = 0;
  bool started_ = false;
  bool ended_ = false;    // the end record was written, perhaps not the last
  bool gave_up_ = false;  // the file could not be opened
  bool complained_ = false;
  bool full_ = false;  // record_max is reached, and that was said
  uint64_t sequence_ = 0;
  uint64_t lost_records_ = 0;
  std::unordered_map<uint64_t, Tally> tallies_;
};

// "v0-" and 16 hex digits: the same for the same defect at the same place, across runs, hosts and
// load addresses.
std::string FingerprintText(uint64_t fingerprint);

}  // namespace gpusan
