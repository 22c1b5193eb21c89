// The real functions behind the rows of process.def.
#pragma once

namespace gpusan {

struct ProcessFunctions {
#define GPUSAN_PROCESS(symbol, result, parameters) result(*symbol) parameters;
#include "layer/process.def"
#undef GPUSAN_PROCESS
};

// Looked up at the first call, which the library's constructor makes: afterwards a child of fork or
// vfork finds them without entering the loader. Thread-safe.
const ProcessFunctions& RealProcess();

}  // namespace gpusan
