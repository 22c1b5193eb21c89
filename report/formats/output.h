// The output of a command: stdout, or a file that is replaced as a whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusan {

// Not thread-safe. Without Commit the file is unchanged.
class Output {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // An empty path or "-" selects stdout. `inputs` are files, and folders of record files (*.jsonl),
  // which the output must not replace. Returns an empty string, or an error message of one line.
  std::string Open(const std::string& path, const std::vector<std::string>& inputs = {});

  void Write(std::string_view bytes);

  // Writes everything to disk and gives the file its name. Returns an empty string, or an error
  // message of one line, also for earlier errors of Write.
  std::string Commit();

 private:
  void Flush();

  std::string path_;
  std::string temporary_;
  std::string buffer_;
  int fd_ = 1;
  int error_ = 0;
};

}  // namespace gpusan
