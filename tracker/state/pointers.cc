// Pointers: evidence for the checks of pointers.
#include "tracker/state/pointers.h"

#include "tracker/rules/rules.h"

namespace gpusan {
void Pointers::CheckSharedPointer(Call& call, uintptr_t address, uint64_t bytes,
                                  const char* argument) {
  rules::PointerUse use{address, bytes, argument};
  use.resource = objects_.addresses().Find(address);
  if (use.resource != nullptr) {
    use.offset = address - use.resource->handle;
    if (SaturatingAdd(use.offset, bytes) <= use.resource->bytes) return;
  } else {
    use.resource = objects_.FindReleased(address);
    use.block_known = host_side_.memory().Find(address, &use.block);
  }
  rules::OnPointerUse(use, call);
}

void Pointers::CheckDevicePointer(Call& call, uintptr_t address, uint64_t bytes,
                                  const char* argument) {
  rules::PointerUse use{address, bytes, argument, objects_.FindReleased(address)};
  use.expect = rules::PointerUse::Expect::kDevice;
  use.block_known = host_side_.memory().Find(address, &use.block);
  // The host has allocated memory at this address since: the pointer refers to the host block.
  if (use.block_known) use.resource = nullptr;
  rules::OnPointerUse(use, call);
}

void Pointers::CheckKernelPointer(Call& call, const rules::KernelPointer& pointer) {
  rules::KernelPointer checked = pointer;
  if (pointer.fault == rules::KernelPointer::Fault::kUnknown) {
    if (host_side_.memory().Find(pointer.address, &checked.block)) {
      checked.fault = rules::KernelPointer::Fault::kHost;
    } else if ((checked.resource = objects_.FindReleased(pointer.address)) != nullptr) {
      checked.fault = rules::KernelPointer::Fault::kFreed;
    }
    if (checked.fault != rules::KernelPointer::Fault::kFreed && pointer.reachable_host) return;
    // The base of an empty part may lie in no memory, or inside of memory that was freed.
    if (pointer.may_be_empty && (checked.fault == rules::KernelPointer::Fault::kUnknown ||
                                 (checked.fault == rules::KernelPointer::Fault::kFreed &&
                                  checked.resource->handle != pointer.address)))
      return;
  } else if (pointer.fault == rules::KernelPointer::Fault::kHost) {
    if (pointer.may_be_empty) return;
  } else if (pointer.fault == rules::KernelPointer::Fault::kAtEnd) {
    // The end of an allocation is also the address of the block after it, if that was freed.
    const Resource* freed = objects_.FindReleased(pointer.address);
    if (freed != nullptr && freed->handle == pointer.address) {
      checked.fault = rules::KernelPointer::Fault::kFreed;
      checked.resource = freed;
    } else if (pointer.may_be_empty) {
      return;
    }
  }
  rules::OnKernelPointer(checked, call);
}

void Pointers::CheckFreedPointer(Call& call, uintptr_t address, const char* argument) {
  rules::PointerUse use{address, 0, argument, objects_.FindReleased(address)};
  if (use.resource != nullptr) rules::OnPointerUse(use, call);
}

bool Pointers::FreedInOrder(uintptr_t address) {
  const Resource* resource = objects_.FindReleased(address);
  return resource != nullptr && resource->has(kFreedInOrder);
}

void Pointers::CheckReleasedBlock(Call& call, const Side& side, const char* argument) {
  if (side.region.empty()) return;
  rules::PointerUse use{reinterpret_cast<uintptr_t>(side.pointer) + side.region.offset,
                        side.region.end() - side.region.offset, argument};
  if (!host_side_.memory().FindReleased(use.address, &use.block, &use.release_site) ||
      use.release_site == kUnknownSite || use.bytes > use.block.end() - use.address ||
      host_side_.MayBeReused(use.address, use.bytes)) {
    return;
  }
  MappedRegion unmapped;
  if (host_side_.mapped().FindUnmapped(use.address, &unmapped)) {
    use.unmapped = &unmapped;
  } else {
    use.resource = objects_.FindReleased(use.address);
  }
  use.block_released = use.resource == nullptr;
  rules::OnPointerUse(use, call);
}

Resource* Pointers::UseForFree(Call& call, uintptr_t address, const char* argument, KindMask kinds,
                               uint16_t of_flags, uint16_t flags) {
  Resource* resource = objects_.addresses().Find(address);
  if (resource != nullptr && resource->handle == address && (MaskOf(resource->kind) & kinds) != 0 &&
      (resource->flags & of_flags) == flags) {
    return resource;
  }
  rules::PointerUse use{address, 0, argument, resource};
  use.free = true;
  use.kinds = kinds;
  if (resource != nullptr) {
    use.offset = address - resource->handle;
  } else {
    use.block_known = host_side_.memory().Find(address, &use.block);
    use.resource = objects_.FindReleased(address);
    if (use.resource != nullptr && use.resource->handle != address) use.resource = nullptr;
  }
  rules::OnPointerUse(use, call);
  return nullptr;
}

}  // namespace gpusan
