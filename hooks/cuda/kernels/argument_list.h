// The arguments of a launch, read once: a list of what can matter, mostly far shorter than they
// are.
//
// A word with the parameter's number and what it is, then one with its value; of a class one with
// the number of words behind it, each of which is in the span of addresses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hooks/common/site.h"
#include "hooks/cuda/kernels/functions.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {

// The arguments in one piece, as `extra` of a launch names them; no bytes where it does not.
struct PackedArguments {
  explicit PackedArguments(void** extra);
  const unsigned char* begin = nullptr;
  size_t bytes = 0;
};

enum class ArgumentKind : uint8_t {
  kPointer,  // as the parameter's type says
  kInteger,  // of less than 8 bytes, widened
  kLong,     // of 8 bytes
  kWord,     // of 8 bytes, of which nothing is known
  kClass,
};

struct ArgumentWord {
  uint32_t parameter;
  ArgumentKind kind;
  uint64_t value;
  absl::Span<const uint64_t> inside;  // of a class
};

// Goes through such a list.
class ArgumentWords {
 public:
  explicit ArgumentWords(absl::Span<const uint64_t> words)
      : at_(words.data()), end_(at_ + words.size()) {}
  bool Next(ArgumentWord* next) {
    if (at_ == end_) return false;
    next->parameter = static_cast<uint32_t>(at_[0]);
    next->kind = static_cast<ArgumentKind>(at_[0] >> 32);
    next->value = at_[1];
    at_ += 2;
    if (next->kind != ArgumentKind::kClass) return true;
    next->inside = {at_, static_cast<size_t>(next->value)};
    at_ += next->value;
    return true;
  }

 private:
  const uint64_t* at_;
  const uint64_t* end_;
};

// Two small numbers side by side are none, nor is what no device gives out.
inline bool IsAddress(uintptr_t word) { return word >= uintptr_t{1} << 32 && word >> 57 == 0; }

// Words that the list of a launch of the function takes at most.
inline size_t MostArgumentWords(const Function& function) {
  return function.parameters.size() * 2 + function.argument_bytes / 8;
}

struct ReadResult {
  size_t words = 0;
  bool complete = true;  // all parameters were given
  // All that is given for a pointer is NULL, or where allocations are, or known to be nothing to
  // judge: what else there is may be host memory, of which more is known now than later.
  bool can_wait = true;
};

// Where allocations are, and Tracker::releases.
struct KnownAddresses {
  explicit KnownAddresses(const Tracker& tracker)
      : span(tracker.address_span()), releases(tracker.releases()) {}
  KnownAddresses(AddressMap::Span span, uint32_t releases) : span(span), releases(releases) {}
  AddressMap::Span span;
  uint32_t releases;
};

// Writes the list to `words`, which has room for MostArgumentWords. `parameters` and `packed` as
// cuLaunchKernel has them; `stack`: of the launching thread.
ReadResult ReadArguments(const KnownAddresses& known, const Function& function, void** parameters,
                         const PackedArguments& packed, const StackRange& stack, uint64_t* words);

}  // namespace gpusan::cuda
