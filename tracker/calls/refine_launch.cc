// Narrows the arguments of a launch to what the summary of its kernel says.
#include "tracker/calls/refine_launch.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "tracker/calls/kept_launches.h"
#include "tracker/calls/launch_updates.h"
#include "tracker/calls/local_overruns.h"
#include "tracker/calls/sure_access.h"
#include "tracker/calls/texel_overruns.h"

namespace gpusan {
namespace {

// Sets the bytes of an argument. Returns false if they are not inside of the resource.
bool SetBytes(int64_t use_first, int64_t use_last, LaunchArgument* argument) {
  const uint64_t bytes = argument->resource->bytes;
  if (argument->offset > bytes || use_last <= 0) return false;
  const uint64_t room = bytes - argument->offset;
  const uint64_t first = use_first > 0 ? static_cast<uint64_t>(use_first) : 0;
  const uint64_t last = std::min(static_cast<uint64_t>(use_last), room);
  if (first >= last) return false;
  argument->ranged = true;
  argument->first = first;
  argument->last = last;
  return true;
}

bool SetRange(const LaunchUse& use, LaunchArgument* argument) {
  return use.ranged && SetBytes(use.first, use.last, argument);
}

}  // namespace

bool FindOverrun(const LaunchUses& uses, const LaunchArgument& argument, LaunchOverrun* overrun) {
  const Resource& resource = *argument.resource;
  // The size of memory that others made is not known for sure.
  if (argument.indirect || resource.image != nullptr || resource.adopted ||
      resource.has(kImported) || resource.bytes > INT64_MAX / 2 || argument.offset > resource.bytes)
    return false;
  const auto before = static_cast<int64_t>(argument.offset);
  const auto room = static_cast<int64_t>(resource.bytes - argument.offset);
  // All bytes of the core are accessed, and both ends.
  const auto core_outside = [&](const LaunchUse& use) {
    return use.sure && use.has_core() && (use.core_last > room || use.core_first < -before);
  };
  const auto end_outside = [&](const LaunchUse& use) {
    return use.sure && use.has_ends() && (use.end_last > room || use.end_first < -before);
  };
  const auto outside = [&](const LaunchUse& use) { return core_outside(use) || end_outside(use); };
  const bool write = outside(uses.writes), read = !write && outside(uses.reads);
  if (!write && !read && !outside(uses.atomics)) return false;
  const LaunchUse& use = write ? uses.writes : read ? uses.reads : uses.atomics;
  *overrun = {argument.index,
              &resource,
              argument.offset,
              use.core_first,
              use.core_last,
              !core_outside(use),
              write  ? "writes"
              : read ? "reads"
                     : "accesses"};
  if (overrun->gaps) {
    overrun->first = use.end_first;
    overrun->last = use.end_last;
  }
  return true;
}

bool BoundWrites(const LaunchUses& uses, LaunchArgument* argument, Launch* launch) {
  const uint64_t bytes = argument->resource->bytes;
  if (argument->offset > bytes || bytes > INT64_MAX / 2) return false;
  const auto before = -static_cast<int64_t>(argument->offset);
  const auto room = static_cast<int64_t>(bytes - argument->offset);
  int64_t first = room, last = before;
  bool inside = true;
  for (const LaunchUse* use : {&uses.writes, &uses.atomics}) {
    if (!use->possible) continue;
    if (!use->ranged) return false;
    inside = inside && use->first >= before && use->last <= room;
    first = std::min(first, std::max(use->first, before));
    last = std::max(last, std::min(use->last, room));
  }
  // An address beyond the memory may be one of other memory.
  if (!inside && argument->resource->root->by_address()) return false;
  ByteRange written;
  if (first < last)
    written = {static_cast<uint64_t>(first - before), static_cast<uint64_t>(last - before)};
  launch->Bound(argument, written);
  return argument->bounds != 0;
}

bool RefineArgument(const LaunchUses& uses, LaunchArgument* argument, LaunchArgument* more) {
  const LaunchUse& reads = uses.reads;
  const LaunchUse& writes = uses.writes;
  argument->understood = true;
  if (uses.atomics.possible)
    return false;  // what atomic and other accesses do together is not checked
  const bool declared = argument->direction != Direction::kUnknown;
  if (!reads.possible && !writes.possible) {
    argument->direction = Direction::kNone;
    return false;
  }
  const auto narrow = [&](const LaunchUse& use, LaunchArgument* to) {
    const bool ranged = SetRange(use, to);
    to->certain = ranged && use.exact && use.sure;
    // Other bytes may be accessed as well; without certainty they would be no evidence.
    if (!to->certain && use.sure && use.has_core() && SetBytes(use.core_first, use.core_last, to)) {
      to->certain = true;
    }
    // It is unknown which of the bytes are accessed: another kernel may access the others.
    if (!to->certain && (ranged || !declared)) to->may_offset = true;
    to->unwaited = to->certain && use.unwaited;
    to->somewhere = !to->certain && use.sure && !use.unwaited;
  };
  LaunchUse both = writes;
  if (reads.possible && writes.possible) {
    both.ranged = reads.ranged && writes.ranged;
    both.first = std::min(reads.first, writes.first);
    both.last = std::max(reads.last, writes.last);
    both.unwaited = reads.unwaited || writes.unwaited;
    both.exact = writes.exact && both.first == writes.first && both.last == writes.last;
  }
  if (!writes.possible) {
    if (!declared) {
      argument->derived = true;
      argument->possible = !reads.sure || reads.unwaited;
    }
    argument->direction = Direction::kRead;
    argument->sure = reads.sure;
    narrow(reads, argument);
  } else if (!writes.sure) {
    // The direction stays open.
    if (SetRange(both, argument)) argument->may_offset = true;
  } else if (declared) {
    // The program declares a parameter const and writes through it.
    return false;
  } else if (!reads.possible) {
    argument->derived = true;
    argument->direction = Direction::kWrite;
    narrow(writes, argument);
  } else if ((both.ranged && (reads.first != writes.first || reads.last != writes.last)) ||
             (!both.exact && (reads.has_core() || writes.has_core()))) {
    argument->derived = true;
    *more = *argument;
    argument->direction = Direction::kRead;
    argument->possible = !reads.sure || reads.unwaited;
    argument->sure = reads.sure;
    narrow(reads, argument);
    more->direction = Direction::kWrite;
    narrow(writes, more);
    return true;
  } else {
    argument->derived = true;
    argument->direction = Direction::kReadWrite;
    argument->sure = reads.sure;
    narrow(both, argument);
  }
  return false;
}

UpdatedBytes SurelyUpdated(const LaunchUses& uses, const LaunchUses& updates,
                           const LaunchArgument& argument) {
  const LaunchUse& update = updates.reads;
  UpdatedBytes updated;
  updated.in_place = updates.writes.possible;
  if (!update.sure || (uses.writes.possible && !updated.in_place)) return {};
  updated.anywhere = !update.has_core();
  if (updated.anywhere && !update.ranged) {
    updated.bytes = Region::Linear(0, argument.resource->bytes);
    return updated;
  }
  const int64_t begin = updated.anywhere ? update.first : update.core_first;
  const int64_t end = updated.anywhere ? update.last : update.core_last;
  const uint64_t room = argument.resource->bytes - argument.offset;
  const auto first = static_cast<uint64_t>(begin);
  if (begin < 0 || end <= begin || first >= room) return {};
  updated.bytes =
      Region::Linear(argument.offset + first, std::min(static_cast<uint64_t>(end), room) - first);
  return updated;
}

UpdatedBytes SurelyUpdated(Kernel& kernel, const LaunchShape& shape,
                           const LaunchArgument& argument) {
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  const size_t count = kernel.arguments.size();
  if (argument.index >= count || parameters.size() != 2 * count ||
      parameters[count + argument.index].accesses.empty())
    return {};
  std::lock_guard lock(kernel.lock);
  const std::vector<LaunchUses>& uses = UsesOfLaunch(kernel, shape).uses;
  return SurelyUpdated(uses[argument.index], uses[count + argument.index], argument);
}

bool SurelyExecutes(const Kernel& kernel, const LaunchShape& shape, const SummaryAccess& access) {
  ParameterSummary only;
  only.accesses.push_back(access);
  const auto integers = IntegersOf(kernel.arguments, *kernel.summary, shape);
  const LaunchUses uses = UsesOf(only, shape, absl::Span<const LaunchInteger>(integers));
  return uses.reads.sure || uses.writes.sure;
}

std::vector<uint32_t> FindNullAccesses(Kernel& kernel, const LaunchShape& shape) {
  std::vector<uint32_t> indices;
  if (kernel.summary == nullptr) return indices;
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  for (uint32_t i = 0; i < kernel.arguments.size() && i < parameters.size(); ++i) {
    if (!kernel.arguments[i].IsNull() || !parameters[i].known) [[likely]]
      continue;
    std::lock_guard lock(kernel.lock);
    const LaunchUses& uses = UsesOfLaunch(kernel, shape).uses[i];
    if (uses.reads.sure || uses.writes.sure || uses.atomics.sure) indices.push_back(i);
  }
  return indices;
}

namespace {

// Appends the overrun of local memory of `bytes`, if there is one.
void AddLocalOverrun(const LaunchUses& uses, LocalOverrun overrun,
                     std::vector<LocalOverrun>* overruns) {
  for (const bool write : {true, false}) {
    const LaunchUse& use = write ? uses.writes : uses.reads;
    overrun.last = use.has_core() ? use.core_last : 0;
    if (use.has_ends()) overrun.last = std::max(overrun.last, use.end_last);
    if (!use.sure || overrun.last <= static_cast<int64_t>(overrun.bytes)) continue;
    overrun.write = write;
    overruns->push_back(overrun);
    return;
  }
}

}  // namespace

std::vector<LocalOverrun> FindLocalOverruns(Kernel& kernel, const LaunchShape& shape) {
  std::vector<LocalOverrun> overruns;
  if (kernel.summary == nullptr || !UsesLocalMemory(kernel)) return overruns;
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  const std::vector<LocalArraySummary>& arrays = kernel.summary->local_arrays;
  std::lock_guard lock(kernel.lock);
  const KeptLaunch& uses = UsesOfLaunch(kernel, shape);
  for (uint32_t i = 0; i < kernel.arguments.size() && i < parameters.size(); ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    if (argument.kind == ArgumentKind::kLocal && argument.set && parameters[i].known &&
        !parameters[i].accesses.empty() && argument.value <= INT64_MAX)
      AddLocalOverrun(uses.uses[i], {i, argument.value}, &overruns);
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    LocalOverrun overrun;
    overrun.bytes = arrays[i].bytes;
    overrun.array = &arrays[i];
    if (arrays[i].bytes <= INT64_MAX) AddLocalOverrun(uses.locals[i], overrun, &overruns);
  }
  return overruns;
}

std::vector<TexelOverrun> FindTexelOverruns(Kernel& kernel, const LaunchShape& shape) {
  std::vector<TexelOverrun> overruns;
  if (kernel.summary == nullptr) return overruns;
  std::lock_guard lock(kernel.lock);
  for (const TexelRange& range : UsesOfLaunch(kernel, shape).texels) {
    if (range.argument >= kernel.arguments.size()) continue;
    const Resource* image = kernel.arguments[range.argument].resource.get();
    // The size of an image that others made is not known for sure.
    if (image == nullptr || !image->live() || image->image == nullptr || image->adopted ||
        image->has(kImported) || range.dimension >= image->image->dimensions ||
        (range.first >= 0 &&
         static_cast<uint64_t>(range.last) < image->image->extent[range.dimension]) ||
        (!overruns.empty() && overruns.back().range.argument == range.argument))
      continue;
    overruns.push_back({range, image});
  }
  return overruns;
}

namespace {

// Whether all accesses that may write through the parameter are atomic updates: their results are
// as undefined as the values before.
bool OnlyUpdates(const std::vector<ParameterSummary>& parameters, uint32_t index) {
  const size_t count = parameters.size() / 2;
  // The updates are known if there are no other atomic or volatile accesses (ir_kernels.cc).
  return index < count && parameters[index + count].known &&
         std::none_of(
             parameters[index].accesses.begin(), parameters[index].accesses.end(),
             [](const SummaryAccess& one) { return one.kind == SummaryAccess::Kind::kWrite; });
}

// Whether something of the buffer was written. If not, the update itself is reported.
bool HasContent(const Resource& resource) {
  const Resource& root = *resource.root;
  if (root.by_address()) return false;
  std::lock_guard lock(root.lock);
  return !root.init.Untouched(Region::Linear(resource.root_offset, resource.bytes));
}

// Whether some work item surely reads a texel of the image.
bool SurelyReadsTexels(const Kernel& kernel, const LaunchShape& shape,
                       const ParameterSummary& parameter) {
  return std::any_of(
      parameter.accesses.begin(), parameter.accesses.end(), [&](const SummaryAccess& access) {
        return access.kind == SummaryAccess::Kind::kRead && TexelAccessOf(access).has_value() &&
               SurelyExecutes(kernel, shape, access);
      });
}

// Whether the known coordinates of the reads through the argument are in the image, in each of its
// dimensions. A sampler may give other values outside.
bool ReadsInside(absl::Span<const TexelRange> ranges, uint32_t argument, const ImageInfo& image) {
  uint32_t dimensions = 0;  // a bit for each
  for (const TexelRange& range : ranges) {
    if (range.argument != argument || range.write) continue;
    if (range.first < 0 || range.dimension >= image.dimensions ||
        static_cast<uint64_t>(range.last) >= image.extent[range.dimension])
      return false;
    dimensions |= 1u << range.dimension;
  }
  return dimensions == (1u << image.dimensions) - 1;
}

}  // namespace

std::vector<UnwrittenTexels> FindUnwrittenTexels(Kernel& kernel, const LaunchShape& shape) {
  constexpr int64_t kLargestPadding = 8;  // one part in so many
  std::vector<UnwrittenTexels> found;
  const bool any = std::any_of(
      kernel.arguments.begin(), kernel.arguments.end(), [](const KernelArgument& argument) {
        const Resource* image = argument.image ? argument.resource.get() : nullptr;
        return image != nullptr && !image->root->init.all();
      });
  if (!any || kernel.summary == nullptr) return found;
  std::vector<TexelRange> ranges;
  {
    std::lock_guard lock(kernel.lock);
    ranges = UsesOfLaunch(kernel, shape).texels;
  }
  for (const TexelRange& range : ranges) {
    if (range.write || range.argument >= kernel.arguments.size()) continue;
    const Resource* image = kernel.arguments[range.argument].resource.get();
    if (image == nullptr || !image->live() || image->image == nullptr || image->root != image ||
        image->init.all() || image->image->texel_bytes == 0 ||
        image->bytes != image->image->bytes() ||  // has other mip levels
        !ReadsInside(ranges, range.argument, *image->image))
      continue;
    // The texel at `last` is read: those of a part that ends there are unwritten.
    const int64_t part = std::max<int64_t>((range.last - range.first + 1) / kLargestPadding, 1);
    const UnwrittenTexels unwritten = {range, image, range.last - part + 1};
    std::lock_guard lock(image->lock);
    if (image->init.none() || !image->init.Untouched(unwritten.region())) continue;
    found.push_back(unwritten);
    return found;
  }
  return found;
}

void RefineLaunch(Kernel& kernel, const LaunchShape& shape,
                  absl::InlinedVector<LaunchArgument, 8>* arguments, Launch* launch,
                  std::vector<LaunchOverrun>* overruns) {
  if (kernel.summary == nullptr) return;
  const std::vector<ParameterSummary>& parameters = kernel.summary->parameters;
  const size_t count = arguments->size();
  {
    std::lock_guard lock(kernel.lock);
    KeptLaunch& kept = UsesOfLaunch(kernel, shape);
    kept.Count();
    const std::vector<LaunchUses>& uses = kept.uses;
    for (size_t i = 0; i < count; ++i) {
      LaunchArgument& argument = (*arguments)[i];
      if (argument.indirect || argument.index >= parameters.size()) continue;
      if (argument.resource->image != nullptr) {
        const ParameterSummary& parameter = parameters[argument.index];
        if (parameter.known && parameter.accesses.empty()) argument.direction = Direction::kNone;
        if (argument.direction == Direction::kRead && !argument.resource->root->init.all())
          argument.sure = SurelyReadsTexels(kernel, shape, parameter);
        continue;
      }
      if (!parameters[argument.index].known) continue;
      if (LaunchOverrun overrun; FindOverrun(uses[argument.index], argument, &overrun))
        overruns->push_back(overrun);
      const Resource& root = *argument.resource->root;
      if (!root.init.all() && !root.by_address())
        BoundWrites(uses[argument.index], &argument, launch);
      LaunchArgument more;
      if (RefineArgument(uses[argument.index], &argument, &more)) arguments->push_back(more);
    }
  }
  launch->writable_arguments = 0;
  for (LaunchArgument& argument : *arguments) {
    if (!argument.resource->root->init.all() && HasUpdates(kernel) &&
        OnlyUpdates(parameters, argument.index) && HasContent(*argument.resource))
      launch->Bound(&argument, {});
    if (argument.direction != Direction::kRead && argument.direction != Direction::kNone)
      ++launch->writable_arguments;
  }
}

}  // namespace gpusan
