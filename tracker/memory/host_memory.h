// Which host blocks exist: begin, size, kind and creation site, findable by interior address.
//
// Thread-safe. Uses no memory of the program's allocator, so it may be called from inside malloc.
// Heap blocks lie inside mappings (an allocator's chunk), so Find prefers the heap block. Memory
// that is not known here is not judged anywhere. A fork in the middle of an operation of another
// thread leaves the object unusable in the child, which makes a new one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracker/model/ids.h"

namespace gpusan {

enum class HostBlockKind : uint8_t { kHeap, kMapping };

// Plain and not initialised: one is made for every call that names host memory.
struct HostBlock {
  uintptr_t begin;
  size_t bytes;  // as requested by the program, not as rounded by the allocator
  HostBlockKind kind;
  SiteId site;

  uintptr_t end() const { return begin + bytes; }
};

class HostMemory {
 public:
  HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // A block came into being. Stale heap blocks that overlap it (their release was not seen) are
  // forgotten; a mapping also replaces what it covers of older mappings. Blocks of no bytes, of
  // more than 1 TiB (heap), and beyond 48 address bits are not kept.
  // True: a larger block that began or went on there, and whose release was not seen, is forgotten.
  bool Add(const HostBlock& block);

  // The heap block that begins at `begin` ceases to exist. True and *block filled if it was known.
  // Costs one or two loads when no known block begins near that address.
  bool RemoveHeap(uintptr_t begin, HostBlock* block);

  // Mappings inside [begin, begin + bytes) are cut out; heap blocks that touch it are forgotten.
  void RemoveMapping(uintptr_t begin, size_t bytes);

  // The innermost known block that contains `address`. A warm repeat of the same block costs a few
  // ns.
  bool Find(uintptr_t address, HostBlock* block) const;

  // The same for `bytes` from `address` on: mappings that adjoin count as one block, as far as the
  // span needs it (a program may reserve memory in one piece and commit it in several). Begin and
  // site are those of the first.
  bool FindSpan(uintptr_t address, uint64_t bytes, HostBlock* block) const;

  // True if there is nothing to be said of `bytes` from `address` on: a known block holds them, or
  // there is none and none was released. A warm repeat costs least of all, which is what it is for.
  bool MayHold(uintptr_t address, uint64_t bytes) const;

  // The heap block that contained `address` and was released a short while ago, with the site of
  // its release (bounded memory of the last releases); for explaining a pointer that is no longer
  // known.
  bool FindReleased(uintptr_t address, HostBlock* block, SiteId* released) const;
  void NoteRelease(const HostBlock& block, SiteId released);
  // False where FindReleased will find nothing: below and above all that was ever released. Two
  // loads.
  bool MayHaveReleased(uintptr_t address) const;

  // True while the calling thread is inside a member function: a signal handler that finds it so
  // must not call in.
  static bool BusyOnThisThread();

 private:
  struct Impl;
  Impl* impl_;  // never destroyed: malloc runs until the very end of the process
};

}  // namespace gpusan
