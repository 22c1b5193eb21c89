// The process of a test of the Vulkan hooks: one tracker, whose findings the test takes as text.
#pragma once

#include <string>
#include <vector>

#include "hooks/common/sites/site.h"
#include "hooks/vulkan/dispatch/layer_entry.h"
#include "tests/unit/tracker/tracker_fixture.h"

namespace gpusan::test {

// One tracker for the process: the hooks keep objects by thread.
struct Process {
  Process() {
    TrackerOptions options;
    options.capture = [](const void* return_address, const void* frame_address) {
      return CaptureSite(return_address, frame_address);
    };
    tracker = new Tracker(findings, host_memory, options);
  }
  KeptFindings findings;
  HostMemory host_memory;
  Tracker* tracker;
};
// Call it before the first call of a command.
inline Process& TheProcess() {
  static auto* const process = [] {
    auto* made = new Process;
    vulkan::SetHooks({[] { return TheProcess().tracker; }, nullptr});
    return made;
  }();
  return *process;
}

using Texts = std::vector<std::string>;

// The rules and texts of the findings since the last call.
inline Texts Findings() {
  Texts texts;
  for (const Finding& finding : TheProcess().findings.Take())
    texts.push_back(std::string(InfoOf(finding.rule).id) + ": " + finding.what);
  return texts;
}

inline const Texts kNone;
inline constexpr uint64_t kBytes = 1024;  // of each buffer of a test

}  // namespace gpusan::test
