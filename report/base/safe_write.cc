// See the header. Only async-signal-safe calls, apart from the strings.
#include "report/base/safe_write.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

// Of MemorySanitizer, which the program may be built with. They count the levels of one thread.
extern "C" {
__attribute__((weak)) void __msan_scoped_disable_interceptor_checks();
__attribute__((weak)) void __msan_scoped_enable_interceptor_checks();
}

namespace gpusan {

IoGuard::IoGuard() : saved_errno_(errno) {
  // gpusan is not instrumented: MemorySanitizer takes what it writes for uninitialized, and would
  // report it in strlen and the like.
  if (__msan_scoped_disable_interceptor_checks != nullptr &&
      __msan_scoped_enable_interceptor_checks != nullptr)
    __msan_scoped_disable_interceptor_checks();
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  pipe_was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  file_size_was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
  sigset_t block;
  sigemptyset(&block);
  sigaddset(&block, SIGPIPE);
  sigaddset(&block, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &block, &saved_mask_);
}

IoGuard::~IoGuard() {
  sigset_t ours;
  sigemptyset(&ours);
  if (!pipe_was_pending_) sigaddset(&ours, SIGPIPE);
  if (!file_size_was_pending_) sigaddset(&ours, SIGXFSZ);
  const timespec at_once = {0, 0};
  while (sigtimedwait(&ours, nullptr, &at_once) > 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &saved_mask_, nullptr);
  int ignored;
  pthread_setcancelstate(cancel_state_, &ignored);
  if (__msan_scoped_disable_interceptor_checks != nullptr &&
      __msan_scoped_enable_interceptor_checks != nullptr)
    __msan_scoped_enable_interceptor_checks();
  errno = saved_errno_;
}

int WriteAll(int fd, std::string_view bytes, size_t* written, int patience_ms) {
  size_t done = 0;
  int error = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    if (count > 0) {
      done += static_cast<size_t>(count);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && patience_ms > 0) {
      constexpr int kStepMs = 50;
      pollfd ready = {fd, POLLOUT, 0};
      if (poll(&ready, 1, kStepMs) == 0) patience_ms -= kStepMs;
      continue;
    }
    error = count < 0 ? errno : EIO;
    break;
  }
  if (written != nullptr) *written = done;
  return error;
}

void WriteToStderr(std::string_view text) {
  IoGuard guard;
  WriteAll(STDERR_FILENO, text);
}

int MakeParentFolders(const std::string& path, const std::string& made) {
  // As far as both are the same.
  size_t common = 0;
  for (size_t slash = path.find('/', 1); !made.empty() && slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (path.compare(0, slash, made, 0, slash) != 0 || slash > made.size() ||
        (slash < made.size() && made[slash] != '/'))
      break;
    common = slash;
  }
  for (size_t slash = path.find('/', common + 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST) continue;
    const int error = errno;
    // A folder above may be there and forbid us to look at it (EACCES) or be read-only (EROFS) and
    // still hold the rest.
    struct stat status;
    if (stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) continue;
    return error;
  }
  return 0;
}

int MoveToHighFd(int fd) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return fd;
  // No higher: every fork copies the table of descriptors up to the highest one.
  const rlim_t top = std::min<rlim_t>(limit.rlim_cur, 1024);
  const int lowest = top > 64 ? static_cast<int>(top) - 64 : 3;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
  if (moved < 0) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
  }
  close(fd);
  return moved;
}

}  // namespace gpusan
