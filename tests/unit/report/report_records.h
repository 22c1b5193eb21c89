// A finding and an environment for tests of the record writer, and what it wrote.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/record/record_writer.h"
#include "tests/unit/report/report_fake_frames.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {

using Json = nlohmann::json;

// What is written to descriptor 2 while it lives.
class StderrCapture {
 public:
  StderrCapture() : saved_(dup(2)), file_(std::tmpfile()) { dup2(fileno(file_), 2); }
  ~StderrCapture() {
    dup2(saved_, 2);
    close(saved_);
    std::fclose(file_);
  }
  std::string Text() const {
    std::string text(static_cast<size_t>(lseek(fileno(file_), 0, SEEK_END)), '\0');
    text.resize(static_cast<size_t>(pread(fileno(file_), text.data(), text.size(), 0)));
    return text;
  }

 private:
  int saved_;
  FILE* file_;
};

inline std::vector<Json> Records(const std::string& path) {
  std::vector<Json> records;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) records.push_back(Json::parse(line));
  return records;
}

inline std::vector<Json> OfType(const std::vector<Json>& records, const std::string& type) {
  std::vector<Json> chosen;
  for (const Json& record : records) {
    if (record.at("type") == type) chosen.push_back(record);
  }
  return chosen;
}

inline FakeFrames SomeFrames() {
  FakeFrames frames;
  frames.modules[1] = {"/opt/app/bin/app", "aa11"};
  frames.modules[2] = {"/usr/lib/libx.so", ""};
  frames.sites[1] = {{1, 0x1234}, {2, 0x20}};
  frames.sites[2] = {{1, 0x2000}};
  return frames;
}

inline Finding SomeFinding() {
  Finding finding;
  finding.rule = RuleId::kHostAccessFlag;
  finding.severity = Severity::kError;
  finding.api = Api::kOpenCL;
  finding.call = "clEnqueueWriteImage";
  finding.site = 1;
  finding.has_code = true;
  finding.code = -59;
  finding.code_name = "CL_INVALID_OPERATION";
  finding.what = "what";
  finding.why = "why";
  finding.fix = "fix";
  finding.parties.push_back({"allocation", "4 B image", 2});
  finding.resources.push_back({"image", 0xabc, 4, "albedo"});
  finding.facts.push_back({"region_bytes", uint64_t{1} << 63});
  finding.facts.push_back({"delta", int64_t{-1}});
  finding.facts.push_back({"format", std::string("CL_RGBA")});
  return finding;
}

inline Options WithRecord(const std::string& record) {
  Options options;
  options.record = record;
  options.print = false;
  return options;
}

}  // namespace gpusan
