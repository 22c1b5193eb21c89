// The table of loaded files. Entries are appended and never change except for their epoch.
#include "hooks/common/sites/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <mutex>
#include <new>

#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

constinit std::atomic<uint32_t> module_epoch{1};

namespace {

constexpr uint32_t kMaxModules = 32768;  // ids fit in 15 bits
constexpr uint32_t kSlab = 256;
constexpr uint32_t kHeads = 512;
constexpr int kMaxBuildIdBytes = 32;

struct Entry {
  SiteModule module;
  uintptr_t start = 0;
  uintptr_t bias = 0;
  std::atomic<uint32_t> epoch{0};  // when the file was last seen at `start`
  uint32_t next = 0;
  char build_id[2 * kMaxBuildIdBytes + 1] = {};
};

struct Table {
  SpinLock lock;
  PageArena arena;
  std::atomic<uint32_t> count{0};
  std::atomic<Entry*> slabs[kMaxModules / kSlab]{};
  std::atomic<uint32_t> heads[kHeads]{};
};
constinit Table table;

Entry* At(uint32_t id) {
  Entry* slab = table.slabs[id / kSlab].load(std::memory_order_acquire);
  return slab + id % kSlab;
}

std::atomic<uint32_t>& HeadOf(uintptr_t start) { return table.heads[(start >> 12) % kHeads]; }

void WriteBuildId(const dl_find_object& object, char* hex) {
  hex[0] = 0;
  const char* start = static_cast<const char*>(object.dlfo_map_start);
  if (static_cast<const char*>(object.dlfo_map_end) - start <
          static_cast<long>(sizeof(ElfW(Ehdr))) ||
      memcmp(start, ELFMAG, SELFMAG) != 0) {
    return;
  }
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(start);
  if (header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > 4096)
    return;  // after the first page, which is all that was read
  const auto* segment = reinterpret_cast<const ElfW(Phdr)*>(start + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i, ++segment) {
    if (segment->p_type != PT_NOTE) continue;
    uintptr_t at = object.dlfo_link_map->l_addr + segment->p_vaddr;
    const uintptr_t end = at + segment->p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const uintptr_t name = at + sizeof(*note);
      const uintptr_t description = name + ((note->n_namesz + 3) & ~3u);
      at = description + ((note->n_descsz + 3) & ~3u);
      if (at > end) break;
      if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4 ||
          memcmp(reinterpret_cast<const void*>(name), "GNU", 4) != 0) {
        continue;
      }
      const auto* bytes = reinterpret_cast<const unsigned char*>(description);
      for (unsigned k = 0; k < note->n_descsz && k < kMaxBuildIdBytes; ++k) {
        *hex++ = "0123456789abcdef"[bytes[k] >> 4];
        *hex++ = "0123456789abcdef"[bytes[k] & 15];
      }
      *hex = 0;
      return;
    }
  }
}

// Writes the absolute path of the file. The loader's list has no name for the main program.
void WritePath(const dl_find_object& object, char* path, size_t capacity) {
  const char* name = object.dlfo_link_map->l_name;
  if (name == nullptr || name[0] == 0) {
    const long length = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, capacity - 1);
    path[length > 0 ? length : 0] = 0;
    return;
  }
  size_t used = 0;
  if (name[0] != '/' && strchr(name, '/') != nullptr) {
    const long length = syscall(SYS_getcwd, path, capacity);
    if (length > 1) used = static_cast<size_t>(length) - 1;
    if (used != 0 && used + 1 < capacity) path[used++] = '/';
  }
  const size_t length = strnlen(name, capacity - used - 1);
  memcpy(path + used, name, length);
  path[used + length] = 0;
}

Entry* Append(const dl_find_object& object, const char* path, const char* build_id) {
  const uint32_t id = table.count.load(std::memory_order_relaxed) + 1;
  if (id >= kMaxModules) return nullptr;
  std::atomic<Entry*>& slab = table.slabs[id / kSlab];
  if (slab.load(std::memory_order_relaxed) == nullptr) {
    Entry* entries = static_cast<Entry*>(AllocatePages(sizeof(Entry) * kSlab));
    if (entries == nullptr) return nullptr;
    slab.store(entries, std::memory_order_release);
  }
  const size_t length = strlen(path) + 1;
  char* kept = static_cast<char*>(table.arena.Allocate(length));
  if (kept == nullptr) return nullptr;
  memcpy(kept, path, length);
  Entry* entry = new (At(id)) Entry;
  memcpy(entry->build_id, build_id, sizeof(entry->build_id));
  entry->module = {id, kept, entry->build_id};
  entry->start = reinterpret_cast<uintptr_t>(object.dlfo_map_start);
  entry->bias = object.dlfo_link_map->l_addr;
  entry->epoch.store(module_epoch.load(std::memory_order_acquire), std::memory_order_relaxed);
  entry->next = HeadOf(entry->start).load(std::memory_order_relaxed);
  table.count.store(id, std::memory_order_release);
  HeadOf(entry->start).store(id, std::memory_order_release);
  return entry;
}

// The entry was not confirmed since the last unloading: the address may belong to the same file or
// to another one.
__attribute__((noinline)) Entry* FindOrAppend(const dl_find_object& object) {
  char build_id[2 * kMaxBuildIdBytes + 1];
  char path[1024];
  WriteBuildId(object, build_id);
  WritePath(object, path, sizeof(path));
  const uintptr_t start = reinterpret_cast<uintptr_t>(object.dlfo_map_start);
  std::lock_guard lock(table.lock);
  for (uint32_t id = HeadOf(start).load(std::memory_order_relaxed); id != 0; id = At(id)->next) {
    Entry* entry = At(id);
    if (entry->start == start && entry->bias == object.dlfo_link_map->l_addr &&
        strcmp(entry->module.path, path) == 0 && strcmp(entry->build_id, build_id) == 0) {
      entry->epoch.store(module_epoch.load(std::memory_order_acquire), std::memory_order_relaxed);
      return entry;
    }
  }
  return Append(object, path, build_id);
}

}  // namespace

SiteFrame ResolveFrame(uintptr_t address) { return FrameResolver()(address); }

SiteFrame FrameResolver::operator()(uintptr_t address) {
  if (address >= begin_ && address < end_) return {module_, address - bias_};
  dl_find_object object;
  if (_dl_find_object(reinterpret_cast<void*>(address), &object) != 0) return {0, address};
  const uintptr_t start = reinterpret_cast<uintptr_t>(object.dlfo_map_start);
  const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
  Entry* found = nullptr;
  for (uint32_t id = HeadOf(start).load(std::memory_order_acquire); id != 0; id = At(id)->next) {
    Entry* entry = At(id);
    if (entry->start == start && entry->epoch.load(std::memory_order_relaxed) == epoch) {
      found = entry;
      break;
    }
  }
  if (found == nullptr) found = FindOrAppend(object);
  if (found == nullptr) return {0, address};
  begin_ = start;
  end_ = reinterpret_cast<uintptr_t>(object.dlfo_map_end);
  bias_ = found->bias;
  module_ = found->module.id;
  return {module_, address - bias_};
}

const SiteModule* SiteModuleById(uint32_t id) {
  if (id == 0 || id > table.count.load(std::memory_order_acquire)) return nullptr;
  return &At(id)->module;
}

void ResetModulesAfterFork() { new (&table.lock) SpinLock; }

}  // namespace gpusan
