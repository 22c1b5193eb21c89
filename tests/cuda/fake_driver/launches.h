// Modules, their kernels and what one launch needs.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_LAUNCHES_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_LAUNCHES_H_

#include <cuda.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "state.h"

namespace fake {

struct Parameter {
  size_t offset = 0;
  size_t bytes = 0;
};

struct Launch;
using KernelBody = CUresult (*)(const Launch&);

// What an image says, before it is loaded.
struct EntryText {
  std::string name;
  std::vector<Parameter> parameters;
};
struct GlobalText {
  std::string name;
  size_t bytes = 0;
  std::vector<unsigned char> value;  // shorter than `bytes`: the rest is zero
};
struct ImageText {
  std::vector<EntryText> entries;
  std::vector<GlobalText> globals;
};

struct Function {
  EntryText text;
  KernelBody body = nullptr;  // null: nothing is done
  std::weak_ptr<struct Module> module;
  int max_dynamic_shared_bytes = 48 << 10;
  std::map<std::string, CUdeviceptr> globals;
};

// A module of a context, or a library's image in one.
struct Module {
  std::weak_ptr<Context> context;
  bool of_library = false;  // it cannot be unloaded by itself
  std::map<std::string, std::shared_ptr<Function>> functions;
  std::map<std::string, std::pair<CUdeviceptr, size_t>> globals;
};

// Its kernels are loaded into a context when they are first used there.
struct Library {
  ImageText text;
  CUresult error = CUDA_SUCCESS;  // of reading the image
  std::vector<std::shared_ptr<struct Kernel>> kernels;
  std::map<uint64_t, std::shared_ptr<Module>> modules;  // by context id
};

struct Kernel {
  EntryText text;
  std::weak_ptr<Library> library;
  int max_dynamic_shared_bytes = 48 << 10;
};

struct Launch {
  std::shared_ptr<Function> function;
  CUfunction handle = nullptr;  // as the program gave it, which may be a CUkernel
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  std::vector<unsigned char> arguments;
  uint64_t threads() const {
    return uint64_t{grid[0]} * grid[1] * grid[2] * block[0] * block[1] * block[2];
  }
};

extern Handles<CUfunction, Function>& functions;
extern Handles<CUmodule, Module>& modules;
extern Handles<CUlibrary, Library>& libraries;
extern Handles<CUkernel, Kernel>& kernels;

// Reads a PTX text. CUDA_ERROR_INVALID_PTX, UNSUPPORTED_PTX_VERSION or NO_BINARY_FOR_GPU when the
// driver would.
CUresult ParsePtx(const std::string& text, ImageText* image);
// Reads whatever a module can be made from: PTX, a cubin or a fat binary.
CUresult ReadImage(const void* image, ImageText* text);

CUresult LoadModule(Context& context, const ImageText& text, std::shared_ptr<Module>* module);
void UnloadModule(Module& module);
// The function in the current context; null when the handle is neither function nor kernel.
std::shared_ptr<Function> FindFunction(CUfunction handle);
std::shared_ptr<Function> FunctionOf(Kernel& kernel, Context& context);

// The built-in kernel of that entry name, or null.
KernelBody FindKernelBody(const std::string& name);
// What the launch will touch, as far as its arguments say.
std::vector<Access> Accesses(const Launch& launch);

// CUDA_ERROR_INVALID_VALUE when the limits of the device do not allow it.
CUresult CheckLaunch(const Launch& launch);
// Fills `arguments` from either form of a launch's arguments.
CUresult TakeArguments(Launch& launch, void** kernel_parameters, void** extra);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_LAUNCHES_H_
