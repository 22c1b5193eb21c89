// Loaded files by address: path, build-id and the offset of an address in the file.
//
// Thread-safe; allocates from the kernel only; finds files through _dl_find_object, which takes no
// lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/common/site.h"

namespace gpusan {

// Counts unloadings. What is cached by code address holds as long as this has not moved.
extern std::atomic<uint32_t> module_epoch;

// The file that holds `address`, and the address as that file's virtual address. Module 0 for code
// of no file.
SiteFrame ResolveFrame(uintptr_t address);

void ResetModulesAfterFork();

}  // namespace gpusan
