// The summary of a kernel: which memory it reads, writes and changes atomically.
//
// The summary is an over-approximation: an access that it does not name does not happen. It assumes
// what compilers and programs keep: an address computed from a pointer parameter stays in the
// allocation of that pointer, and a value of 32 bits, or a value multiplied by 2 or more, is no
// pointer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hooks/cuda/analysis/conditions.h"
#include "hooks/cuda/analysis/expression.h"
#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// Kinds of access, as bits.
enum AccessKind : uint8_t { kReads = 1, kWrites = 2, kAtomics = 4 };

// The 8 bytes at `offset` of the parameter block are a pointer through which the kernel may access
// memory, or a texture or surface object, as the accesses say. It may be an integer that the kernel
// adds to a pointer, too.
struct PointerUse {
  uint16_t offset = 0;
  uint8_t kinds = 0;
};

// A variable of the module that each thread of the kernel reads or writes, whatever the arguments
// are, and by no volatile or atomic access.
struct VariableUse {
  std::string name;
  uint8_t kinds = 0;
};

// The kind of address of an access.
enum class ViewKind : uint8_t {
  kNone,     // an address in memory
  kTexture,  // a texture object: the access is to its texels
  kSurface   // a surface object
};

// A memory instruction.
struct KernelMemoryAccess {
  uint32_t code_offset = 0;  // bytes
  uint8_t kind = 0;          // one AccessKind
  uint8_t width = 0;         // bytes that one thread accesses, at most
  bool exact_width = true;   // all of `width` bytes
  ViewKind view = ViewKind::kNone;
  bool always = false;  // every thread executes it
  // The address of the first byte. Exact only if !address.inexact.
  Expression address;
  bool strong = false;  // volatile, or ordered with other threads of the system
  // A reduction: the new value depends on the old one. Or a store after a load of the same bytes
  // by the same thread, or such a load.
  bool update = false;
  // A thread executes it only if all of `guards` hold.
  std::vector<AccessGuard> guards;
  // A thread executes it if all of `guards` hold. False: other conditions may keep it from that.
  bool guards_complete = false;
  std::vector<LoopBound> loops;  // whose iterations the address or a guard names, outer ones first
  bool to_shared = false;  // an asynchronous copy into shared memory: the address has no offset
  // If all of `guards` hold, no thread of the launch waits (KernelAccess::may_wait).
  bool without_waiting = false;
};

struct KernelAccess {
  // nullptr: the summary is valid. Else the reason why nothing is known of the kernel.
  const char* failure = "not analysed";
  uint32_t failure_offset = 0;  // of the instruction at which the analysis failed, if there is one

  // Kinds of access through addresses that are derived from no parameter, for example pointers
  // loaded from memory, and to texels.
  uint8_t unknown = 0;
  // Kinds of access to __device__ and __constant__ variables, by their name.
  uint8_t globals = 0;
  std::vector<VariableUse> variables;  // by name; those that are known
  // By offset. A parameter that is missing is not accessed, except by `unknown`.
  std::vector<PointerUse> pointers;
  std::vector<KernelMemoryAccess>
      accesses;  // through parameters and unknown addresses, by code offset
  // The kernel has fences, or atomic or volatile accesses. It may wait for other kernels or for the
  // host while it runs, and they may wait for it.
  bool may_wait = false;
  // One of these instructions is in a loop: the kernel can wait for a value that others write.
  bool waits_in_loop = true;
  // The host or other devices can observe one of these instructions.
  bool beyond_device = true;
  bool copies_tensors = false;  // has instructions that copy by tensor maps
  // The kernel waits only in launches for which this comparison of arguments is true.
  std::optional<AccessGuard> waits_only_if;
  bool accesses_complete = true;      // false: there are more accesses than the list holds
  std::vector<Extension> extensions;  // the conditions of `accesses` are indices into it

  bool known() const { return failure == nullptr; }
};

}  // namespace gpusan::cuda
