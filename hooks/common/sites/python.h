// The Python frames of the calling thread: where they are, and their functions, files and lines.
//
// A thread that is inside a native function called by Python has frames that do not change until
// the function returns, also while the thread does not hold the GIL. Frames are read as memory,
// because the C API needs the GIL. Code objects and strings are read through the kernel, so that an
// unexpected pointer does not fault; the chain of frames itself is read directly after a test has
// read it through the kernel once.
//
// Thread-safe. Nothing here allocates through the program's malloc; only FindPython takes the lock
// of the loader.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/common/sites/site.h"

namespace gpusan {

namespace python_internal {
struct Interpreter;
extern constinit std::atomic<const Interpreter*> in_use;  // nullptr: none, or not tested yet
extern constinit std::atomic<bool> untested;
uint64_t PositionIn(const Interpreter& interpreter);
bool IsImportingIn(const Interpreter& interpreter);
void Test();
}  // namespace python_internal

// The frames that take part in a call site. Frames further out are neither shown nor compared.
inline constexpr int kMaxPythonFrames = 32;

// The file name of gpusan's own module in the interpreter. Call sites begin after its frames.
inline constexpr char kOwnPythonFile[] = "<gpusan>";

// Whether the process has an interpreter whose frames take part in call sites.
inline bool HasPython() {
  return python_internal::in_use.load(std::memory_order_acquire) != nullptr;
}

// Returns a number that differs, with a probability close to 1, for two lists of Python frames that
// differ in a function or in the position in a function. 0: the thread has no Python frames, or the
// process no interpreter that gpusan can read.
[[gnu::always_inline]] inline uint64_t PythonPosition() {
  const python_internal::Interpreter* const interpreter =
      python_internal::in_use.load(std::memory_order_acquire);
  if (interpreter == nullptr) [[likely]]
    return 0;
  return python_internal::PositionIn(*interpreter);
}

// Whether the thread imports a module: the import system is among its innermost frames.
inline bool IsImporting() {
  const python_internal::Interpreter* const interpreter =
      python_internal::in_use.load(std::memory_order_acquire);
  return interpreter != nullptr && python_internal::IsImportingIn(*interpreter);
}

// Whether the address is code of the interpreter itself, in a library or program of CPython.
bool IsInterpreterCode(const void* address);

// Stores the Python frames of the calling thread, innermost first. Returns their number (<=
// capacity).
int CapturePythonFrames(SourceFrame* frames, int capacity);

// Whether the frame is code of the interpreter itself, in a library or program of CPython.
bool IsInterpreterFrame(const SiteFrame& frame);

// Looks for an interpreter among the loaded files. Takes the lock of the loader. Idempotent.
void FindPython();

// Tests an interpreter that FindPython found, on the first thread that has Python frames. Cheap
// when there is nothing to test.
inline void TestPython() {
  if (python_internal::untested.load(std::memory_order_acquire)) [[unlikely]]
    python_internal::Test();
}

// Forgets the interpreter if its file was unloaded.
void ForgetUnloadedPython();

// Why the frames of the interpreter in this process cannot be read, as a sentence; nullptr if they
// can be, or if there is no interpreter.
const char* PythonProblem();

}  // namespace gpusan
