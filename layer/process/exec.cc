// Intercepts the exec family: exec replaces the process image and with it the state of gpusan. The
// record file ends with reason "exec", and the new image starts its own file. If the call fails,
// the program continues, and the next end record replaces this one.
//
// The environment is completed (child_environment.h). A child of vfork shares the memory of its
// parent: nothing here allocates or takes a lock in one.
#include <alloca.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "layer/process/child_environment.h"
#include "layer/process/process_functions.h"
#include "layer/runtime/runtime.h"
#include "report/base/executable_file.h"

#define GPUSAN_EXPORT extern "C" __attribute__((visibility("default"), noinline))

namespace {

// Calls the real function, `call`, with the environment for `file`, which may be nullptr.
template <typename Call>
int Exec(const char* file, char* const given[], Call call) {
  gpusan::Runtime::Get().End("exec", false);
  const bool logged = gpusan::LogExec(file, given);
  GPUSAN_CHILD_ENVIRONMENT(environment, file, given);
  const int result = call(gpusan::RealProcess(), environment);
  if (logged) gpusan::LogFailedExec();
  return result;
}

int ExecPath(const char* path, char* const argv[], char* const given[]) {
  return Exec(path, given, [&](const gpusan::ProcessFunctions& real, char* const* environment) {
    return real.execve(path, argv, environment);
  });
}

int ExecInPath(const char* file, char* const argv[], char* const given[]) {
  char path[PATH_MAX];
  const bool found = file != nullptr && gpusan::FindExecutable(file, path, sizeof(path));
  return Exec(found ? path : nullptr, given,
              [&](const gpusan::ProcessFunctions& real, char* const* environment) {
                return real.execvpe(file, argv, environment);
              });
}

// Stores the path of an open file or folder. Returns false if it has none that fits.
bool PathOf(int file, char (&path)[PATH_MAX]) {
  char link[32];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof(path) - 1);
  if (length > 0) path[length] = '\0';
  return length > 0;
}

// Returns the number of arguments after the first, including the final nullptr.
size_t CountArguments(va_list arguments) {
  size_t count = 1;
  while (va_arg(arguments, char*) != nullptr) ++count;
  return count;
}

// The path of the program that execveat runs; nullptr: unknown. `path` has room for PATH_MAX bytes.
const char* ProgramAt(int folder, const char* name, int flags, char (&path)[PATH_MAX]) {
  // Read again, because the compiler takes the parameter of execveat for non-null by its
  // declaration.
  const char* volatile given = name;
  const char* const file = given;
  if (file == nullptr || (*file == '\0' && (flags & AT_EMPTY_PATH) == 0)) return nullptr;
  if (*file == '/' || folder == AT_FDCWD) return file;
  // The name is relative to the folder, if it is not empty: then `folder` is the program.
  if (!PathOf(folder, path)) return nullptr;
  const size_t length = std::strlen(path);
  const size_t room = sizeof(path) - length;
  if (*file != '\0' && std::snprintf(path + length, room, "/%s", file) >= static_cast<int>(room))
    return nullptr;
  return path;
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
  return ExecPath(path, argv, environment);
}

GPUSAN_EXPORT int execv(const char* path, char* const argv[]) noexcept {
  return ExecPath(path, argv, environ);
}

GPUSAN_EXPORT int execvp(const char* file, char* const argv[]) noexcept {
  return ExecInPath(file, argv, environ);
}

GPUSAN_EXPORT int execvpe(const char* file, char* const argv[],
                          char* const environment[]) noexcept {
  return ExecInPath(file, argv, environment);
}

GPUSAN_EXPORT int fexecve(int file, char* const argv[], char* const environment[]) noexcept {
  char path[PATH_MAX];
  return Exec(PathOf(file, path) ? path : nullptr, environment,
              [&](const gpusan::ProcessFunctions& real, char* const* completed) {
                return real.fexecve(file, argv, completed);
              });
}

GPUSAN_EXPORT int execveat(int folder, const char* file, char* const argv[],
                           char* const environment[], int flags) noexcept {
  char path[PATH_MAX];
  const char* const known = ProgramAt(folder, file, flags, path);
  return Exec(
      known, environment, [&](const gpusan::ProcessFunctions& real, char* const* completed) {
        // C libraries before 2.34 lack the function.
        return real.execveat != nullptr
                   ? real.execveat(folder, file, argv, completed, flags)
                   : static_cast<int>(syscall(SYS_execveat, folder, file, argv, completed, flags));
      });
}

GPUSAN_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  GPUSAN_COLLECT(argv, first);
  va_end(arguments);
  return ExecPath(path, argv, environ);
}

GPUSAN_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  GPUSAN_COLLECT(argv, first);
  va_end(arguments);
  return ExecInPath(file, argv, environ);
}

GPUSAN_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  GPUSAN_COLLECT(argv, first);
  char* const* environment = va_arg(arguments, char* const*);
  va_end(arguments);
  return ExecPath(path, argv, environment);
}
