// Puts a recording into the order of a queue: its uses of resources and objects.
#include <algorithm>
#include <mutex>

#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/mapped/host_access.h"
#include "hooks/vulkan/memory/sparse_binds.h"
#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/submission/replayer.h"

namespace gpusan::vulkan {

void Replayer::Run(const Recording& recording) {
  ended_at_ = recording.ended_at();
  recording.ForEach([&](const Recorded& record) {
    if (record.first) {
      last_position_ = position_;
      position_ = queue_.order.Next();
      limit_ = kNoLimit;
      if (record.call != last_call_) {
        last_call_ = record.call;
        recent_.Note(record.call, record.site);
      }
    }
    switch (record.kind) {
      case RecordKind::kUse:
        Use(static_cast<const RecordedUse&>(record));
        break;
      case RecordKind::kBarrier:
        queue_.order.Add(*static_cast<const RecordedBarrier&>(record).barrier, record.call,
                         record.site, kNoLimit, position_);
        break;
      case RecordKind::kResourceBarrier:
        Barrier(static_cast<const RecordedResourceBarrier&>(record));
        if (static_cast<const RecordedResourceBarrier&>(record).orders_all)
          OrderAll(static_cast<const RecordedResourceBarrier&>(record));
        break;
      case RecordKind::kSetEvent:
        Set(static_cast<const RecordedSetEvent&>(record));
        break;
      case RecordKind::kResetEvent:
        Reset(static_cast<const RecordedResetEvent&>(record));
        break;
      case RecordKind::kEventWait:
        CheckWait(static_cast<const RecordedEventWait&>(record));
        break;
      case RecordKind::kWaitEvent:
        Wait(static_cast<const RecordedWaitEvent&>(record));
        break;
      case RecordKind::kExecute:
        Execute(static_cast<const RecordedExecute&>(record), recording);
        break;
      case RecordKind::kHold:
        Hold(static_cast<const RecordedHold&>(record));
        break;
      case RecordKind::kSet:
        UseSet(static_cast<const RecordedSet&>(record));
        break;
      case RecordKind::kLabel:
        label_ = static_cast<const RecordedLabel&>(record).label;
        break;
      case RecordKind::kSubpass:
        Enter(static_cast<const RecordedSubpass&>(record));
        break;
      case RecordKind::kEventScope:
        Limit(static_cast<const RecordedEventScope&>(record));
        break;
      case RecordKind::kQuery:
        UseQuery(static_cast<const RecordedQuery&>(record));
        break;
      case RecordKind::kQueryReset:
        ResetQueries(static_cast<const RecordedQueryReset&>(record));
        break;
      case RecordKind::kQueryCopy:
        CheckQueryCopy(static_cast<const RecordedQueryCopy&>(record), call_, label_);
        break;
      case RecordKind::kInputs:
        inputs_ = static_cast<const RecordedInputs&>(record).inputs;
        break;
      case RecordKind::kScopes:
        break;
    }
  });
}

Resource* Replayer::Live(Resource* resource, uint32_t generation, const Recorded& record) {
  const bool same = resource->generation.load(std::memory_order_relaxed) == generation;
  if (same && resource->live()) [[likely]]
    return resource;
  ReportStale(*resource, same, record);
  return nullptr;
}

void Replayer::ReportStale(const Object& object, bool same, const Recorded& record,
                           bool pushed_address) {
  StaleUse use;
  if (same) use.object = &object;
  use.pushed_address = pushed_address;
  use.address = object.handle;
  use.call = record.call;
  use.site = record.site;
  use.label = label_;
  rules::OnStaleUse(use, call_);
}

void Replayer::Enter(const RecordedSubpass& record) {
  const uint32_t subpass = record.index;
  rendering_ = record.rendering;
  if (subpass == RecordedSubpass::kNone) {
    pass_ = 0;
    return;
  }
  subpass_position_ = position_;
  // The layout changes in front of the first subpass were replayed just before.
  if (subpass == 0) pass_ = CommandAt(last_position_ != 0 ? last_position_ : position_);
  subpass_ = static_cast<uint8_t>(std::min(subpass, 255u));
}

void Replayer::Use(const RecordedUse& use) {
  if (use.by_address && !IsLive(use.resource, use.generation)) [[unlikely]]
    return CheckAddress(use);
  Resource* resource = Live(use.resource, use.generation, use);
  if (resource == nullptr) return;
  ScopedAccess access = AccessOf(use);
  use.Read(&access.extent);
  Use(*resource, use, access);
}

void Replayer::CheckAddress(const RecordedUse& use) {
  const Resource& resource = *use.resource;
  const bool same = resource.generation.load(std::memory_order_relaxed) == use.generation;
  if (!same || !use.needs_buffer || use.maybe || MayBelongToOther(resource, 0, resource.bytes))
    return;
  ReportStale(resource, true, use, true);
}

void Replayer::Use(Resource& used, const RecordedUse& use, ScopedAccess& access) {
  Resource* resource = &used;
  ScopedState& state = ScopedOf(used);
  access.stage = use.stage;
  access.access = use.access;
  access.write = use.write;
  access.shader = use.shader;
  access.rasterized = use.rasterized;
  access.loads = use.loads;
  access.sure_part = use.sure_part;
  access.maybe = use.maybe;
  access.by_address = use.by_address;
  if (use.of_subpass) access.position = subpass_position_;
  {
    std::lock_guard lock(state.lock);
    NoteUsed(state);
    if (!state.foreign && !state.concurrent && queue_.device.families.size() > 1 &&
        !CheckOwner(*resource, state, use.write || use.discards, access)) [[unlikely]] {
      if (!use.unordered) FindRaces(state, access);
      ForgetUses(*resource, state);
    }
    if (use.layout != kNoLayout) CheckLayout(*resource, access.extent.part, use.layout, use);
    if (!use.unordered) {
      state.history.Use(access, place_, [&](const ScopedConflict& conflict) {
        found_.push_back({*conflict.earlier, access, conflict});
      });
    }
  }
  if (state.aliased.load(std::memory_order_relaxed)) [[unlikely]] {
    if (!use.unordered) UseAliases(*resource, access, nullptr);
    NoteLostContent(Here(), *resource, use);
  }
  Flush(*resource);
  CheckMemory(*resource, state, use);
  if ((state.foreign || state.exported) && !use.unordered) [[unlikely]] {
    UseExported(*resource, state, access);
    if (sparse_ranges_known.load(std::memory_order_relaxed)) CheckSparse(*resource, use, access);
  }
  // Shaders may write addressed memory in ways that are not known (MemoryState::addressed).
  if (state.host_visible && !use.needs_buffer)
    NoteHostVisible(*resource, state, use, access.extent.region);
  UseContent(Here(), *resource, use, access.extent);
}

// Accesses to parts that only may be accessed can be to other pages than those that are bound.
void Replayer::CheckSparse(Resource& resource, const RecordedUse& use, const ScopedAccess& access) {
  if ((use.shader && !use.sure_part) || use.maybe) return;
  const std::optional<SparseBind> bind =
      FindUnorderedBind(resource, access.extent, queue_.timeline(), tracker_.ordering().host());
  if (!bind.has_value()) return;
  FoundConflict found = {access, access, {}, nullptr};
  found.earlier.call = bind->call;
  found.earlier.site = bind->site;
  found.earlier.epoch = bind->epoch;
  found.earlier.write = true;
  found.earlier.shader = false;
  found.earlier.label = kNoLabel;
  Race(resource, found, AccessRole::kBinding);
}

void Replayer::UseExported(const Resource& resource, const ScopedState& state,
                           const ScopedAccess& scoped) {
  Resource* memory = state.memory.get();
  if (memory == nullptr || !memory->live()) return;
  const MemoryRange range = RangeInMemory(resource, scoped.extent);
  if (range.begin == range.end) return;
  Access access;
  access.region = Region::Linear(range.begin, range.end - range.begin);
  access.call = scoped.call;
  access.site = scoped.site;
  access.write = scoped.write;
  access.read = !scoped.write;
  if (scoped.sure_part) {
    access.sureness = Sureness::kDerived;
  } else if (scoped.shader) {
    access.sureness = Sureness::kPossible;
    access.may_offset = true;
  }
  tracker_.accesses().RecordByExporter(call_, command_, *memory, access);
}

void Replayer::CheckAcquired(const Resource& resource, const ScopedState& state,
                             const Recorded& record) {
  if (!state.not_acquired.load(std::memory_order_relaxed)) [[likely]]
    return;
  SyncMisuse misuse;
  misuse.object = &resource;
  misuse.fault = SyncMisuse::Fault::kUsesUnacquired;
  Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
  rules::OnSyncMisuse(misuse, made);
}

void Replayer::CheckMemory(Resource& resource, const ScopedState& state, const Recorded& record) {
  const Resource* memory = state.memory.get();
  // Others than the host may know when imported and exported memory is not in use any more.
  const auto imports_host = [&] { return memory != nullptr && memory->has(kUsesHostMemory); };
  if ((state.foreign && !imports_host()) || !state.bound) [[unlikely]]
    return CheckAcquired(resource, state, record);
  if (memory != nullptr && memory->live()) [[likely]] {
    MemoryState& held = MemoryOf(*memory);
    if (held.used.Has(command_)) return;
    std::lock_guard lock(held.lock);
    held.used.Note(command_, tracker_.ordering().host());
    return;
  }
  rules::MemoryUse use;
  use.fault = rules::MemoryUse::Fault::kFreed;
  use.resource = &resource;
  use.memory = memory;
  use.vuid = InvalidCommandsVuid(call_.info().name);
  Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
  rules::OnMemoryUse(use, made);
}

void Replayer::NoteHostVisible(Resource& resource, const ScopedState& state, const RecordedUse& use,
                               const Region& region) {
  Resource* memory = state.memory.get();
  if (memory == nullptr || !memory->live() || state.foreign) return;
  const uint64_t offset = state.memory_offset;
  if (resource.image != nullptr) {
    if (use.write)
      NoteUnknownWrite(call_, *memory, offset, offset + state.memory_bytes, command_.epoch);
    return;
  }
  if (use.unordered) {
    if (use.write)
      NoteUnknownWrite(call_, *memory, offset, offset + resource.bytes, command_.epoch);
    return;
  }
  if (use.write) {
    last_host_read_.resource = nullptr;
  } else if (!NotesReads(MemoryOf(*memory))) {
    return;
  } else if (sure_read_.empty() && MemoryOf(*memory).coherent) {
    const HostRead read = {&resource,  region.offset, region.end(), use.stage,
                           use.access, use.site,      label_};
    if (read == last_host_read_) return;
    last_host_read_ = read;
  }
  const bool sure = use.shader && !use.write && !sure_read_.empty();
  const Region& used = sure ? sure_read_ : region;
  DeviceUse made;
  made.begin = offset + std::min(used.offset, resource.bytes);
  made.end = offset + std::min(used.end(), resource.bytes);
  if (made.begin >= made.end) return;
  made.resource = WeakRef<Resource>(&resource);
  made.queue = &queue_;
  made.epoch = command_.epoch;
  made.position = position_;
  made.stage = use.stage;
  made.access = use.access;
  made.call = use.call;
  made.site = use.site;
  made.label = label_;
  made.write = use.write;
  made.exact = sure || (!use.shader && region.linear());
  made.gated = queue_.host_gate.valid() && !tracker_.ordering().host().Completed(queue_.host_gate);
  constexpr uint64_t kInputs = VK_ACCESS_2_UNIFORM_READ_BIT |
                               VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT;
  const bool fixed = !use.write && !MemoryOf(*memory).coherent &&
                     (made.exact || (use.access & kInputs) != 0) &&
                     !tracker_.shadow().MayHoldUnseenWrites(resource);
  NoteDeviceUse(call_, *memory, made, fixed);
}

void Replayer::UseQuery(const RecordedQuery& record) {
  if (record.pool->generation.load(std::memory_order_relaxed) != record.generation) return;
  if (record.begins) CheckQueryReset(record, call_, label_);
  if (!record.ends) return;
  auto& pool = static_cast<QueryPoolState&>(*record.pool->part);
  pool.End(record.query, command_.epoch, record.call, record.site);
}

void Replayer::ResetQueries(const RecordedQueryReset& record) {
  if (record.pool->generation.load(std::memory_order_relaxed) != record.generation) return;
  static_cast<QueryPoolState&>(*record.pool->part).ResetQueries(record.first, record.count);
}

void Replayer::Execute(const RecordedExecute& record, const Recording& recording) {
  const bool same =
      record.commands->generation.load(std::memory_order_relaxed) == record.generation;
  if (!same || !record.commands->live()) return ReportStale(*record.commands, same, record);
  auto& state = static_cast<CommandBufferState&>(*record.commands->part);
  {
    std::lock_guard lock(state.lock);
    state.submitted.Note(command_, tracker_.ordering().host());
  }
  const LabelId label = label_;
  const DispatchInputs inputs = inputs_;
  inputs_ = {};
  Run(recording.child(record.child));
  ended_at_ = recording.ended_at();
  label_ = label;
  inputs_ = inputs;
}

bool Replayer::Hold(PlainObject* object, uint32_t generation, const Recorded& record) {
  // Another object has its memory by now: no finding is possible.
  if (object->generation.load(std::memory_order_relaxed) != generation) return false;
  if (object->live()) [[likely]] {
    auto* held = static_cast<HeldState*>(object->part);
    if (held != nullptr) held->NoteUse(command_, tracker_.ordering().host());
    return true;
  }
  ReportStale(*object, true, record);
  return false;
}

void Replay(VkCall& call, QueueState& queue, const Command& command, const Recording& recording) {
  Replayer(call, queue, command).Run(recording);
}

}  // namespace gpusan::vulkan
