// Decides how much of each finding is printed: whole, folded, or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "report/options/options.h"
#include "report/text/text.h"

namespace gpusan {

// Not thread-safe.
class FindingPrinter {
 public:
  // Takes max_findings, verbose, brief, color and source_root from `options`. `fd` is where the
  // texts go; -1: a file.
  FindingPrinter(const Options& options, int fd);

  // Returns the text for the next finding, with the blank line that separates it from the previous
  // one: the whole text; or its first lines if an earlier finding had the same check, call and
  // location; or nothing after --max-findings texts of this kind. `same_event`: an earlier finding
  // was about the same event, with another severity.
  std::string Next(const TextFinding& finding, bool same_event = false);

  // The findings for which Next returned nothing.
  uint64_t left_out() const { return left_out_; }
  // "12 findings are not printed; ..." for the user; empty if none was left out.
  std::string LeftOutText() const;

  bool printed() const { return whole_ + folded_ > 0; }
  const TextStyle& style() const { return style_; }

 private:
  const uint64_t most_;  // 0: no limit
  TextStyle style_;
  uint64_t whole_ = 0;
  uint64_t folded_ = 0;
  uint64_t left_out_ = 0;
  std::unordered_set<std::string> shown_;  // check, call and location
};

}  // namespace gpusan
