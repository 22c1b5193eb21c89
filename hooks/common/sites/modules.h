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

void ResetModulesAfterFork();

}  // namespace gpusan
