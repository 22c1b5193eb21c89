// Handlers: linear device memory, pinned and managed host memory.
#include "hooks/cuda/memory/memory.h"

#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "hooks/cuda/call/error_codes.h"
#include "hooks/cuda/guards/guards.h"
#include "hooks/cuda/streams/advice.h"
#include "hooks/cuda/streams/contexts.h"
#include "tracker/rules/rules.h"
#include "tracker/state/host_uses.h"

namespace gpusan::cuda {

namespace {

// --- deferred commands

struct DeferredAllocation : DeferredCommand {
  CUdeviceptr address;
  uint64_t size;  // bytes
};

bool ProcessAllocation(DeferredCommand& command, const DeferredCommand*,
                       ProcessedCommand* processed) {
  const auto& one = static_cast<const DeferredAllocation&>(command);
  DeferredCall call(one);
  NewAllocated(call, ObjectKind::kDeviceMemory, HandleOf(one.address), one.size);
  call.End(processed);
  return false;
}
constexpr DeferredKind kAllocation = {&ProcessAllocation};

struct DeferredFree : DeferredCommand {
  CUdeviceptr address;
};

bool ProcessFree(DeferredCommand& command, const DeferredCommand*, ProcessedCommand* processed) {
  const auto& one = static_cast<const DeferredFree&>(command);
  DeferredCall call(one);
  LinearFree free;
  free.Begin(call, DeviceMemoryAt(one.address));
  processed->resource = free.resource;
  free.End(call, CUDA_SUCCESS);
  call.End(processed);
  return false;
}
constexpr DeferredKind kFree = {&ProcessFree};

}  // namespace

Resource* NewLinear(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                    uint16_t flags, uint64_t native_flags) {
  if (address == 0) return nullptr;
  call.site();
  if (AnyFailedAllocation()) [[unlikely]]
    AllocatedInstead(call, bytes);
  if (kind == ObjectKind::kPinned || kind == ObjectKind::kManaged)
    any_pinned_memory.store(true, std::memory_order_relaxed);
  ResourceSpec spec;
  spec.kind = kind;
  spec.handle = address;
  spec.address = address;
  spec.bytes = bytes;
  spec.flags = flags;
  spec.native_flags = native_flags;
  Context* context = call.current();
  spec.context = context != nullptr ? context->object : nullptr;
  Resource* resource = call.tracker().objects().NewResource(call, spec);
  if (GuardsOn() && resource != nullptr) [[unlikely]]
    DescribeGuarded(call, *resource);
  return resource;
}

Resource* NewAllocated(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                       uint16_t flags, uint64_t native_flags) {
  Context* const context = call.current();
  if (context != nullptr && !CurrentHooks().strict) context->group.OrderAll();
  if (GuardsPinned()) [[unlikely]]
    RemovePinnedGuardsIn(address, bytes);
  return NewLinear(call, kind, address, bytes, flags, native_flags);
}

bool DeferAllocation(FastCall& call, CUdeviceptr address, uint64_t bytes) {
  // Later launches search for pointers in the address span, which grows only when an allocation is
  // processed; a deferred one must lie within it.
  const AddressMap::Span span = call.tracker().objects().addresses().span();
  if (!span.Holds(HandleOf(address)) || !span.Holds(HandleOf(address) + bytes - 1)) return false;
  Context* const context = KnownCurrent();
  if (context == nullptr) return false;
  DeferredRoom room(sizeof(DeferredAllocation));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  auto& one = *new (room.get()) DeferredAllocation;
  one.address = address;
  one.size = bytes;
  NoteAllocated(address);
  room.Enqueue(call, &context->legacy, kAllocation, true, sizeof(DeferredAllocation));
  return true;
}

void AddMemoryState(Failure* failure) {
  const bool unexplained = failure->facts.empty();
  auto add_text = [&](std::string text) {
    failure->facts =
        failure->facts.empty() ? std::move(text) : absl::StrCat(failure->facts, "; ", text);
  };
  auto add = [&](const char* key, uint64_t bytes) { failure->details.push_back({key, bytes}); };
  const auto query = GPUSAN_CU_REAL(cuMemGetInfo_v2);
  size_t free_bytes = 0, total_bytes = 0;
  if (query != nullptr && query(&free_bytes, &total_bytes) == CUDA_SUCCESS) {
    add_text(absl::StrCat("the driver reports that ", BytesText(free_bytes), " of ",
                          BytesText(total_bytes), " are free"));
    add("free_bytes", free_bytes);
    add("total_bytes", total_bytes);
    failure->device_bytes = total_bytes;
    if (unexplained && failure->requested_bytes != 0 && failure->requested_bytes <= free_bytes)
      add_text("that is enough in total, so the free memory is in pieces or another limit applies");
  }
  const auto device_of = GPUSAN_CU_REAL(cuCtxGetDevice);
  const auto pool_of = GPUSAN_CU_REAL(cuDeviceGetMemPool);
  const auto query_pool = GPUSAN_CU_REAL(cuMemPoolGetAttribute);
  CUdevice device;
  CUmemoryPool pool;
  cuuint64_t reserved = 0, used = 0;
  if (device_of == nullptr || pool_of == nullptr || query_pool == nullptr ||
      device_of(&device) != CUDA_SUCCESS || pool_of(&pool, device) != CUDA_SUCCESS ||
      query_pool(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved) != CUDA_SUCCESS ||
      query_pool(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) != CUDA_SUCCESS || reserved == 0)
    return;
  add_text(absl::StrCat("the device's memory pool reserves ", BytesText(reserved), ", ",
                        BytesText(used), " of them in use",
                        reserved > used ? ": cuMemPoolTrimTo releases the rest" : ""));
  add("pool_reserved_bytes", reserved);
  add("pool_used_bytes", used);
}

void FailedAllocation(CuCall& call, ObjectKind kind, uint64_t bytes, CUresult code,
                      uintptr_t left) {
  // After a device fault every allocation fails; sticky-error reports that.
  if (!IsFault(code)) call.tracker().objects().NoteFailedCreation(call, kind, code, bytes, left);
}

Resource* WithoutParts(CuCall& call, Resource* resource, const char* argument) {
  if (resource == nullptr || !resource->owned) return resource;
  call.FailureFact(absl::StrCat(argument, " is ", ObjectText(*resource, call.words()),
                                ", which is released with the object that it is a part of"));
  return nullptr;
}

Resource* FindToFree(CuCall& call, const ToFree& to_free, bool* unseen) {
  // The free of memory that the program divided ends its blocks.
  BlockPools& pools = call.tracker().block_pools();
  if (pools.any()) [[unlikely]]
    pools.Destroy(call, to_free.address);
  uint64_t offset = 0;
  Resource* resource = call.tracker().objects().FindAddress(to_free.address, &offset);
  if (pools.any() && resource != nullptr && offset == 0 && resource->is_block()) [[unlikely]] {
    call.FailureFact(absl::StrCat(to_free.argument, " is ", ObjectText(*resource, call.words()),
                                  ", which belongs to a pool of the program"));
    *unseen = true;
    return nullptr;
  }
  if (resource != nullptr && offset == 0 && (MaskOf(resource->kind) & to_free.kinds) != 0 &&
      (resource->flags & to_free.of_flags) == to_free.flags) [[likely]]
    return resource;
  // A driver may accept a second free of memory that was freed in stream order.
  if (call.tracker().pointers().FreedInOrder(to_free.address)) {
    return call.tracker().pointers().UseForFree(call, to_free.address, to_free.argument,
                                                to_free.kinds, to_free.of_flags, to_free.flags);
  }
  *unseen = true;
  return nullptr;
}

void FreedUnseen(CuCall& call, const ToFree& to_free, CUresult code) {
  // Other codes do not concern the pointer.
  if (code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) {
    call.tracker().pointers().UseForFree(call, to_free.address, to_free.argument, to_free.kinds,
                                         to_free.of_flags, to_free.flags);
  } else if (code == CUDA_SUCCESS) {
    JoinForFree(call);
  }
}

void CheckPendingCopies(CuCall& call, const ToFree& to_free, bool registered) {
  // Strict mode does not count the free as a wait and reports every command that uses the memory.
  if (CurrentHooks().strict) return;
  uint64_t offset = 0;
  const Resource* resource = call.tracker().objects().FindAddress(to_free.address, &offset);
  if (resource == nullptr || offset != 0 || (MaskOf(resource->kind) & to_free.kinds) == 0 ||
      (resource->flags & to_free.of_flags) != to_free.flags || resource->root->history.empty())
    return;
  const Ordering& ordering = call.tracker().ordering();
  Access pending;
  {
    std::lock_guard lock(resource->root->lock);
    for (const Access& access : resource->root->history) {
      // Kernels only may use the memory.
      if (access.sureness == Sureness::kCertain && !IsLifetime(access.role) &&
          !ordering.host().Completed(access.epoch) && !ordering.MayHaveSignaled(access.epoch))
        pending = access;
    }
  }
  if (pending.call == nullptr) return;
  rules::HostFree free;
  free.block = {resource->handle, resource->bytes, HostBlockKind::kHeap, resource->created};
  free.pending = &pending;
  free.by_api = registered ? rules::HostFree::ByApi::kUnregister : rules::HostFree::ByApi::kFree;
  rules::OnHostFree(free, call);
}

void FreeLinear(CuCall& call, Resource* resource) {
  call.site();
  FreesAgain(resource);
  // Memory of a pool is released at once: the program has to wait first (CUDA cuMemFree).
  if (!resource->has(kStreamOrdered)) {
    JoinForFree(call);
    // Streams of other contexts may use the memory too.
    bool pending = false;
    if (!resource->root->history.empty()) {
      std::lock_guard lock(resource->root->lock);
      resource->root->history.Prune(call.tracker().ordering().host());
      pending = !resource->root->history.empty();
    }
    if (pending && !CurrentHooks().strict) {
      for (Context* context : LiveContexts()) WaitContext(call, context);
    }
  }
  if (resource->children.load(std::memory_order_relaxed) != 0) {
    for (Resource* part : call.tracker().objects().PartsOf(*resource))
      call.tracker().objects().Release(call, part, true);
  }
  call.tracker().objects().Release(call, resource);
}

namespace {

// Indexed by address; a slot holds the newest of the addresses that share it.
constinit std::atomic<CUdeviceptr> g_allocated[4096] = {};
std::atomic<CUdeviceptr>& Allocated(CUdeviceptr address) {
  return g_allocated[address * 0x9e3779b97f4a7c15u >> 52];
}

}  // namespace

void NoteAllocated(CUdeviceptr address) {
  Allocated(address).store(address, std::memory_order_relaxed);
}

bool TakeAllocated(CUdeviceptr address) {
  std::atomic<CUdeviceptr>& newest = Allocated(address);
  if (address == 0 || newest.load(std::memory_order_relaxed) != address) return false;
  newest.store(0, std::memory_order_relaxed);
  return true;
}

bool DeferFree(FastCall& call, CUdeviceptr address) {
  // With a single context the driver need not be asked.
  Context* const context = OnlyContext();
  if (context == nullptr || !MayDeferWait(call) || !TakeAllocated(address)) return false;
  DeferredRoom room(sizeof(DeferredFree));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  new (room.get()) DeferredFree{{}, address};
  room.Enqueue(call, &context->legacy, kFree, false, sizeof(DeferredFree));
  return true;
}

void CheckRegistration(CuCall& call, const void* pointer, uint64_t bytes) {
  const uintptr_t begin = HandleOf(pointer);
  uint64_t offset = 0;
  for (uintptr_t address : {begin, begin + bytes - 1}) {
    const Resource* known =
        bytes != 0 ? call.tracker().objects().FindAddress(address, &offset) : nullptr;
    if (known == nullptr) continue;
    call.FailureFact(absl::StrCat("the range overlaps ", ObjectText(*known, call.words())));
    return;
  }
}

void NewAlias(CuCall& call, const void* pointer, CUdeviceptr device) {
  uint64_t offset = 0, known_offset = 0;
  Resource* host = call.tracker().objects().FindAddress(HandleOf(pointer), &offset);
  if (host == nullptr || host->kind != ObjectKind::kPinned) return;
  if (call.tracker().objects().FindAddress(HandleOf(device), &known_offset) != nullptr) return;
  ResourceSpec spec;
  spec.kind = ObjectKind::kPinned;
  spec.handle = HandleOf(device);
  spec.bytes = host->bytes - offset;
  // The host's address is another resource.
  spec.flags = kMappedHost | kUsesHostMemory;
  spec.parent = host;
  spec.parent_offset = offset;
  spec.context = host->context;
  call.tracker().objects().NewResource(call, spec)->MarkOwned();
}

void JoinForFree(CuCall& call) {
  AdviseOnFree(call);
  if (CurrentHooks().strict) return;
  // With a single context the driver need not be asked.
  Context* context = OnlyContext();
  if (context == nullptr) context = call.current();
  if (context != nullptr) WaitBusy(call, context);
}

}  // namespace gpusan::cuda
