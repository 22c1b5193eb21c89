// Handlers: memory pools, and stream-ordered allocation and free.
#include "hooks/cuda/memory/pools.h"
#include "hooks/cuda/streams/peers.h"
#include "tracker/base/sampled.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <vector>

namespace gpusan::cuda {
namespace {

// The name of pools whose memory the host can access; other pools belong to a device.
constexpr const char* kHostPool = "host";
constexpr const char* kManagedPool = "managed";

constinit std::atomic<bool> g_reserve_wanted{false};
constinit std::atomic<uint64_t> g_reserve{0};

struct OwnPool {
  CUmemoryPool handle = nullptr;
  uint64_t max_bytes = 0;  // 0: a limit of the system
};
// The device pools that the program created and has not destroyed. The lock is held while the
// driver is asked about them, so that no pool is destroyed meanwhile; threads that wait for it hold
// no lock of the driver.
struct OwnPools {
  std::mutex mutex;
  std::vector<OwnPool> pools;
};
OwnPools& Pools() {
  static OwnPools* const pools = new OwnPools;
  return *pools;
}

// Returns the bytes that the pool reserves; 0 when the driver does not say.
uint64_t ReserveOf(CUmemoryPool pool) {
  cuuint64_t reserved = 0;
  const CUresult code =
      GPUSAN_CU_REAL(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved);
  return code == CUDA_SUCCESS ? reserved : 0;
}

[[gnu::cold, gnu::noinline]] void QueryReserve() {
  g_reserve_wanted.store(false, std::memory_order_relaxed);
  const auto exchange = GPUSAN_CU_REAL(cuThreadExchangeStreamCaptureMode);
  const auto count_devices = GPUSAN_CU_REAL(cuDeviceGetCount);
  const auto device_of = GPUSAN_CU_REAL(cuDeviceGet);
  const auto pool_of = GPUSAN_CU_REAL(cuDeviceGetDefaultMemPool);
  int devices = 0;
  if (exchange == nullptr || count_devices == nullptr || device_of == nullptr ||
      pool_of == nullptr || GPUSAN_CU_REAL(cuMemPoolGetAttribute) == nullptr ||
      count_devices(&devices) != CUDA_SUCCESS)
    return;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (exchange(&mode) != CUDA_SUCCESS) return;
  uint64_t sum = 0;
  for (int i = 0; i < devices; ++i) {
    CUdevice device;
    CUmemoryPool pool;
    if (device_of(&device, i) == CUDA_SUCCESS && pool_of(&pool, device) == CUDA_SUCCESS)
      sum += ReserveOf(pool);
  }
  {
    OwnPools& own = Pools();
    std::lock_guard lock(own.mutex);
    for (const OwnPool& pool : own.pools) sum += ReserveOf(pool.handle);
  }
  exchange(&mode);
  g_reserve.store(sum, std::memory_order_relaxed);
}

// --- deferred commands

struct DeferredAllocation : DeferredCommand {
  CUmemoryPool pool;
  CUdeviceptr address;
  uint64_t size;  // bytes
};

bool ProcessAllocation(DeferredCommand& command, const DeferredCommand*,
                       ProcessedCommand* processed) {
  const auto& one = static_cast<const DeferredAllocation&>(command);
  DeferredCall call(one);
  OrderedAllocation allocation;
  allocation.Begin(call, one.stream);
  allocation.End(call, one.pool, one.address, one.size, CUDA_SUCCESS);
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
  OrderedFree free;
  free.Begin(call, one.stream, one.address);
  processed->epoch = free.epoch();
  processed->resource = free.resource();
  free.End(call, CUDA_SUCCESS);
  call.End(processed);
  return false;
}
constexpr DeferredKind kFree = {&ProcessFree};

}  // namespace

ObjectKind KindOfLocation(CUmemLocationType location, CUmemAllocationType type) {
#if CUDA_VERSION >= 13000
  if (type == CU_MEM_ALLOCATION_TYPE_MANAGED) return ObjectKind::kManaged;
#else
  (void)type;
#endif
  return location == CU_MEM_LOCATION_TYPE_DEVICE || location == CU_MEM_LOCATION_TYPE_INVALID
             ? ObjectKind::kDeviceMemory
             : ObjectKind::kPinned;
}

bool MayAllocate(FastCall& call, CUmemoryPool pool) {
  const Object* object =
      pool != nullptr ? call.tracker().objects().Find(Api::kCuda, HandleOf(pool)) : nullptr;
  return object == nullptr || object->live();
}

ObjectKind KindOfPool(CuCall& call, CUmemoryPool pool) {
  Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(pool));
  if (object == nullptr || object->kind != ObjectKind::kMemoryPool)
    return ObjectKind::kDeviceMemory;
  const std::string& text = static_cast<PlainObject*>(object)->text;
  return text == kHostPool      ? ObjectKind::kPinned
         : text == kManagedPool ? ObjectKind::kManaged
                                : ObjectKind::kDeviceMemory;
}

void CreatedPool(CuCall& call, CUmemoryPool pool, const CUmemPoolProps* properties) {
  // A pool belongs to its device, not to a context.
  PlainObject* object =
      call.tracker().objects().NewPlain(call, ObjectKind::kMemoryPool, HandleOf(pool), nullptr);
  if (properties == nullptr) return;
  const ObjectKind kind = KindOfLocation(properties->location.type, properties->allocType);
  object->text = kind == ObjectKind::kPinned    ? kHostPool
                 : kind == ObjectKind::kManaged ? kManagedPool
                                                : "";
  if (kind != ObjectKind::kDeviceMemory) return;
  if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE)
    NoteDeviceInUse(properties->location.id);
  OwnPools& own = Pools();
  std::lock_guard lock(own.mutex);
  constexpr size_t kMostPools = 1024;  // further pools are not asked
  if (own.pools.size() < kMostPools) own.pools.push_back({pool, properties->maxSize});
}

void DestroyPool(CuCall& call, CUmemoryPool pool) {
  {
    OwnPools& own = Pools();
    std::lock_guard lock(own.mutex);
    std::erase_if(own.pools, [&](const OwnPool& one) { return one.handle == pool; });
  }
  Object* object = call.tracker().objects().UseForRelease(call, HandleOf(pool),
                                                          MaskOf(ObjectKind::kMemoryPool), "pool");
  if (object != nullptr) call.tracker().objects().Release(call, object);
}

void FoundPool(CuCall& call, CUmemoryPool pool) {
  Objects& objects = call.tracker().objects();
  const Object* known = objects.Find(Api::kCuda, HandleOf(pool));
  if (known == nullptr || known->live()) return;
  objects.NewPlain(call, ObjectKind::kMemoryPool, HandleOf(pool), nullptr)->MarkAdopted();
}

void ExplainPoolLimit(CuCall& call, CUmemoryPool pool, uint64_t bytes) {
  if (pool == nullptr) return;
  uint64_t limit = 0;
  {
    OwnPools& own = Pools();
    std::lock_guard lock(own.mutex);
    for (const OwnPool& one : own.pools) limit = one.handle == pool ? one.max_bytes : limit;
  }
  const auto query = GPUSAN_CU_REAL(cuMemPoolGetAttribute);
  cuuint64_t used = 0;
  if (limit == 0 || query == nullptr ||
      query(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) != CUDA_SUCCESS)
    return;
  const uint64_t left = limit - std::min<uint64_t>(used, limit);
  if (bytes <= left) return;
  call.FailureFact(absl::StrCat("the pool was created with a maxSize of ", BytesText(limit), ", ",
                                BytesText(used), " of them are in use"));
}

uint64_t PoolReserveBytes() {
  g_reserve_wanted.store(true, std::memory_order_relaxed);
  return g_reserve.load(std::memory_order_relaxed);
}

void LookAtReserve() {
  if (g_reserve_wanted.load(std::memory_order_relaxed)) [[unlikely]]
    QueryReserve();
}

void ImportedPointer(CuCall& call, CUdeviceptr pointer) {
  uint64_t offset = 0;
  FindPointer(call, HandleOf(pointer), &offset);  // the driver knows the size
}

bool DeferOrderedAllocation(FastCall& call, Stream* stream, CUmemoryPool pool, CUdeviceptr address,
                            uint64_t bytes) {
  // Later launches search for pointers in the address span, which grows only when an allocation is
  // processed; a deferred one must lie within it.
  const AddressMap::Span span = call.tracker().objects().addresses().span();
  if (!span.Holds(HandleOf(address)) || !span.Holds(HandleOf(address) + bytes - 1)) return false;
  DeferredRoom room(sizeof(DeferredAllocation));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  auto& one = *new (room.get()) DeferredAllocation;
  one.pool = pool;
  one.address = address;
  one.size = bytes;
  NoteAllocated(address);
  room.Enqueue(call, stream, kAllocation, true, sizeof(DeferredAllocation));
  return true;
}

void OrderedAllocation::End(CuCall& call, CUmemoryPool pool, CUdeviceptr address, uint64_t bytes,
                            CUresult code) {
  const ObjectKind kind = pool != nullptr ? KindOfPool(call, pool) : ObjectKind::kDeviceMemory;
  if (command_.captured()) {
    // The memory exists only during launches of the graph.
    if (code != CUDA_SUCCESS) return;
    Resource* resource =
        NewLinear(call, kind, HandleOf(address), bytes, kImported | kOutlivesContext);
    if (resource != nullptr) resource->MarkAdopted();
    return;
  }
  if (code != CUDA_SUCCESS) {
    FailedAllocation(call, ObjectKind::kDeviceMemory, bytes, code);
  } else {
    const uint16_t host = kind == ObjectKind::kDeviceMemory ? 0 : kMappedHost;
    Resource* resource =
        NewLinear(call, kind, HandleOf(address), bytes, host | kStreamOrdered | kOutlivesContext);
    if (resource != nullptr && command_.stream() != nullptr)
      call.tracker().accesses().RecordLifetime(call, command_.command(), resource,
                                               AccessRole::kAllocation);
  }
  command_.End(call, code);
}

bool DeferOrderedFree(FastCall& call, CUstream handle, CUdeviceptr address) {
  Stream* const stream = KnownStream(call, handle);
  if (!MayDefer(call, stream) || !TakeAllocated(address)) return false;
  DeferredRoom room(sizeof(DeferredFree));
  if (room.get() == nullptr) [[unlikely]]
    return false;
  new (room.get()) DeferredFree{{}, address};
  room.Enqueue(call, stream, kFree, false, sizeof(DeferredFree));
  return true;
}

void OrderedFree::Begin(CuCall& call, Stream* stream, CUdeviceptr address) {
  const bool captured = stream != nullptr && stream->capture.load() != nullptr;
  if (captured) return command_.Begin(call, stream);  // which notes the node
  if (address == 0) return;
  address_ = address;
  resource_ = FindToFree(call, WhatToFree(address), &unseen_);
  command_.Begin(call, stream);
  if (resource_ == nullptr) return;
  // Some drivers accept other memory too: their answer decides.
  if (!resource_->has(kStreamOrdered) && !resource_->has(kImported)) {
    call.FailureFact(absl::StrCat("dptr is ", ObjectText(*resource_, call.words()),
                                  ", which was not allocated in stream order"));
    plain_ = true;
    return;
  }
  Release(call);
}

void OrderedFree::Release(CuCall& call) {
  if (command_.stream() != nullptr)
    call.tracker().accesses().RecordLifetime(call, command_.command(), resource_,
                                             AccessRole::kFree);
  StoreSampled(resource_->flags, static_cast<uint16_t>(resource_->flags | kFreedInOrder));
  call.tracker().objects().Release(call, resource_, true);
}

void OrderedFree::End(CuCall& call, CUresult code) {
  if (plain_) {
    if (code == CUDA_SUCCESS && resource_->live()) Release(call);
  } else if (resource_ != nullptr && code != CUDA_SUCCESS) {
    call.tracker().objects().UndoRelease(resource_);
  } else if (unseen_ && code != CUDA_SUCCESS) [[unlikely]] {
    FreedUnseen(call, WhatToFree(address_), code);
  }
  command_.End(call, code);
}

void OrderedFree::EndRejected(CuCall& call, Stream* stream, CUdeviceptr address,
                              const ProcessedCommand& processed, CUresult code) {
  if (!processed.epoch.valid()) return;
  resource_ = processed.resource;
  address_ = address;
  unseen_ = resource_ == nullptr && !processed.explained;
  command_.Resume(stream, processed.epoch);
  End(call, code);
}

}  // namespace gpusan::cuda
