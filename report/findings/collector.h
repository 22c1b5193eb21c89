// Collects the findings of many processes from their record files: symbolizes, groups by
// fingerprint, applies suppressions, compares with a baseline, counts, summarizes.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/findings/finding_printer.h"
#include "report/findings/finding_table.h"
#include "report/findings/record_reader.h"
#include "report/findings/source_excerpt.h"
#include "report/findings/symbolizer.h"
#include "report/options/options.h"
#include "report/text/suppressions.h"
#include "report/text/text.h"

namespace gpusan {

inline constexpr int kExitFindings = 66;
inline constexpr int kExitTrouble = 70;

// Not thread-safe.
class Collector final : public RecordVisitor {
 public:
  // Prints findings to descriptor `findings_fd` as they arrive (-1: prints none), and messages of
  // gpusan itself to stderr.
  Collector(const Options& options, Suppressions suppressions, int findings_fd);
  ~Collector() override;

  // Reads what was appended to a file since the last call; the first call registers the file.
  // Returns false, after a message, if the file cannot be read.
  bool Poll(const std::string& file);

  // Restricts PollFolder to files of processes of this run (attach_log.h). A file that names no run
  // counts as one of this run.
  void FollowRun(std::string run) { run_ = std::move(run); }

  // Polls the record files in a folder ("*.jsonl", "*.jsonl.N") in the order of their names, except
  // `ignored`.
  bool PollFolder(const std::string& folder, const std::vector<std::string>& ignored = {});

  // Reads files and folders completely and finishes. Shows a progress bar if stderr is a terminal.
  // Reports unreadable files with Trouble. Reads a file that also is in a merged file only once
  // (merged_duplicates.h).
  void ReadAll(const std::vector<std::string>& paths);

  // Call it after the last Poll. Reports truncated lines and processes without an end record, and
  // completes the counts.
  void Finish();

  // Findings in these files do not count as new. Call it before the first Poll. Returns false if
  // the files cannot be read.
  bool LoadBaseline(const std::string& path);

  // Writes one line to stderr; the run no longer counts as clean.
  void Trouble(const std::string& line);

  // Records that gpusan did not attach to the program: the run does not count as clean, and the
  // summary says so. Passes `line` to Trouble unless it is empty.
  void NotAttached(const std::string& line);

  // Lines of the summary about processes that gpusan is not attached to. They do not change the
  // exit code.
  void Lost(std::vector<std::string> lines) { lost_ = std::move(lines); }

  // Whether a process called this API ("opencl"). Valid after Finish.
  bool Saw(std::string_view api) const;

  // Returns the summary for the user: the number of findings; a table with a line for each
  // severity, check and location, most severe first; the used suppressions, modules without lines,
  // incomplete files. Ends with a newline. Reads examples again.
  std::string Summary();

  // 66 if findings that --fail-on selects exist; else 70 after Trouble or for an incomplete run;
  // else 0. With fail_on=never or without `count_findings`, findings and incomplete runs do not
  // count.
  int ExitCode(bool count_findings = true) const;

  // Whether a finding was printed to `findings_fd`.
  bool printed() const { return printer_.printed(); }

  // Whether a process with records is still running. Valid after Finish.
  bool AnyRuns() const { return any_runs_; }

  // The state of a running process with samples, as of its last sample.
  struct Running {
    int64_t time_ns = 0;
    uint64_t calls = 0;
    double calls_per_second = 0;  // between the last two samples
    LedgerFigures ledger;
    Figures calls_by_api;
  };
  const std::map<const ReadProcess*, Running>& running() const { return running_; }

  // Completes the processes that have ended; their files are not read again.
  void FinishEnded();

  // One line per process that still runs or has no end record. Valid after Finish.
  const std::vector<std::string>& incomplete() const { return incomplete_; }

  // Number of files read so far.
  size_t files() const { return readers_.size(); }

  const Options& options() const { return options_; }
  const FindingTable& table() const { return table_; }
  const Suppressions& suppressions() const { return suppressions_; }
  Collector* baseline() { return baseline_.get(); }  // nullptr without a baseline

  // Reads the example of a group again, with symbols and the text of its counts. Returns false,
  // after Trouble, if the file has changed.
  bool Example(const FindingGroup& group, ReadFinding* finding);

  // Adds the lines of source files to the call sites of a finding with symbols.
  void AddExcerpts(ReadFinding* finding);

  // Sets a function that is called for each example that is read again.
  void SetOnExample(std::function<void()> on_example) { on_example_ = std::move(on_example); }

  // Reads a sample of a process, with symbols in `text_frames` of its call sites. Returns false as
  // Example does.
  bool Sample(const TableProcess& process, uint64_t position, ReadSample* sample);

  // The frames of a call site with symbols.
  std::vector<TextFrame> SymbolsOf(const TableProcess& process, const ReadSite& site) {
    return site.text_frames.empty() ? Symbolize(*process.read.modules, site.frames)
                                    : site.text_frames;
  }

  // Reads a commands record of a process. Returns false as Example does.
  bool Commands(const TableProcess& process, uint64_t offset, ReadCommands* commands);

  // The line of a record of a process; empty, after Trouble, if the file has changed.
  std::string_view RecordLine(const TableProcess& process, uint64_t offset);

  // The frames with symbols.
  std::vector<TextFrame> Symbolize(const ModuleTable& modules,
                                   const std::vector<RecordFrame>& frames);

  // Lines for a suppressions file, one for each finding that is not suppressed, without duplicates.
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
  // Polls the further parts of the record that `reader` reads.
  void PollParts(const std::string& file, RecordReader* reader);
  void FinishReader(const std::string& file);
  void Resolve(const ModuleTable& modules, ReadFinding* finding);
  std::string SeenText(const FindingGroup& group) const;
  std::string ProcessText(const ReadProcess& process) const;
  // `same_event`: see FindingPrinter::Next.
  void Print(const ReadProcess& process, ReadFinding* finding, bool same_event);
  void NoteMissingLines(const ReadFinding& finding);
  std::string SummaryTable();

  const Options options_;
  Suppressions suppressions_;
  Symbolizer symbolizer_;
  SourceFiles sources_of_program_;
  const int fd_;
  FindingPrinter printer_;
  FindingTable table_;
  std::unique_ptr<Collector> baseline_;
  std::string run_;
  std::set<std::string> others_;  // files of other runs
  std::map<std::string, std::unique_ptr<RecordReader>> readers_;
  struct Part;
  std::map<std::string, std::map<uint64_t, std::unique_ptr<Part>>> parts_;  // by main file
  std::map<const ReadProcess*, uint32_t> slots_;  // of the processes being read
  // Where a finding as recorded belongs: its group, and its severity once it has symbols.
  struct Known {
    uint32_t group = kNoIndex;
    Severity severity = Severity::kNote;
  };
  absl::flat_hash_map<uint64_t, Known> known_;  // by the hash of the finding as recorded
  std::set<std::string> without_lines_;         // modules of the program
  std::map<uint32_t, std::unique_ptr<RecordSource>> sources_;
  std::function<void(uint64_t)> on_progress_;
  std::function<void()> on_example_;
  std::map<const ReadProcess*, Running> running_;
  std::vector<std::string> incomplete_;  // one line per process
  std::vector<std::string> lost_;
  uint64_t troubles_ = 0;
  bool any_runs_ = false;
  bool not_attached_ = false;
};

// Stores the record files of a folder, sorted by name. Returns false with errno if the folder
// cannot be read.
bool RecordFilesIn(const std::string& folder, std::vector<std::string>* files);

// Stores the severity of that name. Returns false for "new" and "never".
bool SeverityFrom(const std::string& fail_on, Severity* severity);

// "app rank 3 (pid 77)"; the rank only if it is not 0.
std::string ProcessName(const ReadProcess& process);

}  // namespace gpusan
