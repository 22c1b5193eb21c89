// Debug labels that programs put around commands: as small numbers, and as stacks of them.
#pragma once

#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "tracker/model/ids.h"

namespace gpusan::vulkan {

// The number of a name, never kNoLabel. The last 8192 different names are kept, so that programs
// which number their frames cost no more with time. `point`: an inserted label, which names a place
// and not a stretch. Thread-safe.
LabelId InternLabel(std::string_view name, bool point);

// Its name; empty for kNoLabel and for what is forgotten. Thread-safe.
std::string LabelName(LabelId label);

// " in label 'shadow pass'", or "behind" for a point; empty where there is no name.
std::string LabelPhrase(LabelId label);

// In the child of a fork: another thread may have been inside. Async-signal-safe.
void ForgetLabels();

// The labels that are open at a place of a command buffer or a queue. Not thread-safe.
class LabelStack {
 public:
  void Begin(LabelId label) {
    open_.push_back(label);
    current_ = label;
  }
  void End() {
    if (!open_.empty()) open_.pop_back();
    current_ = open_.empty() ? kNoLabel : open_.back();
  }
  // Names what follows until the next label begins or ends.
  void Insert(LabelId label) { current_ = label; }
  LabelId current() const { return current_; }
  void Clear() {
    open_.clear();
    current_ = kNoLabel;
  }

 private:
  absl::InlinedVector<LabelId, 2> open_;
  LabelId current_ = kNoLabel;
};

}  // namespace gpusan::vulkan
