// Names, ranges and other data for findings that programs pass through gpusan.h and NVTX.
#pragma once

#include "tracker/model/finding.h"
#include "tracker/model/repeated_findings.h"

namespace gpusan {

// Names the object with this handle, or with an address in it. Does nothing if the
// handle names no object, or several. Thread-safe.
void NameProgramObject(Api api, uint64_t handle, const char* name);

// Passes findings on to `next`, which it does not own: drops those of threads that ignore findings,
// and adds the name and the range of the thread. Thread-safe.
class ProgramFilter final : public FindingSink, public RepeatCounter {
 public:
  // `counter`: counts the repeated findings of all threads while no thread ignores findings.
  ProgramFilter(FindingSink& next, RepeatCounter& counter) : next_(next), counter_(counter) {}
  void Report(Finding&& finding) override;
  bool CountRepeat(const FindingKey& key) override;

 private:
  FindingSink& next_;
  RepeatCounter& counter_;
};

// Forgets names, signals and regions in the child of a fork: they are about objects and threads of
// the parent. The callback stays.
void ForgetProgramWordsAfterFork();

}  // namespace gpusan
