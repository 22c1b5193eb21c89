// Findings of CUDA name the call that the program made: where it came through a shared cudart, the
// runtime's function ("cudaMemcpy"), not the driver's behind it.
#pragma once

#include "tracker/model/finding.h"

namespace gpusan {

// Passes findings on to `next`, which it does not own. Thread-safe.
class RuntimeNames final : public FindingSink {
 public:
  explicit RuntimeNames(FindingSink& next) : next_(next) {}
  void Report(Finding&& finding) override;

 private:
  FindingSink& next_;
};

}  // namespace gpusan
