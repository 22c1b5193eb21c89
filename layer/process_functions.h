// The real functions behind the rows of process.def.
#pragma once

namespace gpusan {

struct ProcessFunctions {
#define GPUSAN_PROCESS(symbol, result, parameters) result(*symbol) parameters;
#include "layer/process.def"
#undef GPUSAN_PROCESS
};

// Looks the functions up at the first call, which the library's constructor makes, so that a child
// of fork or vfork need not enter the loader. Thread-safe.
const ProcessFunctions& RealProcess();

}  // namespace gpusan
