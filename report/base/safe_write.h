// Writing from inside somebody else's process: no signal, cancellation, errno or partial write
// leaks into it.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <string_view>

namespace gpusan {

// While it lives: the calling thread is not cancelled, SIGPIPE and SIGXFSZ raised by our own writes
// are swallowed, errno is given back unchanged. One a thread at a time may nest.
class IoGuard {
 public:
  IoGuard();
  ~IoGuard();
  IoGuard(const IoGuard&) = delete;
  IoGuard& operator=(const IoGuard&) = delete;

 private:
  int saved_errno_;
  int cancel_state_;
  bool pipe_was_pending_;
  bool file_size_was_pending_;
  sigset_t saved_mask_;
};

// Writes all of `bytes`, going on after EINTR and partial writes, waiting for a full non-blocking
// pipe at most `patience_ms` in all. Returns 0 or the errno of the failure; *written (may be null)
// says how far it came.
int WriteAll(int fd, std::string_view bytes, size_t* written = nullptr, int patience_ms = 2000);

// One write to stderr under an IoGuard. A closed stderr is no trouble.
void WriteToStderr(std::string_view text);

// Creates the folders above `path` (those that are missing; 0777 less the umask). Returns 0 or
// errno.
int MakeParentFolders(const std::string& path);

// Moves a descriptor out of the way of the program's own low numbers, close-on-exec. Returns the
// new number, or `fd` where none is free.
int MoveToHighFd(int fd);

}  // namespace gpusan
