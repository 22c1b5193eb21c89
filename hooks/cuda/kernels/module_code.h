// The machine code that the driver takes from an image for the devices of the process.
//
// The image is memory or a file of the program. Code in a loaded file stays where it is, and is
// read when a kernel is summarized. Other code is copied when it is loaded, as it is stored (mostly
// packed), because the program may free or change the image after the call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/kernels/image_sources.h"
#include "hooks/cuda/machine_code/kernel_access.h"

namespace gpusan::cuda {

// The kernel of a cubin and its summary.
struct SummarizedKernel {
  std::vector<KernelParameter> parameters;  // by ordinal
  unsigned parameter_bytes = 0;
  KernelAccess access;
};

// Thread-safe; constant after creation.
class ModuleCode {
 public:
  ModuleCode() = default;
  ModuleCode(const ModuleCode&) = delete;
  ModuleCode& operator=(const ModuleCode&) = delete;
  ~ModuleCode();

  // False if the options switch the analysis of kernels off: then Of returns nullptr.
  static bool Wanted();

  // Finds the code in an image that the driver has loaded. `address`: of the image in memory; 0: it
  // is in a file. Returns nullptr if the driver compiles PTX, if the devices of the process have
  // different capabilities, or if the code is not understood.
  static std::shared_ptr<const ModuleCode> Of(const ImageSource& source, const ModuleImage& image,
                                              uintptr_t address);

  // Summarizes the kernel with that mangled name. Returns false if the code does not have it, or if
  // the code has been unloaded. Bounded time: see machine_code/kernel_access.h.
  bool Summarize(const std::string& symbol, SummarizedKernel* kernel) const;

 private:
  struct Part {
    uint64_t id = 0;  // unique in the process
    Packing packing = Packing::kNone;
    uint64_t unpacked_bytes = 0;
    uint64_t bytes = 0;     // as stored
    uintptr_t address = 0;  // in a loaded file; 0: `copy` holds it
    uint32_t file = 0;      // number of that file (ResolveFrame)
    std::vector<unsigned char> copy;
  };

  bool SummarizeIn(const Part& part, const std::string& symbol, SummarizedKernel* kernel,
                   bool* found) const;
  static std::shared_ptr<const std::vector<unsigned char>> CubinOf(const Part& part);

  std::vector<Part> parts_;
};

}  // namespace gpusan::cuda
