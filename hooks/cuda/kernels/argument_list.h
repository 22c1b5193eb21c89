// The arguments of a launch, read once, as a list of those that can matter, which is mostly far
// shorter than the arguments.
//
// An entry is one word with the parameter's number and kind and one word with its value. For a
// class type the value is the number of words that follow, each of which is in the range of
// addresses. The parameter block has such words, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hooks/common/sites/site.h"
#include "hooks/cuda/kernels/functions.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {

// Arguments as one block, as `extra` of a launch names them; no bytes if it does not.
struct PackedArguments {
  explicit PackedArguments(void** extra);
  const unsigned char* begin = nullptr;
  size_t bytes = 0;
};

enum class ArgumentKind : uint8_t {
  kPointer,    // by the parameter's type
  kInteger,    // less than 8 bytes, widened
  kLong,       // an integer of 8 bytes
  kWord,       // 8 bytes of unknown type
  kClass,      // without its words if Function::covered says so
  kTensorMap,  // a known tensor map; the value is the address of its memory
  // `parameter` is an index in Function::needed. Pointers that are no address are left out: kernels
  // with tables of pointers have hundreds.
  kNeeded,
  kNeededEnd,  // all words of Function::needed were read; no parameter
  kBlock,      // all parameters as they lie in the parameter block; no parameter
};

struct ArgumentWord {
  uint32_t parameter;
  ArgumentKind kind;
  uint64_t value;
  absl::Span<const uint64_t> inside;  // for a class type and the parameter block
};

// Iterates over such a list.
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
    if (next->kind != ArgumentKind::kClass && next->kind != ArgumentKind::kBlock) return true;
    next->inside = {at_, static_cast<size_t>(next->value)};
    at_ += next->value;
    return true;
  }

 private:
  const uint64_t* at_;
  const uint64_t* end_;
};

// The lowest address that memory can have; programs pass lower ones as markers.
inline constexpr uintptr_t kLowestAddress = 4096;

// True if the word may be an address: not two small integers side by side, and in the range that
// devices use.
inline bool IsAddress(uintptr_t word) { return word >= uintptr_t{1} << 32 && word >> 57 == 0; }

// Returns the largest number of words in the list for a launch of the function.
inline size_t MostArgumentWords(const Function& function) {
  return (function.parameters.size() + function.needed.size() + 1) * 2 +
         function.argument_bytes / 8 + (function.block_words != 0 ? 2 + function.block_words : 0);
}

// Returns the words, which have 8 bytes each, as the fewest runs in the same order.
std::vector<WordRun> RunsOf(absl::Span<const ParameterWord> words);

struct ReadResult {
  size_t words = 0;
  bool complete = true;  // all parameters were passed
  // False if a pointer argument may be host memory, of which more is known now than later. True if
  // all pointers are NULL, point into allocations, or are known to be harmless.
  bool can_wait = true;
};

// The ranges of allocations, and Objects::releases.
struct KnownAddresses {
  explicit KnownAddresses(const Tracker& tracker)
      : span(tracker.objects().addresses().span()), releases(tracker.objects().releases()) {}
  KnownAddresses(AddressMap::Span span, uint32_t releases) : span(span), releases(releases) {}
  AddressMap::Span span;
  uint32_t releases;
};

// Writes the list to `words`, which has room for MostArgumentWords. `parameters` and `packed`: as
// in cuLaunchKernel; `stack`: of the launching thread.
ReadResult ReadArguments(const KnownAddresses& known, const Function& function, void** parameters,
                         const PackedArguments& packed, const StackRange& stack, uint64_t* words);

}  // namespace gpusan::cuda
