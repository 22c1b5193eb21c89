// The dlsym door: programs that look GPU entry points up by name get gpusan's wrappers.
#pragma once

namespace gpusan {

// What the program shall get for `name`, given the real function it would have got; nullptr: the
// real one. Called on the program's threads, also before main.
using SubstituteSymbol = void* (*)(const char* name, void* real);

// For names that begin with an API's prefix, named by its second letter: "cl", "cu", "vk".
// Thread-safe.
void SubstituteSymbols(char second_letter, SubstituteSymbol substitute);

}  // namespace gpusan
