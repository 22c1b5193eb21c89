// Gate sets and parked pairs.
#include "tracker/objects/pending_signals.h"

#include <algorithm>
#include <utility>

namespace gpusan {

const Gates::Set* Gates::Find(GateSet set) const {
  if (set == 0) return nullptr;
  const auto found = sets_.find(set);
  return found != sets_.end() ? &found->second : nullptr;
}

void Gates::AddTo(std::vector<Gate>* gates, const Gate& gate) {
  if (std::find(gates->begin(), gates->end(), gate) == gates->end()) gates->push_back(gate);
}

GateSet Gates::Make(GateSet a, GateSet b, const Gate* gate) {
  if (Forgotten(a)) return a;
  if (Forgotten(b)) return b;
  Set made;
  const Set* parts[] = {Find(a), Find(b)};
  for (const Set* part : parts) {
    if (part == nullptr) continue;
    made.learnt.Join(part->learnt);
    made.failed |= part->failed;
    if (made.closed.empty()) {
      made.closed = part->closed;
    } else {
      for (const Gate& member : part->closed) AddTo(&made.closed, member);
    }
  }
  if (gate != nullptr) AddTo(&made.closed, *gate);
  if (made.closed.size() > kMaxMembers) {
    // Too many gates: commands behind them are not checked.
    made.closed.clear();
    made.failed = true;
  }
  if (made.closed.empty() && made.learnt.empty() && !made.failed) return 0;
  auto same = [&](const Set& set) {
    return set.closed == made.closed && set.failed == made.failed &&
           set.learnt.epochs() == made.learnt.epochs();
  };
  for (int i = 0; i < 2; ++i) {
    if (parts[i] != nullptr && same(*parts[i])) return i == 0 ? a : b;
  }
  // Many commands after one event share one set.
  int looks = 8;
  for (auto it = sets_.rbegin(); it != sets_.rend() && looks-- > 0; ++it) {
    if (same(it->second)) return it->first;
  }
  if (sets_.size() >= kMaxSets) Purge();
  const GateSet set = next_++;
  sets_.emplace(set, std::move(made));
  return set;
}

void Gates::Purge() {
  for (auto it = sets_.begin(); it != sets_.end();) {
    Set& set = it->second;
    set.learnt.Prune(host_);
    for (const Gate& gate : set.closed) {
      if (gate.object.get() == nullptr)
        set.failed = true;  // destroyed without a signal: commands after it never run
    }
    it = set.closed.empty() && set.learnt.empty() && !set.failed ? sets_.erase(it) : std::next(it);
  }
  if (sets_.size() < kMaxSets) return;
  for (size_t i = 0; i < kMaxSets / 2; ++i) sets_.erase(sets_.begin());
  floor_ = sets_.begin()->first;
}

GateSet Gates::Join(GateSet a, GateSet b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  std::lock_guard lock(lock_);
  return Make(a, b, nullptr);
}

GateSet Gates::JoinEvent(GateSet set, Event* event) {
  std::lock_guard lock(lock_);
  // Open() runs after the status is set. If the status is still unset here, Open() has not taken
  // the lock yet and will find the gate.
  if (event->status.load(std::memory_order_acquire) != 1) return set;
  const Gate gate{WeakRef<Object>(event), 0};
  return Make(set, 0, &gate);
}

GateSet Gates::JoinValue(GateSet set, Object* semaphore, uint64_t value) {
  std::lock_guard lock(lock_);
  const Gate gate{WeakRef<Object>(semaphore), value};
  return Make(set, 0, &gate);
}

GateSet Gates::Settle(GateSet set, Clock* clock) {
  if (set == 0) return 0;
  std::lock_guard lock(lock_);
  const Set* found = Find(set);
  if (found == nullptr) return Forgotten(set) ? set : 0;
  for (Epoch epoch : found->learnt.epochs()) {
    if (!host_.Completed(epoch)) clock->Join(epoch);
  }
  return found->closed.empty() && !found->failed ? 0 : set;
}

const Event* Gates::UnsetEvent(GateSet set) {
  std::lock_guard lock(lock_);
  const Set* found = Find(set);
  if (found == nullptr) return nullptr;
  for (const Gate& gate : found->closed) {
    const Object* object = gate.object.get();
    if (object == nullptr || object->kind != ObjectKind::kUserEvent) continue;
    const auto* event = static_cast<const Event*>(object);
    if (event->status.load(std::memory_order_relaxed) == 1) return event;
  }
  return nullptr;
}

bool Gates::Closed(GateSet set) {
  if (set == 0) return false;
  std::lock_guard lock(lock_);
  const Set* found = Find(set);
  return found != nullptr && !found->closed.empty();
}

Gates::Verdict Gates::VerdictOfLocked(const ParkedPair& pair) const {
  const Set* earlier = Find(pair.earlier.gates);
  const Set* later = Find(pair.later.gates);
  if (Forgotten(pair.earlier.gates) || Forgotten(pair.later.gates)) return Verdict::kDrop;
  for (const Set* set : {earlier, later}) {
    if (set != nullptr && set->failed) return Verdict::kDrop;
  }
  if (later != nullptr && later->learnt.Covers(pair.earlier.epoch)) return Verdict::kDrop;
  if (earlier != nullptr && earlier->learnt.Covers(pair.later.epoch)) return Verdict::kDrop;
  for (const Set* set : {earlier, later}) {
    if (set != nullptr && !set->closed.empty()) return Verdict::kParked;
  }
  return Verdict::kConflict;
}

Gates::Verdict Gates::VerdictOf(const ParkedPair& pair) {
  if (pair.earlier.gates == 0 && pair.later.gates == 0) return Verdict::kConflict;
  std::lock_guard lock(lock_);
  const Verdict verdict = VerdictOfLocked(pair);
  if (verdict == Verdict::kParked && parked_.size() < kMaxParked) parked_.push_back(pair);
  return verdict;
}

std::vector<ParkedPair> Gates::Open(const Object* object, uint64_t value, bool failed,
                                    const Clock& clock, GateSet gates) {
  std::vector<ParkedPair> ready;
  std::lock_guard lock(lock_);
  version_.fetch_add(1, std::memory_order_release);
  Set brought;  // a copy, because the loop may change the original
  if (const Set* found = Find(gates)) brought = *found;
  for (auto& [id, set] : sets_) {
    const auto end = std::remove_if(set.closed.begin(), set.closed.end(), [&](const Gate& gate) {
      return gate.object.get() == object && gate.value <= value;
    });
    if (end != set.closed.end()) {
      set.closed.erase(end, set.closed.end());
      set.learnt.Join(clock);
      set.learnt.Join(brought.learnt);
      for (const Gate& gate : brought.closed) AddTo(&set.closed, gate);
      set.failed |= failed || brought.failed;
    }
  }
  size_t kept = 0;
  for (ParkedPair& pair : parked_) {
    const Verdict verdict = VerdictOfLocked(pair);
    if (verdict == Verdict::kParked) {
      parked_[kept++] = pair;
    } else if (verdict == Verdict::kConflict) {
      ready.push_back(pair);
    }
  }
  parked_.resize(kept);
  // Erase open sets without a clock: an unknown set counts as open.
  for (auto it = sets_.begin(); it != sets_.end();) {
    const Set& set = it->second;
    it = set.closed.empty() && set.learnt.empty() && !set.failed ? sets_.erase(it) : std::next(it);
  }
  return ready;
}

}  // namespace gpusan
