// Guard zones: what is known about them, and the findings about changed ones.
#include "hooks/common/guard_zones.h"

#include <algorithm>
#include <utility>

#include "hooks/common/sites/site.h"
#include "tracker/base/text_util.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

constexpr size_t kLaunchesKept = 256;
constexpr size_t kMostSuspects = 8;

}  // namespace

GuardChange FindChange(const uint8_t* zone, uint64_t bytes, bool front) {
  GuardChange change;
  uint64_t first = bytes, last = 0;
  for (uint64_t i = 0; i < bytes; ++i) {
    if (zone[i] == kGuardByte) continue;
    ++change.changed;
    first = std::min(first, i);
    last = i;
  }
  if (change.changed == 0) return change;
  change.nearest = front ? bytes - 1 - last : first;
  change.farthest = front ? bytes - 1 - first : last;
  constexpr uint64_t kShown = 8;
  const uint64_t span = std::min(kShown, last - first + 1);
  change.values = HexBytes(zone + (front ? last + 1 - span : first), span);
  return change;
}

void GuardTable::Add(GuardedBlock&& block) {
  std::lock_guard lock(mutex_);
  block.checked = std::max(block.checked, launch_count_);
  const uintptr_t key = block.key;
  blocks_.insert_or_assign(key, std::move(block));
}

bool GuardTable::Find(uintptr_t key, GuardedBlock* block) {
  std::lock_guard lock(mutex_);
  const auto it = blocks_.find(key);
  if (it == blocks_.end()) return false;
  *block = it->second;
  return true;
}

bool GuardTable::Take(uintptr_t key, GuardedBlock* block) {
  std::lock_guard lock(mutex_);
  const auto it = blocks_.find(key);
  if (it == blocks_.end()) return false;
  *block = std::move(it->second);
  blocks_.erase(it);
  return true;
}

bool GuardTable::FindAround(uintptr_t address, bool own, GuardedBlock* block) {
  std::lock_guard lock(mutex_);
  // The block begins at or before the address, or the address is in the zone in front of the next.
  auto it = blocks_.upper_bound(address);
  if (it != blocks_.end() && !own && address >= it->second.base) {
    *block = it->second;
    return true;
  }
  if (it == blocks_.begin()) return false;
  --it;
  const GuardedBlock& before = it->second;
  if (address - before.key >= before.bytes + (own ? 0 : before.back)) return false;
  *block = before;
  return true;
}

void GuardTable::Describe(const Resource& resource, const Vocabulary& words) {
  std::lock_guard lock(mutex_);
  const auto it = blocks_.find(resource.handle);
  if (it == blocks_.end()) {
    ++unguarded_;
    return;
  }
  GuardedBlock& block = it->second;
  block.text = ObjectText(resource, words);
  block.creator = resource.creator;
  block.created = resource.created;
  block.resource = WeakRef<Resource>(const_cast<Resource*>(&resource));
}

uint64_t GuardTable::unguarded() {
  std::lock_guard lock(mutex_);
  return unguarded_;
}

void GuardTable::NoteLaunch(GuardLaunch&& launch, uintptr_t queue) {
  std::lock_guard lock(mutex_);
  launch.number = ++launch_count_;
  for (const GuardLaunch::Use& use : launch.uses) {
    const auto it = blocks_.find(use.key);
    if (it != blocks_.end()) it->second.dirty_on = queue;
  }
  launches_.push_back(std::move(launch));
  if (launches_.size() > kLaunchesKept) launches_.pop_front();
}

std::vector<GuardedBlock> GuardTable::TakeDirty(uintptr_t queue, size_t most) {
  std::vector<GuardedBlock> dirty;
  std::lock_guard lock(mutex_);
  for (auto& [key, block] : blocks_) {
    if (block.dirty_on == 0 || (queue != 0 && block.dirty_on != queue)) continue;
    if (dirty.size() == most) break;
    block.dirty_on = 0;
    dirty.push_back(block);
  }
  return dirty;
}

std::vector<GuardedBlock> GuardTable::All() {
  std::vector<GuardedBlock> all;
  std::lock_guard lock(mutex_);
  all.reserve(blocks_.size());
  for (const auto& [key, block] : blocks_) all.push_back(block);
  return all;
}

std::vector<GuardedBlock> GuardTable::TakeSome(uintptr_t* cursor, size_t looked, size_t most,
                                               bool (*wanted)(GuardedBlock& block)) {
  std::vector<GuardedBlock> some;
  std::lock_guard lock(mutex_);
  auto it = blocks_.upper_bound(*cursor);
  for (size_t i = std::min(looked, blocks_.size()); i != 0 && some.size() < most; --i) {
    if (it == blocks_.end()) it = blocks_.begin();
    *cursor = it->first;
    if (wanted(it->second)) some.push_back(it->second);
    ++it;
  }
  return some;
}

void GuardTable::Drop(bool (*gone)(const GuardedBlock& block)) {
  std::lock_guard lock(mutex_);
  std::erase_if(blocks_, [gone](const auto& entry) { return gone(entry.second); });
}

void GuardTable::NoteIntact(uintptr_t key, uint64_t newest) {
  std::lock_guard lock(mutex_);
  const auto it = blocks_.find(key);
  if (it != blocks_.end()) it->second.checked = std::max(launch_count_, newest);
}

void GuardTable::Report(const GuardedBlock& block, bool front, const GuardChange& change,
                        const char* when, Call& call) {
  std::vector<rules::GuardSuspect> suspects, others;
  {
    std::lock_guard lock(mutex_);
    for (auto it = launches_.rbegin(); it != launches_.rend() && it->number > block.checked; ++it) {
      rules::GuardSuspect suspect = {it->text, it->name, it->call, it->site};
      for (const GuardLaunch::Use& use : it->uses) {
        if (use.key != block.key) continue;
        suspect.of_allocation = true;
        suspect.writes |= use.writes;
      }
      suspect.elsewhere = !suspect.of_allocation;
      (suspect.of_allocation ? suspects : others).push_back(std::move(suspect));
    }
  }
  if (suspects.empty()) suspects = std::move(others);
  Report(block, front, change, when, std::move(suspects), call);
}

void GuardTable::Report(const GuardedBlock& block, bool front, const GuardChange& change,
                        const char* when, std::vector<rules::GuardSuspect>&& suspects, Call& call) {
  rules::GuardDamage damage;
  damage.allocation = block.text.empty() ? Hex(block.key) : block.text;
  damage.resource = block.resource.get();
  damage.creator = block.creator;
  damage.created = block.created;
  damage.bytes = block.bytes;
  damage.front = front;
  damage.zone_bytes = front ? block.front_zone : block.back;
  damage.changed_bytes = change.changed;
  damage.nearest = change.nearest;
  damage.farthest = change.farthest;
  damage.values = change.values;
  damage.when = when;
  for (rules::GuardSuspect& suspect : suspects) {
    const auto same = [&](const rules::GuardSuspect& other) {
      return other.site == suspect.site && other.name == suspect.name;
    };
    if (std::any_of(damage.suspects.begin(), damage.suspects.end(), same)) continue;
    if (damage.suspects.size() == kMostSuspects) {
      ++damage.more_suspects;
    } else {
      damage.suspects.push_back(std::move(suspect));
    }
  }
  rules::OnGuardDamage(damage, call);
}

GuardLaunch DescribeLaunch(const Kernel& kernel) {
  GuardLaunch launch;
  launch.name = kernel.name;
  launch.text = absl::StrCat("kernel \"", kernel.name, "\"");
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    const Resource* resource = argument.resource.get();
    if (resource == nullptr) continue;
    bool writes = argument.direction != Direction::kRead && argument.direction != Direction::kNone;
    if (kernel.summary != nullptr && i < kernel.summary->parameters.size() &&
        kernel.summary->parameters[i].known) {
      const auto& accesses = kernel.summary->parameters[i].accesses;
      writes = std::any_of(accesses.begin(), accesses.end(), [](const SummaryAccess& access) {
        return access.kind != SummaryAccess::Kind::kRead;
      });
    }
    launch.uses.push_back({resource->root->handle, writes});
  }
  for (const WeakRef<Resource>& indirect : kernel.indirect) {
    if (const Resource* resource = indirect.get(); resource != nullptr)
      launch.uses.push_back({resource->handle, true});
  }
  return launch;
}

SiteId SiteAboveWrapper(const void* return_address, const void* frame_address) {
  SiteFrame frames[kMaxSiteFrames];
  const SiteId inner = CaptureSite(return_address, frame_address);
  int count = SiteFrames(inner, frames, kMaxSiteFrames);
  int own = 0;
  while (own < count && frames[own].module == frames[0].module) ++own;
  if (own == 0 || own == count) return inner;
  return InternStack(frames + own, count - own);
}

}  // namespace gpusan
