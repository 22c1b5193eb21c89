// Where the texts of a process go: stderr, or the file that the option log_path names.
#pragma once

#include <string>
#include <string_view>

#include "report/text/text.h"

namespace gpusan {

// Constant after Set. Thread-safe.
class TextOutput {
 public:
  // `pattern` is the value of log_path; empty selects stderr. A relative name is relative to the
  // folder that is current now. `color` is the value of the option of that name.
  void Set(const std::string& pattern, const std::string& color);

  // The style for texts that Write receives.
  TextStyle Style() const;

  // Appends the text. A file that cannot be written is replaced by stderr. The file is a regular
  // file of mode 0600; symbolic links are not followed. It is opened for each text: findings are
  // rare, and programs close descriptors that are not theirs.
  void Write(std::string_view text) const;

 private:
  std::string pattern_;  // absolute; empty: stderr
  std::string color_ = "auto";
};

}  // namespace gpusan
