// Output from inside another program's process, without side effects on it: no signal, no
// cancellation, no changed errno, no partial write. Thread-safe.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <string_view>

namespace gpusan {

// During its lifetime the calling thread is not cancelled, and SIGPIPE and SIGXFSZ that gpusan's
// own writes raise are discarded; MemorySanitizer does not check the thread's calls of the C
// library. The destructor restores errno. May be nested within one thread.
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

// Writes all of `bytes`. Continues after EINTR and partial writes; waits for a full non-blocking
// pipe at most `patience_ms` in total. Returns 0 or the errno of the failure. *written, which may
// be null, receives the number of bytes written.
int WriteAll(int fd, std::string_view bytes, size_t* written = nullptr, int patience_ms = 2000);

// Writes `text` to stderr under an IoGuard. Ignores errors, such as a closed stderr.
void WriteToStderr(std::string_view text);

// Creates the missing parent folders of `path` with mode 0777 less the umask, except `made` and the
// folders above it, which existed once. Returns 0 or errno.
int MakeParentFolders(const std::string& path, const std::string& made = "");

// Moves a descriptor away from the low numbers that the program uses, and sets close-on-exec.
// Returns the new number, or `fd` if no number is free.
int MoveToHighFd(int fd);

}  // namespace gpusan
