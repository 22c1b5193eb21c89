// Buffers and images that are bound to the same bytes of a memory object.
#include "hooks/vulkan/memory/aliases.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gpusan::vulkan {
namespace {

constexpr size_t kMostBindings = 64;

MemoryRange RangeOfBinding(const Resource& resource) {
  const ScopedState& state = ScopedOf(resource);
  const uint64_t bytes = resource.image != nullptr ? state.memory_bytes : resource.bytes;
  return {state.memory_offset, state.memory_offset + bytes};
}

bool Gone(const WeakRef<Resource>& ref) {
  const Resource* resource = ref.get();
  return resource == nullptr || !resource->live();
}
void DropGone(std::vector<WeakRef<Resource>>* refs) {
  refs->erase(std::remove_if(refs->begin(), refs->end(), Gone), refs->end());
}

void AddAlias(Resource& resource, Resource& alias) {
  ScopedState& state = ScopedOf(resource);
  std::lock_guard lock(state.lock);
  if (state.aliases == nullptr) state.aliases = std::make_unique<Aliases>();
  DropGone(&state.aliases->others);
  state.aliases->others.emplace_back(&alias);
  state.aliased.store(true, std::memory_order_relaxed);
}

// Whether content that is written through one alias can be read through the other: always between
// buffers, between images if both have equal descriptions (Vulkan 1.3 §12.8).
bool SharesContent(const Resource& a, const Resource& b) {
  if (a.image == nullptr) return true;
  return b.image != nullptr &&
         (ImageOf(a).flags & ImageOf(b).flags & VK_IMAGE_CREATE_ALIAS_BIT) != 0;
}

template <typename Visitor>
void ForEachBound(const MemoryState& memory, Visitor visit) {
  visit(memory.first_bound);
  if (memory.more_bound == nullptr) return;
  for (const WeakRef<Resource>& ref : *memory.more_bound) visit(ref);
}

}  // namespace

void MakeForeign(Resource& resource) {
  ScopedState& state = ScopedOf(resource);
  std::lock_guard lock(state.lock);
  if (std::exchange(state.foreign, true)) return;
  resource.init.MarkAll();
  if (resource.image == nullptr) return;
  ImageState& image = ImageOf(resource);
  image.layouts.Reset(image.mips, image.layers, kNoLayout);
  image.content.Reset(image.mips, image.layers, true);
}

void MakeForeign(MemoryState& memory) {
  memory.foreign = true;
  ForEachBound(memory, [](const WeakRef<Resource>& ref) {
    if (!Gone(ref)) MakeForeign(*ref.get());
  });
}

namespace {

[[gnu::noinline]] void NoteAnother(Resource& resource, MemoryState& memory) {
  if (memory.more_bound == nullptr)
    memory.more_bound = std::make_unique<std::vector<WeakRef<Resource>>>();
  std::vector<WeakRef<Resource>>& more = *memory.more_bound;
  DropGone(&more);
  if (more.size() >= kMostBindings) {
    if (memory.exports != 0) {
      MakeForeign(memory);
      MakeForeign(resource);
    }
    memory.crowded = true;
    memory.more_bound.reset();
    return;
  }
  const MemoryRange range = RangeOfBinding(resource);
  auto look_at = [&](const WeakRef<Resource>& ref) {
    Resource* other = ref.get();
    if (other == nullptr || other == &resource || !other->live() ||
        !range.Overlaps(RangeOfBinding(*other)))
      return;
    AddAlias(resource, *other);
    AddAlias(*other, resource);
    // Content of the new resource also counts as content of the old one.
    if (SharesContent(*other, resource)) {
      std::lock_guard lock(other->lock);
      other->init.MarkAll();
    }
  };
  look_at(memory.first_bound);
  for (const WeakRef<Resource>& ref : more) look_at(ref);
  more.emplace_back(&resource);
}

}  // namespace

void NoteBinding(Resource& resource, MemoryState& memory) {
  if (memory.crowded) return;
  if (memory.first_bound.object == nullptr ||
      (memory.more_bound == nullptr && Gone(memory.first_bound))) [[likely]] {
    memory.first_bound = WeakRef<Resource>(&resource);
    return;
  }
  NoteAnother(resource, memory);
}

MemoryRange RangeInMemory(const Resource& resource, const Extent& extent) {
  const MemoryRange all = RangeOfBinding(resource);
  if (resource.image != nullptr) {
    const ImageState& image = ImageOf(resource);
    const ImagePart& part = extent.part;
    const bool whole = part.whole() && part.first_mip == 0 && part.mips == image.mips &&
                       part.first_layer == 0 && part.layers == image.layers &&
                       (image.aspects & ~part.aspects) == 0;
    return whole ? all : MemoryRange();
  }
  const Region& region = extent.region;
  if (!region.linear() || region.offset >= resource.bytes) return {};
  return {all.begin + region.offset, std::min(all.begin + region.end(), all.end)};
}

bool MayBelongToOther(const Resource& buffer, uint64_t first, uint64_t last) {
  const ScopedState& state = ScopedOf(buffer);
  const Resource* held = state.memory.get();
  if (!state.bound || state.foreign) return true;
  if (held == nullptr || !held->live()) return false;
  const MemoryRange range = {state.memory_offset + first, state.memory_offset + last};
  MemoryState& memory = MemoryOf(*held);
  std::lock_guard lock(memory.lock);
  if (memory.foreign || memory.crowded) return true;
  const auto has_bytes = [&](const WeakRef<Resource>& ref) {
    const Resource* other = ref.get();
    return other != nullptr && other != &buffer && other->live() &&
           range.Overlaps(RangeOfBinding(*other));
  };
  return has_bytes(memory.first_bound) ||
         (memory.more_bound != nullptr && std::ranges::any_of(*memory.more_bound, has_bytes));
}

bool LosesContent(const Resource& image, const Resource& written, const MemoryRange& range) {
  if (image.image == nullptr) return false;
  const ImageState& state = ImageOf(image);
  if (state.foreign || !state.optimal) return false;
  // Images with equal descriptions share their content.
  if (written.image != nullptr &&
      (state.flags & ImageOf(written).flags & VK_IMAGE_CREATE_ALIAS_BIT) != 0)
    return false;
  const MemoryRange all = RangeOfBinding(image);
  if (range.Contains(all)) return true;
  const bool one =
      state.mips == 1 && state.layers == 1 && (state.aspects & (state.aspects - 1)) == 0;
  return one && range.begin == all.begin;
}

std::vector<Resource*> AliasesOf(ScopedState& state) {
  std::vector<Resource*> live;
  std::lock_guard lock(state.lock);
  if (state.aliases == nullptr) return live;
  for (const WeakRef<Resource>& ref : state.aliases->others) {
    if (!Gone(ref)) live.push_back(ref.get());
  }
  return live;
}

}  // namespace gpusan::vulkan
