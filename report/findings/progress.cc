// A progress bar on stderr for work that takes longer than a second.
#include "report/findings/progress.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "report/base/safe_write.h"

namespace gpusan {

Progress::Progress(std::string what, uint64_t total, bool shown, std::chrono::milliseconds delay)
    : what_(std::move(what)),
      total_(total),
      shown_(shown && isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + delay) {}

Progress::~Progress() {
  if (drawn_) WriteToStderr("\r\033[K");
}

void Progress::Advance(uint64_t count) {
  done_ += count;
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  std::string line = "\r\033[Kgpusan: " + what_;
  if (total_ > 0) {
    constexpr uint64_t kWidth = 30;
    const uint64_t done = std::min(done_, total_);
    const auto filled = static_cast<size_t>(done * kWidth / total_);
    line += " [" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] " +
            std::to_string(done * 100 / total_) + " %";
  }
  WriteToStderr(line);
}

}  // namespace gpusan
