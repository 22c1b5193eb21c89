// The status line of a soak loop on the terminal; nothing if stderr is not a terminal.
#include "report/command/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "report/base/safe_write.h"

namespace gpusan {
namespace {

std::string TwoDigits(int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// Short: "12 MiB", "1.5 GiB".
std::string ShortBytes(uint64_t bytes) {
  static constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
  int unit = 0;
  uint64_t tenths = bytes * 10;
  if (bytes > UINT64_MAX / 10) return std::to_string(bytes >> 50) + kUnits[5];
  for (; tenths >= 10240 && unit < 5; ++unit) tenths /= 1024;
  std::string text = std::to_string(tenths / 10);
  if (tenths < 100 && tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
  return text + kUnits[unit];
}

int Columns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string StatusText(const SoakStatus& status, int columns) {
  std::string text = "gpusan: " + std::to_string(status.elapsed_s / 3600) + ":" +
                     TwoDigits(status.elapsed_s / 60 % 60) + ":" + TwoDigits(status.elapsed_s % 60);
  if (status.turns != 1 || status.turn != 1) {
    text += "  iteration " + std::to_string(status.turn);
    if (status.turns > 0) text += " of " + std::to_string(status.turns);
  }
  if (status.has_samples) {
    text += "  " + std::to_string(static_cast<uint64_t>(status.calls_per_second + 0.5)) +
            " calls/s  live " + ShortBytes(status.live_bytes);
  }
  text +=
      "  " + std::to_string(status.findings) + (status.findings == 1 ? " finding" : " findings");
  // A full line would make the terminal start a new one.
  if (columns > 0 && text.size() >= static_cast<size_t>(columns))
    text.resize(static_cast<size_t>(columns) - 1);
  return text;
}

StatusLine::StatusLine(bool shown) : shown_(shown && isatty(STDERR_FILENO) == 1) {}

bool StatusLine::Due() const { return shown_ && Clock::now() >= next_; }

void StatusLine::Draw(const SoakStatus& status) {
  if (!shown_) return;
  next_ = Clock::now() + std::chrono::milliseconds(500);
  drawn_ = true;
  WriteToStderr("\r" + StatusText(status, Columns()) + "\033[K\r");
}

void StatusLine::Erase() {
  if (drawn_) WriteToStderr("\r\033[K");
  drawn_ = false;
}

}  // namespace gpusan
