// The sizes of recent launches, for the texts of findings. All functions are thread-safe.
#pragma once

#include <string>

#include "hooks/opencl/kernels/launch_limits.h"
#include "tracker/model/clock.h"

namespace gpusan::opencl {

// "global size 64 x 4, local size NULL, global offset 0 x 4". Without an offset of 0.
std::string SizeText(const LaunchSizes& sizes);

// Keeps the sizes of the launch at `epoch`. Later launches replace it.
void NoteSize(Epoch epoch, const LaunchSizes& sizes);

// The launch that a call of this thread is starting. While it exists, this thread knows its sizes,
// although NoteSize comes later. A thread starts one launch at a time.
class StartingLaunch {
 public:
  // `epoch`: of the launch, as soon as it is known.
  StartingLaunch(const LaunchSizes& sizes, const Epoch& epoch) : sizes_(sizes), epoch_(epoch) {
    of_thread_ = this;
  }
  StartingLaunch(const StartingLaunch&) = delete;
  StartingLaunch& operator=(const StartingLaunch&) = delete;
  ~StartingLaunch() { of_thread_ = nullptr; }

 private:
  friend std::string SizeTextAt(Epoch epoch);

  static __attribute__((
      tls_model("initial-exec"))) constinit thread_local const StartingLaunch* of_thread_;

  const LaunchSizes& sizes_;
  const Epoch& epoch_;
};

// The sizes of the launch at `epoch`, as SizeText; empty: they are not known.
std::string SizeTextAt(Epoch epoch);

}  // namespace gpusan::opencl
