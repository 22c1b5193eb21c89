// The reports that `gpusan run --report=FORMAT:FILE` writes.
#include "report/command/report_files.h"

#include "report/formats/output.h"
#include "report/options/options.h"
#include "tracker/base/text_util.h"

namespace gpusan {

std::string ParseReportFiles(const std::string& list, std::vector<ReportFile>* files) {
  for (const std::string_view word : SplitWords(list, ",")) {
    const size_t colon = word.find(':');
    const Format* format = FindFormat(word.substr(0, colon));
    if (format == nullptr) {
      return "bad value " + Quoted(word) + " for --report: the format must be one of " +
             WordList(kFormatNames);
    }
    if (colon == std::string_view::npos || colon + 1 == word.size()) {
      return "bad value " + Quoted(word) + " for --report: write " + std::string(format->name) +
             ":FILE";
    }
    files->push_back({format, std::string(word.substr(colon + 1))});
  }
  return "";
}

std::string WriteReportFile(Collector* collector, const ReportFile& file, std::string* note) {
  Output output;
  if (std::string complaint = output.Open(file.path); !complaint.empty()) return complaint;
  *note = file.format->write(collector, &output);
  std::string complaint = output.Commit();
  return complaint.empty() ? "" : "cannot write " + complaint;
}

}  // namespace gpusan
