// Reads record files back, whole or while they grow.
//
// Not thread-safe. No bad file makes it fail: what is malformed is named with file and line and
// left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/frame_source.h"
#include "report/text.h"

namespace gpusan {

// A loaded file as the process saw it.
struct ReadModule {
  std::string path;
  std::string build_id;  // lower-case hex; may be empty
};

// A finding record; the frames in `text` are empty, here they are as recorded.
struct ReadFinding {
  TextFinding text;
  std::string fingerprint;
  std::vector<RecordFrame> frames;
  std::vector<std::vector<RecordFrame>> party_frames;  // one a party of `text`
};

// What is known of the process of one file.
struct ReadProcess {
  std::string file;
  bool seen = false;  // the process record
  int pid = 0;
  std::string exe;
  std::string host;
  std::map<uint32_t, ReadModule> modules;
  uint64_t findings_written = 0;
  std::map<std::string, uint64_t> written;  // findings by fingerprint
  // From the last end record.
  bool ended = false;  // and nothing was found after it
  std::string reason;
  std::map<std::string, uint64_t> counts;  // findings by fingerprint
  std::map<std::string, uint64_t> dropped;
  std::map<std::string, uint64_t> calls;  // by API
  std::vector<std::string> warnings;      // of the library about itself
};

class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  virtual void OnFinding(const ReadProcess& process, ReadFinding&& finding) = 0;
  virtual void OnWarning(const ReadProcess& process, const std::string& text) = 0;
  // One line "file:line: what is wrong" about the file itself.
  virtual void OnTrouble(const ReadProcess& process, const std::string& line) = 0;
};

class RecordReader {
 public:
  // Opens nothing yet. The visitor must outlive the reader.
  RecordReader(std::string path, RecordVisitor* visitor);

  // Reads what was appended since the last time, whole lines only. False with errno when the file
  // cannot be read.
  bool Poll();

  // After the last Poll: a line without its newline is truncated, and reported.
  void Finish();

  const ReadProcess& process() const { return process_; }

 private:
  void Line(std::string_view line);

  ReadProcess process_;
  RecordVisitor* const visitor_;
  uint64_t offset_ = 0;  // of the first line not taken yet
  uint64_t line_number_ = 0;
  std::string rest_;  // what stands there without a newline
};

}  // namespace gpusan
