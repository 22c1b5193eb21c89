// The variables of the main program, as host blocks.
#pragma once

#include "tracker/memory/host_memory.h"

namespace gpusan {

// Reads the symbol table of the main program and adds its variables to `memory`. Variables in
// sections other than .data, .bss, .rodata and their relatives are left out, because programs may
// place several of them in one section and use them as one array. Adds nothing if the file was
// stripped or cannot be read. Call at most once for a process.
void AddStaticBlocks(HostMemory& memory);

}  // namespace gpusan
