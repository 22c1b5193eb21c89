// The variables of the main program, as host blocks.
#pragma once

#include "tracker/memory/host_memory.h"

namespace gpusan {

// Reads the symbol table of the main program and adds its variables to `memory`. Leaves out
// variables in sections other than .data, .bss, .rodata and similar ones, because programs may put
// several variables into one section and use them as one array. Adds nothing if the file was
// stripped or cannot be read. Call it at most once in a process.
void AddStaticBlocks(HostMemory& memory);

}  // namespace gpusan
