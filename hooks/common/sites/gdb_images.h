// Functions in the images that compilers inside the process register with a debugger, by the
// interface of GDB for compiled code: a list of ELF files in memory behind __jit_debug_descriptor.
//
// Thread-safe: nothing here has a state. The list may change during a call, and its content may be
// anything: memory is read as by ReadOwnMemory, and the work has a limit.
#pragma once

#include <cstdint>
#include <string>

namespace gpusan {

// Looks in the images of every descriptor that a loaded file exports. Returns the name of the
// function that contains the byte at `address` and sets *begin to its first byte; an empty name if
// no image has one. Takes the lock of the loader.
std::string FunctionInGdbImages(uint64_t address, uint64_t* begin);

// The same for the descriptor at an address in this process.
std::string FunctionInGdbImagesOf(uintptr_t descriptor, uint64_t address, uint64_t* begin);

}  // namespace gpusan
