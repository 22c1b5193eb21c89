// Reads memory of this process through a pointer that may be invalid.
#include "hooks/common/base/safe_read.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace gpusan {

size_t ReadOwnMemory(uintptr_t address, void* to, size_t bytes) {
  // The kernel copies each element completely or not at all: one element for each page.
  constexpr size_t kPage = 4096, kPieces = 64;
  const int saved = errno;
  size_t done = 0;
  while (done < bytes) {
    iovec remote[kPieces];
    size_t pieces = 0, asked = 0;
    while (pieces < kPieces && done + asked < bytes) {
      const uintptr_t at = address + done + asked;
      if (at < address) break;
      const size_t length = std::min(bytes - done - asked, kPage - at % kPage);
      remote[pieces++] = {reinterpret_cast<void*>(at), length};
      asked += length;
    }
    if (asked == 0) break;
    iovec local = {static_cast<char*>(to) + done, asked};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, remote, pieces, 0);
    if (got <= 0) break;
    done += static_cast<size_t>(got);
    if (static_cast<size_t>(got) < asked) break;
  }
  errno = saved;
  return done;
}

}  // namespace gpusan
