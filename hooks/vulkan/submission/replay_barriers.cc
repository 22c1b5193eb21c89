// Replay: barriers, and the layouts, owners and aliases of resources.
#include <mutex>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/mapped/host_access.h"
#include "hooks/vulkan/objects/aspect_layouts.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "hooks/vulkan/submission/replayer.h"
#include "tracker/scopes/shader_bytes.h"

namespace gpusan::vulkan {
namespace {

// Whether depth and stencil may have different layouts, and gpusan sees the changes of both.
bool TracksAspects(const Device& device) {
  return device.separate_depth_stencil &&
         !device.stencil_layouts_in_passes.load(std::memory_order_relaxed);
}

bool IsOutside(uint32_t family) {
  return family == VK_QUEUE_FAMILY_EXTERNAL || family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

}  // namespace

// A barrier on a resource while it is replayed.
struct Replayer::ResourceBarrier {
  const RecordedResourceBarrier& record;
  ScopedAccess access;
  // Transfers to and from external families are ordered outside of gpusan's view.
  bool outside = false;
  bool changes = false;   // changes the layout
  bool transfer = false;  // transfers the ownership to another queue family
  bool releases = false;  // is the half of the transfer on the queue of this family
  bool acquires = false;
  bool whole = false;     // covers the whole resource
  bool acquired = false;  // the first half of the transfer was seen, or it is not known
  // Of the release, if they are not those of the acquire.
  Layout other_layouts[2] = {kNoLayout, kNoLayout};
};

void Replayer::TransferOwnership(Resource& resource, ScopedState& state, ResourceBarrier* barrier) {
  const RecordedResourceBarrier& record = barrier->record;
  if (!barrier->whole) {
    SplitUp(state);
    barrier->acquired = barrier->acquires;  // whether it was released is unknown
    return;
  }
  // The release may have named a resource that shares memory with this one.
  if (state.aliased.load(std::memory_order_relaxed) &&
      state.ownership.owner() == Ownership::kNobody) [[unlikely]]
    state.ownership.Forget();
  barrier->acquired = barrier->acquires && state.ownership.released();
  state.owned_in_parts = false;
  const uint32_t owner = state.ownership.owner();
  const uint32_t released_to = state.ownership.released_to();
  const bool misused = NoteMisuse(
      resource,
      barrier->releases ? state.ownership.Release(record.source_family, record.target_family)
                        : state.ownership.Acquire(record.source_family, record.target_family),
      owner, released_to, barrier->access);
  if (resource.image != nullptr) {
    ImageState& image = ImageOf(resource);
    if (barrier->releases) {
      ImageExtra& extra = image.MakeExtra();
      extra.released_from = record.old_layout;
      extra.released_to = record.new_layout;
    } else if (barrier->acquired && !misused && image.extra != nullptr &&
               (image.extra->released_from != record.old_layout ||
                image.extra->released_to != record.new_layout)) {
      barrier->other_layouts[0] = image.extra->released_from;
      barrier->other_layouts[1] = image.extra->released_to;
    }
  }
  if (misused) {
    barrier->access.write = true;
    FindRaces(state, barrier->access);
    ForgetUses(resource, state);
  }
}

void Replayer::ChangeLayout(Resource& resource, const ResourceBarrier& barrier) {
  const RecordedResourceBarrier& record = barrier.record;
  const ImagePart& part = barrier.access.extent.part;
  ImageState& image = ImageOf(resource);
  if (barrier.changes && record.old_layout == VK_IMAGE_LAYOUT_UNDEFINED && !barrier.outside &&
      !barrier.acquired && !IsOneOfSeveral(image, part.aspects)) {
    image.content.Set(part, false);
    if (image.extra != nullptr) [[unlikely]] {
      image.extra->dropped_call = nullptr;
      image.extra->partial.Forget(part);
    }
  }
  if (!barrier.changes && !barrier.transfer) return;
  // The second half of the transfer finds the layout that the first half set.
  // The layouts of slices of one level are not tracked.
  if (record.old_layout != VK_IMAGE_LAYOUT_UNDEFINED && !barrier.acquired && part.whole())
    CheckLayout(resource, part, record.old_layout, record);
  const bool known = !barrier.outside && part.whole();
  SetImageLayout(image, part, known ? record.new_layout : kNoLayout, TracksAspects(queue_.device),
                 record.call, record.site);
}

void Replayer::ReportTransferLayouts(const Resource& resource, const ResourceBarrier& barrier) {
  const RecordedResourceBarrier& record = barrier.record;
  const Vocabulary& words = call_.words();
  Call made(tracker_, *record.call, words, nullptr, nullptr, record.site, label_);
  ReportSync(made, resource, rules::SyncStateUse::Fault::kOtherTransferLayouts,
             absl::StrCat(words.LayoutName(record.old_layout), " to ",
                          words.LayoutName(record.new_layout)),
             absl::StrCat(words.LayoutName(barrier.other_layouts[0]), " to ",
                          words.LayoutName(barrier.other_layouts[1])));
}

void Replayer::ApplyToAliases(Resource& resource, ScopedState& state,
                              const ResourceBarrier& barrier) {
  const ScopeBarrier& scopes = *barrier.record.barrier;
  if (barrier.changes || barrier.transfer) UseAliases(resource, barrier.access, &scopes);
  for (Resource* alias : AliasesOf(state)) {
    ScopedState& other = ScopedOf(*alias);
    std::lock_guard lock(other.lock);
    other.history.ApplyToAll(scopes, queue_.timeline(), place_, position_);
  }
}

void Replayer::Barrier(const RecordedResourceBarrier& record) {
  Resource* resource = Live(record.resource, record.generation, record);
  if (resource == nullptr) return;
  ScopedState& state = ScopedOf(*resource);
  ResourceBarrier barrier{record, AccessOf(record)};
  ScopedAccess& access = barrier.access;
  record.Read(&access.extent);
  const Extent& extent = access.extent;
  const uint32_t family = queue_.family;
  barrier.outside = IsOutside(record.source_family) || IsOutside(record.target_family);
  barrier.changes = record.old_layout != record.new_layout;
  barrier.transfer =
      record.source_family != record.target_family && !barrier.outside && !state.concurrent;
  barrier.releases = barrier.transfer && record.source_family == family;
  barrier.acquires = barrier.transfer && record.target_family == family;
  {
    std::lock_guard lock(state.lock);
    NoteUsed(state);
    barrier.whole = IsWhole(*resource, extent);
    if ((barrier.releases || barrier.acquires) && !state.foreign) {
      TransferOwnership(*resource, state, &barrier);
    } else if (record.old_layout == VK_IMAGE_LAYOUT_UNDEFINED && barrier.whole && barrier.changes) {
      state.ownership.Discard(family);
    }
    if (resource->image != nullptr) ChangeLayout(*resource, barrier);
    if (barrier.changes || barrier.transfer) {
      access.write = true;
      access.transition = true;
      state.history.Transition(
          *record.barrier, access, place_,
          [&](const ScopedConflict& conflict) {
            found_.push_back({*conflict.earlier, access, conflict});
          },
          limit_);
    } else {
      state.history.Apply(*record.barrier, extent, queue_.timeline(), place_, limit_, position_);
    }
  }
  if (barrier.other_layouts[0] != kNoLayout) [[unlikely]]
    ReportTransferLayouts(*resource, barrier);
  CheckMemory(*resource, state, record);
  if (state.aliased.load(std::memory_order_relaxed)) [[unlikely]]
    ApplyToAliases(*resource, state, barrier);
  Flush(*resource);
  NoteHostReads(*resource, state, record, extent.region);
}

void Replayer::NoteHostReads(const Resource& resource, const ScopedState& state,
                             const RecordedResourceBarrier& record, const Region& region) {
  if ((record.barrier->target_stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0 ||
      (record.barrier->target_access & VK_ACCESS_2_HOST_READ_BIT) == 0 || !state.host_visible ||
      resource.image != nullptr)
    return;
  Resource* memory = state.memory.get();
  if (memory == nullptr || !memory->live()) return;
  NoteHostBarrier(*memory, state.memory_offset + region.offset, state.memory_offset + region.end());
}

void Replayer::UseAliases(const Resource& resource, const ScopedAccess& access,
                          const ScopeBarrier* transition) {
  const MemoryRange range = RangeInMemory(resource, access.extent);
  if (range.begin == range.end) return;
  const bool surely_written = access.write && !HasUnknownBytes(access) && transition == nullptr;
  for (Resource* alias : AliasesOf(ScopedOf(resource))) {
    using Overlap = ScopedHistory::Overlap;
    ScopedState& other = ScopedOf(*alias);
    std::lock_guard lock(other.lock);
    other.history.UseAlias(
        access, transition, place_,
        [&](const Extent& extent) {
          const MemoryRange touched = RangeInMemory(*alias, extent);
          if (!range.Overlaps(touched)) return Overlap::kUnknown;
          return range.Contains(touched) ? Overlap::kAll : Overlap::kSome;
        },
        [&](const ScopedConflict& conflict) {
          if (!conflict.other_queue) found_.push_back({*conflict.earlier, access, conflict, alias});
        });
    if (surely_written && LosesContent(*alias, resource, range)) {
      Aliases& lost = *other.aliases;
      lost.lost_call = access.call;
      lost.lost_site = access.site;
      lost.lost_to = WeakRef<Resource>(const_cast<Resource*>(&resource));
      lost.lost_on = queue_.timeline();
    }
  }
}

void Replayer::OrderAll(const RecordedResourceBarrier& record) {
  ScopeBarrier execution = *record.barrier;
  execution.source_access = execution.target_access = 0;
  queue_.order.Add(execution, record.call, record.site, kNoLimit, position_);
}

namespace {

// The valid usage that a barrier breaks, or a render pass that changes layouts.
std::string OldLayoutVuid(std::string_view function) {
  function = CoreName(function);
  if (function == "vkCmdBeginRenderPass") return CommandVuid(function, "initialLayout-00900");
  if (function == "vkCmdBeginRenderPass2") return CommandVuid(function, "initialLayout-03100");
  if (!function.starts_with("vkCmdPipelineBarrier") && !function.starts_with("vkCmdWaitEvents"))
    return "";
  return function.ends_with('2') ? "VUID-VkImageMemoryBarrier2-oldLayout-01197"
                                 : "VUID-VkImageMemoryBarrier-oldLayout-01197";
}

std::string LayoutVuidOf(const Recorded& record, const ImagePart& part) {
  if (record.kind != RecordKind::kUse) return OldLayoutVuid(record.call->name);
  const auto& use = static_cast<const RecordedUse&>(record);
  LayoutRole role = use.write ? LayoutRole::kWritten : LayoutRole::kRead;
  if (use.rasterized) {
    role = (part.aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0   ? LayoutRole::kColor
           : (part.aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? LayoutRole::kDepth
                                                             : LayoutRole::kStencil;
  } else if (use.shader) {
    role = LayoutRole::kDescriptor;
  }
  return LayoutVuid(record.call->name, role);
}

}  // namespace

void Replayer::CheckLayout(Resource& resource, const ImagePart& part, Layout expected,
                           const Recorded& record) {
  const ImageState& image = ImageOf(resource);
  const bool aspects = HasDepthAndStencil(image);
  const auto mismatch = aspects ? CheckAspects(image, part, expected, TracksAspects(queue_.device))
                                : image.layouts.Check(RangeOf(part), expected);
  if (!mismatch || layouts_unknown.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (!aspects && IsOneOfSeveral(image, part.aspects)) return;
  rules::LayoutUse use;
  use.resource = &resource;
  use.mismatch = *mismatch;
  use.changed = record.kind == RecordKind::kResourceBarrier;
  use.usable = mismatch->actual.layout == VK_IMAGE_LAYOUT_GENERAL;  // by nearly all commands
  mismatches_.push_back({use, record.call, record.site, LayoutVuidOf(record, part)});
}

bool Replayer::IsWhole(const Resource& resource, const Extent& extent) {
  if (resource.image == nullptr)
    return extent.region.offset == 0 && extent.region.end() >= resource.bytes;
  const ImageState& image = ImageOf(resource);
  return extent.part.whole() && extent.part.mips == image.mips &&
         extent.part.layers == image.layers && (image.aspects & ~extent.part.aspects) == 0;
}

void Replayer::SplitUp(ScopedState& state) {
  state.ownership.Forget();
  state.owned_in_parts = true;
}

void Replayer::ForgetUses(Resource& resource, ScopedState& state) {
  state.history.Clear();
  if (resource.image == nullptr) return;
  ForgetLayouts(ImageOf(resource));
}

bool Replayer::CheckOwner(Resource& resource, ScopedState& state, bool discards,
                          const ScopedAccess& access) {
  if (state.owned_in_parts) return true;
  const uint32_t owner = state.ownership.owner();
  const uint32_t released_to = state.ownership.released_to();
  // The rest keeps its owner.
  if (discards && owner != Ownership::kNobody && owner != queue_.family &&
      !IsWhole(resource, access.extent)) [[unlikely]] {
    SplitUp(state);
    return true;
  }
  const Ownership::Misuse misuse = state.ownership.Use(queue_.family, discards);
  if (misuse == Ownership::Misuse::kNone) [[likely]]
    return true;
  NoteMisuse(resource, misuse, owner, released_to, access);
  state.ownership.Forget();
  return false;
}

bool Replayer::NoteMisuse(const Resource& resource, Ownership::Misuse misuse, uint32_t owner,
                          uint32_t released_to, const ScopedAccess& access) {
  if (misuse == Ownership::Misuse::kNone) return false;
  const bool acquires =
      misuse == Ownership::Misuse::kNotReleased || misuse == Ownership::Misuse::kDifferentTransfer;
  owners_.push_back({&resource, misuse, owner, queue_.family, released_to, access.call, access.site,
                     acquires ? UnmatchedAcquireVuid(call_.info().name) : ""});
  return true;
}

}  // namespace gpusan::vulkan
