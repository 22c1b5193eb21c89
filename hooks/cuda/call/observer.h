// Calls from a low floor to a higher one that the low floor does not include.
#pragma once

namespace gpusan::cuda {

// A function that one file of a higher floor supplies. The low floor defines the variable as
// `constinit` and calls it; the higher floor sets it by an Observing, before any call of the
// program.
template <typename... Arguments>
class Observer {
 public:
  constexpr Observer() = default;
  // Does nothing where no function was supplied.
  void operator()(Arguments... arguments) const {
    if (function_ != nullptr) function_(arguments...);
  }

 private:
  template <typename...>
  friend class Observing;
  void (*function_)(Arguments...) = nullptr;
};

// Supplies the function of an observer. For global variables.
template <typename... Arguments>
class Observing {
 public:
  Observing(Observer<Arguments...>& observer, void (*function)(Arguments...)) {
    observer.function_ = function;
  }
};

}  // namespace gpusan::cuda
