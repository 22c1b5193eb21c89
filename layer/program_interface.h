// What programs tell gpusan through gpusan.h, as far as findings depend on it.
#pragma once

#include "tracker/model/finding.h"

namespace gpusan {

// Passes findings on to `next`, which it does not own: drops those of threads that ignore findings,
// and adds the names that the program gave. Thread-safe.
class ProgramFilter final : public FindingSink {
 public:
  explicit ProgramFilter(FindingSink& next) : next_(next) {}
  void Report(Finding&& finding) override;

 private:
  FindingSink& next_;
};

// Forgets names, signals and regions in the child of a fork: they are about objects and threads of
// the parent. The callback stays.
void ForgetProgramWordsAfterFork();

}  // namespace gpusan
