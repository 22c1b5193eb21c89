// Reads the lines of source files that findings point to.
//
// The names come from debug information and from records, which are untrusted. Only regular files
// with the extension of a source file are read, also behind symbolic links, so that a published
// report contains no other file. Each is read at most once, and at most kMostBytes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/text/call_site.h"

namespace gpusan {

// Not thread-safe.
class SourceFiles {
 public:
  static constexpr size_t kMostBytes = size_t{4} << 20;  // of a file
  static constexpr size_t kMostFiles = 32;               // kept at a time

  // `root`: the folder to which relative names refer; empty: the current folder.
  explicit SourceFiles(std::string root = "") : root_(std::move(root)) {}

  // The line of ProgramFrame(frames) with up to `before` lines before it. Without excerpt
  // (frame == -1) if the frame has no line, if the file cannot be read or has no such line, or if
  // it changed after `ran_ns` (since 1970; 0: not known), because its lines may have moved.
  SourceExcerpt Excerpt(const std::vector<TextFrame>& frames, int before, int64_t ran_ns);

 private:
  struct File {
    std::vector<std::string> lines;
    int64_t changed_ns = 0;
  };

  const File& Read(const std::string& path);

  const std::string root_;
  std::map<std::string, File> files_;
};

}  // namespace gpusan
