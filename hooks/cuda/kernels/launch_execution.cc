// What launches of a kernel access by the execution of its first thread.
#include "hooks/cuda/kernels/launch_execution.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>

namespace gpusan::cuda {
namespace {

bool SameShape(const LaunchShape& a, const LaunchShape& b) {
  return std::equal(a.grid, a.grid + 3, b.grid) && std::equal(a.block, a.block + 3, b.block);
}

// Whether the summary tells none of the bytes of accesses that there may be.
bool HasOpenBytes(const LaunchUse& use) {
  return use.possible && !(use.sure && (use.exact || use.has_core()));
}

// Makes the longest range of bytes that the thread accesses the known one of a use that has none.
// `accesses`: of one pointer and direction. Returns whether the use has changed.
bool AddTo(LaunchUse* use, absl::Span<const ThreadAccess> accesses) {
  if (accesses.empty() || !HasOpenBytes(*use)) return false;
  int64_t first = 0, last = 0;
  for (size_t i = 0; i < accesses.size();) {
    const int64_t begin = accesses[i].offset;
    int64_t end = begin;
    for (; i < accesses.size() && accesses[i].offset <= end; ++i)
      end = std::max(end, accesses[i].offset + accesses[i].bytes);
    if (end - begin > last - first) {
      first = begin;
      last = end;
    }
    i += end == begin ? 1 : 0;
  }
  // The code accesses nothing else: the execution would be wrong.
  if (use->ranged && last > first && (first < use->first || last > use->last)) return false;
  const bool was_sure = std::exchange(use->sure, true);
  use->core_first = first;
  use->core_last = last;
  return !was_sure || last > first;
}

}  // namespace

bool HasOpenBytes(absl::Span<const LaunchUses> uses) {
  return std::any_of(uses.begin(), uses.end(), [](const LaunchUses& one) {
    return HasOpenBytes(one.reads) || HasOpenBytes(one.writes);
  });
}

LaunchExecution::LaunchExecution(std::unique_ptr<const ThreadCode> code,
                                 const std::vector<uint32_t>& pointers)
    : code_(std::move(code)), numbers_(pointers.size()) {
  std::iota(numbers_.begin(), numbers_.end(), 0);
  std::sort(numbers_.begin(), numbers_.end(),
            [&](uint32_t a, uint32_t b) { return pointers[a] < pointers[b]; });
  for (const uint32_t number : numbers_) pointers_.push_back(pointers[number]);
}

// Integers can be where other launches have pointers.
bool LaunchExecution::IsPointerAt(absl::Span<const unsigned char> block, uint32_t offset) {
  uint64_t value = 0;
  std::memcpy(&value, block.data() + offset, sizeof(value));
  return IsAddress(value);
}

// The value of a word, as far as the thread may depend on it (ThreadInput::pointers).
uint64_t LaunchExecution::ValueOf(absl::Span<const unsigned char> block, uint32_t word) const {
  uint32_t value = 0;
  std::memcpy(&value, block.data() + size_t{word} * 4, sizeof(value));
  const auto behind = std::upper_bound(pointers_.begin(), pointers_.end(), word * 4);
  if (behind == pointers_.begin() || word * 4 - behind[-1] >= 8 || !IsPointerAt(block, behind[-1]))
    return value;
  const uint64_t bits = word * 4 == behind[-1] ? value & ThreadInput::kPointerBits : 0;
  return uint64_t{1} << 32 | bits;
}

bool LaunchExecution::Fits(const Result& result, const LaunchShape& shape,
                           absl::Span<const unsigned char> block) const {
  if (!SameShape(result.shape, shape)) return false;
  for (size_t i = 0; i < result.words.size(); ++i) {
    if (ValueOf(block, result.words[i]) != result.values[i]) return false;
  }
  return true;
}

LaunchExecution::Result LaunchExecution::Execute(const LaunchShape& shape,
                                                 absl::Span<const unsigned char> block) const {
  ThreadInput input;
  input.parameters = {block.data(), block.size()};
  std::vector<uint32_t> pointers, numbers;
  for (size_t i = 0; i < pointers_.size(); ++i) {
    if (!IsPointerAt(block, pointers_[i])) continue;
    pointers.push_back(pointers_[i]);
    numbers.push_back(numbers_[i]);
  }
  input.pointers = pointers;
  std::copy(shape.grid, shape.grid + 3, input.grid_size);
  std::copy(shape.block, shape.block + 3, input.block_size);
  ThreadTrace trace = code_->Execute(input);
  Result result;
  result.shape = shape;
  std::erase_if(trace.words, [&](uint32_t word) { return word * 4 + 4 > block.size(); });
  result.words = std::move(trace.words);
  for (const uint32_t word : result.words) result.values.push_back(ValueOf(block, word));
  result.accesses = std::move(trace.accesses);
  for (ThreadAccess& access : result.accesses) access.pointer = numbers[access.pointer];
  return result;
}

SharedUses LaunchExecution::Add(const LaunchShape& shape, absl::Span<const unsigned char> block,
                                const SharedUses& uses) {
  if (pointers_.empty() || pointers_.back() + 8 > block.size()) return uses;
  std::lock_guard lock(lock_);
  auto found = std::find_if(results_.begin(), results_.end(),
                            [&](const Result& result) { return Fits(result, shape, block); });
  if (found == results_.end()) {
    // Launches that are always different would be executed without end.
    if (runs_ >= kMaxRuns) return uses;
    ++runs_;
    Result result = Execute(shape, block);
    if (results_.size() < kKept) {
      found = results_.insert(results_.end(), std::move(result));
    } else {
      found = results_.begin() + static_cast<std::ptrdiff_t>(oldest_++ % kKept);
      *found = std::move(result);
    }
  } else if (runs_ > 0) {
    --runs_;
  }
  if (found->before == uses) return found->after;
  auto all = std::make_shared<std::vector<LaunchUses>>(*uses);
  bool changed = false;
  const std::vector<ThreadAccess>& accesses = found->accesses;
  for (auto first = accesses.begin(); first != accesses.end();) {
    const auto end = std::find_if(first, accesses.end(), [&](const ThreadAccess& access) {
      return access.pointer != first->pointer || access.write != first->write;
    });
    LaunchUses& one = (*all)[first->pointer];
    changed |= AddTo(first->write ? &one.writes : &one.reads,
                     absl::MakeConstSpan(&*first, static_cast<size_t>(end - first)));
    first = end;
  }
  found->before = uses;
  found->after = changed ? std::move(all) : uses;
  return found->after;
}

}  // namespace gpusan::cuda
