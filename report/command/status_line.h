// The status line of a soak loop on the terminal; nothing if stderr is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gpusan {

struct SoakStatus {
  int64_t elapsed_s = 0;
  uint64_t turn = 1;
  uint64_t turns = 0;  // requested; 0: no limit
  double calls_per_second = 0;
  bool has_samples = false;  // calls and live bytes are known
  uint64_t live_bytes = 0;
  uint64_t findings = 0;
};

// "gpusan: 0:02:31  iteration 3 of 10  1240 calls/s  live 12 MiB  2 findings", at most `columns`
// wide.
std::string StatusText(const SoakStatus& status, int columns);

// Not thread-safe. The destructor erases the line. The cursor stays at the start of the line, so
// that output of the program overwrites it.
class StatusLine {
 public:
  // Draws nothing without `shown`.
  explicit StatusLine(bool shown);
  ~StatusLine() { Erase(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether it is time to draw the line again, a few times a second.
  bool Due() const;
  void Draw(const SoakStatus& status);
  // Call it before other output to stderr.
  void Erase();

 private:
  using Clock = std::chrono::steady_clock;
  const bool shown_;
  bool drawn_ = false;
  Clock::time_point next_{};
};

}  // namespace gpusan
