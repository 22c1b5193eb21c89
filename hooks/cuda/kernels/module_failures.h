// Why a module could not be loaded: its image against the device and the driver, and what the
// compiler said.
//
// Images and logs are the program's memory and files; they are read through safe_read.h, no
// further than the block around them is known to go.
#pragma once

#include <cuda.h>

#include <string>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/kernels/module_image.h"

namespace gpusan::cuda {

// The buffers that a call's options give for what the compiler says.
struct JitLog {
  const char* buffer = nullptr;  // of errors, else of information; nullptr: none was given
  size_t bytes = 0;
};

// As the options have them before the call; the driver overwrites the sizes.
JitLog JitLogOf(unsigned count, const CUjit_option* options, void* const* values);

// The image at the address, or behind the wrapper there. `bytes`: as far as the program says that
// it goes.
ModuleImage ImageAt(CuCall& call, const void* address, uint64_t bytes = UINT64_MAX);
ModuleImage ImageInFile(const char* path);

// The code speaks of what an image holds.
bool IsImageFailure(CUresult code);

// A load, or the first use of a library, that failed with such a code.
struct FailedModule {
  const ModuleImage* image = nullptr;
  std::string name;               // of the file; empty: memory
  const void* address = nullptr;  // where the image still is; nullptr: not in memory
  JitLog log;
  const Object* module = nullptr;  // as in InvalidModule
  bool tried = false;              // the same
};
void ExplainFailedModule(CuCall& call, CUresult code, const FailedModule& failed);

// What the compiler or linker wrote into the program's buffer, as one failure fact.
void AddJitLog(CuCall& call, const JitLog& log);

}  // namespace gpusan::cuda
