// Memory that the fake driver hands out, and what a pointer of the program is.
//
// Device addresses are reserved and cannot be touched by the program. The same bytes lie in a
// second mapping, the alias, where the driver reads and writes them. Everything here is called with
// the driver's lock held unless it says otherwise.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_MEMORY_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_MEMORY_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "state.h"

namespace fake {

enum class Kind { kDevice, kManaged, kPinned, kRegistered, kMapped, kImported };

struct Pool;

struct Region {
  uintptr_t base = 0;
  size_t bytes = 0;  // as asked for
  Kind kind = Kind::kDevice;
  char* alias =
      nullptr;  // where the driver finds the bytes; null: the program's own memory at `base`
  std::weak_ptr<Context> context;
  int device = 0;
  unsigned flags = 0;
  uint64_t id = 0;
  std::shared_ptr<Pool> pool;        // of a stream-ordered allocation,
  const Stream* freed_in = nullptr;  // which this stream will free
  bool accessible = true;            // cuMemSetAccess was called, for kMapped
  uintptr_t window = 0;              // of kImported: what the arena gave, which begins at a page
  bool graph_allocation = false;     // of a memory node: accessible from there until it is freed
  bool graph_allocated = false;      // ... by a launch, and no later call frees it
  bool sync_operations = false;
  uintptr_t end() const { return base + bytes; }
};

// The region that holds the address, or null.
Region* FindRegion(uintptr_t address);
std::map<uintptr_t, Region>& Regions();

// Takes bytes from the arena. `host_access`: the program may touch them. 0 when there is no room.
uintptr_t TakeArena(size_t bytes, size_t alignment, bool host_access);
void GiveArena(uintptr_t base);
// The alias of an address of the arena.
char* AliasOf(uintptr_t address);
// Lets the driver find other bytes at addresses of the arena: those of a file from `offset` on.
// Pages only.
bool MapAlias(uintptr_t address, size_t bytes, int file, size_t offset);
// True for the addresses that the arena hands out, whether they are handed out or not.
bool InArena(uintptr_t address);
// The file behind the arena and where in it the address lies, for other processes.
int ArenaFile();
size_t ArenaOffset(uintptr_t address);

// Allocates and enters a region; charges the device. CUDA_ERROR_OUT_OF_MEMORY when its memory is
// used up.
CUresult AllocateRegion(Context& context, size_t bytes, Kind kind, unsigned flags, Region** region);
void ReleaseRegion(uintptr_t base);

// Where a copy or a kernel finds `bytes` at a device-accessible address; null when they are not all
// in one live region. What a graph allocates may be named before it is there.
char* Resolve(uintptr_t address, size_t bytes);
// The same without the lock, for tasks. True and null: memory of the program, which may be gone.
bool ResolveForTask(uintptr_t address, size_t bytes, char** alias);

// Copies between the driver's memory and the program's, which need not exist: false then. Without
// the lock.
bool ReadProgram(void* to, uintptr_t from, size_t bytes);
bool WriteProgram(uintptr_t to, const void* from, size_t bytes);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_MEMORY_H_
