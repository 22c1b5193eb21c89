// The folder of `gpusan run` for the record files of the processes.
#pragma once

#include <string>
#include <vector>

#include "report/processes/ranks.h"

namespace gpusan {

// The folder of --output, or a temporary one that is removed at the end.
class RecordFolder {
 public:
  RecordFolder();
  ~RecordFolder();
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;

  // `wanted`: the value of --output. Returns an empty string, or an error message of one line.
  std::string Open(const std::string& wanted, const LocalRanks& ranks);

  const std::string& path() const { return path_; }
  // Where processes append to (attach_log.h). A memory file, because on a full disk a missing line
  // would look like a library that did not load.
  std::string attach_log() const;
  const std::string& run() const { return run_; }
  // Record files that were in the folder before.
  const std::vector<std::string>& there_before() const { return there_before_; }
  bool keep() const { return keep_; }
  void Keep() { keep_ = true; }
  // The folder is removed at the end unless it is kept.
  void Own() { owned_ = true; }

 private:
  // Sets `path_`. As Open.
  std::string Choose(const std::string& wanted, const LocalRanks& ranks);

  std::string run_;  // names the run
  std::string path_;
  int attach_log_ = -1;
  std::vector<std::string> there_before_;
  bool keep_ = false;
  bool owned_ = false;  // a temporary folder of this process
};

}  // namespace gpusan
