// The newest elements of a series.
#pragma once

#include <cstddef>
#include <utility>

namespace gpusan {

// Keeps up to `kMost` elements and replaces the oldest. Programs repeat themselves: a search begins
// with the element that was used last. Not thread-safe.
template <typename Elements, size_t kMost>
class Newest {
 public:
  using Element = typename Elements::value_type;

  bool empty() const { return elements_.empty(); }
  size_t size() const { return elements_.size(); }

  // Returns the first element for which `matches(const Element&)` is true; nullptr if there is
  // none.
  template <typename Matches>
  Element* Find(Matches matches) {
    const size_t count = elements_.size();
    for (size_t i = 0, index = used_; i < count; ++i) {
      if (matches(elements_[index])) {
        used_ = index;
        return &elements_[index];
      }
      if (++index == count) index = 0;
    }
    return nullptr;
  }

  // Returns the new element; valid until the next call.
  Element& Add(Element element) {
    used_ = next_;
    next_ = (next_ + 1) % kMost;
    if (used_ == elements_.size()) elements_.emplace_back();
    return elements_[used_] = std::move(element);
  }

 private:
  Elements elements_;
  size_t used_ = 0;  // index of the element that was found or added last
  size_t next_ = 0;  // index of the element to replace
};

}  // namespace gpusan
