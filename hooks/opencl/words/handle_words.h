// The first word of the memory at a handle: with the ICD loader, each object begins with the
// address of the dispatch table of its driver.
#pragma once

#include <cstdint>

namespace gpusan::opencl {

// Checks by the handle of an object that the driver has just created whether handles have that
// form. Thread-safe. Costs a system call the first time, then one load.
void LearnHandleForm(const void* handle);

// Returns whether the driver or the loader would access invalid memory through `handle`: the memory
// at the handle, or at the address of its dispatch table, cannot be read. False if the form of
// handles is not known. For handles that name no known object; costs one or two system calls.
bool NamesNoObject(uintptr_t handle);

}  // namespace gpusan::opencl
