// Handlers: modules, libraries, look-ups in them, and the linker.
#pragma once

#include <cuda.h>

#include <atomic>
#include <memory>
#include <string_view>

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/images/module_code.h"
#include "hooks/cuda/images/module_failures.h"
#include "hooks/cuda/kernels/functions.h"

namespace gpusan::cuda {

// --- functions of modules.cc

// `result`: the variable for the handle.
// `path`: of a file; nullptr: `image` is in memory.
void LoadedModule(CuCall& call, const CUmodule* result, const char* path, const void* image);
void FailedModuleLoad(CuCall& call, CUresult code, const void* result, const char* path,
                      const void* image, const JitLog& log);
void LoadedLibrary(CuCall& call, const CUlibrary* result, const char* path, const void* image);
void FoundModule(CuCall& call, CUmodule module, PlainObject* library);
// Returns the live module, library or linker; nullptr when it is unknown or not usable (then a
// finding was added).
PlainObject* UseModule(CuCall& call, const void* handle, const char* argument);
// Before the real call: unloads the module or library with everything that was looked up in it.
void UnloadModule(CuCall& call, const void* handle, const char* argument);
// Returns how many modules and libraries have been unloaded. Thread-safe.
uint32_t ModuleUnloads();
// As NoteFunction, for a function that the program looked up.
void FoundFunction(CuCall& call, uintptr_t handle, const char* name, PlainObject* module);
// Returns the size [bytes] of a variable whose size the program has not requested, from the driver;
// 0 if the driver does not report it. `managed`: as below.
size_t VariableBytes(CUmodule module, const char* name, bool managed);
size_t VariableBytes(CUlibrary library, const char* name, bool managed);
// Registers a variable of the module; `managed` is true for managed variables of a library.
void FoundVariable(CuCall& call, PlainObject* module, const char* name, CUdeviceptr address,
                   size_t bytes, bool managed);
// True once the program has found a variable of a module.
inline std::atomic<bool> found_variables{false};
// Returns the variable of that name of a module or its library, if the program has found it, and in
// one context only; otherwise nullptr. `module` may be nullptr.
Resource* VariableOf(const Object* module, std::string_view name);
// Sets how a kernel accesses a variable of a module, of which the bytes are unknown. `kinds`: as in
// VariableUse.
void SetVariableUse(uint8_t kinds, LaunchArgument* argument);
// Records that the command of `origin`, a launch in `context`, accesses a variable of the module
// that the program has not found yet. FoundVariable adds the access to the history of the variable.
// The last ones are kept.
void NoteEarlyUse(const Object* module, const VariableUse& use, const Object* context,
                  const AccessOrigin& origin);
// Records that the look-up failed: the name does not exist, or the image could not be loaded.
void FailedLookUp(CuCall& call, CUresult code, PlainObject* module, const char* name,
                  bool is_function);
// Returns the module or library of a kernel that was looked up before.
PlainObject* ModuleOf(CuCall& call, const void* kernel);
// Returns the machine code of a module or library; nullptr: not known.
std::shared_ptr<const ModuleCode> CodeOf(const Object* module);
// Records that the linker rejected data or a file.
void RefusedByLinker(CuCall& call, CUresult code, CUjitInputType type, const void* data,
                     size_t bytes, const char* path, PlainObject* linker);
void StartedLinker(CuCall& call, CUlinkState linker, const JitLog& log);
void FailedLink(CuCall& call, CUresult code, PlainObject* linker);

// --- handlers

template <typename P>
struct ModuleLoad {
  JitLog log;
  void Before(CuCall&, P& p) {
    if constexpr (requires { p.options; }) log = JitLogOf(p.numOptions, p.options, p.optionValues);
  }
  void After(CuCall& call, CUresult code, P& p) {
    const char* path = nullptr;
    const void* image = nullptr;
    if constexpr (requires { p.fname; }) {
      path = p.fname;
    } else if constexpr (requires { p.fatCubin; }) {
      image = p.fatCubin;
    } else {
      image = p.image;
    }
    if (code == CUDA_SUCCESS) return LoadedModule(call, p.module, path, image);
    FailedModuleLoad(call, code, p.module, path, image, log);
  }
};

// Calls `visit` with the module, library or linker that the call takes, and with the argument's
// name.
template <typename P, typename Visit>
auto WithModule(P& p, Visit visit) {
  if constexpr (requires { p.hmod; }) {
    return visit(p.hmod, "hmod");
  } else if constexpr (requires { p.library; }) {
    return visit(p.library, "library");
  } else if constexpr (requires { p.mod; }) {
    return visit(p.mod, "mod");
  } else if constexpr (requires { p.lib; }) {
    return visit(p.lib, "lib");
  } else {
    return visit(p.state, "state");
  }
}

template <typename P>
struct ModuleUnload {
  void Before(CuCall& call, P& p) {
    WithModule(p, [&](auto handle, const char* name) { UnloadModule(call, handle, name); });
  }
};

template <typename P>
struct LibraryLoad {
  JitLog log;
  void Before(CuCall&, P& p) { log = JitLogOf(p.numJitOptions, p.jitOptions, p.jitOptionsValues); }
  void After(CuCall& call, CUresult code, P& p) {
    const char* path = nullptr;
    const void* image = nullptr;
    if constexpr (requires { p.fileName; }) {
      path = p.fileName;
    } else {
      image = p.code;
    }
    if (code == CUDA_SUCCESS) return LoadedLibrary(call, p.library, path, image);
    FailedModuleLoad(call, code, p.library, path, image, log);
  }
};

template <typename P>
struct UsesModule {
  PlainObject* module = nullptr;
  void Before(CuCall& call, P& p) {
    module =
        WithModule(p, [&](auto handle, const char* name) { return UseModule(call, handle, name); });
  }
};

// Look-up of a function or kernel by name.
template <typename P>
struct FindFunction : UsesModule<P> {
  static constexpr bool kLeavesDeferred = true;
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, this->module, p.name, true);
    if constexpr (requires { p.hfunc; }) {
      FoundFunction(call, HandleOf(*p.hfunc), p.name, this->module);
    } else {
      FoundFunction(call, HandleOf(*p.pKernel), p.name, this->module);
    }
  }
};

template <typename P>
struct FindVariable : UsesModule<P> {
  bool managed = false;
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, this->module, p.name, false);
    // Either output may be NULL.
    if (p.dptr == nullptr) return;
    size_t bytes = 0;
    if (p.bytes != nullptr) {
      bytes = *p.bytes;
    } else if constexpr (requires { p.hmod; }) {
      bytes = VariableBytes(p.hmod, p.name, managed);
    } else {
      bytes = VariableBytes(p.library, p.name, managed);
    }
    FoundVariable(call, this->module, p.name, *p.dptr, bytes, managed);
  }
};

template <typename P>
struct FindManagedVariable : FindVariable<P> {
  FindManagedVariable() { this->managed = true; }
};

// Look-up of all functions or kernels.
template <typename P>
struct EnumerateFunctions : UsesModule<P> {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, this->module, nullptr, true);
    const auto note = [&](auto* found, unsigned count) {
      for (unsigned i = 0; i < count && found[i] != nullptr; ++i)
        NoteFunction(call, HandleOf(found[i]), nullptr, this->module);
    };
    if constexpr (requires { p.functions; }) {
      note(p.functions, p.numFunctions);
    } else {
      note(p.kernels, p.numKernels);
    }
  }
};

template <typename P>
struct LibraryGetModule : UsesModule<P> {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, this->module, nullptr, true);
    FoundModule(call, *p.pMod, this->module);
  }
};

template <typename P>
struct KernelGetFunction {
  static constexpr bool kLeavesDeferred = true;
  PlainObject* module = nullptr;
  static bool TryFast(FastCall&, P& p) { return WasAnswered(HandleOf(p.kernel), 0); }
  static bool TryFastAfter(FastCall&, P& p) {
    return WasAnswered(HandleOf(p.kernel), HandleOf(*p.pFunc));
  }
  void Before(CuCall& call, P& p) { module = ModuleOf(call, p.kernel); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, module, nullptr, true);
    FoundFunction(call, HandleOf(*p.pFunc), nullptr, module);
    if (module != nullptr) NoteAnswer(HandleOf(p.kernel), HandleOf(*p.pFunc));
  }
};

template <typename P>
struct LinkCreate {
  JitLog log;
  void Before(CuCall&, P& p) { log = JitLogOf(p.numOptions, p.options, p.optionValues); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) StartedLinker(call, *p.stateOut, log);
  }
};

template <typename P>
struct LinkAdd : UsesModule<P> {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) return;
    if constexpr (requires { p.path; }) {
      RefusedByLinker(call, code, p.type, nullptr, 0, p.path, this->module);
    } else {
      RefusedByLinker(call, code, p.type, p.data, p.size, nullptr, this->module);
    }
  }
};

template <typename P>
struct LinkComplete : UsesModule<P> {
  void After(CuCall& call, CUresult code, P&) {
    if (code != CUDA_SUCCESS) FailedLink(call, code, this->module);
  }
};

}  // namespace gpusan::cuda
