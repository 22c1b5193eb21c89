// The status line of a soak loop on the terminal; nothing if stderr is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gpusan {

struct SoakStatus {
  int64_t elapsed_s = 0;
  uint64_t iteration = 1;
  uint64_t iterations = 0;  // requested; 0: no limit
  double calls_per_second = 0;
  bool has_samples = false;  // calls and live bytes are known
  uint64_t live_bytes = 0;
  uint64_t findings = 0;
};

// "gpusan: 0:02:31  iteration 3 of 10  1240 calls/s  live 12 MiB  2 findings", at most `columns`
// wide.
std::string StatusText(const SoakStatus& status, int columns);

// A line in the last row of the terminal, which is taken out of the rows that scroll: the output of
// the program scrolls above it and never mixes with it. The cursor stays where the program left it.
// Not thread-safe. The destructor gives the row back.
class StatusLine {
 public:
  // Draws nothing without `shown`, or if the descriptor is no terminal that can move the cursor.
  explicit StatusLine(bool shown, int fd = 2);
  ~StatusLine() { Erase(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether it is time to draw the line again, a few times a second.
  bool Due() const;
  void Draw(const SoakStatus& status);
  // Removes the line and gives its row back to the program.
  void Erase();

 private:
  using Clock = std::chrono::steady_clock;

  void Write(const std::string& text);

  const int fd_;
  bool shown_;
  int rows_ = 0;  // of the terminal when the row was taken; 0: it is not taken
  Clock::time_point next_{};
};

}  // namespace gpusan
