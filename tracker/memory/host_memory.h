// The host blocks of the process: begin, size, kind and creation site, found by any address inside.
//
// Thread-safe. Does not use the program's allocator, so it may be called from inside malloc. Heap
// blocks lie inside mappings (the chunks of an allocator), so Find prefers the heap block. Checks
// report nothing about memory that is unknown here. If the process forks during an operation of
// another thread, the object is unusable in the child, which creates a new one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracker/model/ids.h"

namespace gpusan {

enum class HostBlockKind : uint8_t { kHeap, kMapping, kStatic };

// A variable of static storage duration. Lives until the process ends.
struct StaticBlock {
  uintptr_t begin;
  size_t bytes;
  const char* name;  // the symbol, not demangled; owned by the caller of SetStatic
};

// Not initialised by default, for speed: every call that names host memory creates one.
struct HostBlock {
  uintptr_t begin;
  size_t bytes;  // as the program requested, not as the allocator rounded
  HostBlockKind kind;
  SiteId site;

  uintptr_t end() const { return begin + bytes; }
};

// What the program takes from host memory that stays mapped.
enum class HostLoss : uint8_t {
  kRightToWrite,  // mprotect(PROT_READ)
  kAllRights,     // mprotect(PROT_NONE)
  kContent,       // madvise(MADV_DONTNEED) and its relatives
};

class HostMemory {
 public:
  HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  // Adds a block. Forgets stale heap blocks that overlap it (their release was not seen). A mapping
  // also replaces the parts of older mappings that it covers. Ignores blocks of 0 bytes, heap
  // blocks of more than 1 TiB, and blocks beyond 48 address bits. Returns true if it added a heap
  // block and forgot a large heap block that overlapped it.
  bool Add(const HostBlock& block);

  // Removes the heap block that begins at `begin`. Returns true and fills `*block` if the block was
  // known. Costs one or two loads if no known block begins near that address.
  bool RemoveHeap(uintptr_t begin, HostBlock* block);

  // Cuts [begin, begin + bytes) out of the mappings and forgets heap blocks that touch the range.
  void RemoveMapping(uintptr_t begin, size_t bytes);

  // Adds the `count` variables at `blocks`, sorted by address and without overlap, until the
  // process ends. Does not copy them. May be called once.
  void SetStatic(const StaticBlock* blocks, size_t count);
  // Returns the name of the variable that begins at `begin`, or nullptr.
  const char* StaticName(uintptr_t begin) const;

  // Finds the innermost known block that contains `address`. A repeated look-up of the same block
  // takes a few nanoseconds.
  bool Find(uintptr_t address, HostBlock* block) const;

  // Like Find, for `bytes` from `address` on. Joins adjoining mappings into one block until the
  // block contains the range, because a program may reserve memory in one piece and commit it in
  // several. `block->begin` and `block->site` are those of the first mapping.
  bool FindSpan(uintptr_t address, uint64_t bytes, HostBlock* block) const;

  // Returns true if nothing can be reported about `bytes` from `address` on: a known block contains
  // the range, or no known block contains `address` and none was released there. Optimised for
  // repeated look-ups of the same block.
  bool MayHold(uintptr_t address, uint64_t bytes) const;

  // Finds the recently released heap block that contained `address`, and the call site of its
  // release, to explain a pointer that is no longer known. The number of remembered releases is
  // bounded.
  bool FindReleased(uintptr_t address, HostBlock* block, SiteId* released) const;
  void NoteRelease(const HostBlock& block, SiteId released);
  // Returns false if FindReleased cannot find a block, because `address` is below or above all
  // releases so far. Costs two loads.
  bool MayHaveReleased(uintptr_t address) const;

  // Returns true while the calling thread is inside a member function. A signal handler must not
  // call this object then.
  static bool BusyOnThisThread();

 private:
  struct Impl;
  Impl* impl_;  // never destroyed: the program calls malloc until the end of the process
};

}  // namespace gpusan
