// The memory pools of CuPy and RMM. With the option pool_blocks, each block of a pool is a
// resource.
#pragma once

namespace gpusan {

// The source of gpusan's Python module (layer/attach/python_pools.py).
extern const char kPythonPoolsCode[];

// Creates gpusan's module in the Python interpreter of this process, if the option is on.
// Precondition: the calling thread holds the GIL. The look-up of an extension module's entry point
// calls this function: CuPy and RMM are extension modules, and the interpreter holds the GIL during
// the look-up. Idempotent.
void WatchPythonPools();

}  // namespace gpusan
