// Gate sets and parked pairs.
#include "tracker/gates.h"

#include <algorithm>
#include <utility>

namespace gpusan {

GateSet Gates::Join(GateSet a, GateSet b, Event* event) {
  if (event == nullptr && (a == b || b == 0)) return a;
  if (event == nullptr && a == 0) return b;
  std::lock_guard lock(lock_);
  std::vector<WeakRef<Event>> members;
  auto add = [&](const WeakRef<Event>& member) {
    for (const WeakRef<Event>& known : members) {
      if (known.object == member.object && known.generation == member.generation) return;
    }
    members.push_back(member);
  };
  for (GateSet set : {a, b}) {
    auto found = sets_.find(set);
    if (found == sets_.end()) continue;
    for (const WeakRef<Event>& member : found->second) add(member);
  }
  if (event != nullptr) add(WeakRef<Event>(event));
  if (members.empty()) return 0;
  for (GateSet set : {a, b}) {
    auto found = sets_.find(set);
    if (found != sets_.end() && found->second.size() == members.size()) return set;
  }
  const GateSet set = next_++;
  sets_.emplace(set, std::move(members));
  any_.store(true, std::memory_order_relaxed);
  return set;
}

bool Gates::Closed(GateSet set) {
  if (set == 0 || !any()) return false;
  std::lock_guard lock(lock_);
  return ClosedLocked(set);
}

void Gates::Park(ParkedPair pair) {
  std::lock_guard lock(lock_);
  if (parked_.size() < kMaxParked) parked_.push_back(std::move(pair));
}

std::vector<ParkedPair> Gates::Open(const Event* event, bool failed) {
  std::vector<ParkedPair> ready;
  std::lock_guard lock(lock_);
  std::vector<GateSet> behind;
  for (auto& [set, members] : sets_) {
    auto end = std::remove_if(members.begin(), members.end(), [&](const WeakRef<Event>& member) {
      return member.get() == nullptr || member.object == event;
    });
    if (end != members.end()) behind.push_back(set);
    members.erase(end, members.end());
  }
  auto is_behind = [&](GateSet set) { return std::find(behind.begin(), behind.end(), set) != behind.end(); };
  for (auto it = sets_.begin(); it != sets_.end();) it = it->second.empty() ? sets_.erase(it) : std::next(it);
  for (size_t i = 0; i < parked_.size();) {
    ParkedPair& pair = parked_[i];
    const bool drop = failed && (is_behind(pair.earlier.gates) || is_behind(pair.later.gates));
    if (!drop && (ClosedLocked(pair.earlier.gates) || ClosedLocked(pair.later.gates))) {
      ++i;
      continue;
    }
    if (!drop) ready.push_back(std::move(pair));
    parked_.erase(parked_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  any_.store(!sets_.empty() || !parked_.empty(), std::memory_order_relaxed);
  return ready;
}

}  // namespace gpusan
