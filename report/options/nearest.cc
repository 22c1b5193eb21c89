// Optimal string alignment distance over short names.
#include "report/options/nearest.h"

#include <algorithm>
#include <vector>

namespace gpusan {
namespace {

char Fold(char c) {
  if (c == '_') return '-';
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c;
}

}  // namespace

int EditDistance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = Fold(a[i - 1]) == Fold(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && Fold(a[i - 1]) == Fold(b[j - 2]) && Fold(a[i - 2]) == Fold(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

void Nearest::Offer(std::string_view candidate) {
  const size_t longer = std::max(typed_.size(), candidate.size());
  const size_t shorter = std::min(typed_.size(), candidate.size());
  const int limit = std::max<int>(1, static_cast<int>(longer / 3));
  // The distance is at least the difference of the lengths.
  if (longer - shorter > static_cast<size_t>(limit)) return;
  const int distance = EditDistance(typed_, candidate);
  if (distance <= limit && distance < distance_) {
    distance_ = distance;
    best_ = candidate;
  }
}

}  // namespace gpusan
