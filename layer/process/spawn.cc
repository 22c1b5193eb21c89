// Intercepts the functions of the C library that start programs as children. posix_spawn and
// posix_spawnp complete the environment (child_environment.h). system and popen use the environment
// of the process, which gpusan does not change: a shell that does not load gpusan is named to the
// command.
#include <alloca.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <unistd.h>

#include "layer/process/child_environment.h"
#include "layer/process/process_functions.h"
#include "report/base/executable_file.h"

#define GPUSAN_EXPORT extern "C" __attribute__((visibility("default"), noinline))

namespace {

using SpawnFunction = decltype(gpusan::ProcessFunctions::posix_spawn);

// Calls `real` with the environment for the program at `path`, which may be nullptr.
int Spawn(SpawnFunction real, const char* path, pid_t* child, const char* file,
          const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
          char* const argv[], char* const given[]) {
  GPUSAN_CHILD_ENVIRONMENT(environment, path, given);
  pid_t started = 0;
  const int result = real(&started, file, actions, attributes, argv, environment);
  if (result != 0) return result;
  if (child != nullptr) *child = started;
  gpusan::LogSpawned(started, path, given);
  return 0;
}

}  // namespace

GPUSAN_EXPORT int posix_spawn(pid_t* child, const char* path,
                              const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const argv[],
                              char* const environment[]) {
  return Spawn(gpusan::RealProcess().posix_spawn, path, child, path, actions, attributes, argv,
               environment);
}

GPUSAN_EXPORT int posix_spawnp(pid_t* child, const char* file,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const argv[],
                               char* const environment[]) {
  char path[PATH_MAX];
  const bool found = gpusan::FindExecutable(file, path, sizeof(path));
  return Spawn(gpusan::RealProcess().posix_spawnp, found ? path : nullptr, child, file, actions,
               attributes, argv, environment);
}

GPUSAN_EXPORT int system(const char* command) {
  if (command != nullptr && !gpusan::IsFollowed(environ)) gpusan::LogShell(command);
  return gpusan::RealProcess().system(command);
}

GPUSAN_EXPORT FILE* popen(const char* command, const char* mode) {
  if (!gpusan::IsFollowed(environ)) gpusan::LogShell(command);
  return gpusan::RealProcess().popen(command, mode);
}
