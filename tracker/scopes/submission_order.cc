// Barriers in submission order: dependency chains, availability and visibility (Vulkan 1.3 §7.2).
#include "tracker/scopes/submission_order.h"

namespace gpusan {

namespace {

// Whether a signal after `stages` follows an access. A layout transition has no stage, because the
// second scope of its barrier may be empty.
bool MayFollow(uint64_t stage, const Reach& reach, uint64_t stages) {
  return stage == 0 || ((stage | reach.chain) & stages) != 0;
}

}  // namespace

void Reach::Apply(const ScopeBarrier& barrier, uint64_t stage, uint64_t access, bool write,
                  uint32_t by) {
  if (by == 0 || by != command) {
    command = by;
    chain_before = chain;
    available_before = available;
  }
  if (((stage | chain_before) & barrier.source_order) == 0) return;
  chain |= barrier.target_order;
  if (!write) return;
  const bool makes_available =
      (stage & barrier.source_stages) != 0 && (access & barrier.source_access) != 0;
  if (makes_available) available = true;
  if (!(available_before || makes_available) || barrier.target_stages == 0 ||
      barrier.target_access == 0)
    return;
  visible_stages |= barrier.target_stages;
  visible_access |= barrier.target_access;
}

void Reach::Acquire(uint64_t stages) {
  chain |= stages;
  available = true;
  visible_stages |= stages;
  visible_access = ~uint64_t{0};
}

SubmissionOrder::Step& SubmissionOrder::Append(const CallInfo* call, SiteId site) {
  if (steps_ == nullptr) steps_ = std::make_unique<std::array<Step, kSteps>>();
  Step& step = (*steps_)[count_ % kSteps];
  if (count_ >= kSteps) forgotten_ = step.at;
  ++count_;
  step.at = Next();
  step.limit = ~Position{0};
  step.call = call;
  step.site = site;
  return step;
}

void SubmissionOrder::Add(const ScopeBarrier& barrier, const CallInfo* call, SiteId site,
                          Position limit, Position command) {
  Step& step = Append(call, site);
  step.barrier = barrier;
  step.limit = limit;
  step.command = CommandAt(command);
  step.acquired.reset();
}

void SubmissionOrder::Acquire(const Clock& clock, uint64_t stages, const CallInfo* call,
                              SiteId site, std::optional<uint64_t> signaled) {
  Step& step = Append(call, site);
  step.barrier = ScopeBarrier();
  step.stages = stages;
  step.signaled = signaled.value_or(~uint64_t{0});
  step.own_signal = signaled.has_value();
  step.acquired = std::make_shared<const Clock>(clock);
}

uint64_t SubmissionOrder::FirstBehind(Position since) const {
  // Galloping search from the end: usually few steps follow `since`.
  uint64_t low = first(), high = count_;
  for (uint64_t behind = 1; behind <= high - low; behind *= 2) {
    if (At(count_ - behind).at > since) {
      high = count_ - behind;
    } else {
      low = count_ - behind + 1;
      break;
    }
  }
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (At(middle).at > since) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void SubmissionOrder::ApplySteps(Position position, Position since, Epoch epoch, uint64_t stage,
                                 uint64_t access, bool write, Reach* reach) const {
  for (uint64_t i = FirstBehind(since); i < count_; ++i) {
    const Step& step = At(i);
    if (step.acquired == nullptr) {
      if (position <= step.limit) reach->Apply(step.barrier, stage, access, write, step.command);
    } else if (step.acquired->Covers(epoch) &&
               (step.signaled == ~uint64_t{0} || MayFollow(stage, *reach, step.signaled))) {
      reach->Acquire(step.stages);
    }
  }
}

bool SubmissionOrder::CatchUpForeign(Epoch epoch, uint64_t stage, uint64_t access, bool write,
                                     Reach* reach) const {
  bool acquired = false;
  for (uint64_t i = first(); i < count_; ++i) {
    const Step& step = At(i);
    if (step.acquired != nullptr) {
      if (!step.acquired->Covers(epoch)) continue;
      reach->Acquire(step.stages);
      acquired = true;
    } else if (acquired) {
      reach->Apply(step.barrier, stage, access, write, step.command);
    }
  }
  // Without an acquire, the semaphore wait may be one of the overwritten steps.
  return acquired || forgotten_ == 0;
}

const SubmissionOrder::Step* SubmissionOrder::Nearest(Position position, uint64_t stages,
                                                      uint64_t later) const {
  const Step* nearest = nullptr;
  for (uint64_t i = count_; i > first(); --i) {
    const Step& step = At(i - 1);
    if (step.at <= position) break;
    if (step.acquired != nullptr) continue;
    const bool source = (step.barrier.source_order & stages) != 0;
    const bool target = (step.barrier.target_order & later) != 0;
    if (source && target) return &step;
    if (nearest == nullptr && (source || target)) nearest = &step;
  }
  return nearest;
}

bool SubmissionOrder::WaitsFor(Epoch epoch, Position position) const {
  for (uint64_t i = count_; i > first() && At(i - 1).at > position; --i) {
    const Step& step = At(i - 1);
    if (step.acquired != nullptr && step.acquired->Covers(epoch) &&
        (position == 0 || step.own_signal))
      return true;
  }
  return false;
}

}  // namespace gpusan
