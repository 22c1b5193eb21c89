// Finds the known name nearest to a mistyped one, for "did you mean".
#pragma once

#include <string_view>

namespace gpusan {

// The number of edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. '-' and
// '_' count as equal. Thread-safe.
int EditDistance(std::string_view a, std::string_view b);

// Keeps the candidate nearest to the typed name, if it is near enough to be a typing error. Not
// thread-safe.
class Nearest {
 public:
  explicit Nearest(std::string_view typed) : typed_(typed) {}

  // `candidate` must outlive this object.
  void Offer(std::string_view candidate);

  // The nearest candidate; empty if none was near enough.
  std::string_view best() const { return best_; }

 private:
  std::string_view typed_;
  std::string_view best_;
  int distance_ = 1 << 20;
};

}  // namespace gpusan
