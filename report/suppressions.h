// Findings that the user has decided to live with: "check:glob" a line.
//
// A line "race:*libfoo*" suppresses findings of that check ('*' stands for every check) when the
// glob matches, as a whole, a function name (with or without its parameters), a source file or
// loaded file (path or base name) of any frame of the site or its parties, or the label of a
// resource. '#' begins a comment at the begin of a line or after a blank.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/text.h"

namespace gpusan {

struct Suppression {
  std::string check;  // an id, or "*"
  std::string glob;
  std::string file;
  int line = 0;
  uint64_t hits = 0;
};

class Suppressions {
 public:
  // Adds the lines of `path`. Returns an empty string or one line "path:line:column: what is
  // wrong"; then nothing was added.
  std::string Load(const std::string& path);

  // The same for a text; `path` is what complaints call it.
  std::string Parse(std::string_view text, const std::string& path);

  // True, and one hit more, when a line matches; the first that does.
  bool Matches(const TextFinding& finding);

  const std::vector<Suppression>& lines() const { return lines_; }

 private:
  std::vector<Suppression> lines_;
};

}  // namespace gpusan
