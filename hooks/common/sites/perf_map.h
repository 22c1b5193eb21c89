// The file in which a runtime lists the functions that it compiled inside the process, for the tool
// perf. It has one line "begin size name" for each function, with hexadecimal numbers.
//
// Not thread-safe. Allocates memory. Any content of the file is harmless: malformed lines are
// skipped, and the memory for names and ranges is limited.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/btree_map.h"

namespace gpusan {

// A function that was compiled inside the process. `line` is its first one; 0: not known.
struct JitFunction {
  std::string name;
  std::string file;
  int line = 0;
};

// Returns the function that a line names, without the parts that differ between two compilations of
// the function. .NET: "Foo()" for "Foo()[Tier0]". V8: "train" in line 10 of "/srv/app.js" for
// "JS:*train /srv/app.js:10:15".
JitFunction JitFunctionNamed(std::string_view name);

class PerfMap {
 public:
  static constexpr off_t kMostBytes = off_t{64} << 20;  // of the file; later lines are not read
  static constexpr size_t kMostFunctions = size_t{1} << 20;
  static constexpr size_t kMostNameBytes = 4096;  // longer names are cut

  // Reads the lines that were appended since the last call. Reads the file only if it is a regular
  // file of this user with one hard link, if other users cannot write to it, and if it was written
  // at `not_before` [ns since 1970] or later: an older file belongs to another process. If the file
  // was replaced or rewritten, drops the earlier content and reads it from its beginning.
  void Read(const std::string& path, int64_t not_before);

  // Returns the function that contains the byte at `address`, and its begin; an empty name if the
  // file has none. Of functions that overlap, the last line counts.
  std::string_view Find(uint64_t address, uint64_t* begin) const;

  size_t functions() const { return code_.size(); }

 private:
  struct Code {
    uint64_t end = 0;
    uint32_t name = 0;  // position in names_
    uint32_t length = 0;
  };

  void Forget();
  bool IsSameFile(int fd, uint64_t device, uint64_t number, off_t bytes) const;
  void AddText(std::string_view text);
  void AddLine(std::string_view line);

  absl::btree_map<uint64_t, Code> code_;  // by begin; the ranges are disjoint
  std::string names_;
  std::string rest_;  // the start of a line whose end was not read yet
  std::string tail_;  // the last bytes that were read
  off_t read_ = 0;    // bytes
  uint64_t device_ = 0, number_ = 0;
};

}  // namespace gpusan
