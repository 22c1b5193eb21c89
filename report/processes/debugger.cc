// Commands for gdb.
#include "report/processes/debugger.h"

#include <errno.h>

#include <cstring>
#include <fstream>

#include "report/processes/inspect.h"

namespace gpusan {
namespace {

// gdb runs without gpusan, the program with it. The frames between the program and the breakpoint
// are those of gpusan and of the libraries that it intercepts.
constexpr char kCommands[] = R"gdb(
set pagination off
set breakpoint pending on
set startup-with-shell off
python
import os
def gpusan_program_frame():
    frame = gdb.selected_frame()
    while frame is not None:
        name = os.path.basename(gdb.solib_name(frame.pc()) or "")
        if not name.startswith(("libgpusan", "libOpenCL", "libcuda", "libnvidia", "libvulkan", "libpthread", "libc.so")):
            break
        frame = frame.older()
    if frame is not None:
        frame.select()
end
break __gpusan_on_report
commands
silent
python print(gdb.parse_and_eval("(char *) $" + ("x0" if "aarch64" in gdb.selected_frame().architecture().name() else "rdi")).string())
python gpusan_program_frame()
frame
end
run
)gdb";

}  // namespace

std::string WriteDebuggerScript(
    const std::string& script,
    const std::vector<std::pair<std::string, std::string>>& environment) {
  std::ofstream file(script);
  for (const auto& [name, value] : environment)
    file << "set environment " << name << " = " << value << "\n";
  file << kCommands;
  file.close();
  return file ? "" : script + ": " + std::strerror(errno);
}

std::vector<std::string> DebuggerCommand(const std::string& script,
                                         const std::vector<std::string>& program) {
  std::vector<std::string> words = {"gdb", "-q", "-x", script, "--args"};
  words.insert(words.end(), program.begin(), program.end());
  const std::string path = InspectProgram(program.front()).path;
  if (!path.empty()) words[5] = path;  // gdb does not search PATH for a program with arguments
  return words;
}

}  // namespace gpusan
