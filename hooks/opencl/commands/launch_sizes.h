// The sizes of recent launches, for the texts of findings. All functions are thread-safe.
#pragma once

#include <string>

#include "hooks/opencl/commands/launch_limits.h"
#include "tracker/model/clock.h"

namespace gpusan::opencl {

// "global size 64 x 4, local size NULL".
std::string SizeText(const LaunchSizes& sizes);

// Keeps the sizes of the launch at `epoch`. Later launches replace it.
void NoteSize(Epoch epoch, const LaunchSizes& sizes);

// The launch that `call` is starting. While it exists, its sizes are known, although NoteSize comes
// later.
class StartingLaunch {
 public:
  // `epoch`: of the launch, as soon as it is known.
  StartingLaunch(const Call& call, const LaunchSizes& sizes, const Epoch& epoch);
  StartingLaunch(const StartingLaunch&) = delete;
  StartingLaunch& operator=(const StartingLaunch&) = delete;
  ~StartingLaunch();

 private:
  friend std::string SizeTextAt(const Call& call, Epoch epoch);

  const Call& call_;
  const LaunchSizes& sizes_;
  const Epoch& epoch_;
};

// The sizes of the launch at `epoch`, as SizeText; empty: they are not known. `call`: the call that
// is being checked, which may be the launch.
std::string SizeTextAt(const Call& call, Epoch epoch);

}  // namespace gpusan::opencl
