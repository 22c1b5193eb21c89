// Intercepts the exec family: exec replaces the process image and with it the state of gpusan. The
// record file ends with reason "exec", and the new image starts its own file. If the call fails,
// the program continues, and the next end record replaces this one.
//
// In a child of vfork, which shares the memory of its parent, only the real call runs.
#include <alloca.h>
#include <unistd.h>

#include <cstdarg>

#include "layer/process_functions.h"
#include "layer/runtime.h"

#define GPUSAN_EXPORT extern "C" __attribute__((visibility("default"), noinline))

namespace {

const gpusan::ProcessFunctions& RealAfterEnd() {
  gpusan::Runtime::Get().End("exec", false);
  return gpusan::RealProcess();
}

// Returns the number of arguments after the first, including the final nullptr.
size_t CountArguments(va_list arguments) {
  size_t count = 1;
  while (va_arg(arguments, char*) != nullptr) ++count;
  return count;
}

}  // namespace

// Collects the arguments on the stack, because nothing may be allocated between vfork and exec.
#define GPUSAN_COLLECT(argv, first)                                       \
  va_list arguments;                                                      \
  va_start(arguments, first);                                             \
  const size_t count = CountArguments(arguments);                         \
  va_end(arguments);                                                      \
  char** argv = static_cast<char**>(alloca((count + 1) * sizeof(char*))); \
  argv[0] = const_cast<char*>(first);                                     \
  va_start(arguments, first);                                             \
  for (size_t i = 1; i <= count; ++i) argv[i] = va_arg(arguments, char*)

GPUSAN_EXPORT int execve(const char* path, char* const argv[], char* const environment[]) noexcept {
  return RealAfterEnd().execve(path, argv, environment);
}

GPUSAN_EXPORT int execv(const char* path, char* const argv[]) noexcept {
  return RealAfterEnd().execv(path, argv);
}

GPUSAN_EXPORT int execvp(const char* file, char* const argv[]) noexcept {
  return RealAfterEnd().execvp(file, argv);
}

GPUSAN_EXPORT int execvpe(const char* file, char* const argv[],
                          char* const environment[]) noexcept {
  return RealAfterEnd().execvpe(file, argv, environment);
}

GPUSAN_EXPORT int fexecve(int file, char* const argv[], char* const environment[]) noexcept {
  return RealAfterEnd().fexecve(file, argv, environment);
}

GPUSAN_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  GPUSAN_COLLECT(argv, first);
  va_end(arguments);
  return RealAfterEnd().execv(path, argv);
}

GPUSAN_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  GPUSAN_COLLECT(argv, first);
  va_end(arguments);
  return RealAfterEnd().execvp(file, argv);
}

GPUSAN_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  GPUSAN_COLLECT(argv, first);
  char* const* environment = va_arg(arguments, char* const*);
  va_end(arguments);
  return RealAfterEnd().execve(path, argv, environment);
}
