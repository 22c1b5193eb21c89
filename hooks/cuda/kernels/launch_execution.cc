// The accesses of launches, found by the execution of the kernel's first thread.
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

// Whether there may be accesses, and the summary determines the bytes of none of them.
bool HasOpenBytes(const LaunchUse& use) {
  return use.possible && !(use.sure && (use.exact || use.has_core()));
}

// Adds the first and the last byte that the thread accesses. Returns whether the use has changed.
bool AddEnds(LaunchUse* use, int64_t first, int64_t last) {
  if (first >= last) return false;
  if (use->has_ends()) {
    first = std::min(first, use->end_first);
    last = std::max(last, use->end_last);
  }
  const bool changed = first != use->end_first || last != use->end_last;
  use->end_first = first;
  use->end_last = last;
  return changed;
}

// Makes the longest range of bytes that the thread accesses the known one of a use that has none.
// `accesses`: of one pointer and direction. Returns whether the use has changed.
bool AddTo(LaunchUse* use, absl::Span<const ThreadAccess> accesses, bool before_waits) {
  if (accesses.empty() || !use->possible) return false;
  int64_t first = 0, last = 0, end_first = INT64_MAX, end_last = INT64_MIN;
  for (size_t i = 0; i < accesses.size();) {
    const int64_t begin = accesses[i].offset;
    int64_t end = begin;
    for (; i < accesses.size() && accesses[i].offset <= end; ++i)
      end = std::max(end, accesses[i].offset + accesses[i].bytes);
    if (end == begin) continue;  // which bytes is not known
    end_first = std::min(end_first, begin);
    end_last = std::max(end_last, end);
    if (end - begin > last - first) {
      first = begin;
      last = end;
    }
  }
  // The code accesses nothing else: the execution would be wrong.
  if (use->ranged && end_first < end_last && (end_first < use->first || end_last > use->last))
    return false;
  const bool new_ends = AddEnds(use, end_first, end_last);
  if (!HasOpenBytes(*use)) return new_ends;
  const bool was_sure = std::exchange(use->sure, true);
  use->core_first = first;
  use->core_last = last;
  use->unwaited = before_waits;
  return !was_sure || last > first || new_ends;
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

uint32_t LaunchExecution::Block::WordAt(uint32_t offset) const {
  uint32_t word = 0;
  std::memcpy(&word, bytes().data() + offset, sizeof(word));
  return word;
}

bool LaunchExecution::Block::IsPointerAt(uint32_t offset) const {
  return known_.Holds(uint64_t{WordAt(offset + 4)} << 32 | WordAt(offset));
}

// The word as the thread may depend on it (ThreadInput::pointers).
LaunchExecution::Dependence LaunchExecution::DependenceOn(const Block& block, uint32_t word) const {
  const uint32_t offset = word * 4, value = block.WordAt(offset);
  const auto behind = std::upper_bound(pointers_.begin(), pointers_.end(), offset);
  if (behind == pointers_.begin() || offset - behind[-1] >= 8 || !block.IsPointerAt(behind[-1]))
    return {offset, value, UINT32_MAX, false};
  const bool low = offset == behind[-1];
  const uint32_t mask = low ? uint32_t{ThreadInput::kPointerBits} : 0;
  return {behind[-1], value & mask, mask, true};
}

bool LaunchExecution::Fits(const Result& result, const LaunchShape& shape, const Block& block) {
  return SameShape(result.shape, shape) &&
         std::all_of(result.dependences.begin(), result.dependences.end(),
                     [&block](const Dependence& one) {
                       return (block.WordAt(one.offset) & one.mask) == one.value &&
                              (!one.pointer || block.IsPointerAt(one.offset));
                     });
}

LaunchExecution::Result LaunchExecution::Execute(const LaunchShape& shape, const Block& block,
                                                 bool before_waits) const {
  ThreadInput input;
  input.before_waits = before_waits;
  input.parameters = {block.bytes().data(), block.bytes().size()};
  std::vector<uint32_t> pointers, numbers;
  for (size_t i = 0; i < pointers_.size(); ++i) {
    if (!block.IsPointerAt(pointers_[i])) continue;
    pointers.push_back(pointers_[i]);
    numbers.push_back(numbers_[i]);
  }
  input.pointers = pointers;
  std::copy(shape.grid, shape.grid + 3, input.grid_size);
  std::copy(shape.block, shape.block + 3, input.block_size);
  ThreadTrace trace = code_->Execute(input);
  Result result;
  result.shape = shape;
  result.before_waits = before_waits;
  for (const uint32_t word : trace.words) {
    if (word * 4 + 4 <= block.bytes().size())
      result.dependences.push_back(DependenceOn(block, word));
  }
  result.accesses = std::move(trace.accesses);
  for (ThreadAccess& access : result.accesses) access.pointer = numbers[access.pointer];
  return result;
}

LaunchExecution::Result* LaunchExecution::Find(const LaunchShape& shape, const Block& block,
                                               bool before_waits) {
  const auto found = std::find_if(results_.begin(), results_.end(), [&](const Result& result) {
    return result.before_waits == before_waits && Fits(result, shape, block);
  });
  return found != results_.end() ? &*found : nullptr;
}

LaunchExecution::Result* LaunchExecution::Keep(Result result) {
  if (results_.size() < kKept) return &results_.emplace_back(std::move(result));
  Result& oldest = results_[oldest_++ % kKept];
  oldest = std::move(result);
  return &oldest;
}

SharedUses LaunchExecution::Add(const LaunchShape& shape, const Block& block, bool before_waits,
                                const SharedUses& uses) {
  if (pointers_.empty() || pointers_.back() + 8 > block.bytes().size()) return uses;
  std::unique_lock lock(lock_);
  Result* result = Find(shape, block, before_waits);
  if (result != nullptr) {
    runs_ -= runs_ > 0 ? 1 : 0;
  } else {
    // Launches that are always different would be executed without end.
    if (exhausted()) return uses;
    if (++runs_ == kMaxRuns) exhausted_.store(true, std::memory_order_relaxed);
    lock.unlock();
    Result executed = Execute(shape, block, before_waits);
    lock.lock();
    result = Keep(std::move(executed));
  }
  if (result->before != uses) {
    result->before = uses;
    result->after = With(uses, *result);
  }
  return result->after;
}

// Returns `uses` with the accesses; `uses` itself if they add nothing.
SharedUses LaunchExecution::With(const SharedUses& uses, const Result& result) {
  const std::vector<ThreadAccess>& accesses = result.accesses;
  auto all = std::make_shared<std::vector<LaunchUses>>(*uses);
  bool changed = false;
  for (auto first = accesses.begin(); first != accesses.end();) {
    const auto end = std::find_if(first, accesses.end(), [&](const ThreadAccess& access) {
      return access.pointer != first->pointer || access.write != first->write;
    });
    LaunchUses& one = (*all)[first->pointer];
    changed |=
        AddTo(first->write ? &one.writes : &one.reads,
              absl::MakeConstSpan(&*first, static_cast<size_t>(end - first)), result.before_waits);
    first = end;
  }
  return changed ? std::move(all) : uses;
}

}  // namespace gpusan::cuda
