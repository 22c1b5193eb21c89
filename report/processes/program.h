// Runs the program under test as if the user had started it: signals, job control, terminal and
// exit status pass through.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

struct ProgramResult {
  int start_error = 0;  // errno of a failed exec; 0: the program ran
  int pid = 0;
  bool signaled = false;
  int code = 0;               // exit code, or signal number
  bool asked_to_end = false;  // SIGINT, SIGTERM, SIGHUP or SIGQUIT came while it ran

  // As in a shell: 128 + signal number.
  int ExitCode() const { return signaled ? 128 + code : code; }
};

// Starts arguments[0] as execvp does, with `environment` added to the environment, and waits for
// it. Forwards signals that this process receives, except those that the terminal sends to the
// whole process group. Calls `on_tick` with the program's pid every `tick_ms` while the program
// runs, and `before_stop` before this process stops with it (Ctrl-Z). Requires that this process
// has one thread. The signals stay blocked afterwards, for the next call.
ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         int tick_ms, const std::function<void(int pid)>& on_tick,
                         const std::function<void()>& before_stop = nullptr);

// Whether SIGINT, SIGTERM, SIGHUP or SIGQUIT arrived since the last program ended.
bool AskedToEnd();

}  // namespace gpusan
