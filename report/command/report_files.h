// The reports that `gpusan run --report=FORMAT:FILE` writes.
#pragma once

#include <string>
#include <vector>

#include "report/findings/collector.h"
#include "report/formats/formats.h"

namespace gpusan {

struct ReportFile {
  const Format* format = nullptr;
  std::string path;  // "-": stdout
};

// Parses the value of --report. Returns an empty string, or an error message of one line.
std::string ParseReportFiles(const std::string& list, std::vector<ReportFile>* files);

// Writes the findings of the collector in the format to the file. `*note` receives a message
// for the user about the content; it may stay empty. Returns an empty string, or an error message
// of one line. Call it after Collector::Finish.
std::string WriteReportFile(Collector* collector, const ReportFile& file, std::string* note);

}  // namespace gpusan
