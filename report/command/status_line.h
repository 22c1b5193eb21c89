// The one line on the terminal that says how a soak goes. Nothing where stderr is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gpusan {

struct SoakStatus {
  int64_t elapsed_s = 0;
  uint64_t turn = 1;
  uint64_t turns = 0;  // wanted; 0: no number was given
  double calls_per_second = 0;
  bool has_samples = false;  // calls and live bytes are known
  uint64_t live_bytes = 0;
  uint64_t findings = 0;
};

// "gpusan: 0:02:31  turn 3 of 10  1240 calls/s  live 12 MiB  2 findings", at most `columns` wide.
std::string StatusText(const SoakStatus& status, int columns);

// Not thread-safe. The line is gone when this object is. The cursor stands at its begin, so that
// what the program prints takes its place.
class StatusLine {
 public:
  // Without `shown` nothing is ever drawn.
  explicit StatusLine(bool shown);
  ~StatusLine() { Erase(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // A line is due: a few times a second.
  bool Due() const;
  void Draw(const SoakStatus& status);
  // Before something else is written to stderr.
  void Erase();

 private:
  using Clock = std::chrono::steady_clock;
  const bool shown_;
  bool drawn_ = false;
  Clock::time_point next_{};
};

}  // namespace gpusan
