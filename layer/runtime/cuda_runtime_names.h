// Makes CUDA findings name the call that the program made: the function of the runtime
// ("cudaMemcpy") when the program uses a shared cudart, not the driver function that it calls.
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
