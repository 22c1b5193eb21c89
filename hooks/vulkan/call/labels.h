// Debug labels that programs put around commands: their numbers, and the stack of open labels.
#pragma once

#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "tracker/model/ids.h"

namespace gpusan::vulkan {

// Returns the number of a name, never kNoLabel. Keeps the last 8192 different names, so that
// programs which number their frames use bounded memory. `point`: an inserted label, which names a
// single position instead of a range of commands. Thread-safe.
LabelId InternLabel(std::string_view name, bool point);

// The name of a label; empty for kNoLabel and for names that are no longer kept. Thread-safe.
std::string LabelName(LabelId label);

// " in label 'shadow pass'", or " behind label '...'" for an inserted label; empty without a name.
std::string LabelPhrase(LabelId label);

// Drops the table in the child of a fork, where another thread may hold its lock.
// Async-signal-safe.
void ForgetLabels();

// The open labels of a command buffer or a queue. Not thread-safe.
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
  // Names the following commands until the next label begins or ends.
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
