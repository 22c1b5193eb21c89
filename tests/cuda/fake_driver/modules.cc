// Modules, libraries and their global variables.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "launches.h"
#include "memory.h"

namespace fake {

Handles<CUfunction, Function>& functions = *new Handles<CUfunction, Function>;
Handles<CUmodule, Module>& modules = *new Handles<CUmodule, Module>;
Handles<CUlibrary, Library>& libraries = *new Handles<CUlibrary, Library>;
Handles<CUkernel, Kernel>& kernels = *new Handles<CUkernel, Kernel>;

CUresult LoadModule(Context& context, const ImageText& text, std::shared_ptr<Module>* module) {
  auto made = std::make_shared<Module>();
  made->context = contexts.Find(reinterpret_cast<CUcontext>(&context));
  std::map<std::string, CUdeviceptr> addresses;
  for (const GlobalText& global : text.globals) {
    Region* region = nullptr;
    CUresult error = AllocateRegion(context, global.bytes, Kind::kDevice, 0, &region);
    if (error != CUDA_SUCCESS) {
      UnloadModule(*made);
      return error;
    }
    std::memset(region->alias, 0, global.bytes);
    std::memcpy(region->alias, global.value.data(), std::min(global.bytes, global.value.size()));
    made->globals[global.name] = {region->base, global.bytes};
    addresses[global.name] = region->base;
  }
  for (const EntryText& entry : text.entries) {
    auto function = std::make_shared<Function>();
    function->text = entry;
    function->body = FindKernelBody(entry.name);
    function->module = made;
    function->globals = addresses;
    functions.Add(function);
    made->functions[entry.name] = function;
  }
  *module = made;
  return CUDA_SUCCESS;
}

void UnloadModule(Module& module) {
  for (const auto& [name, function] : module.functions) {
    functions.Remove(functions.Of(function));
  }
  for (const auto& [name, global] : module.globals) {
    ReleaseRegion(global.first);
  }
}

std::shared_ptr<Function> FunctionOf(Kernel& kernel, Context& context) {
  std::shared_ptr<Library> library = kernel.library.lock();
  if (library == nullptr) {
    return nullptr;
  }
  std::shared_ptr<Module>& module = library->modules[context.id];
  if (module == nullptr && LoadModule(context, library->text, &module) != CUDA_SUCCESS) {
    return nullptr;
  }
  auto found = module->functions.find(kernel.text.name);
  if (found == module->functions.end()) {
    return nullptr;
  }
  found->second->max_dynamic_shared_bytes = kernel.max_dynamic_shared_bytes;
  return found->second;
}

std::shared_ptr<Function> FindFunction(CUfunction handle) {
  if (std::shared_ptr<Function> function = functions.Find(handle)) {
    return function;
  }
  std::shared_ptr<Kernel> kernel = kernels.Find(reinterpret_cast<CUkernel>(handle));
  ContextPtr context = CurrentContext();
  return kernel == nullptr || context == nullptr ? nullptr : FunctionOf(*kernel, *context);
}

}  // namespace fake

using namespace fake;

namespace {

// What the compiler has to say of a text that it does not take.
void WriteLog(CUresult error, unsigned count, CUjit_option* options, void** values) {
  char* buffer = nullptr;
  size_t bytes = 0;
  void** used = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
      buffer = static_cast<char*>(values[i]);
    } else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      bytes = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
      used = &values[i];
    }
  }
  if (buffer == nullptr || bytes == 0) {
    return;
  }
  const int length = std::snprintf(buffer, bytes, "%s",
                                   error == CUDA_ERROR_INVALID_PTX
                                       ? "ptxas fatal   : Ptx assembly aborted due to errors\n"
                                       : "");
  *used = reinterpret_cast<void*>(std::min<size_t>(length, bytes - 1));
}

CUresult LoadData(CUmodule* handle, const void* image) {
  return WithContext([&](Context& context) {
    if (handle == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    ImageText text;
    std::shared_ptr<Module> module;
    CUresult error = ReadImage(image, &text);
    if (error == CUDA_SUCCESS) {
      error = LoadModule(context, text, &module);
    }
    if (error == CUDA_SUCCESS) {
      *handle = modules.Add(module);
    }
    return error;
  });
}

CUresult LoadLibrary(CUlibrary* handle, const void* image) {
  return WithDriver([&] {
    if (handle == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto library = std::make_shared<Library>();
    // An image is looked into when something of it is asked for; until then nothing is wrong with
    // it.
    library->error = ReadImage(image, &library->text);
    if (library->error == CUDA_ERROR_INVALID_VALUE) {
      return library->error;
    }
    for (const EntryText& entry : library->text.entries) {
      auto kernel = std::make_shared<Kernel>();
      kernel->text = entry;
      kernel->library = library;
      library->kernels.push_back(kernel);
      kernels.Add(kernel);
    }
    *handle = libraries.Add(library);
    return CUDA_SUCCESS;
  });
}

// The file's bytes; false when it cannot be read.
bool ReadFile(const char* name, std::string* bytes) {
  std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "rb");
  if (file == nullptr) {
    return false;
  }
  char block[4096];
  size_t got = 0;
  while ((got = std::fread(block, 1, sizeof block, file)) > 0) {
    bytes->append(block, got);
  }
  const bool good = std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

CUresult FindGlobal(const Module& module, const char* name, CUdeviceptr* address, size_t* bytes) {
  auto found = module.globals.find(name);
  if (found == module.globals.end()) {
    return CUDA_ERROR_NOT_FOUND;
  }
  if (address != nullptr) {
    *address = found->second.first;
  }
  if (bytes != nullptr) {
    *bytes = found->second.second;
  }
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
  return LoadData(module, image);
}
CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                                    CUjit_option* options, void** values) {
  const CUresult error = LoadData(module, image);
  WriteLog(error, count, options, values);
  return error;
}
CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return LoadData(module, image);
}
CUresult CUDAAPI cuModuleLoad(CUmodule* module, const char* name) {
  std::string bytes;
  return ReadFile(name, &bytes) ? LoadData(module, bytes.c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult CUDAAPI cuModuleUnload(CUmodule handle) {
  return WithContext([&](Context& context) {
    std::shared_ptr<Module> module = modules.Find(handle);
    if (module == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (module->of_library) {
      return CUDA_ERROR_NOT_PERMITTED;
    }
    WaitForContext(&context);
    UnloadModule(*module);
    modules.Remove(handle);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  return WithContext([&](Context&) {
    std::shared_ptr<Module> module = modules.Find(handle);
    if (module == nullptr || function == nullptr || name == nullptr) {
      return module == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    auto found = module->functions.find(name);
    if (found == module->functions.end()) {
      return CUDA_ERROR_NOT_FOUND;
    }
    *function = functions.Of(found->second);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int* count, CUmodule handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<Module> module = modules.Find(handle);
    if (module == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *count = static_cast<unsigned>(module->functions.size());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction* found, unsigned int count,
                                            CUmodule handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<Module> module = modules.Find(handle);
    if (module == nullptr || found == nullptr) {
      return module == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    unsigned i = 0;
    for (const auto& [name, function] : module->functions) {
      if (i < count) {
        found[i++] = functions.Of(function);
      }
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule handle,
                                      const char* name) {
  return WithContext([&](Context&) {
    std::shared_ptr<Module> module = modules.Find(handle);
    if (module == nullptr || name == nullptr) {
      return module == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    return FindGlobal(*module, name, address, bytes);
  });
}

CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**,
                                   unsigned int, CUlibraryOption*, void**, unsigned int) {
  return LoadLibrary(library, image);
}
CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* library, const char* name, CUjit_option*, void**,
                                       unsigned int, CUlibraryOption*, void**, unsigned int) {
  std::string bytes;
  return ReadFile(name, &bytes) ? LoadLibrary(library, bytes.c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary handle) {
  return WithDriver([&] {
    std::shared_ptr<Library> library = libraries.Remove(handle);
    if (library == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    WaitForContext(nullptr);
    for (const std::shared_ptr<Kernel>& kernel : library->kernels) {
      kernels.Remove(kernels.Of(kernel));
    }
    for (const auto& [context, module] : library->modules) {
      UnloadModule(*module);
      modules.Remove(modules.Of(module));
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel* kernel, CUlibrary handle, const char* name) {
  return WithDriver([&] {
    std::shared_ptr<Library> library = libraries.Find(handle);
    if (library == nullptr || kernel == nullptr || name == nullptr) {
      return library == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    if (library->error != CUDA_SUCCESS) {
      return library->error;
    }
    for (const std::shared_ptr<Kernel>& known : library->kernels) {
      if (known->text.name == name) {
        *kernel = kernels.Of(known);
        return CUDA_SUCCESS;
      }
    }
    return CUDA_ERROR_NOT_FOUND;
  });
}

CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int* count, CUlibrary handle) {
  return WithDriver([&] {
    std::shared_ptr<Library> library = libraries.Find(handle);
    if (library == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *count = static_cast<unsigned>(library->kernels.size());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel* found, unsigned int count, CUlibrary handle) {
  return WithDriver([&] {
    std::shared_ptr<Library> library = libraries.Find(handle);
    if (library == nullptr || found == nullptr) {
      return library == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < count && i < library->kernels.size(); ++i) {
      found[i] = kernels.Of(library->kernels[i]);
    }
    return CUDA_SUCCESS;
  });
}

static CUresult ModuleOf(const std::shared_ptr<Library>& library, Context& context,
                         std::shared_ptr<Module>* module) {
  if (library == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (library->error != CUDA_SUCCESS) {
    return library->error;
  }
  std::shared_ptr<Module>& loaded = library->modules[context.id];
  CUresult error = loaded == nullptr ? LoadModule(context, library->text, &loaded) : CUDA_SUCCESS;
  *module = loaded;
  return error;
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule* module, CUlibrary handle) {
  return WithContext([&](Context& context) {
    std::shared_ptr<Module> loaded;
    CUresult error = ModuleOf(libraries.Find(handle), context, &loaded);
    if (error == CUDA_SUCCESS) {
      loaded->of_library = true;
      *module = modules.Add(loaded);
    }
    return error;
  });
}

CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary handle,
                                    const char* name) {
  return WithContext([&](Context& context) {
    std::shared_ptr<Module> loaded;
    CUresult error = ModuleOf(libraries.Find(handle), context, &loaded);
    return error != CUDA_SUCCESS ? error : FindGlobal(*loaded, name, address, bytes);
  });
}

}  // extern "C"
