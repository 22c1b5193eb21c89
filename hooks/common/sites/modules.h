// Loaded files by address: path, build-id and the offset of an address in the file.
//
// Thread-safe; allocates from the kernel only; finds files through _dl_find_object, which takes no
// lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/common/sites/site.h"

namespace gpusan {

// The number of unloaded files. Anything cached by code address is valid while it is unchanged.
extern std::atomic<uint32_t> module_epoch;

// Returns the file that contains `address`, and the address as a virtual address of that file.
// Module 0 if no file contains it.
SiteFrame ResolveFrame(uintptr_t address);

// ResolveFrame for the frames of one stack, of which neighbours are often in one file. Use it no
// longer than the stack exists: a file with a frame on the stack is not unloaded.
class FrameResolver {
 public:
  SiteFrame operator()(uintptr_t address);

 private:
  uintptr_t begin_ = 0, end_ = 0;  // the file of the last address
  uintptr_t bias_ = 0;
  uint32_t module_ = 0;
};

void ResetModulesAfterFork();

}  // namespace gpusan
