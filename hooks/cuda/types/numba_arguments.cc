// Reads the types in a name that Numba has mangled.
#include "hooks/cuda/types/numba_arguments.h"

#include <cstdint>

namespace gpusan::cuda {
namespace {

constexpr size_t kDataOfArray = 4;  // the place of the data among the parameters of an array
constexpr size_t kFixedOfArray = 5;
constexpr size_t kMostDimensions = 32;
constexpr std::string_view kNumbers = "bahstijxyfd";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Each function reads one part of the name from the current place on, and returns whether it could.
class NumbaReader {
 public:
  explicit NumbaReader(std::string_view symbol) : rest_(symbol) {}

  bool AtEnd() const { return rest_.empty(); }

  bool Skip(std::string_view text) {
    if (rest_.substr(0, text.size()) != text) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool ReadNumber(size_t* number) {
    if (rest_.empty() || !IsDigit(rest_[0])) return false;
    *number = 0;
    while (!rest_.empty() && IsDigit(rest_[0]) && *number <= rest_.size()) {
      *number = *number * 10 + static_cast<size_t>(rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return true;
  }

  bool ReadIdentifier(std::string_view* identifier) {
    size_t size = 0;
    if (!ReadNumber(&size) || size > rest_.size()) return false;
    *identifier = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  // The name of the function with its tags.
  bool SkipFunction() {
    std::string_view part;
    const bool nested = Skip("N");
    do {
      if (!ReadIdentifier(&part)) return false;
      while (Skip("B")) {
        if (!ReadIdentifier(&part)) return false;
      }
    } while (nested && !Skip("E"));
    return true;
  }

  bool SkipNumberType() {
    if (Skip("Dh")) return true;
    if (rest_.empty() || kNumbers.find(rest_[0]) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // "5ArrayIfLi1E1C7mutable7alignedE": an array of float with one dimension.
  bool ReadArray(size_t* dimensions) {
    std::string_view element, layout, access, alignment;
    return Skip("5ArrayI") && (SkipNumberType() || ReadIdentifier(&element)) && Skip("Li") &&
           ReadNumber(dimensions) && *dimensions <= kMostDimensions && Skip("E") &&
           ReadIdentifier(&layout) && ReadIdentifier(&access) &&
           (access == "mutable" || access == "readonly") && ReadIdentifier(&alignment) && Skip("E");
  }

 private:
  std::string_view rest_;
};

std::string Ordinal(size_t number) {
  const size_t last = number % 10;
  const bool regular = number / 10 % 10 == 1 || last == 0 || last > 3;
  return std::to_string(number) + (regular ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd");
}

}  // namespace

std::vector<std::string> NumbaArgumentNames(std::string_view symbol, size_t parameters) {
  NumbaReader reader(symbol);
  if (!reader.Skip("_Z") || !reader.SkipFunction()) return {};
  std::vector<std::string> names(parameters);
  size_t parameter = 0;
  bool any = false;
  for (size_t argument = 1; !reader.AtEnd(); ++argument) {
    size_t dimensions = 0;
    if (reader.SkipNumberType()) {
      ++parameter;
      continue;
    }
    if (!reader.ReadArray(&dimensions) || parameter + kDataOfArray >= parameters) return {};
    names[parameter + kDataOfArray] = Ordinal(argument) + " argument in Python";
    parameter += kFixedOfArray + 2 * dimensions;
    any = true;
  }
  if (!any || parameter != parameters) return {};
  return names;
}

}  // namespace gpusan::cuda
