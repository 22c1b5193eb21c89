// Where a command's result goes: stdout, or a file that is replaced as a whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

// Not thread-safe. Without Commit a file is left as it was.
class Output {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Empty or "-": stdout. Returns an empty string, or what is wrong in one line.
  std::string Open(const std::string& path);

  void Write(std::string_view bytes);

  // Everything is on disk, and the file has its name. Returns an empty string, or what is wrong in
  // one line; also what went wrong in Write.
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
