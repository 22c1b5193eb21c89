// The launch at a position in stream order, for the texts of findings.
#pragma once

#include <string>

#include "hooks/cuda/call/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

struct LaunchShape;

// "4 x 1 x 1 blocks of 256 x 1 x 1 threads"
std::string SizeText(const LaunchShape& shape);

// The launch that a thread is processing, for as long as the object exists. Costs two stores.
class ActiveLaunch {
 public:
  ActiveLaunch(const Command& command, const LaunchShape& shape, const Launch& launch)
      : command_(command), shape_(shape), launch_(launch), outer_(active_) {
    active_ = this;
  }
  ActiveLaunch(const ActiveLaunch&) = delete;
  ActiveLaunch& operator=(const ActiveLaunch&) = delete;
  ~ActiveLaunch() { active_ = outer_; }

  // The one of this thread; nullptr: none.
  static const ActiveLaunch* Current() { return active_; }
  const Command& command() const { return command_; }
  const LaunchShape& shape() const { return shape_; }
  const Launch& launch() const { return launch_; }

 private:
  static inline constinit thread_local const ActiveLaunch* active_ = nullptr;
  const Command& command_;
  const LaunchShape& shape_;
  const Launch& launch_;
  const ActiveLaunch* const outer_;
};

}  // namespace gpusan::cuda
