// Findings that the user has decided to live with: "check:glob" a line.
//
// A line "race:*libfoo*" suppresses findings of that check ('*' stands for every check) when the
// glob matches, as a whole, a function name (with or without its parameters), a source file or
// loaded file (path or base name) of any frame of the site or its parties, or the label of a
// resource. "^A < B" is held against the finding's own site alone: the frames from the innermost on
// that match A, of which there may be none, are called by one that matches B; there may be more
// links. '\\' takes the next character as it is. Behind the glob "until=2027-01-31" may stand:
// from the day after (UTC) the line suppresses nothing. '#' begins a comment, the reason, at the
// begin of a line or after a blank.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/options/options.h"
#include "report/record/text.h"

namespace gpusan {

struct Suppression {
  std::string check;  // an id, or "*"
  std::string glob;
  std::string until;   // "2027-01-31"; empty: for ever
  std::string reason;  // the comment on its line
  std::string file;
  int line = 0;
  uint64_t hits = 0;
  bool expired = false;
  bool is_default = false;  // of the file that comes with gpusan
};

class Suppressions {
 public:
  // `today` is what dates are compared with, "2026-12-31"; empty: the date of now, UTC.
  explicit Suppressions(std::string today = "");

  // Adds the lines of `path`. Returns an empty string or one line "path:line:column: what is
  // wrong"; then nothing was added.
  std::string Load(const std::string& path);

  // The same for a text; `path` is what complaints call it.
  std::string Parse(std::string_view text, const std::string& path);

  // Adds the lines of the file that --suppressions names and of the one that comes with gpusan,
  // where there is one. Returns as Load.
  std::string LoadAll(const Options& options);

  // The number of the first line that matches, from 1, which has one hit more; 0: none does.
  int Match(const TextFinding& finding);

  const std::vector<Suppression>& lines() const { return lines_; }

 private:
  std::string today_;
  std::vector<Suppression> lines_;
};

// A line that suppresses this finding, without a newline: by the function of its site, else by what
// is known of it.
std::string SuppressionFor(const TextFinding& finding);

}  // namespace gpusan
