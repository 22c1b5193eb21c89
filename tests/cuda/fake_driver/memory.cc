// The arena of device addresses, the regions in it and the copies across it.
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace fake {
namespace {

constexpr size_t kArenaBytes = size_t{512} << 30;
constexpr size_t kSmallArenaBytes = size_t{16} << 30;  // under tools that take the addresses
constexpr uintptr_t kArenaBase = 0x7a0000000000;
constexpr size_t kDeviceAlignment = 512;  // as measured: neighbours lie end to end
constexpr size_t kManagedAlignment = 512;
constexpr size_t kPage = 4096;
constexpr size_t kKeepBytes = size_t{1}
                              << 20;  // freed blocks below keep their bytes, as a device's do

struct Block {
  size_t bytes;
  bool host_access;
};

struct Arena {
  int file = -1;
  size_t bytes = 0;
  char* base = nullptr;
  char* alias = nullptr;
  std::map<uintptr_t, Block> taken;
  std::map<uintptr_t, size_t> free;
  std::map<uintptr_t, Region> regions;
};

// Returns the addresses of device memory; MAP_FAILED if there are not as many.
void* ReserveArena(size_t bytes) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* base = mmap(reinterpret_cast<void*>(kArenaBase), bytes, PROT_NONE,
                    kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  return base != MAP_FAILED ? base : mmap(nullptr, bytes, PROT_NONE, kFlags, -1, 0);
}

bool MakeArena(size_t bytes, Arena* made) {
  void* base = ReserveArena(bytes);
  if (base == MAP_FAILED) {
    return false;
  }
  void* alias =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, made->file, 0);
  if (alias == MAP_FAILED) {
    munmap(base, bytes);
    return false;
  }
  madvise(alias, bytes, MADV_DONTDUMP);
  made->bytes = bytes;
  made->base = static_cast<char*>(base);
  made->alias = static_cast<char*>(alias);
  made->free[reinterpret_cast<uintptr_t>(base)] = bytes;
  return true;
}

Arena& TheArena() {
  static Arena& arena = [&]() -> Arena& {
    Arena& made = *new Arena;
    made.file = memfd_create("fake-device-memory", MFD_CLOEXEC);
    if (made.file < 0 || ftruncate(made.file, kArenaBytes) != 0 ||
        (!MakeArena(kArenaBytes, &made) && !MakeArena(kSmallArenaBytes, &made))) {
      std::abort();
    }
    return made;
  }();
  return arena;
}

size_t RoundUp(size_t value, size_t to) { return (value + to - 1) / to * to; }

// Small managed allocations share pages, as those of the real driver do. A page is given back when
// all its allocations are free.
struct SharedPages {
  std::map<uintptr_t, int> allocations;  // by page
  uintptr_t page = 0;                    // with room behind `used`
  size_t used = 0;
};

SharedPages& TheSharedPages() {
  static SharedPages& pages = *new SharedPages;
  return pages;
}

// Copies within the process through the kernel, which says EFAULT where a plain copy would end the
// process.
bool CopyThroughKernel(bool read, void* mine, uintptr_t theirs, size_t bytes) {
  char* at = static_cast<char*>(mine);
  while (bytes > 0) {
    const size_t part = std::min(bytes, size_t{1} << 30);
    iovec local = {at, part};
    iovec remote = {reinterpret_cast<void*>(theirs), part};
    const ssize_t done = read ? process_vm_readv(getpid(), &local, 1, &remote, 1, 0)
                              : process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
    if (done <= 0 && (errno == EPERM || errno == ENOSYS)) {
      read ? std::memcpy(at, remote.iov_base, part) : std::memcpy(remote.iov_base, at, part);
    } else if (done <= 0) {
      return false;
    }
    const size_t moved = done <= 0 ? part : static_cast<size_t>(done);
    at += moved;
    theirs += moved;
    bytes -= moved;
  }
  return true;
}

}  // namespace

std::map<uintptr_t, Region>& Regions() { return TheArena().regions; }

Region* FindRegion(uintptr_t address) {
  std::map<uintptr_t, Region>& regions = Regions();
  auto after = regions.upper_bound(address);
  if (after == regions.begin()) {
    return nullptr;
  }
  Region& region = std::prev(after)->second;
  return address < region.end() ? &region : nullptr;
}

uintptr_t TakeArena(size_t bytes, size_t alignment, bool host_access) {
  Arena& arena = TheArena();
  alignment = std::max(alignment, host_access ? kPage : kDeviceAlignment);
  bytes = RoundUp(bytes, host_access ? kPage : kDeviceAlignment);
  for (auto [base, size] : arena.free) {
    const uintptr_t start = RoundUp(base, alignment);
    if (start - base >= size || size - (start - base) < bytes) {
      continue;
    }
    if (host_access && mmap(reinterpret_cast<void*>(start), bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_FIXED, arena.file, ArenaOffset(start)) == MAP_FAILED) {
      return 0;
    }
    arena.free.erase(base);
    if (start > base) {
      arena.free[base] = start - base;
    }
    if (base + size > start + bytes) {
      arena.free[start + bytes] = base + size - start - bytes;
    }
    arena.taken[start] = {bytes, host_access};
    return start;
  }
  return 0;
}

void GiveArena(uintptr_t base) {
  Arena& arena = TheArena();
  auto found = arena.taken.find(base);
  if (found == arena.taken.end()) {
    return;
  }
  size_t bytes = found->second.bytes;
  if (found->second.host_access) {
    mmap(reinterpret_cast<void*>(base), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  }
  if (found->second.host_access || bytes >= kKeepBytes) {
    fallocate(arena.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, ArenaOffset(base), bytes);
  }
  arena.taken.erase(found);
  auto after = arena.free.lower_bound(base);
  if (after != arena.free.end() && after->first == base + bytes) {
    bytes += after->second;
    after = arena.free.erase(after);
  }
  if (after != arena.free.begin() && std::prev(after)->first + std::prev(after)->second == base) {
    std::prev(after)->second += bytes;
  } else {
    arena.free[base] = bytes;
  }
}

size_t ArenaOffset(uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(TheArena().base);
}
char* AliasOf(uintptr_t address) { return TheArena().alias + ArenaOffset(address); }
bool InArena(uintptr_t address) { return ArenaOffset(address) < TheArena().bytes; }
int ArenaFile() { return TheArena().file; }

bool MapAlias(uintptr_t address, size_t bytes, int file, size_t offset) {
  return mmap(AliasOf(address), bytes, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

namespace {

uintptr_t TakeManaged(size_t bytes) {
  if (bytes > kPage / 2) return TakeArena(bytes, 0, true);
  SharedPages& pages = TheSharedPages();
  bytes = RoundUp(bytes, kManagedAlignment);
  if (pages.page == 0 || pages.used + bytes > kPage) {
    pages.page = TakeArena(kPage, 0, true);
    pages.used = 0;
    if (pages.page == 0) return 0;
  }
  ++pages.allocations[pages.page];
  const uintptr_t taken = pages.page + pages.used;
  pages.used += bytes;
  return taken;
}

void GiveManaged(uintptr_t base) {
  SharedPages& pages = TheSharedPages();
  const uintptr_t page = base / kPage * kPage;
  auto found = pages.allocations.find(page);
  if (found == pages.allocations.end()) {
    GiveArena(base);
    return;
  }
  if (--found->second > 0) return;
  pages.allocations.erase(found);
  if (pages.page == page) pages.page = 0;
  GiveArena(page);
}

}  // namespace

CUresult AllocateRegion(Context& context, size_t bytes, Kind kind, unsigned flags,
                        Region** region) {
  Device& device = TheDevice(context.device);
  const bool charged = kind != Kind::kPinned;
  if (charged && (bytes > device.total_bytes || device.used_bytes + bytes > device.total_bytes)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  const uintptr_t base =
      kind == Kind::kManaged ? TakeManaged(bytes) : TakeArena(bytes, 0, kind == Kind::kPinned);
  if (base == 0) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  Region& made = Regions()[base];
  made = Region{};
  made.base = base;
  made.bytes = bytes;
  made.kind = kind;
  made.alias = AliasOf(base);
  made.context = contexts.Find(reinterpret_cast<CUcontext>(&context));
  made.device = context.device;
  made.flags = flags;
  made.id = NextId();
  if (charged) {
    device.used_bytes += bytes;
  }
  *region = &made;
  return CUDA_SUCCESS;
}

void ReleaseRegion(uintptr_t base) {
  auto found = Regions().find(base);
  if (found == Regions().end()) {
    return;
  }
  const Region region = found->second;
  Regions().erase(found);
  if (region.kind == Kind::kDevice || region.kind == Kind::kManaged) {
    TheDevice(region.device).used_bytes -= region.bytes;
  }
  if (region.kind == Kind::kManaged) {
    GiveManaged(base);
  } else if (region.kind != Kind::kRegistered && region.kind != Kind::kMapped &&
             region.kind != Kind::kImported) {
    GiveArena(base);
  }
}

char* Resolve(uintptr_t address, size_t bytes) {
  Region* region = FindRegion(address);
  // Mappings of the virtual memory functions may follow each other, and one access may cross them.
  const Region* last = region;
  while (last != nullptr && last->kind == Kind::kMapped && last->accessible &&
         bytes > last->end() - address) {
    last = FindRegion(last->end());
  }
  if (last == nullptr || bytes > last->end() - address ||
      (!last->accessible && !last->graph_allocation) ||
      !(region->accessible || region->graph_allocation)) {
    return nullptr;
  }
  char* alias = region->alias == nullptr ? reinterpret_cast<char*>(region->base) : region->alias;
  return alias + (address - region->base);
}

bool ResolveForTask(uintptr_t address, size_t bytes, char** alias) {
  std::lock_guard<std::mutex> hold(lock);
  *alias = nullptr;
  Region* region = FindRegion(address);
  if (region == nullptr) {
    return !InArena(address);
  }
  if (region->kind == Kind::kRegistered) {
    return true;
  }
  *alias = region->accessible ? Resolve(address, bytes) : nullptr;
  return *alias != nullptr;
}

bool ReadProgram(void* to, uintptr_t from, size_t bytes) {
  return CopyThroughKernel(true, to, from, bytes);
}
bool WriteProgram(uintptr_t to, const void* from, size_t bytes) {
  return CopyThroughKernel(false, const_cast<void*>(from), to, bytes);
}

}  // namespace fake
