// Folds repeated findings.
#include "report/findings/finding_printer.h"

#include <cstdlib>
#include <memory>

#include "tracker/base/text_util.h"

namespace gpusan {

FindingPrinter::FindingPrinter(const Options& options, int fd)
    : most_(static_cast<uint64_t>(options.max_findings)), style_(StyleFor(fd, options.color)) {
  style_.verbose = options.verbose;
  style_.brief = options.brief;
  if (options.source_root.empty()) return;
  const std::unique_ptr<char, decltype(&std::free)> real(
      realpath(options.source_root.c_str(), nullptr), &std::free);
  style_.base_folder = real != nullptr ? real.get() : options.source_root;
}

std::string FindingPrinter::Next(const TextFinding& finding, bool same_event) {
  const std::string separator = whole_ + folded_ > 0 && !style_.brief ? "\n" : "";
  const std::string key =
      finding.rule + "\n" + finding.call + "\n" + LongLocation(finding.frames, style_.base_folder);
  const bool again = !style_.verbose && shown_.count(key) != 0;
  uint64_t& count = again ? folded_ : whole_;
  if (most_ != 0 && count >= most_) {
    ++left_out_;
    return "";
  }
  ++count;
  if (!again) shown_.insert(key);
  return separator + (again ? FormatRepeatedFinding(finding, style_, same_event)
                            : FormatFinding(finding, style_));
}

std::string FindingPrinter::LeftOutText() const {
  if (left_out_ == 0) return "";
  return CountText(left_out_, "finding is", "findings are") +
         " not printed above; --max-findings=0 prints all, and the records have all";
}

}  // namespace gpusan
