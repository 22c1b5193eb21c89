// The one place where a process's parts meet: options, host memory, the record file and the APIs'
// hooks.
//
// Everything here lives until the process's last instruction; nothing is destroyed. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "hooks/host/host_interposition.h"
#include "report/options/config.h"
#include "report/options/layer_settings.h"
#include "report/record/record_writer.h"

namespace gpusan {

// What the parts that shadow GPU state (tracker and hooks) are told about the life of the process.
// Registered once, with Runtime::SetLifecycle; functions may be nullptr. All run inside a
// ReentryGuard.
struct Lifecycle {
  // The process ends. Findings may still be reported to the sink, leaks only if `leaks`: then the
  // program's static destructors have run. Fills calls, dropped and ledger.
  void (*at_end)(EndRecord* end, bool leaks);
  // Fills the sample with what is now; may report findings. From any thread, at any time.
  // `last`: the process ends.
  void (*sample)(SampleRecord* sample, bool last);
  // The child of a fork: forget the parent's objects, commands and findings, without taking a lock
  // or giving memory back, as other threads may have been inside in the moment of the fork.
  void (*in_fork_child)();
};

class Runtime {
 public:
  // Made at the first call, which is the library's constructor unless the program is faster. Never
  // fails.
  static Runtime& Get();

  const Options& options() const { return configuration_.options; }

  // What a program passes to vkCreateInstance for gpusan as a layer. Counts for what comes after,
  // and only as long as no GPU API was used; complaints go to stderr.
  void ApplySettings(const std::vector<LayerSetting>& settings);

  // Findings go here. Same object as writer().
  FindingSink* sink() { return writer_; }
  RecordWriter* writer() { return writer_; }

  HostMemory* host_memory() { return HostBlocks(); }

  // The first call of a GPU API came through `door` ("opencl-layer", "opencl-preload", ...). Opens
  // the record file. A bit test after the first call of each door; doors are numbered by the
  // caller, 0 to 31.
  void Activate(int door, const char* name) {
    if ((activated_.load(std::memory_order_relaxed) >> door & 1) == 0) ActivateSlow(door, name);
  }

  void SetLifecycle(const Lifecycle* lifecycle) {
    lifecycle_.store(lifecycle, std::memory_order_release);
  }

  // Writes the end record; nothing if no GPU API was used or this is a child of vfork. May come
  // again: an exec that failed, then the real end, which counts.
  void End(const char* reason, bool leaks);

  // pthread_atfork's three moments.
  void PrepareFork();
  void AfterForkInParent();
  void AfterForkInChild();

 private:
  Runtime();
  bool Samples() const { return options().sample_interval > 0 || options().sample_signal; }
  // Samples stand in the file in the order in which they were taken, and none behind the last.
  void Sample(bool last);
  void ActivateSlow(int door, const char* name);
  void SayClosedDoors(const char* reason) const;

  // Changes only before the first call of a GPU API.
  Configuration configuration_;
  RecordWriter* const writer_;
  std::atomic<uint32_t> activated_{0};
  std::atomic<const Lifecycle*> lifecycle_{nullptr};
  std::atomic<int32_t> pid_;
  std::atomic<bool> forked_{false};  // then drivers may be the parent's
  std::mutex sampling_;
  bool sampled_last_ = false;  // guarded by it
};

}  // namespace gpusan
