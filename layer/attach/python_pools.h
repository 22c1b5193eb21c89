// The memory pools of Python frameworks, CuPy and RMM: their blocks as resources, with the option
// pool_blocks.
#pragma once

namespace gpusan {

// The source of the module that is made in the interpreter (layer/attach/python_pools.py).
extern const char kPythonPoolsCode[];

// Makes gpusan's module in the interpreter of this process, with the option on. Called when the
// interpreter looks up the entry point of an extension module: the calling thread holds the GIL,
// and CuPy and RMM consist of such modules. Idempotent.
void WatchPythonPools();

}  // namespace gpusan
