// Dynamic renderings that continue in a later one (VK_RENDERING_SUSPENDING_BIT, Vulkan 1.3 §8.2).
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <utility>

#include "tracker/calls/call.h"

namespace gpusan::vulkan {

// Hash of what a suspended rendering and the one that resumes it must have in common; never 0.
uint64_t ContentsOf(const VkRenderingInfo& info);

// The suspended renderings in a sequence of render pass instances. The next instance of the same
// batch must resume a suspended one, and no other instance may resume.
class SuspendedRenderings {
 public:
  enum class Fault : uint8_t { kNone, kResumesNothing, kNotResumed, kInterrupted, kResumesOther };
  struct Instance {
    const CallInfo* call = nullptr;  // that begins it
    SiteId site = kUnknownSite;
    uint64_t contents = 0;  // ContentsOf; 0: unknown
  };

  // Appends an instance.
  void Begin(bool resumes, bool suspends, const Instance& instance);
  // Appends another sequence.
  void Append(const SuspendedRenderings& other);
  void Clear() { *this = {}; }

  // Whether an instance suspends.
  bool suspends() const { return suspends_; }

  // The first fault of a whole batch, and the instance that has it.
  std::pair<Fault, Instance> FaultOfBatch() const;

 private:
  Fault fault_ = Fault::kNone;  // of two neighbours
  bool any_ = false, suspends_ = false;
  bool first_resumes_ = false, last_suspends_ = false;
  Instance faulty_, first_, last_;
};

}  // namespace gpusan::vulkan
