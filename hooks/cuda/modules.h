// Handlers: modules, libraries, what is looked up in them, and the linker.
#pragma once

#include <cuda.h>

#include "hooks/cuda/functions.h"
#include "hooks/cuda/module_failures.h"

namespace gpusan::cuda {

// --- not templates (modules.cc)

void LoadedModule(CuCall& call, CUmodule module);
// `path` of a file, else `image` in memory.
void FailedModuleLoad(CuCall& call, CUresult code, const char* path, const void* image,
                      const JitLog& log);
void LoadedLibrary(CuCall& call, CUlibrary library, const char* path, const void* image);
void FoundModule(CuCall& call, CUmodule module, PlainObject* library);
// The live module, library or linker; nullptr: unknown, or not usable (then the finding has been
// added).
PlainObject* UseModule(CuCall& call, const void* handle, const char* argument);
// The module or library is about to be unloaded, with all that was found in it.
void UnloadModule(CuCall& call, const void* handle, const char* argument);
// A variable of the module was found; `managed` of a library.
void FoundVariable(CuCall& call, PlainObject* module, CUdeviceptr address, size_t bytes,
                   bool managed);
// Nothing of that name is in the module, or its image could not be loaded.
void FailedLookUp(CuCall& call, CUresult code, PlainObject* module, const char* name,
                  bool is_function);
// The module or library of a kernel that was found before.
PlainObject* ModuleOf(CuCall& call, const void* kernel);
// Data or a file that the linker did not take.
void RefusedByLinker(CuCall& call, CUresult code, CUjitInputType type, const void* data,
                     size_t bytes, const char* path, PlainObject* linker);
void StartedLinker(CuCall& call, CUlinkState linker, const JitLog& log);
void FailedLink(CuCall& call, CUresult code, PlainObject* linker);
// After a fork, in the child. Async-signal-safe.
void ForgetModules();

// --- handlers

template <typename P>
struct ModuleLoad {
  JitLog log;
  void Before(CuCall&, P& p) {
    if constexpr (requires { p.options; }) log = JitLogOf(p.numOptions, p.options, p.optionValues);
  }
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) return LoadedModule(call, *p.module);
    if constexpr (requires { p.fname; }) {
      FailedModuleLoad(call, code, p.fname, nullptr, log);
    } else if constexpr (requires { p.fatCubin; }) {
      FailedModuleLoad(call, code, nullptr, p.fatCubin, log);
    } else {
      FailedModuleLoad(call, code, nullptr, p.image, log);
    }
  }
};

template <typename P>
struct ModuleUnload {
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.hmod; }) {
      UnloadModule(call, p.hmod, "hmod");
    } else if constexpr (requires { p.library; }) {
      UnloadModule(call, p.library, "library");
    } else {
      UnloadModule(call, p.state, "state");
    }
  }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct LibraryLoad {
  JitLog log;
  void Before(CuCall&, P& p) { log = JitLogOf(p.numJitOptions, p.jitOptions, p.jitOptionsValues); }
  void After(CuCall& call, P& p, CUresult code) {
    const char* path = nullptr;
    const void* image = nullptr;
    if constexpr (requires { p.fileName; }) {
      path = p.fileName;
    } else {
      image = p.code;
    }
    if (code == CUDA_SUCCESS) return LoadedLibrary(call, *p.library, path, image);
    FailedModuleLoad(call, code, path, image, log);
  }
};

// A function or kernel is looked up by its name.
template <typename P>
struct FindFunction {
  PlainObject* module = nullptr;
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.hmod; }) {
      module = UseModule(call, p.hmod, "hmod");
    } else {
      module = UseModule(call, p.library, "library");
    }
  }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, module, p.name, true);
    if constexpr (requires { p.hfunc; }) {
      NoteFunction(call, HandleOf(*p.hfunc), p.name, module);
    } else {
      NoteFunction(call, HandleOf(*p.pKernel), p.name, module);
    }
  }
};

template <typename P>
struct FindVariable {
  PlainObject* module = nullptr;
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.hmod; }) {
      module = UseModule(call, p.hmod, "hmod");
    } else {
      module = UseModule(call, p.library, "library");
    }
  }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, module, p.name, false);
    // Either may be left out.
    if (p.dptr != nullptr && p.bytes != nullptr)
      FoundVariable(call, module, *p.dptr, *p.bytes, false);
  }
};

template <typename P>
struct FindManagedVariable {
  PlainObject* module = nullptr;
  void Before(CuCall& call, P& p) { module = UseModule(call, p.library, "library"); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, module, p.name, false);
    if (p.dptr != nullptr && p.bytes != nullptr)
      FoundVariable(call, module, *p.dptr, *p.bytes, true);
  }
};

// All functions or kernels at once.
template <typename P>
struct EnumerateFunctions {
  PlainObject* module = nullptr;
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.mod; }) {
      module = UseModule(call, p.mod, "mod");
    } else {
      module = UseModule(call, p.lib, "lib");
    }
  }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, module, nullptr, true);
    if constexpr (requires { p.functions; }) {
      for (unsigned i = 0; i < p.numFunctions && p.functions[i] != nullptr; ++i)
        NoteFunction(call, HandleOf(p.functions[i]), nullptr, module);
    } else {
      for (unsigned i = 0; i < p.numKernels && p.kernels[i] != nullptr; ++i)
        NoteFunction(call, HandleOf(p.kernels[i]), nullptr, module);
    }
  }
};

template <typename P>
struct LibraryGetModule {
  PlainObject* library = nullptr;
  void Before(CuCall& call, P& p) { library = UseModule(call, p.library, "library"); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, library, nullptr, true);
    FoundModule(call, *p.pMod, library);
  }
};

template <typename P>
struct KernelGetFunction {
  PlainObject* module = nullptr;
  void Before(CuCall& call, P& p) { module = ModuleOf(call, p.kernel); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedLookUp(call, code, module, nullptr, true);
    NoteFunction(call, HandleOf(*p.pFunc), nullptr, module);
  }
};

template <typename P>
struct LinkCreate {
  JitLog log;
  void Before(CuCall&, P& p) { log = JitLogOf(p.numOptions, p.options, p.optionValues); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) StartedLinker(call, *p.stateOut, log);
  }
};

template <typename P>
struct LinkAdd {
  PlainObject* linker = nullptr;
  void Before(CuCall& call, P& p) { linker = UseModule(call, p.state, "state"); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) return;
    if constexpr (requires { p.path; }) {
      RefusedByLinker(call, code, p.type, nullptr, 0, p.path, linker);
    } else {
      RefusedByLinker(call, code, p.type, p.data, p.size, nullptr, linker);
    }
  }
};

template <typename P>
struct LinkComplete {
  PlainObject* linker = nullptr;
  void Before(CuCall& call, P& p) { linker = UseModule(call, p.state, "state"); }
  void After(CuCall& call, P&, CUresult code) {
    if (code != CUDA_SUCCESS) FailedLink(call, code, linker);
  }
};

}  // namespace gpusan::cuda
