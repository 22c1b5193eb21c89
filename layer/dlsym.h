// The dlsym door: programs that look GPU entry points up by name get gpusan's wrappers.
#pragma once

#include <atomic>

namespace gpusan {

// What the program shall get for `name`, given the real function it would have got; nullptr: the
// real one. Called on the program's threads, also before main. Names begin with "cl", "cu" or "vk".
using SubstituteSymbol = void* (*)(const char* name, void* real);
extern std::atomic<SubstituteSymbol> substitute_symbol;

}  // namespace gpusan
