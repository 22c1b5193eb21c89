// The nearest of some known names, for "did you mean".
#pragma once

#include <string_view>

namespace gpusan {

// Edits (insert, delete, replace, swap of neighbours count one each) that turn `a` into `b`. '-'
// and '_' are the same.
int EditDistance(std::string_view a, std::string_view b);

// Keeps the candidate that is nearest to a name as typed, as long as it is near enough to be a slip
// of the hand.
class Nearest {
 public:
  explicit Nearest(std::string_view typed) : typed_(typed) {}

  // `candidate` must outlive this object.
  void Offer(std::string_view candidate);

  // Empty where nothing was near.
  std::string_view best() const { return best_; }

 private:
  std::string_view typed_;
  std::string_view best_;
  int distance_ = 1 << 20;
};

}  // namespace gpusan
