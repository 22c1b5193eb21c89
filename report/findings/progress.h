// A progress bar on stderr for work that takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gpusan {

// Not thread-safe. The destructor erases the bar.
class Progress {
 public:
  // `what`: the name of the work, "reading". `total`: the amount of work in any unit; 0: unknown.
  // `shown`: whether to draw the bar, false if stderr is not a terminal. The bar appears after
  // `delay`.
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
