// Action and synchronization commands between a suspended rendering and the next render pass
// instance, where none is allowed (VUID-VkSubmitInfo-pCommandBuffers-06015).
#pragma once

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Walks over the records of command buffers in submission order. Not thread-safe.
class InterruptedRenderings {
 public:
  explicit InterruptedRenderings(VkCall& call) : call_(call) {}

  // Continues with a primary command buffer of a batch. Adds a finding for the first command
  // after a rendering that an earlier primary command buffer suspends.
  void AddPrimary(const Object& object, const Recording& primary);
  // Adds a finding for the first command that is invalid in the command buffer, whatever is
  // submitted before it. Leaves out what is invalid in one of its secondary command buffers alone,
  // because that was reported when the secondary command buffer ended.
  void AddEnded(const Object& object, const Recording& commands);

 private:
  // `depth`: 0 for the command buffer itself, more for those that it executes.
  void Add(const Recording& commands, uint32_t depth);
  void Check(const Recorded& record, const Recording& commands, uint32_t depth);
  void Report(const Recorded& record, std::string vuid);

  VkCall& call_;
  const Object* object_ = nullptr;   // of the current command buffer of depth 0
  const Recording* top_ = nullptr;   // its recording
  bool submitted_ = false;           // AddPrimary
  bool suspends_ = false;            // the last instance so far
  const Recording* in_ = nullptr;    // where it was suspended; nullptr: it was not
  const Recording* from_ = nullptr;  // top_ at that time
  bool reported_ = false;
};

}  // namespace gpusan::vulkan
