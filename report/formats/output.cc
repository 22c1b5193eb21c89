// The output of a command: stdout, or a file that is replaced as a whole or not at all.
#include "report/formats/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "report/base/safe_write.h"

namespace gpusan {
namespace {

bool IsSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether the file at `path`, with this status, is one of the inputs or in a folder among them.
bool IsInput(const std::string& path, const struct stat& status,
             const std::vector<std::string>& inputs) {
  const size_t slash = path.rfind('/');
  struct stat folder = {};
  const bool in_folder =
      path.ends_with(".jsonl") &&
      stat(slash != std::string::npos ? path.substr(0, slash + 1).c_str() : ".", &folder) == 0;
  return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
    struct stat other = {};
    return stat(input.c_str(), &other) == 0 &&
           (IsSameFile(other, status) || (in_folder && IsSameFile(other, folder)));
  });
}

}  // namespace

Output::~Output() {
  if (!path_.empty() && fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

std::string Output::Open(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return "";
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISREG(status.st_mode) && IsInput(path, status, inputs))
    return path + ": is also read; name another file";
  path_ = path;
  if (exists && !S_ISREG(status.st_mode)) {
    // A device or a pipe cannot be replaced.
    fd_ = S_ISDIR(status.st_mode) ? -1 : open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
  } else if (const int error = MakeParentFolders(path); error != 0) {
    return path + ": " + std::strerror(error);
  } else {
    std::string name = path + ".XXXXXX";
    fd_ = mkostemp(name.data(), O_CLOEXEC);
    if (fd_ >= 0) {
      temporary_ = name;
      const mode_t mask = umask(0);
      umask(mask);
      fchmod(fd_, exists ? status.st_mode & 0777 : 0666 & ~mask);
    }
  }
  return fd_ >= 0 ? "" : path + ": " + std::strerror(errno);
}

void Output::Write(std::string_view bytes) {
  constexpr size_t kMost = size_t{64} << 10;
  buffer_.append(bytes);
  if (buffer_.size() >= kMost) Flush();
}

void Output::Flush() {
  IoGuard guard;
  if (error_ == 0) error_ = WriteAll(fd_, buffer_);
  buffer_.clear();
}

std::string Output::Commit() {
  Flush();
  if (!temporary_.empty()) {
    if (error_ == 0 && fsync(fd_) != 0) error_ = errno;
    if (error_ == 0 && std::rename(temporary_.c_str(), path_.c_str()) != 0) error_ = errno;
    if (error_ == 0) {
      temporary_.clear();
      close(fd_);
      fd_ = -1;
    }
  }
  if (error_ == 0) return "";
  return (path_.empty() ? "stdout" : path_) + ": " + std::strerror(error_);
}

}  // namespace gpusan
