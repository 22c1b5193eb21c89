// Connects the parts of gpusan in a process: options, host memory, the record file and the hooks of
// each API.
//
// These objects live until the process ends, and are never destroyed. Thread-safe.
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

// The name of the attach path of the Vulkan layer.
inline constexpr char kVulkanLayer[] = "vulkan-layer";

// Callbacks into the tracker and the hooks about the life of the process. Registered once, with
// Runtime::SetLifecycle; functions may be nullptr. All run inside a ReentryGuard.
struct Lifecycle {
  // Runs at the end of the process. Fills calls, dropped and ledger of `end`. May report findings
  // to the sink, but leaks only if `leaks` is set: the program's static destructors have run.
  void (*at_end)(EndRecord* end, bool leaks);
  // Fills the sample with the current state. May report findings. Runs on any thread, at any time.
  // `last` is set at the end of the process.
  void (*sample)(SampleRecord* sample, bool last);
  // Runs in the child of a fork: forgets the parent's objects, commands and findings. Takes no lock
  // and frees no memory, because other threads may have been inside at the moment of the fork.
  void (*in_fork_child)();
};

// The most attach paths that one API can have.
inline constexpr int kMostPaths = 8;
static_assert(kApiCount * kMostPaths <= 64, "attach paths are bits of one word");

class Runtime {
 public:
  // Creates the object at the first call: in the library's constructor, or at an intercepted call
  // that comes earlier. Never fails.
  static Runtime& Get();

  const Options& options() const { return configuration_.options; }

  // Applies the settings that a program passes to vkCreateInstance, and at the first call the
  // settings file of the current folder. After the first call of a GPU API, settings are not
  // applied; those that differ cause error messages on stderr.
  void ApplySettings(const std::vector<LayerSetting>& settings);

  // Returns the sink for findings: the same object as writer().
  FindingSink* sink() { return writer_; }
  RecordWriter* writer() { return writer_; }

  HostMemory* host_memory() { return HostBlocks(); }

  // Opens the record file and writes the name of the attach path ("opencl-layer", "opencl-preload",
  // ...) into it. Call it at each call that arrives through the path: only the first call has an
  // effect, later ones cost a bit test. `path` numbers the paths of one API from 0, and is below
  // kMostPaths.
  void Activate(Api api, int path, const char* name) {
    const int bit = static_cast<int>(api) * kMostPaths + path;
    if ((activated_.load(std::memory_order_relaxed) >> bit & 1) == 0) ActivateSlow(bit, name);
  }

  // The process will probably use a GPU: host blocks get full stacks from now on, with the frames
  // of the interpreters that are loaded by now. Thread-safe. Clears the error of dlerror.
  static void ExpectGpu();

  void SetLifecycle(const Lifecycle* lifecycle) {
    lifecycle_.store(lifecycle, std::memory_order_release);
  }

  // Writes the end record. Does nothing if no GPU API was used, or in a child of vfork. May be
  // called again, after an exec that failed: the last end record counts.
  void End(const char* reason, bool leaks);

  // Returns the exit status of the process for the status of the program: the option `exitcode`
  // instead of 0 if there are findings that are errors.
  int ExitCode(int status) const;

  // The three handlers of pthread_atfork.
  void PrepareFork();
  void AfterForkInParent();
  void AfterForkInChild();

 private:
  Runtime();
  bool Samples() const { return options().sample_interval > 0 || options().sample_signal; }
  // Takes a sample and writes it. Samples are written in the order in which they are taken, and
  // none follows the last one.
  void Sample(bool last);
  void ActivateSlow(int number, const char* name);
  // Of a process that has gpusan as its Vulkan layer only: users who switch a layer on do not
  // expect files in the current folder of the program. Call it before the first record.
  void KeepRecordsInStateFolder();
  // Writes one warning in a process whose Python frames cannot be read.
  void WarnAboutPython();
  void SaySwitchedOffApis(const char* reason) const;

  // Changes only before the first call of a GPU API.
  Configuration configuration_;
  RecordWriter* const writer_;
  std::atomic<uint64_t> activated_{0};  // a bit for each attach path
  std::atomic<const Lifecycle*> lifecycle_{nullptr};
  std::atomic<int32_t> pid_;
  // This process is the child of a fork. Drivers that are loaded here may be used only by the
  // parent.
  std::atomic<bool> forked_{false};
  std::atomic<bool> warned_about_python_{false};
  std::mutex settings_;
  bool read_folder_settings_ = false;  // guarded by settings_
  std::mutex sampling_;
  bool sampled_last_ = false;  // guarded by sampling_
};

}  // namespace gpusan
