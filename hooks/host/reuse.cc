// The decision by size, by the allocator behind malloc, and by the mapping at the address.
#include "hooks/host/reuse.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/guard.h"
#include "hooks/host/host_hooks.h"

namespace gpusan {
namespace {

// Returns whether this library's malloc is the process's. It is not where the library was loaded as
// a layer only, or where another allocator precedes it in the search order.
bool ServesMalloc() {
  dl_find_object of_malloc, of_us;
  return _dl_find_object(RealDlsym()(RTLD_DEFAULT, "malloc"), &of_malloc) == 0 &&
         _dl_find_object(reinterpret_cast<void*>(&MayBeReused), &of_us) == 0 &&
         of_malloc.dlfo_map_start == of_us.dlfo_map_start;
}

// Returns whether the address lies in a private mapping that begins right above one without access
// rights, as the stack of a thread does above its guard page. Drivers place shared mappings above
// their reservations. True if /proc/self/maps cannot be read.
bool AboveGuard(uintptr_t address) {
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  char text[4096];
  size_t kept = 0;
  uintptr_t guard_end = 0;
  bool above = false, found = false;
  while (!found) {
    ssize_t count;
    do {
      count = read(fd, text + kept, sizeof(text) - kept - 1);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
      above = count < 0;
      break;
    }
    char* line = text;
    char* const end = text + kept + count;
    *end = '\0';
    for (char* next; !found && (next = std::strchr(line, '\n')) != nullptr; line = next + 1) {
      // begin-end perms ...
      char* at = line;
      const uintptr_t begin = std::strtoull(at, &at, 16);
      const uintptr_t past = std::strtoull(at + 1, &at, 16);
      if (address < past) {
        found = true;
        above = address >= begin && begin == guard_end && at[4] == 'p';
      }
      guard_end = std::strncmp(at, " ---", 4) == 0 ? past : 0;
    }
    kept = static_cast<size_t>(end - line);
    if (kept >= sizeof(text) - 1) kept = 0;  // no line is that long
    std::memmove(text, line, kept);
  }
  close(fd);
  return above;
}

}  // namespace

bool MayBeReused(uintptr_t address, uint64_t bytes) {
  if (bytes < host_hooks::host_block_min.load(std::memory_order_relaxed)) return true;
  ReentryGuard guard;
  const int saved_errno = errno;
  const bool may = !ServesMalloc() || AboveGuard(address);
  errno = saved_errno;
  return may;
}

}  // namespace gpusan
