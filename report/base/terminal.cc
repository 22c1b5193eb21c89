// Reads the size of a terminal and the variables about colour.
#include "report/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace gpusan {
namespace {

constexpr int kLeastWidth = 40;
constexpr int kMostWidth = 10000;

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

int OutputWidth(int fd, bool forced) {
  if (!forced && (fd < 0 || isatty(fd) != 1)) return 0;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    char* end = nullptr;
    const long width = std::strtol(columns, &end, 10);
    if (*columns != '\0' && *end == '\0' && width >= kLeastWidth && width <= kMostWidth)
      return static_cast<int>(width);
  }
  winsize size = {};
  if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col >= kLeastWidth ? size.ws_col : 0;
}

int TerminalRows(int fd) {
  winsize size = {};
  return fd >= 0 && isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

bool WantsColor(int fd, std::string_view choice) {
  if (choice == "always") return true;
  if (choice == "never" || fd < 0 || IsSet("NO_COLOR")) return false;
  if (IsSet("FORCE_COLOR")) return std::strcmp(std::getenv("FORCE_COLOR"), "0") != 0;
  const char* terminal = std::getenv("TERM");
  return isatty(fd) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace gpusan
