// Runs debuginfod-find.
#include "report/findings/debuginfod.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

extern char** environ;

namespace gpusan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostPathBytes = 4096;

bool IsBuildId(std::string_view text) {
  return text.size() >= 4 && text.size() <= 128 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::chrono::milliseconds Limit() {
  const char* value = std::getenv("DEBUGINFOD_TIMEOUT");
  const long seconds = value != nullptr ? std::strtol(value, nullptr, 10) : 0;
  return std::chrono::seconds(seconds > 0 && seconds <= 3600 ? seconds : 30);
}

// Starts the program in a process group of its own, with the pipe as its standard output. Returns 0
// or an errno.
int Start(char* const* argv, int output, pid_t* pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Reads up to the end of the pipe. Returns false after the limit, which is for all files together.
bool ReadAll(int fd, std::string* text) {
  static const Clock::time_point end = Clock::now() + Limit();
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    pollfd ready = {fd, POLLIN, 0};
    if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    char bytes[1024];
    const ssize_t count = read(fd, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    if (text->size() < kMostPathBytes) text->append(bytes, static_cast<size_t>(count));
  }
}

}  // namespace

std::string FetchDebugFile(DebugFile kind, std::string_view build_id) {
  static bool gave_up = false;
  const char* servers = std::getenv("DEBUGINFOD_URLS");
  if (servers == nullptr || *servers == '\0' || gave_up || !IsBuildId(build_id)) return "";
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  std::string words[] = {"debuginfod-find",
                         kind == DebugFile::kExecutable ? "executable" : "debuginfo",
                         std::string(build_id)};
  char* const argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t pid = 0;
  const int error = Start(argv, ends[1], &pid);
  close(ends[1]);
  std::string path;
  if (error != 0) {
    close(ends[0]);
    gave_up = error == ENOENT;
    return "";
  }
  if (!ReadAll(ends[0], &path)) {
    gave_up = true;
    kill(-pid, SIGKILL);
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  path.resize(path.find_last_not_of("\r\n") + 1);
  const bool found = !gave_up && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                     path.size() < kMostPathBytes && path.starts_with('/');
  return found ? path : "";
}

}  // namespace gpusan
