// Interception of dlsym: programs that look up GPU entry points by name get gpusan's wrappers.
#pragma once

namespace gpusan {

// Returns the wrapper for `name`, given the real function, or nullptr to give the program the real
// one. Called on the program's threads, also before main.
using SubstituteSymbol = void* (*)(const char* name, void* real);

// Registers `substitute` for the names of one API, which is identified by the second letter of its
// prefix: "cl", "cu", "vk". Thread-safe.
void SubstituteSymbols(char second_letter, SubstituteSymbol substitute);

}  // namespace gpusan
