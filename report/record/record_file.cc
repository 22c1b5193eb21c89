// An append-only file of whole lines.
#include "report/record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/safe_write.h"

namespace gpusan {
namespace {

// O_NOFOLLOW: a symbolic link could lead to a file of another user. O_NONBLOCK: opening a pipe must
// not wait.
constexpr int kOpenFlags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK;

}  // namespace

bool RecordFile::Open(const std::string& path, bool* taken) {
  int fd = open(path.c_str(), kOpenFlags | O_CREAT | O_EXCL, 0600);
  if (fd < 0) {
    if (errno != EEXIST) return false;
    fd = open(path.c_str(), kOpenFlags);
    if (fd < 0) return false;
  }
  struct stat status = {};
  fstat(fd, &status);
  if (!S_ISREG(status.st_mode)) {
    close(fd);
    errno = EINVAL;
    return false;
  }
  // The lock goes with the open file: it is the claim on a name that two processes may want.
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 || (fstat(fd, &status) == 0 && status.st_size != 0)) {
    close(fd);
    *taken = true;
    return false;
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
  fd_ = MoveToHighFd(fd);
  path_ = path;
  return true;
}

bool RecordFile::IsOurs() const {
  struct stat status;
  return fd_ >= 0 && fstat(fd_, &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

int RecordFile::Append(std::string_view line) {
  if (!IsOurs()) {
    fd_ = open(path_.c_str(), kOpenFlags);
    if (fd_ >= 0 && !IsOurs()) {
      close(fd_);
      fd_ = -1;
      errno = ESTALE;
    }
    if (fd_ < 0) return errno;
    fd_ = MoveToHighFd(fd_);
  }
  std::string mended;
  if (line_broken_) {
    mended = "\n" + std::string(line);
    line = mended;
  }
  struct stat before = {};
  fstat(fd_, &before);
  size_t written = 0;
  const int error = WriteAll(fd_, line, &written);
  if (error == 0) {
    line_broken_ = false;
    bytes_ = static_cast<uint64_t>(before.st_size) + written;
    return 0;
  }
  // Half a record is worse than none: take it back where that is possible, else begin the next on a
  // new line.
  if (written > 0 && ftruncate(fd_, before.st_size) != 0) line_broken_ = true;
  return error;
}

void RecordFile::Close() {
  if (IsOurs()) close(fd_);
  *this = RecordFile();
}

}  // namespace gpusan
