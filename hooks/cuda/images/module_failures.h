// Why a module could not be loaded: the image compared with the device and the driver, and the
// output of the compiler.
//
// Images and logs are memory and files of the program. They are read through safe_read.h, and not
// beyond the end of their block where that is known.
#pragma once

#include <cuda.h>

#include <string>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/images/module_image.h"

namespace gpusan::cuda {

// The log buffers that the options of a call name.
struct JitLog {
  // the error log, otherwise the information log; nullptr: none was passed
  const char* buffer = nullptr;
  size_t bytes = 0;
};

// Returns the buffers before the call; the driver overwrites the sizes.
JitLog JitLogOf(unsigned count, const CUjit_option* options, void* const* values);

// Reads the image at the address, or the image that a wrapper struct at the address names. `bytes`:
// the size that the program gives.
ModuleImage ImageAt(CuCall& call, const void* address, uint64_t bytes = UINT64_MAX);
ModuleImage ImageInFile(const char* path);

// True for codes that concern the content of an image.
bool IsImageFailure(CUresult code);

// A load, or the first use of a library, that failed with such a code.
struct FailedModule {
  const ModuleImage* image = nullptr;
  std::string name;               // of the file; empty: an image in memory
  const void* address = nullptr;  // the image, if it is still in memory; nullptr otherwise
  JitLog log;
  const Object* module = nullptr;  // as in InvalidModule
  bool tried = false;              // as in InvalidModule
};
void ExplainFailedModule(CuCall& call, CUresult code, const FailedModule& failed);

// Adds the output of the compiler or linker as one failure fact.
void AddJitLog(CuCall& call, const JitLog& log);

}  // namespace gpusan::cuda
