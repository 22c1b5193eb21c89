// The status line of a soak loop on the terminal; nothing if stderr is not a terminal.
#include "report/processes/status_line.h"

#include <cstdlib>
#include <cstring>

#include "report/base/safe_write.h"
#include "report/base/terminal.h"

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

}  // namespace

std::string StatusText(const SoakStatus& status, int columns) {
  std::string text = "gpusan: " + std::to_string(status.elapsed_s / 3600) + ":" +
                     TwoDigits(status.elapsed_s / 60 % 60) + ":" + TwoDigits(status.elapsed_s % 60);
  if (status.iterations != 1 || status.iteration != 1) {
    text += "  iteration " + std::to_string(status.iteration);
    if (status.iterations > 0) text += " of " + std::to_string(status.iterations);
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

StatusLine::StatusLine(bool shown, int fd) : fd_(fd), shown_(shown && TerminalRows(fd) > 0) {
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::strcmp(terminal, "dumb") == 0) shown_ = false;
}

bool StatusLine::Due() const { return shown_ && Clock::now() >= next_; }

// The sequences are those of VT100: DECSC and DECRC save and restore the cursor, DECSTBM sets the
// rows that scroll, CUP moves the cursor, EL clears a line.
void StatusLine::Draw(const SoakStatus& status) {
  constexpr int kLeastRows = 4;
  if (!shown_) return;
  next_ = Clock::now() + std::chrono::milliseconds(500);
  const int rows = TerminalRows(fd_);
  if (rows < kLeastRows) return;
  std::string out;
  if (rows != rows_) {
    if (rows_ == 0) {
      // A new line moves the text up if the cursor is in the last row.
      out += "\n\0337\033[1;" + std::to_string(rows - 1) + "r\0338\033[A";
    } else {
      out += "\0337\033[1;" + std::to_string(rows - 1) + "r\0338";
    }
    rows_ = rows;
  }
  const int columns = OutputWidth(fd_);
  out += "\0337\033[" + std::to_string(rows) + ";1H\033[7m" +
         StatusText(status, columns == 0 ? 80 : columns) + "\033[0m\033[K\0338";
  Write(out);
}

void StatusLine::Erase() {
  if (rows_ == 0) return;
  Write("\0337\033[r\033[" + std::to_string(rows_) + ";1H\033[K\0338");
  rows_ = 0;
}

void StatusLine::Write(const std::string& text) {
  IoGuard guard;
  WriteAll(fd_, text);
}

}  // namespace gpusan
