// The table of functions. Append-only.
#include "hooks/common/sites/source_functions.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>

#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

constexpr uint32_t kSlab = 1024;  // entries
constexpr uint32_t kHeads = 4096;

struct Entry {
  SiteFunction function;
  uint64_t hash = 0;
  uint32_t next = 0;
};

struct Table {
  SpinLock lock;
  PageArena arena;
  std::atomic<uint32_t> count{0};
  std::atomic<Entry*> slabs[kMaxFunctions / kSlab]{};
  uint32_t heads[kHeads]{};
};
constinit Table table;

Entry* At(uint32_t id) {
  return table.slabs[id / kSlab].load(std::memory_order_acquire) + id % kSlab;
}

uint64_t HashOf(const SiteFunction& function) {
  uint64_t hash = 0xcbf29ce484222325u ^ static_cast<uint64_t>(function.line);
  for (const char* text : {function.language, function.name, function.file}) {
    for (; *text != 0; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
    hash = (hash ^ 0xff) * 0x100000001b3u;
  }
  return hash;
}

bool Equal(const SiteFunction& a, const SiteFunction& b) {
  return a.line == b.line && std::strcmp(a.name, b.name) == 0 && std::strcmp(a.file, b.file) == 0 &&
         std::strcmp(a.language, b.language) == 0;
}

// Requires that the caller holds the lock of the table, as Append does. Returns nullptr if there is
// no memory.
const char* Copy(const char* text) {
  const size_t bytes = std::strlen(text) + 1;
  void* copy = table.arena.Allocate(bytes);
  if (copy != nullptr) std::memcpy(copy, text, bytes);
  return static_cast<const char*>(copy);
}

uint32_t Append(const SiteFunction& function, uint64_t hash) {
  const uint32_t id = table.count.load(std::memory_order_relaxed) + 1;
  if (id >= kMaxFunctions) return 0;
  std::atomic<Entry*>& slab = table.slabs[id / kSlab];
  if (slab.load(std::memory_order_relaxed) == nullptr) {
    auto* entries = static_cast<Entry*>(AllocatePages(sizeof(Entry) * kSlab));
    if (entries == nullptr) return 0;
    slab.store(entries, std::memory_order_release);
  }
  SiteFunction copy = function;
  copy.id = id;
  copy.name = Copy(function.name);
  copy.file = Copy(function.file);
  if (copy.name == nullptr || copy.file == nullptr) return 0;
  uint32_t& head = table.heads[hash % kHeads];
  new (At(id)) Entry{copy, hash, head};
  head = id;
  table.count.store(id, std::memory_order_release);
  return id;
}

}  // namespace

uint32_t InternFunction(const SiteFunction& function) {
  const uint64_t hash = HashOf(function);
  std::lock_guard lock(table.lock);
  for (uint32_t id = table.heads[hash % kHeads]; id != 0; id = At(id)->next) {
    if (At(id)->hash == hash && Equal(At(id)->function, function)) return id;
  }
  return Append(function, hash);
}

const SiteFunction* SiteFunctionById(uint32_t id) {
  if (id == 0 || id > table.count.load(std::memory_order_acquire)) return nullptr;
  return &At(id)->function;
}

void ResetFunctionsAfterFork() { new (&table.lock) SpinLock; }

}  // namespace gpusan
