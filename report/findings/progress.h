// A progress bar on stderr for work that takes longer than a second; nothing if stderr is not a
// terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gpusan {

// Not thread-safe. The destructor erases the bar.
class Progress {
 public:
  // `what`: "reading". `total` is in any unit; 0: not known. Draws nothing before `delay`, and
  // nothing at all without `shown`.
  Progress(std::string what, uint64_t total, bool shown,
           std::chrono::milliseconds delay = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Advance(uint64_t count);

 private:
  using Clock = std::chrono::steady_clock;

  const std::string what_;
  const uint64_t total_;
  const bool shown_;
  uint64_t done_ = 0;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace gpusan
