// The real functions behind the rows of process.def.
#pragma once

#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

namespace gpusan {

struct ProcessFunctions {
#define GPUSAN_PROCESS(symbol, result, parameters) result(*symbol) parameters;
#include "layer/process/process.def"
#undef GPUSAN_PROCESS
};

// Returns the real functions. The first call looks them up; the library's constructor makes it, so
// that a child of fork or vfork does not enter the loader. Thread-safe.
const ProcessFunctions& RealProcess();

}  // namespace gpusan
