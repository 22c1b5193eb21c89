// An append-only file of whole lines. It survives programs that close or reuse its descriptor, and
// failing writes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "tracker/model/ids.h"

namespace gpusan {

// Not thread-safe.
class RecordFile {
 public:
  // Opens a regular file that is new (its mode is 0600), or empty and not claimed by a process. On
  // failure returns false, and sets *taken if the file has records, else errno: EINVAL if the file
  // is not regular, ELOOP for a symbolic link.
  bool Open(const std::string& path, bool* taken);

  // Appends the line with one write. If the program has closed the descriptor, or has opened
  // another file under its number, opens the file again first. If the write is incomplete, removes
  // the part that was written, or else begins the next line on a new line. Returns 0, or an errno.
  int Append(std::string_view line);

  // Closes the descriptor, unless the program has reused its number. The object is then as new.
  void Close();

  const std::string& path() const { return path_; }  // empty while none was opened
  bool is_open() const { return !path_.empty(); }
  uint64_t bytes() const { return bytes_; }  // after the last line

  // The modules and call sites that have a record in this file.
  std::unordered_set<uint32_t> modules;
  std::unordered_set<SiteId> sites;

 private:
  bool IsOurs() const;

  int fd_ = -1;
  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  uint64_t bytes_ = 0;
  bool line_broken_ = false;  // the file ends with an incomplete line
};

}  // namespace gpusan
