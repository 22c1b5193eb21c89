// SharedPayloads: the exported object behind a file descriptor.
#include "tracker/objects/shared_payloads.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>

namespace gpusan {
namespace {

constexpr int kMarks = 60;  // signals that every kernel knows

// The number with which this process marked the open file; 0: it did not.
int MarkOf(int fd) {
  const int error = errno;
  const int mark = fcntl(fd, F_GETOWN) == getpid() ? fcntl(fd, F_GETSIG) : 0;
  errno = error;
  return mark > 0 ? mark : 0;
}

bool SetMark(int fd, int mark) {
  const int error = errno;
  const bool set = fcntl(fd, F_SETOWN, getpid()) == 0 && fcntl(fd, F_SETSIG, mark) == 0;
  errno = error;
  return set;
}

}  // namespace

bool SharedPayloads::Export(int fd, Object& object, SharedSemaphore* semaphore) {
  if (!expects_imports_.load(std::memory_order_relaxed)) return false;
  std::lock_guard lock(lock_);
  Entry entry;
  entry.fd = fd;
  entry.mark = static_cast<int>(exports_ % kMarks) + 1;
  if (!SetMark(fd, entry.mark)) return false;
  entry.payload.object = WeakRef<Object>(&object);
  entry.payload.semaphore = semaphore;
  entry.payload.number = ++exports_;
  // The descriptor's number was free: an earlier export with it was closed.
  std::erase_if(entries_, [&](const Entry& old) { return old.fd == fd; });
  if (entries_.size() == kMostEntries) entries_.erase(entries_.begin());
  entries_.push_back(entry);
  any_.store(true, std::memory_order_release);
  return true;
}

SharedPayloads::Payload SharedPayloads::Find(int fd) {
  if (!any_.load(std::memory_order_acquire)) return {};
  const int mark = MarkOf(fd);
  if (mark == 0) return {};
  std::lock_guard lock(lock_);
  // The program may have duplicated the descriptor: then the mark alone must say which one it is.
  const bool unique = exports_ <= kMarks;
  for (const Entry& entry : entries_) {
    if (entry.mark == mark && (entry.fd == fd || unique)) return entry.payload;
  }
  return {};
}

void SharedPayloads::Imported(const Payload& payload) {
  std::lock_guard lock(lock_);
  std::erase_if(entries_,
                [&](const Entry& entry) { return entry.payload.number == payload.number; });
}

}  // namespace gpusan
