// Finds functions, source files and lines of recorded frames in the files on disk.
//
// Not thread-safe. Opens a file at the first frame of that file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "report/text/text.h"

namespace gpusan {

class Symbolizer {
 public:
  // Calls `complain` with one line per file that is missing or is not the file that ran.
  explicit Symbolizer(std::function<void(const std::string&)> complain);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // The frame of a return address (virtual address in the file), after the frames that were inlined
  // into it. Never empty. Looks nothing up in a file with another build-id, because a wrong line is
  // worse than none; an empty `build_id` is not compared. Valid until the next call.
  const std::vector<TextFrame>& Symbolize(const std::string& path, const std::string& build_id,
                                          uint64_t return_offset);

  // Whether that file is there and is the file that ran.
  bool Reads(const std::string& path, const std::string& build_id) {
    return Open(path, build_id) != nullptr;
  }

 private:
  struct File;

  std::vector<TextFrame> LookUp(const std::string& path, const std::string& build_id,
                                uint64_t return_offset);
  File* Open(const std::string& path, const std::string& build_id);
  // Reads the open file `fd`, and takes ownership of it. Returns nullptr, and complains, if the
  // file cannot be read or has another build-id.
  std::unique_ptr<File> Read(const std::string& path, int fd, const std::string& build_id);

  std::function<void(const std::string&)> complain_;
  std::map<std::string, std::unique_ptr<File>> files_;
  std::map<std::tuple<std::string, std::string, uint64_t>, std::vector<TextFrame>> known_;
};

// "ns::f(int)" for "_ZN2ns1fEi"; other names unchanged.
std::string Demangle(const std::string& symbol);

}  // namespace gpusan
