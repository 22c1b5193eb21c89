// Which host blocks exist: begin, size, kind and creation site, findable by interior address.
//
// Thread-safe. Heap blocks lie inside mappings (an allocator's chunk), so Find prefers the heap block. Memory that
// is not known here is not judged anywhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracker/ids.h"

namespace gpusan {

enum class HostBlockKind : uint8_t { kHeap, kMapping };

struct HostBlock {
  uintptr_t begin = 0;
  size_t bytes = 0;  // as requested by the program, not as rounded by the allocator
  HostBlockKind kind = HostBlockKind::kHeap;
  SiteId site = kUnknownSite;

  uintptr_t end() const { return begin + bytes; }
};

class HostMemory {
 public:
  HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // A block came into being. A stale block that overlaps it (its release was not seen) is forgotten.
  void Add(const HostBlock& block);

  // The heap block that begins at `begin` ceases to exist. True and *block filled if it was known.
  bool RemoveHeap(uintptr_t begin, HostBlock* block);

  // Mappings inside [begin, begin + bytes) are cut out; heap blocks there are forgotten.
  void RemoveMapping(uintptr_t begin, size_t bytes);

  // The innermost known block that contains `address`. A warm repeat of the same block costs a few ns.
  bool Find(uintptr_t address, HostBlock* block) const;

  // The heap block that contained `address` and was released a short while ago, with the site of its release
  // (bounded memory of the last releases); for explaining a pointer that is no longer known.
  bool FindReleased(uintptr_t address, HostBlock* block, SiteId* released) const;
  void NoteRelease(const HostBlock& block, SiteId released);

 private:
  struct Impl;
  Impl* impl_;  // never destroyed: malloc runs until the very end of the process
};

}  // namespace gpusan
