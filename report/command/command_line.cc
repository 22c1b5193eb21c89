// What every command does with its command line beyond parsing it (report/options/flags.h).
#include "report/command/command_line.h"

#include <iostream>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/findings/collector.h"

namespace gpusan {

int Complain(const std::string& line) {
  WriteToStderr("gpusan: " + Printable(line, /*lines=*/true) + "\n");
  return kExitTrouble;
}

bool DoneByFlags(const ParsedFlags& flags, const std::string& command, const std::string& usage,
                 int* exit_code) {
  *exit_code = 0;
  if (flags.help) {
    std::cout << usage << "\nFlags:\n" << FlagHelp(command);
  } else if (!flags.complaint.empty()) {
    *exit_code = Complain(flags.complaint);
  } else if (flags.options().print_config) {
    std::cout << ConfigurationText(flags.configuration, command);
  } else {
    return false;
  }
  std::cout.flush();
  if (!std::cout) *exit_code = Complain("cannot write to stdout");
  return true;
}

}  // namespace gpusan
