// Findings of many processes from their record files: symbolised, grouped by fingerprint,
// suppressed, compared with a baseline, counted, summed up.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/findings/finding_table.h"
#include "report/findings/record_reader.h"
#include "report/findings/suppressions.h"
#include "report/findings/symbolizer.h"
#include "report/options/options.h"
#include "report/record/text.h"

namespace gpusan {

inline constexpr int kExitFindings = 66;
inline constexpr int kExitTrouble = 70;

// Not thread-safe.
class Collector final : public RecordVisitor {
 public:
  // Findings go to descriptor `findings_fd` as they come, -1 for nowhere; what gpusan has to say
  // about itself to stderr.
  Collector(const Options& options, Suppressions suppressions, int findings_fd);
  ~Collector() override;

  // Reads what was appended to a file since the last time; the first time it makes the file known.
  // False when it cannot be read; that was said then.
  bool Poll(const std::string& file);

  // The files of PollFolder are those of processes of this run alone (attach_log.h). What names no
  // run is taken for ours.
  void FollowRun(std::string run) { run_ = std::move(run); }

  // The same for the record files in a folder ("*.jsonl", "*.jsonl.N"), in the order of their
  // names, except `ignored`.
  bool PollFolder(const std::string& folder, const std::vector<std::string>& ignored = {});

  // Reads files and folders from begin to end, with a progress bar if stderr is a terminal, and
  // finishes. What cannot be read is trouble. A file that is in a merged one, too, is read once
  // (merged_duplicates.h).
  void ReadAll(const std::vector<std::string>& paths);

  // After the last Poll: truncated lines, processes without end. Counts are complete then.
  void Finish();

  // What these files hold is not new. Before the first Poll; false when it could not be read.
  bool LoadBaseline(const std::string& path);

  // Something that keeps this run from counting as clean. One line on stderr at once.
  void Trouble(const std::string& line);

  // gpusan was not in the program itself: no clean run, and the summary says so. `line` as above,
  // unless it is empty.
  void NotAttached(const std::string& line);

  // Findings by severity and check, suppressions used, processes, incomplete files. Ends in a
  // newline.
  std::string Summary() const;

  // 66 for findings as --fail-on wants them; 70 for trouble or an incomplete run without such
  // findings; else 0. With fail_on=never findings and incomplete runs do not count.
  int ExitCode() const;

  // A process that wrote records has not ended yet. After Finish.
  bool AnyRuns() const { return any_runs_; }

  // What is known of a process that has taken samples and has not ended, as of the last one.
  struct Running {
    int64_t time_ns = 0;
    uint64_t calls = 0;
    double calls_per_second = 0;  // between the last two
    LedgerFigures ledger;
    Figures calls_by_api;
  };
  const std::map<const ReadProcess*, Running>& running() const { return running_; }

  // Processes that have ended are done with: their files are not looked at again.
  void FinishEnded();

  // Is called before anything is written to stderr.
  void SetBeforePrint(std::function<void()> before_print) {
    before_print_ = std::move(before_print);
  }

  // One line a process that has not ended or has no last record. After Finish.
  const std::vector<std::string>& incomplete() const { return incomplete_; }

  // Number of files read so far.
  size_t files() const { return readers_.size(); }

  const Options& options() const { return options_; }
  const FindingTable& table() const { return table_; }
  const Suppressions& suppressions() const { return suppressions_; }
  Collector* baseline() { return baseline_.get(); }  // nullptr: none was loaded

  // The example of a group with its symbols and how often it was seen. False when the file has
  // changed since; that is trouble.
  bool Example(const FindingGroup& group, ReadFinding* finding);

  // Is called for each example that is read again.
  void SetOnExample(std::function<void()> on_example) { on_example_ = std::move(on_example); }

  // A sample of a process, its sites with symbols in `text_frames`. False as above.
  bool Sample(const TableProcess& process, uint64_t place, ReadSample* sample);

  // The frames of a place with symbols.
  std::vector<TextFrame> SymbolsOf(const TableProcess& process, const ReadSite& site) {
    return site.text_frames.empty() ? Symbolize(*process.read.modules, site.frames)
                                    : site.text_frames;
  }

  // The commands of a record of a process. False as above.
  bool Commands(const TableProcess& process, uint64_t offset, ReadCommands* commands);

  // A record of a process as it stands in its file; empty as above.
  std::string_view RecordLine(const TableProcess& process, uint64_t offset);

  // The frames with symbols.
  std::vector<TextFrame> Symbolize(const ModuleTable& modules,
                                   const std::vector<RecordFrame>& frames);

  // Lines for a file of suppressions, one a finding that is not suppressed, each line once.
  std::string GeneratedSuppressions();

  void OnFinding(const ReadProcess& process, ReadFinding&& finding) override;
  void OnWarning(const ReadProcess& process, const std::string& text) override;
  void OnTrouble(const ReadProcess& process, const std::string& line) override;
  void OnSample(const ReadProcess& process, ReadSample&& sample) override;
  void OnCommands(const ReadProcess& process, ReadCommands&& commands) override;
  void OnEnd(const ReadProcess& process) override;
  void OnTally(const ReadProcess& process, const std::string& fingerprint, uint64_t count) override;
  void OnLastSeen(const ReadProcess& process, const std::string& fingerprint,
                  int64_t time_ns) override;
  void OnDone(ReadProcess&& process) override;

 private:
  bool OfAnotherRun(const std::string& file);
  uint32_t Slot(const ReadProcess& process);
  RecordSource& Source(uint32_t file);
  void AddSample(const ReadProcess& process, ReadSample&& sample, uint64_t part);
  void AddCommands(const ReadProcess& process, ReadCommands&& commands, uint64_t part);
  RecordSource& SourceOf(const TableProcess& process, uint64_t* place);
  // Further parts of what the reader reads.
  void PollParts(const std::string& file, RecordReader* reader);
  void FinishReader(const std::string& file);
  void Resolve(const ModuleTable& modules, ReadFinding* finding);
  std::string SeenText(const FindingGroup& group) const;

  const Options options_;
  Suppressions suppressions_;
  Symbolizer symbolizer_;
  const int fd_;
  const TextStyle style_;
  FindingTable table_;
  std::unique_ptr<Collector> baseline_;
  std::string run_;
  std::set<std::string> others_;  // files of other runs
  std::map<std::string, std::unique_ptr<RecordReader>> readers_;
  struct Part;
  std::map<std::string, std::map<uint64_t, std::unique_ptr<Part>>> parts_;  // by main file
  std::map<const ReadProcess*, uint32_t> slots_;   // of processes that are being read
  absl::flat_hash_map<uint64_t, uint32_t> known_;  // findings as recorded, by hash, to their groups
  std::map<uint32_t, std::unique_ptr<RecordSource>> sources_;
  std::function<void(uint64_t)> on_progress_;
  std::function<void()> on_example_;
  std::function<void()> before_print_;
  std::map<const ReadProcess*, Running> running_;
  std::vector<std::string> incomplete_;  // one line a process
  uint64_t troubles_ = 0;
  bool any_runs_ = false;
  bool not_attached_ = false;
};

// Record files of a folder, sorted by name. False with errno when it cannot be read.
bool RecordFilesIn(const std::string& folder, std::vector<std::string>* files);

// The severity of that name; false for "new" and "never".
bool SeverityFrom(const std::string& fail_on, Severity* severity);

// "app rank 3 on node1 (pid 77)": the rank where it is not 0.
std::string ProcessName(const ReadProcess& process);

}  // namespace gpusan
