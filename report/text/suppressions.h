// Findings that the user accepts: one line "check:glob" each.
//
// A line "race:*libfoo*" suppresses findings of that check ('*': every check) if the glob matches
// the whole of a function name (with or without its parameters), of a source file or loaded file
// (path or base name) of any frame of the call site or of its parties, or of the label of a
// resource.
// "^A < B" is matched against the finding's own call site only: a frame that matches B calls the
// innermost frames, possibly none, that match A; more links may follow. "allocation^A < B" is
// matched against the call sites that created the resources of the finding. '\\' makes the next
// character literal. "until=2027-01-31" may follow the glob: from the next day on (UTC) the line
// suppresses nothing. '#' starts a comment, the reason, at the start of a line or after a blank.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/text/text.h"

namespace gpusan {

struct Suppression {
  std::string check;  // an id, or "*"
  std::string glob;
  std::string until;   // "2027-01-31"; empty: no end
  std::string reason;  // the comment on its line
  std::string file;
  int line = 0;
  uint64_t hits = 0;
  bool expired = false;
  bool is_default = false;  // from the file that is installed with gpusan
};

class Suppressions {
 public:
  // `today` is the date for comparisons, "2026-12-31"; empty: the current date, UTC.
  explicit Suppressions(std::string today = "");

  // Adds the lines of the file `path`. Returns an empty string, or an error message of one line,
  // "path:line:column: what is wrong"; then it adds nothing. `is_default` marks the lines as those
  // of the file that is installed with gpusan.
  std::string Load(const std::string& path, bool is_default = false);

  // The same for a text; `path` is its name in error messages.
  std::string Parse(std::string_view text, const std::string& path);

  // Returns the number, from 1, of the first line that matches, and counts a hit for it; 0: none.
  int Match(const TextFinding& finding);

  const std::vector<Suppression>& lines() const { return lines_; }

 private:
  std::string today_;
  std::vector<Suppression> lines_;
};

// A line that suppresses this finding, without a newline: by the function of its call site, else by
// the file.
std::string SuppressionFor(const TextFinding& finding);

}  // namespace gpusan
