// Pointer arguments.
#include "hooks/cuda/memory/pointers.h"

#include "hooks/cuda/streams/context_scope.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

// Queries the driver for the allocation around the address. Returns false if there is none.
bool QueryAllocation(CuCall& call, uintptr_t address, ResourceSpec* spec) {
  const auto query = GPUSAN_CU_REAL(cuPointerGetAttribute);
  if (query == nullptr) return false;
  const ContextScope scope(call.current());
  unsigned type = 0;
  CUdeviceptr base = 0;
  size_t bytes = 0;
  unsigned managed = 0;
  if (query(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS) return false;
  if (query(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) != CUDA_SUCCESS) return false;
  if (query(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS) return false;
  if (base == 0 || bytes == 0 || address - base >= bytes) return false;
  query(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
  spec->kind = managed != 0                 ? ObjectKind::kManaged
               : type == CU_MEMORYTYPE_HOST ? ObjectKind::kPinned
                                            : ObjectKind::kDeviceMemory;
  spec->handle = base;
  spec->bytes = bytes;
  spec->flags = kImported;
  spec->initialized = true;
  return true;
}

// True if mapped memory begins where the resource ends, so that a range may continue there.
bool GoesOn(CuCall& call, const Resource& resource, uint64_t end) {
  const Resource* part = &resource;
  while (end > part->bytes) {
    end -= part->bytes;
    uint64_t offset = 0;
    const Resource* next =
        call.tracker().objects().FindAddress(part->handle + part->bytes, &offset);
    if (next == nullptr || next->kind != ObjectKind::kMappedMemory || offset != 0) return false;
    part = next;
  }
  return true;
}

// Creates shadow state for memory that only the driver knows.
Resource* Adopt(CuCall& call, ResourceSpec spec, uintptr_t address, uint64_t* offset) {
  // The program's own block may lie there (registered memory): its size stays unchanged.
  if (spec.kind != ObjectKind::kDeviceMemory) spec.flags |= kUsesHostMemory;
  Resource* resource = call.tracker().objects().NewResource(call, spec);
  resource->MarkAdopted();
  *offset = address - spec.handle;
  return resource;
}

// Memory that was adopted may have been freed and allocated again unseen, with a larger size.
Resource* Refreshed(CuCall& call, Resource* resource, uintptr_t address, uint64_t* offset) {
  ResourceSpec spec;
  if (!QueryAllocation(call, address, &spec)) return resource;
  const bool same = spec.handle == resource->handle && spec.bytes == resource->bytes;
  return same ? resource : Adopt(call, spec, address, offset);
}

// Sets the side's resource and position.
void SetResource(CuCall& call, Resource* resource, uintptr_t address, uint64_t offset,
                 const Region& region, Side* side, bool* usable) {
  uint64_t end = SaturatingAdd(offset, region.end());
  if (BlockPools& pools = call.tracker().block_pools(); pools.MayUseParent(*resource, end))
      [[unlikely]] {
    if (Resource* parent = pools.UseParent(address, region.end()); parent != nullptr) {
      resource = parent;
      offset = address - parent->handle;
      end = SaturatingAdd(offset, region.end());
    }
  }
  if (end > resource->bytes && (resource->adopted || resource->kind == ObjectKind::kMappedMemory))
      [[unlikely]] {
    if (resource->adopted) {
      resource = Refreshed(call, resource, address, &offset);
      // The driver may report the range as consecutive pieces.
      ResourceSpec next;
      if (SaturatingAdd(offset, region.end()) > resource->bytes &&
          QueryAllocation(call, resource->handle + resource->bytes, &next))
        *usable = false;
    } else if (GoesOn(call, *resource, end)) {
      *usable = false;
    }
  }
  if (resource->kind == ObjectKind::kMappedMemory && resource->native_flags == 0) [[unlikely]]
    call.FailureFact(
        absl::StrCat("no cuMemSetAccess allows accesses to ", ObjectText(*resource, call.words())));
  side->resource = resource;
  side->region = region.Shifted(offset);
}

// Fills the side if the region is empty or the memory is known to gpusan or the driver. Otherwise
// returns false and sets the pointer only.
bool SetKnown(CuCall& call, CUdeviceptr pointer, const Region& region, Side* side, bool* usable) {
  side->region = region;
  if (region.empty()) return true;
  uint64_t offset = 0;
  Resource* resource = FindPointer(call, HandleOf(pointer), &offset);
  if (resource != nullptr && !IsFreedBlock(call, *resource, HandleOf(pointer))) [[likely]] {
    SetResource(call, resource, HandleOf(pointer), offset, region, side, usable);
    return true;
  }
  side->pointer = reinterpret_cast<const void*>(pointer);
  return false;
}

}  // namespace

Resource* FindPointer(CuCall& call, uintptr_t address, uint64_t* offset) {
  Resource* resource = call.tracker().objects().FindAddress(address, offset);
  if (resource != nullptr) [[likely]]
    return resource;
  if (address == 0 || !call.adopts()) return nullptr;
  // An address of no block, in memory that the program divides.
  if (call.tracker().block_pools().Find(address) != 0) return nullptr;
  ResourceSpec spec;
  if (!QueryAllocation(call, address, &spec)) return nullptr;
  // A pool keeps freed memory mapped.
  if (call.tracker().pointers().FreedInOrder(address)) return nullptr;
  return Adopt(call, spec, address, offset);
}

bool IsFreedBlock(CuCall& call, const Resource& found, uintptr_t address) {
  const Objects& objects = call.tracker().objects();
  if (!call.tracker().block_pools().any() || !objects.addresses().IsDivided(found)) return false;
  const Resource* freed = call.tracker().objects().FindReleased(address);
  // Programs that report their own allocator may use its memory between the blocks.
  return freed != nullptr && freed->is_block() && freed->owned;
}

Side DeviceSide(CuCall& call, CUdeviceptr pointer, const Region& region, const char* argument,
                bool* usable) {
  Side side;
  if (SetKnown(call, pointer, region, &side, usable)) [[likely]]
    return side;
  *usable = false;
  call.CheckUnknown(HandleOf(pointer), region.end(), argument);
  return side;
}

Side HostSide(CuCall& call, const void* pointer, const Region& region, const char* argument,
              bool* usable) {
  Side side;
  side.region = region;
  side.pointer = pointer;
  uint64_t offset = 0;
  Resource* resource = call.tracker().objects().FindAddress(HandleOf(pointer), &offset);
  if (resource == nullptr) {
    // Any memory of the process is valid.
    side.complete_on_return = true;
    return side;
  }
  SetResource(call, resource, HandleOf(pointer), offset, region, &side, usable);
  if (resource->kind == ObjectKind::kDeviceMemory && !region.empty()) {
    *usable = false;
    rules::PointerUse use{resource->handle + offset, 0, argument, resource, offset};
    use.expect = rules::PointerUse::Expect::kHost;
    rules::OnPointerUse(use, call);
  }
  return side;
}

Side AnySide(CuCall& call, CUdeviceptr pointer, const Region& region, const char* argument,
             bool* usable) {
  Side side;
  if (SetKnown(call, pointer, region, &side, usable)) [[likely]]
    return side;
  side.complete_on_return = true;
  HostBlock block;
  if (!call.tracker().host_side().memory().Find(HandleOf(pointer), &block)) {
    // The address is unknown and may be valid: only freed device memory can be reported.
    call.tracker().pointers().CheckFreedPointer(call, HandleOf(pointer), argument);
    if (call.has_findings()) *usable = false;
  }
  return side;
}

}  // namespace gpusan::cuda
