// Findings of one run, from all its record files: symbolised, suppressed, printed once, counted,
// summed up.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "report/options.h"
#include "report/record_reader.h"
#include "report/suppressions.h"
#include "report/symbolizer.h"
#include "report/text.h"

namespace gpusan {

inline constexpr int kExitFindings = 66;
inline constexpr int kExitTrouble = 70;

// Not thread-safe.
class Collector final : public RecordVisitor {
 public:
  // Findings go to descriptor `findings_fd`, what gpusan has to say about itself to stderr.
  Collector(const Options& options, Suppressions suppressions, int findings_fd);

  // Reads what was appended to a file since the last time; the first time it makes the file known.
  // False when it cannot be read; that was said then.
  bool Poll(const std::string& file);

  // The same for the record files in a folder ("*.jsonl", "*.jsonl.N"), in the order of their
  // names, except `ignored`.
  bool PollFolder(const std::string& folder, const std::vector<std::string>& ignored = {});

  // After the last Poll: truncated lines, processes without end.
  void Finish();

  // Something that keeps this run from counting as clean. One line on stderr at once.
  void Trouble(const std::string& line);

  // Findings by severity and check, suppressions used, processes, incomplete files. Ends in a
  // newline.
  std::string Summary() const;

  // 66 for findings from fail_on up; 70 for trouble or an incomplete run without such findings;
  // else 0. With fail_on=never findings and incomplete runs do not count.
  int ExitCode() const;

  // A process that wrote records has not ended yet. After Finish.
  bool AnyRuns() const { return any_runs_; }

  // Files read so far, by name.
  const std::map<std::string, std::unique_ptr<RecordReader>>& files() const { return readers_; }

  void OnFinding(const ReadProcess& process, ReadFinding&& finding) override;
  void OnWarning(const ReadProcess& process, const std::string& text) override;
  void OnTrouble(const ReadProcess& process, const std::string& line) override;

 private:
  // Findings of one fingerprint, over all processes.
  struct Group {
    Severity severity = Severity::kNote;
    std::string rule;
    bool suppressed = false;
  };

  std::vector<TextFrame> Symbolize(const ReadProcess& process,
                                   const std::vector<RecordFrame>& frames);
  uint64_t Occurrences(const std::string& fingerprint) const;

  const Options options_;
  Suppressions suppressions_;
  Symbolizer symbolizer_;
  const int fd_;
  const TextStyle style_;
  std::map<std::string, std::unique_ptr<RecordReader>> readers_;
  std::map<std::string, Group> groups_;  // by fingerprint
  std::vector<std::string> incomplete_;  // one line a process
  uint64_t troubles_ = 0;
  bool any_runs_ = false;
};

// Record files of a folder, sorted by name. False with errno when it cannot be read.
bool RecordFilesIn(const std::string& folder, std::vector<std::string>* files);

// The severity of that name; false for "never".
bool SeverityFrom(const std::string& fail_on, Severity* severity);

}  // namespace gpusan
