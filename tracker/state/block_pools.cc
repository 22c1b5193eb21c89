// Memory that an allocator of the program divides into blocks.
#include "tracker/state/block_pools.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tracker/rules/rules.h"
#include "tracker/state/stream_group.h"

namespace gpusan {
namespace {

// The number of accesses that a pool takes up between two sweeps of those that it keeps.
constexpr size_t kSweepEvery = 64;

// Returns the part of the access that lies in [begin, end), with offsets from `begin`. Returns
// false if there is none, or if it cannot be cut out.
bool CutOut(const Access& access, uintptr_t begin, uintptr_t end, Access* part) {
  const Region& region = access.region;
  if (region.empty() || region.offset >= end || region.end() <= begin) return false;
  *part = access;
  if (region.offset >= begin && region.end() <= end) {
    part->region.offset -= begin;
    return true;
  }
  if (!region.linear()) return false;
  const uint64_t from = std::max<uint64_t>(region.offset, begin);
  const uint64_t to = std::min<uint64_t>(region.end(), end);
  part->region = Region::Linear(from - begin, to - from);
  return true;
}

// A mapping of physical memory counts as the only one.
bool CanBeDivided(const Resource& parent) {
  constexpr uint16_t kOther = kUsesHostMemory | kStreamOrdered | kBoundMemory;
  return parent.live() && parent.by_address() && !parent.adopted && (parent.flags & kOther) == 0 &&
         parent.bytes != 0 &&
         (parent.kind == ObjectKind::kMappedMemory ||
          (parent.parent == nullptr && !parent.has(kImported)));
}

}  // namespace

BlockPools::Pool* BlockPools::At(uintptr_t address) {
  auto next = pools_.upper_bound(address);
  if (next == pools_.begin()) return nullptr;
  const auto found = std::prev(next);
  Pool& pool = *found->second;
  const Resource* parent = pool.parent.get();
  if (parent == nullptr || !parent->live()) {
    // The parent was released with its context, or its release was not seen.
    objects_.Unite(pool.base, nullptr);
    pools_.erase(found);
    return nullptr;
  }
  return address - pool.base < pool.bytes ? &pool : nullptr;
}

bool BlockPools::Create(Resource& parent, bool exact) {
  std::lock_guard lock(mutex_);
  if (!CanBeDivided(parent) || At(parent.handle) != nullptr) return false;
  if (const auto known = dissolved_.find(parent.handle); known != dissolved_.end()) {
    if (known->second.get() == &parent) return false;
    dissolved_.erase(known);
  }
  auto pool = std::make_unique<Pool>();
  pool->parent = WeakRef<Resource>(&parent);
  pool->base = parent.handle;
  pool->bytes = parent.bytes;
  {
    Resource& root = *parent.root;
    std::lock_guard root_lock(root.lock);
    pool->has_content = !root.init.none();
    root.init.MarkAll();  // addresses between the blocks may have any content
  }
  TakeHistory(*pool, parent);
  any_.store(true, std::memory_order_relaxed);
  objects_.Divide(parent, !exact);
  pools_[parent.handle] = std::move(pool);
  return true;
}

// The history of the resource stays as it is.
void BlockPools::TakeHistory(Pool& pool, Resource& resource) {
  Resource& root = *resource.root;
  std::lock_guard lock(root.lock);
  for (const Access& access : root.history) {
    if (!IsLifetime(access.role) && access.sureness != Sureness::kHeld)
      Keep(pool, access, resource.handle - resource.root_offset);
  }
}

// An entry that a block has inherited has an empty region until the next sweep: removing it at once
// would move all later ones.
void BlockPools::Keep(Pool& pool, const Access& access, uintptr_t base) {
  if (ordering_.host().Completed(access.epoch)) return;
  if (pool.earlier.size() >= kMostEarlier + kSweepEvery) {
    std::erase_if(pool.earlier, [&](const Access& one) {
      return one.region.empty() || ordering_.host().Completed(one.epoch);
    });
    if (pool.earlier.size() > kMostEarlier) {
      const size_t dropped = pool.earlier.size() - kMostEarlier;
      pool.earlier.erase(pool.earlier.begin(),
                         pool.earlier.begin() + static_cast<std::ptrdiff_t>(dropped));
      ordering_.NoteDropped(static_cast<int>(dropped));
    }
  }
  pool.earlier.push_back(access);
  pool.earlier.back().region.offset += base;
}

void BlockPools::Inherit(Pool& pool, Resource& block) {
  const uintptr_t end = block.handle + block.bytes;
  std::lock_guard lock(block.lock);
  for (Access& access : pool.earlier) {
    Access part;
    if (!CutOut(access, block.handle, end, &part)) continue;
    if (!ordering_.host().Completed(access.epoch))
      ordering_.NoteDropped(block.history.Inherit(part));
    // Other blocks may reuse the rest.
    if (access.region.offset >= block.handle && access.region.end() <= end)
      access.region = Region();
  }
}

void BlockPools::End(Call& call, Pool& pool) {
  for (const auto& [address, known] : pool.blocks) {
    Resource* block = known.resource.get();
    if (block == nullptr || !block->live() || block->handle != address) continue;
    {
      std::lock_guard lock(block->lock);
      block->history.Clear();
    }
    objects_.Release(call, block, true);
  }
  // A pointer to a block is a pointer to the parent from now on.
  objects_.ForgetReleased(pool.base, pool.bytes);
  Resource* parent = pool.parent.get();
  objects_.Unite(pool.base, parent != nullptr && parent->live() ? parent : nullptr);
  pools_.erase(pool.base);
}

void BlockPools::Destroy(Call& call, uintptr_t base) {
  if (!any()) return;
  call.site();  // the capture may take the loader's lock: not under the mutex
  std::lock_guard lock(mutex_);
  Pool* pool = At(base);
  if (pool != nullptr && pool->base == base) End(call, *pool);
}

void BlockPools::Dissolve(Call& call, uintptr_t base) {
  call.site();
  std::lock_guard lock(mutex_);
  Pool* pool = At(base);
  if (pool == nullptr || pool->base != base) return;
  if (dissolved_.size() >= kMostDissolved) dissolved_.clear();
  dissolved_[base] = pool->parent;
  End(call, *pool);
}

uintptr_t BlockPools::Find(uintptr_t address) {
  if (!any()) return 0;
  std::lock_guard lock(mutex_);
  const Pool* pool = At(address);
  return pool != nullptr ? pool->base : 0;
}

Resource* BlockPools::UseParent(uintptr_t address, uint64_t bytes) {
  if (!any() || bytes == 0) return nullptr;
  std::lock_guard lock(mutex_);
  Pool* pool = At(address);
  if (pool == nullptr) return nullptr;
  const auto next = pool->blocks.upper_bound(address);
  if (address != pool->base || bytes < pool->bytes) {
    if (next != pool->blocks.begin()) {
      const Resource* before = std::prev(next)->second.resource.get();
      if (before != nullptr && address - before->handle < before->bytes) return nullptr;
    }
  }
  const uint64_t offset = address - pool->base;
  const uint64_t length = std::min(bytes, pool->bytes - offset);
  pool->content.Mark(Region::Linear(offset, length), pool->bytes);
  const uintptr_t end = address + length;
  auto one = next != pool->blocks.begin() ? std::prev(next) : next;
  for (; one != pool->blocks.end() && one->first < end; ++one) {
    Resource* block = one->second.resource.get();
    if (block == nullptr || !block->live()) continue;
    const uintptr_t block_end = block->handle + block->bytes;
    const uintptr_t from = std::max(address, block->handle), to = std::min(end, block_end);
    if (from >= to) continue;
    std::lock_guard block_lock(block->lock);
    block->init.Mark(Region::Linear(from - block->handle, to - from), block->bytes);
  }
  return pool->parent.get();
}

Resource* BlockPools::Allocate(Call& call, uintptr_t base, const NewBlock& wanted) {
  Resource* block = nullptr;
  bool understood = false;
  call.site();
  {
    std::lock_guard lock(mutex_);
    Pool* pool = At(base);
    if (pool == nullptr || pool->base != base || wanted.bytes == 0) return nullptr;
    const uint64_t offset = wanted.address - base;
    auto next = pool->blocks.lower_bound(wanted.address);
    const bool over_next =
        next != pool->blocks.end() && next->first - wanted.address < wanted.bytes;
    const Resource* before =
        next != pool->blocks.begin() ? std::prev(next)->second.resource.get() : nullptr;
    understood = wanted.address >= base && offset < pool->bytes &&
                 wanted.bytes <= pool->bytes - offset && !over_next &&
                 (before == nullptr || wanted.address - before->handle >= before->bytes);
    if (understood) {
      const Resource& parent = *pool->parent.get();
      const Region region = Region::Linear(offset, wanted.bytes);
      // The owner of the pool has the only mapping of the memory.
      const bool mapped = parent.kind == ObjectKind::kMappedMemory;
      ResourceSpec spec;
      spec.kind = mapped ? ObjectKind::kDeviceMemory : parent.kind;
      spec.handle = wanted.address;
      spec.address = parent.address != 0 ? wanted.address : 0;
      spec.bytes = wanted.bytes;
      spec.flags =
          static_cast<uint16_t>((mapped ? parent.flags & ~kImported : parent.flags) | kBoundMemory);
      spec.native_flags = parent.native_flags;
      spec.context = parent.context;
      spec.initialized = wanted.written || !pool->content.Untouched(region) ||
                         (pool->has_content && pool->used.Untouched(region));
      pool->used.Mark(region, pool->bytes);
      block = objects_.NewResource(call, spec);
      block->MarkOwned(wanted.owned);
      pool->blocks[wanted.address] = {WeakRef<Resource>(block), {}};
      // The history is empty: no rule runs.
      RecordLifetime(call, wanted.queue, *block, AccessRole::kAllocation);
      Inherit(*pool, *block);
    }
  }
  if (!understood) {
    Dissolve(call, base);
    return nullptr;
  }
  return block;
}

bool BlockPools::Free(Call& call, uintptr_t base, uintptr_t address, Queue* queue) {
  Resource* block = nullptr;
  call.site();
  {
    std::lock_guard lock(mutex_);
    Pool* pool = At(base);
    if (pool == nullptr || pool->base != base) return false;
    const auto found = pool->blocks.find(address);
    if (found == pool->blocks.end()) return false;
    const Block known = std::move(found->second);
    pool->blocks.erase(found);
    block = known.resource.get();
    if (block == nullptr || !block->live()) return false;
    ForgetUsers(known);
    TakeHistory(*pool, *block);
  }
  RecordLifetime(call, queue, *block, AccessRole::kFree);
  {
    // The pool keeps the accesses, and the memory is not given back to the driver.
    std::lock_guard lock(block->lock);
    block->history.Clear();
  }
  objects_.Release(call, block, true);
  return true;
}

void BlockPools::CheckFree(Call& call, uintptr_t base, uintptr_t address) {
  if (Find(address) != base) return;
  rules::PointerUse use{address, 0, "address", objects_.FindReleased(address)};
  if (use.resource == nullptr || use.resource->handle != address || !use.resource->is_block())
    return;
  use.free = true;
  use.kinds = MaskOf(use.resource->kind);
  rules::OnPointerUse(use, call);
}

void BlockPools::RecordLifetime(Call& call, Queue* queue, Resource& block, AccessRole role) {
  if (queue == nullptr) return;
  StreamGroup* group = queue->group;
  if (group != nullptr) group->Join(*queue);
  Command command;
  ordering_.Begin(call, command, queue, {});
  if (group != nullptr) group->Began(*queue);
  accesses_.RecordLifetime(call, command, &block, role);
}

void BlockPools::NoteUse(uintptr_t base, uintptr_t address, Queue& queue) {
  std::lock_guard lock(mutex_);
  Pool* pool = At(base);
  if (pool == nullptr || pool->base != base) return;
  const auto found = pool->blocks.find(address);
  if (found == pool->blocks.end()) return;
  auto& users = found->second.users;
  const bool known = std::any_of(users.begin(), users.end(),
                                 [&](const WeakRef<Queue>& one) { return one.get() == &queue; });
  if (!known) users.push_back(WeakRef<Queue>(&queue));
}

void BlockPools::ForgetUsers(const Block& block) {
  Resource& resource = *block.resource.get();
  for (const WeakRef<Queue>& user : block.users) {
    Queue* queue = user.get();
    if (queue == nullptr) continue;
    absl::InlinedVector<TimelineId, 4> timelines;
    {
      std::lock_guard lock(queue->lock);
      for (const Lane& lane : queue->lanes) timelines.push_back(lane.timeline);
    }
    std::lock_guard lock(resource.lock);
    absl::InlinedVector<Epoch, 8> epochs;
    for (const Access& access : resource.history) {
      if (std::find(timelines.begin(), timelines.end(), access.epoch.timeline()) != timelines.end())
        epochs.push_back(access.epoch);
    }
    for (Epoch epoch : epochs) resource.history.Remove(epoch);
  }
}

std::vector<const Resource*> BlockPools::Divided() {
  std::vector<const Resource*> parents;
  if (!any()) return parents;
  std::lock_guard lock(mutex_);
  for (const auto& [base, pool] : pools_) {
    const Resource* parent = pool->parent.get();
    if (parent != nullptr && parent->live()) parents.push_back(parent);
  }
  return parents;
}

}  // namespace gpusan
