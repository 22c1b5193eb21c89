// The machine code that the driver takes from an image for the devices of the process, or the PTX
// that it compiles for them.
//
// The image is memory or a file of the program. Code in a loaded file is not copied, and is read
// when a kernel is summarized. Other code is copied at the load in its stored form (mostly packed),
// because the program may free or change the image after the call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/call/call.h"
#include "hooks/cuda/images/image_sources.h"
#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/first_thread.h"
#include "hooks/cuda/ptx/module.h"

namespace gpusan::cuda {

// A part of an image, unpacked and read. Constant after creation.
struct UnpackedCode {
  std::vector<unsigned char> bytes;
  // Both point into `bytes`. The one of the other kind of code is empty.
  Cubin cubin;
  PtxModule ptx;
};

// A kernel in its code.
class FoundKernel {
 public:
  const std::vector<KernelParameter>& parameters() const { return parameters_; }  // by ordinal
  // Returns what the kernel accesses, in bounded time (analysis/kernel_access.h).
  KernelAccess Summarize() const;
  // Returns the content on which Summarize depends: kernels with equal content have equal
  // summaries.
  std::string Content() const;
  size_t code_bytes() const;
  // Returns a copy of the machine code, to execute it; nullptr if the kernel has only PTX.
  std::unique_ptr<const ThreadCode> CopyCode() const;

 private:
  friend class ModuleCode;
  std::shared_ptr<const UnpackedCode> code_;
  const CubinKernel* machine_code_ = nullptr;  // nullptr: `ptx_` has the kernel
  PtxKernel ptx_;
  size_t ptx_bytes_ = 0;
  std::vector<KernelParameter> parameters_;
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

  // Finds the code in an image that the driver has loaded. `address`: of the image in memory; 0:
  // the image is in a file. Returns nullptr if the devices of the process take different parts of
  // the image, or if the code is not understood.
  static std::shared_ptr<const ModuleCode> Of(const ImageSource& source, const ModuleImage& image,
                                              uintptr_t address);

  // Finds the kernel with that mangled name. Returns false if the code does not have it, or if
  // the code has been unloaded.
  bool Find(const std::string& symbol, FoundKernel* kernel) const;

 private:
  struct Part {
    uint64_t id = 0;  // unique in the process
    bool ptx = false;
    Packing packing = Packing::kNone;
    uint64_t unpacked_bytes = 0;
    uint64_t bytes = 0;     // as stored
    uintptr_t address = 0;  // in a loaded file; 0: `copy` holds it
    uint32_t file = 0;      // number of that file (ResolveFrame)
    std::vector<unsigned char> copy;
  };

  // Adds a part that takes `bytes` in the image. Returns false if there is no memory for it, or if
  // the image cannot be read.
  bool Add(const ImageSource& source, const ImagePart& found, uint64_t bytes, uintptr_t address);
  static bool FindIn(const Part& part, const std::string& symbol, FoundKernel* kernel, bool* found);
  static std::shared_ptr<const UnpackedCode> CodeOf(const Part& part);

  std::vector<Part> parts_;
};

}  // namespace gpusan::cuda
