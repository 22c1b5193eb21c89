// The memory pools of Python frameworks: gpusan's module in the interpreter.
//
// CuPy calls hooks of Python for each block of its pools; RMM lets Python give a device its memory
// resource. The module uses both (python_pools.py). The C API is found by name: gpusan links with
// no interpreter, and the functions used here are the same from CPython 3.8 on.
#include "layer/attach/python_pools.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "hooks/common/base/next_symbol.h"
#include "hooks/common/sites/python.h"
#include "layer/attach/framework_blocks.h"
#include "layer/runtime/runtime.h"

namespace gpusan {
namespace {

// The framework is the number that the module passes.
constexpr CallInfo kCalls[][2] = {
    {{"cupy.cuda.MemoryPool.malloc", Api::kCuda}, {"cupy.cuda.MemoryPool.free", Api::kCuda}},
    {{"rmm.mr.DeviceMemoryResource.allocate", Api::kCuda},
     {"rmm.mr.DeviceMemoryResource.deallocate", Api::kCuda}},
};
constexpr unsigned kFrameworks = sizeof(kCalls) / sizeof(kCalls[0]);

// PyMethodDef, which is part of the stable interface.
struct Method {
  const char* name;
  void* (*function)(void* self, void* arguments);
  int flags;
  const char* documentation;
};
constexpr int kVarArgs = 1;      // METH_VARARGS
constexpr int kFileInput = 257;  // Py_file_input

struct Functions {
  int (*holds_gil)();
  void* (*compile)(const char* text, const char* file, int start);
  void* (*add_module)(const char* name);
  void* (*execute)(const char* name, void* code);
  void* (*make_function)(Method* method, void* self, void* module);
  int (*set_attribute)(void* object, const char* name, void* value);
  int (*parse)(void* arguments, const char* format, ...);
  void* (*build)(const char* format, ...);
  void (*release)(void* object);
  void (*clear_error)();

  bool Find() {
    return Get("PyGILState_Check", &holds_gil) && Get("Py_CompileString", &compile) &&
           Get("PyImport_AddModule", &add_module) && Get("PyImport_ExecCodeModule", &execute) &&
           Get("PyCFunction_NewEx", &make_function) &&
           Get("PyObject_SetAttrString", &set_attribute) && Get("PyArg_ParseTuple", &parse) &&
           Get("Py_BuildValue", &build) && Get("Py_DecRef", &release) &&
           Get("PyErr_Clear", &clear_error);
  }

 private:
  template <typename Function>
  static bool Get(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(RealDlsym()(RTLD_DEFAULT, name));
    return *function != nullptr;
  }
};

Functions g_python;
constinit std::atomic<bool> g_begun{false};

[[gnu::always_inline]] inline void* Note(void* arguments, bool freed, const void* return_address,
                                         const void* frame_address) {
  unsigned framework = 0;
  unsigned long long address = 0, bytes = 0;  // the types of the format
  if (g_python.parse(arguments, "IKK", &framework, &address, &bytes) == 0) {
    g_python.clear_error();
    return g_python.build("");
  }
  const auto size = static_cast<int64_t>(bytes);
  if (size > 0 && framework < kFrameworks)
    NoteFrameworkBlock(kCalls[framework][freed ? 1 : 0], static_cast<uintptr_t>(address),
                       freed ? -size : size, return_address, frame_address);
  return g_python.build("");  // None
}

[[gnu::noinline]] void* Allocated(void*, void* arguments) {
  return Note(arguments, false, __builtin_return_address(0), __builtin_frame_address(0));
}

[[gnu::noinline]] void* Freed(void*, void* arguments) {
  return Note(arguments, true, __builtin_return_address(0), __builtin_frame_address(0));
}

void* Problem(void*, void* arguments) {
  const char* text = nullptr;
  if (g_python.parse(arguments, "s", &text) == 0) {
    g_python.clear_error();
  } else {
    Runtime::Get().writer()->Warn(std::string("pool_blocks: ") + text);
  }
  return g_python.build("");
}

Method g_methods[] = {
    {"allocated", Allocated, kVarArgs, nullptr},
    {"freed", Freed, kVarArgs, nullptr},
    {"problem", Problem, kVarArgs, nullptr},
};

// Requires the GIL. Returns false, without an exception, if the interpreter refuses.
bool MakeModule() {
  constexpr char kName[] = "_gpusan";
  void* const module = g_python.add_module(kName);  // borrowed
  bool good = module != nullptr;
  for (Method& method : g_methods) {
    void* const function = good ? g_python.make_function(&method, nullptr, nullptr) : nullptr;
    good = function != nullptr && g_python.set_attribute(module, method.name, function) == 0;
    if (function != nullptr) g_python.release(function);
  }
  void* const code =
      good ? g_python.compile(kPythonPoolsCode, kOwnPythonFile, kFileInput) : nullptr;
  void* const executed = code != nullptr ? g_python.execute(kName, code) : nullptr;
  if (code != nullptr) g_python.release(code);
  if (executed != nullptr) g_python.release(executed);
  if (executed == nullptr) g_python.clear_error();
  return executed != nullptr;
}

}  // namespace

void WatchPythonPools() {
  if (g_begun.load(std::memory_order_relaxed) || !Runtime::Get().options().pool_blocks) return;
  if (g_begun.exchange(true)) return;
  if (!g_python.Find() || g_python.holds_gil() == 0 || !MakeModule())
    Runtime::Get().writer()->Warn(
        "pool_blocks: gpusan cannot use this Python, and does not check the blocks of CuPy and "
        "RMM");
}

}  // namespace gpusan
