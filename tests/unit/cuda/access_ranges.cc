// What the summary of a kernel says: kinds of access, and the bytes that one launch can access.
#include "tests/unit/cuda/access_ranges.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hooks/cuda/analysis/thread_fields.h"

namespace gpusan::cuda {
namespace {

using Wide = __int128;

// All values from `first` to `last`. Sums of intervals of different variables are exact.
struct Interval {
  Wide first = 0, last = 0;
};

constexpr Wide kLimit = Wide{1} << 100;

std::optional<Interval> Bounded(Wide first, Wide last) {
  if (first < -kLimit || last > kLimit) return std::nullopt;
  return Interval{first, last};
}

std::optional<Interval> Product(const Interval& a, const Interval& b) {
  const auto small = [](Wide value) { return value > -(Wide{1} << 63) && value < (Wide{1} << 64); };
  if (!small(a.first) || !small(a.last) || !small(b.first) || !small(b.last)) {
    const bool identity = a.first == 1 && a.last == 1;
    return identity ? std::optional<Interval>(b) : std::nullopt;
  }
  // The factors of a product have at most 64 bits, and their product at most 128.
  Wide products[4];
  const std::pair<Wide, Wide> factors[] = {
      {a.first, b.first}, {a.first, b.last}, {a.last, b.first}, {a.last, b.last}};
  for (size_t i = 0; i < 4; ++i) {
    if (__builtin_mul_overflow(factors[i].first, factors[i].second, &products[i]))
      return std::nullopt;
  }
  return Bounded(*std::min_element(products, products + 4),
                 *std::max_element(products, products + 4));
}

class Evaluator {
 public:
  Evaluator(const KernelAccess& access, const LaunchSize& size,
            std::span<const unsigned char> parameters)
      : access_(access), size_(size), parameters_(parameters) {}

  // The interval of an exact value whose words do not overflow.
  std::optional<Interval> Evaluate(const Expression& expression) const {
    if (expression.inexact) return std::nullopt;
    for (const uint16_t condition : expression.conditions) {
      const uint16_t index = Extensions::IndexOf(condition);
      if (index >= access_.extensions.size() || !Holds(access_.extensions[index]))
        return std::nullopt;
    }
    return Terms(expression);
  }

 private:
  std::optional<Interval> Terms(const Expression& expression) const {
    Interval sum;
    for (const Term& term : expression.terms) {
      std::optional<Interval> product = Interval{term.coefficient, term.coefficient};
      for (const Atom& atom : term.atoms) {
        if (atom.kind == Atom::Kind::kNone) break;
        const std::optional<Interval> value = ValueOf(atom);
        if (!value) return std::nullopt;
        product = Product(*product, *value);
        if (!product) return std::nullopt;
      }
      sum.first += product->first;
      sum.last += product->last;
    }
    return Bounded(sum.first, sum.last);
  }

  // A word of a condition has no conditions of its own: it is a polynomial modulo 2^bits.
  bool Holds(const Extension& extension) const {
    const std::optional<Interval> value = Terms(extension.word);
    if (!value) return false;
    const Wide end = Wide{1} << (extension.bits - (extension.is_signed ? 1 : 0));
    return value->first >= (extension.is_signed ? -end : 0) && value->last < end;
  }

  std::optional<Interval> ValueOf(const Atom& atom) const {
    const auto below = [](uint32_t count) { return Interval{0, Wide{count} - 1}; };
    switch (atom.kind) {
      case Atom::Kind::kThread:
        return below(size_.block[atom.index]);
      case Atom::Kind::kThreadField: {
        const ThreadField field = FieldOf(atom);
        const uint32_t last = (size_.block[field.dimension] - 1) >> field.shift;
        return Interval{0, std::min(last, field.Mask() >> field.shift)};
      }
      case Atom::Kind::kBlock:
        return below(size_.grid[atom.index]);
      case Atom::Kind::kBlockSize:
        return Interval{size_.block[atom.index], size_.block[atom.index]};
      case Atom::Kind::kGridSize:
        return Interval{size_.grid[atom.index], size_.grid[atom.index]};
      case Atom::Kind::kLane:
        return below(32);
      case Atom::Kind::kParameter32:
        return Parameter<int32_t>(atom.index);
      case Atom::Kind::kParameter64:
        return Parameter<int64_t>(atom.index);
      case Atom::Kind::kIteration:
      case Atom::Kind::kEnvironment:
      case Atom::Kind::kOpaque:
      case Atom::Kind::kNone:
        break;
    }
    return std::nullopt;
  }

  template <typename T>
  std::optional<Interval> Parameter(uint16_t offset) const {
    if (parameters_.size() < sizeof(T) || offset > parameters_.size() - sizeof(T))
      return std::nullopt;
    T value;
    std::memcpy(&value, parameters_.data() + offset, sizeof(T));
    return Interval{value, value};
  }

  const KernelAccess& access_;
  const LaunchSize& size_;
  std::span<const unsigned char> parameters_;
};

bool IsEmpty(const LaunchSize& size) {
  return std::count(size.grid.begin(), size.grid.end(), 0u) +
             std::count(size.block.begin(), size.block.end(), 0u) !=
         0;
}

}  // namespace

std::vector<AccessRange> RangesFor(const KernelAccess& access, const LaunchSize& size,
                                   std::span<const unsigned char> parameters) {
  std::vector<AccessRange> ranges;
  if (!access.known() || IsEmpty(size)) return ranges;
  const Evaluator evaluator(access, size, parameters);
  for (const KernelMemoryAccess& one : access.accesses) {
    AccessRange range{one.code_offset, one.kind};
    const std::optional<Interval> addresses = evaluator.Evaluate(one.address);
    // The end of a range is at most 2^64 - 1.
    if (addresses && addresses->first >= 0 && addresses->last + one.width <= Wide{UINT64_MAX}) {
      range.bounded = true;
      range.always = one.always;
      range.first = static_cast<uint64_t>(addresses->first);
      range.end = static_cast<uint64_t>(addresses->last) + one.width;
    }
    ranges.push_back(range);
  }
  return ranges;
}

uint8_t KindsAt(const KernelAccess& access, uint16_t offset) {
  if (!access.known()) return kReads | kWrites | kAtomics;
  const auto found = std::find_if(access.pointers.begin(), access.pointers.end(),
                                  [offset](const PointerUse& use) { return use.offset == offset; });
  return access.unknown | (found == access.pointers.end() ? 0 : found->kinds);
}

}  // namespace gpusan::cuda
