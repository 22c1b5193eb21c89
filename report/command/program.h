// Runs the program under test as if the user had started it: signals, stops, terminal and exit
// status pass through.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

struct ProgramResult {
  int start_error = 0;  // errno of the exec; then nothing ran
  int pid = 0;
  bool signaled = false;
  int code = 0;               // exit code, or signal number
  bool asked_to_end = false;  // SIGINT, SIGTERM, SIGHUP or SIGQUIT came while it ran

  // As a shell has it: 128 + signal number.
  int ExitCode() const { return signaled ? 128 + code : code; }
};

// Starts arguments[0] as execvp does, with `environment` added to ours, and waits for it. Signals
// sent to this process are sent on; what the terminal sends to the whole process group reaches the
// program without us. `on_tick` is called with the program's pid every `tick_ms` while it runs.
// Call it with one thread only. Afterwards the signals stay blocked for the next one.
ProgramResult RunProgram(const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         int tick_ms, const std::function<void(int pid)>& on_tick);

// A signal that asks to end came since the last program ended.
bool AskedToEnd();

}  // namespace gpusan
