// The arguments of a launch.
#include "hooks/cuda/kernels/argument_list.h"

#include <cuda.h>

#include <algorithm>
#include <bit>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <cstring>
#include <type_traits>

#include "hooks/cuda/arrays/tensor_maps.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxWordsInside = 512;  // words of one class argument that are examined

uintptr_t WordAt(const unsigned char* value, size_t index) {
  uintptr_t word;
  std::memcpy(&word, value + index * sizeof(word), sizeof(word));
  return word;
}

// Sets one bit of `*in` for each of at most 64 words whose upper half is in [low, high], as signed
// numbers. Requires `low` above the lowest number. Returns the number of words that it has
// compared: all complete groups of four, or 0 without SSE2. The loop has no branch, because the
// result of a comparison is hard to predict.
size_t UppersBetween(const unsigned char* value, size_t count, int32_t low, int32_t high,
                     uint64_t* in) {
  size_t i = 0;
#if defined(__SSE2__)
  const __m128i before = _mm_set1_epi32(low - 1), last = _mm_set1_epi32(high);
  for (; i + 4 <= count; i += 4) {
    const __m128 a = _mm_loadu_ps(reinterpret_cast<const float*>(value + i * 8));
    const __m128 b = _mm_loadu_ps(reinterpret_cast<const float*>(value + i * 8 + 16));
    const __m128i upper = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
    const __m128i inside =
        _mm_andnot_si128(_mm_cmpgt_epi32(upper, last), _mm_cmpgt_epi32(upper, before));
    *in |= static_cast<uint64_t>(_mm_movemask_ps(_mm_castsi128_ps(inside))) << i;
  }
#endif
  return i;
}

// Returns one bit for each of at most 64 words that lies in the span.
uint64_t WordsIn(const AddressMap::Span& span, const unsigned char* value, size_t count) {
  uint64_t in = 0;
  size_t i = 0;
  // Few words other than addresses share an upper half with the span; the lower half of the rest is
  // compared below.
  const uintptr_t high = span.low + span.bytes - 1;
  if (span.bytes != 0 && high >> 62 == 0) {
    i = UppersBetween(value, count, static_cast<int32_t>(span.low >> 32),
                      static_cast<int32_t>(high >> 32), &in);
    for (uint64_t left = in; left != 0; left &= left - 1) {
      const int word = std::countr_zero(left);
      if (!span.Holds(WordAt(value, static_cast<size_t>(word)))) in &= ~(uint64_t{1} << word);
    }
  }
  for (; i < count; ++i) in |= uint64_t{span.Holds(WordAt(value, i))} << i;
  return in;
}

// Returns one bit for each of at most 64 words that may be an address.
uint64_t AddressesAmong(const unsigned char* value, size_t count) {
  constexpr int32_t kHighest = (1 << 25) - 1;  // as IsAddress
  uint64_t in = 0;
  size_t i = UppersBetween(value, count, 1, kHighest, &in);
  for (; i < count; ++i) in |= uint64_t{IsAddress(WordAt(value, i))} << i;
  return in;
}

template <typename Unsigned>
int64_t Widened(const unsigned char* value, bool is_signed) {
  Unsigned bits;
  std::memcpy(&bits, value, sizeof(bits));
  return is_signed ? static_cast<int64_t>(static_cast<std::make_signed_t<Unsigned>>(bits))
                   : static_cast<int64_t>(bits);
}

int64_t IntegerAt(const unsigned char* value, uint32_t bytes, bool is_signed) {
  if (bytes == 4) return Widened<uint32_t>(value, is_signed);
  if (bytes == 8) return Widened<uint64_t>(value, is_signed);
  uint64_t bits = 0;
  std::memcpy(&bits, value, std::min<uint32_t>(bytes, 8));
  if (is_signed && bytes < 8 && (bits >> (bytes * 8 - 1) & 1) != 0)
    bits |= ~uint64_t{0} << bytes * 8;
  return static_cast<int64_t>(bits);
}

// Copies those of the first words at `value` that lie in the span; returns their number.
size_t CopyAddresses(const AddressMap::Span& span, const unsigned char* value, size_t count,
                     uint64_t* to) {
  uint64_t* const begin = to;
  for (size_t first = 0; first < count; first += 64) {
    uint64_t in = WordsIn(span, value + first * 8, std::min<size_t>(count - first, 64));
    for (; in != 0; in &= in - 1) {
      const uintptr_t word = WordAt(value, first + static_cast<size_t>(std::countr_zero(in)));
      if (IsAddress(word)) *to++ = word;
    }
  }
  return static_cast<size_t>(to - begin);
}

// Writes those of `count` words at `value` that may be addresses, as the words of Function::needed
// from `number` on. Returns the end of what it wrote.
uint64_t* AddNeeded(const unsigned char* value, uint32_t count, uint32_t number, uint64_t* to) {
  for (uint32_t first = 0; first < count; first += 64) {
    uint64_t in = AddressesAmong(value + size_t{first} * 8, std::min(count - first, 64u));
    for (; in != 0; in &= in - 1) {
      const uint32_t at = first + static_cast<uint32_t>(std::countr_zero(in));
      to[0] = (number + at) | uint64_t{static_cast<uint8_t>(ArgumentKind::kNeeded)} << 32;
      to[1] = WordAt(value, at);
      to += 2;
    }
  }
  return to;
}

// Writes the parameter block, with 0 between the parameters.
void CopyBlock(const Function& function, void** parameters, const PackedArguments& packed,
               unsigned char* to) {
  std::memset(to, 0, function.block_words * sizeof(uint64_t));
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    const void* value = parameters != nullptr ? parameters[i] : packed.begin + parameter.offset;
    std::memcpy(to + parameter.offset, value, parameter.bytes);
  }
}

// The arguments of a launch, as cuLaunchKernel gets them.
struct GivenBytes {
  const Function& function;
  void** parameters;
  const PackedArguments& packed;

  // Returns bytes of a parameter. Returns nullptr if they were not passed.
  [[gnu::always_inline]] const unsigned char* BytesAt(uint32_t parameter, size_t offset,
                                                      size_t bytes) const {
    if (parameters != nullptr) {
      const void* const value = parameters[parameter];
      return value != nullptr ? static_cast<const unsigned char*>(value) + offset : nullptr;
    }
    offset += function.parameters[parameter].offset;
    const bool passed = packed.bytes >= offset && packed.bytes - offset >= bytes;
    return passed ? packed.begin + offset : nullptr;
  }
};

// Whether the first thread of a launch is to be executed. Threads may count fewer launches than
// there are.
bool IsToExecute(const Function& function) {
  if (function.executes.load(std::memory_order_relaxed) &&
      several_streams.load(std::memory_order_relaxed))
    return true;
  const uint32_t left = function.first_launches.load(std::memory_order_relaxed);
  if (left == 0) [[likely]]
    return false;
  function.first_launches.store(left - 1, std::memory_order_relaxed);
  return true;
}

}  // namespace

PackedArguments::PackedArguments(void** extra) {
  if (extra == nullptr) return;
  for (int i = 0; i < 4 && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      begin = static_cast<const unsigned char*>(extra[i + 1]);
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[i + 1] != nullptr)
      bytes = *static_cast<const size_t*>(extra[i + 1]);
  }
  if (begin == nullptr) bytes = 0;
}

std::vector<WordRun> RunsOf(absl::Span<const ParameterWord> words) {
  std::vector<WordRun> runs;
  for (const ParameterWord& word : words) {
    const bool follows = !runs.empty() && runs.back().parameter == word.parameter &&
                         word.offset == runs.back().offset + runs.back().count * 8;
    if (follows)
      ++runs.back().count;
    else
      runs.push_back({word.parameter, word.offset, 1});
  }
  return runs;
}

ReadResult ReadArguments(const KnownAddresses& known, const Function& function, void** parameters,
                         const PackedArguments& packed, const StackRange& stack, uint64_t* words) {
  const AddressMap::Span span = known.span;
  ReadResult result;
  uint64_t* to = words;
  const auto add = [&](uint32_t parameter, ArgumentKind kind, uint64_t value) {
    to[0] = parameter | uint64_t{static_cast<uint8_t>(kind)} << 32;
    to[1] = value;
    to += 2;
  };
  const GivenBytes given{function, parameters, packed};
  const uint32_t count = static_cast<uint32_t>(function.parameters.size());
  for (uint32_t i = 0; i < count; ++i) {
    const Parameter& parameter = function.parameters[i];
    const unsigned char* const value = given.BytesAt(i, 0, parameter.bytes);
    if (value == nullptr) {
      result.complete = false;
      continue;
    }
    switch (parameter.type.kind) {
      case ParameterKind::kPointer: {
        const uintptr_t address = WordAt(value, 0);
        add(i, ArgumentKind::kPointer, address);
        if (address != 0 && !span.Holds(address) &&
            !(parameter.type.constant &&
              (stack.Holds(address) || function.harmless.Holds(i, address, known.releases)))) {
          result.can_wait = false;
        }
        break;
      }
      case ParameterKind::kInteger:
        add(i, parameter.bytes == 8 ? ArgumentKind::kLong : ArgumentKind::kInteger,
            static_cast<uint64_t>(IntegerAt(value, parameter.bytes, parameter.type.is_signed)));
        break;
      case ParameterKind::kFloat:
        break;
      case ParameterKind::kUnknown:
        if (parameter.bytes <= 8) {
          add(i, parameter.bytes == 8 ? ArgumentKind::kWord : ArgumentKind::kInteger,
              static_cast<uint64_t>(IntegerAt(value, parameter.bytes, true)));
          break;
        }
        [[fallthrough]];
      case ParameterKind::kOther: {
        if (parameter.bytes == kTensorMapBytes && IsTensorMap(value)) [[unlikely]]
          add(i, ArgumentKind::kTensorMap, MemoryOfTensorMap(value));
        uint64_t* const header = to;
        add(i, ArgumentKind::kClass, 0);
        if (i < 64 && (function.covered >> i & 1) != 0) break;
        header[1] =
            CopyAddresses(span, value, std::min<size_t>(parameter.bytes / 8, kMaxWordsInside), to);
        to += header[1];
        break;
      }
    }
  }
  bool all = !function.needed.empty();
  for (uint32_t i = 0; i < function.needed_integers; ++i) {
    const ParameterWord& word = function.needed[i];
    if (const unsigned char* value = given.BytesAt(word.parameter, word.offset, word.bytes)) {
      add(i, ArgumentKind::kNeeded,
          word.bytes == 8 ? WordAt(value, 0) : static_cast<uint64_t>(Widened<uint32_t>(value, 0)));
    } else {
      all = false;
    }
  }
  uint32_t number = function.needed_integers;
  for (const WordRun& run : function.pointer_runs) {
    if (const unsigned char* value =
            given.BytesAt(run.parameter, run.offset, size_t{run.count} * 8)) {
      to = AddNeeded(value, run.count, number, to);
    } else {
      all = false;
    }
    number += run.count;
  }
  if (all) add(0, ArgumentKind::kNeededEnd, 0);
  if (result.complete && IsToExecute(function)) {
    add(0, ArgumentKind::kBlock, function.block_words);
    CopyBlock(function, parameters, packed, reinterpret_cast<unsigned char*>(to));
    to += function.block_words;
  }
  result.words = static_cast<size_t>(to - words);
  return result;
}

}  // namespace gpusan::cuda
