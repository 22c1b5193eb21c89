// Handlers: memory pools, and stream-ordered allocation and free.
#pragma once

#include "hooks/cuda/memory/copies.h"
#include "hooks/cuda/memory/memory.h"

namespace gpusan::cuda {

// --- functions of pools.cc

// Returns the kind of memory in the pool: device memory, or memory that the host can access too.
ObjectKind KindOfPool(CuCall& call, CUmemoryPool pool);
// Returns whether the pool is not known to be destroyed. nullptr: no pool is named.
bool MayAllocate(FastCall& call, CUmemoryPool pool);
ObjectKind KindOfLocation(CUmemLocationType location, CUmemAllocationType type);
void CreatedPool(CuCall& call, CUmemoryPool pool, const CUmemPoolProps* properties);
void DestroyPool(CuCall& call, CUmemoryPool pool);
// A query returned the pool: it lives. The driver may have made it where a released object was.
void FoundPool(CuCall& call, CUmemoryPool pool);

// Returns the bytes that the default pools of all devices and the program's own pools reserved when
// last read; imported pools belong to other processes. The driver is asked in the program's next
// ordered allocation or free after this call, because a thread of gpusan's must not enter a driver
// that may be shutting down. Thread-safe.
uint64_t PoolReserveBytes();

// Adds to the facts of the failed call that the limit of the pool leaves no room for `bytes`, if
// the program created the pool with a limit and that is the reason. `pool` may be nullptr.
void ExplainPoolLimit(CuCall& call, CUmemoryPool pool, uint64_t bytes);

void ImportedPointer(CuCall& call, CUdeviceptr pointer);

// Reads the pools' reserve from the driver if PoolReserveBytes was called since. Call it between
// two calls of the program.
void LookAtReserve();

// A stream-ordered allocation that is being enqueued.
class OrderedAllocation {
 public:
  void Begin(CuCall& call, Stream* stream) { command_.Begin(call, stream); }
  // `pool`: nullptr for the pool of the stream's device.
  void End(CuCall& call, CUmemoryPool pool, CUdeviceptr address, uint64_t bytes, CUresult code);

 private:
  StreamCommand command_;
};
// Queues a successful ordered allocation (deferral_queue.h). Returns false if that cannot be
// deferred.
bool DeferOrderedAllocation(FastCall& call, Stream* stream, CUmemoryPool pool, CUdeviceptr address,
                            uint64_t bytes);

// A stream-ordered free that is being enqueued.
class OrderedFree {
 public:
  void Begin(CuCall& call, Stream* stream, CUdeviceptr address);
  void End(CuCall& call, CUresult code);
  // Replaces Begin and End when the real call failed after the free had been processed.
  void EndRejected(CuCall& call, Stream* stream, CUdeviceptr address,
                   const ProcessedCommand& processed, CUresult code);
  Resource* resource() const { return resource_; }
  Epoch epoch() { return command_.command().epoch; }

 private:
  ToFree WhatToFree(CUdeviceptr address) const {
    return {HandleOf(address), "dptr",
            AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kPinned, ObjectKind::kManaged)};
  }
  void Release(CuCall& call);

  StreamCommand command_;
  Resource* resource_ = nullptr;
  CUdeviceptr address_ = 0;
  bool plain_ = false;   // the memory was not allocated in stream order
  bool unseen_ = false;  // gpusan did not see the allocation
};
// Queues an ordered free, before the real call. Returns false if the free cannot be deferred.
bool DeferOrderedFree(FastCall& call, CUstream stream, CUdeviceptr address);

// --- handlers

template <typename P>
struct MemAllocAsync {
  OrderedAllocation allocation;
  static bool TryFast(FastCall& call, P& p) {
    if (AnyFailedAllocation()) [[unlikely]]
      return false;
    call.stream = KnownStream(call, p.hStream);
    return MayDefer(call, call.stream) && MayAllocate(call, PoolOf(p));
  }
  static bool TryFastAfter(FastCall& call, P& p) {
    LookAtReserve();
    return DeferOrderedAllocation(call, call.stream, PoolOf(p), *p.dptr, p.bytesize);
  }
  void Before(CuCall& call, P& p) {
    call.Requested(p.bytesize);
    if constexpr (requires { p.pool; }) {
      call.tracker().objects().Use(call, HandleOf(p.pool), MaskOf(ObjectKind::kMemoryPool), "pool");
    }
    Stream* stream = StreamArgument(call, p);
    LearnToDefer(call, stream);
    allocation.Begin(call, stream);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) {
      LookAtReserve();
      NoteAllocated(*p.dptr);
    } else if (code == CUDA_ERROR_OUT_OF_MEMORY) {
      ExplainPoolLimit(call, PoolOf(p), p.bytesize);
    }
    allocation.End(call, PoolOf(p), code == CUDA_SUCCESS ? *p.dptr : 0, p.bytesize, code);
  }

 private:
  static CUmemoryPool PoolOf(const P& p) {
    if constexpr (requires { p.pool; }) {
      return p.pool;
    } else {
      return nullptr;
    }
  }
};

template <typename P>
struct MemFreeAsync {
  OrderedFree free;
  static bool TryFast(FastCall& call, P& p) { return DeferOrderedFree(call, p.hStream, p.dptr); }
  static bool TryFastAfter(FastCall& call, P&) {
    LookAtReserve();
    DeferredReturned(call.ticket);
    return true;
  }
  void Before(CuCall& call, P& p) {
    Stream* stream = StreamArgument(call, p);
    LearnToDefer(call, stream);
    TakeAllocated(p.dptr);
    free.Begin(call, stream, p.dptr);
  }
  void After(CuCall& call, CUresult code, P&) {
    if (code == CUDA_SUCCESS) LookAtReserve();
    free.End(call, code);
  }
  void OnRejected(CuCall& call, CUresult code, P& p, const ProcessedCommand& processed) {
    free.EndRejected(call, StreamArgument(call, p), p.dptr, processed, code);
  }
};

template <typename P>
struct PoolCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedPool(call, *p.pool, p.poolProps);
  }
};

template <typename P>
struct PoolImport {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedPool(call, *p.pool_out, nullptr);
  }
};

// Queries that return the handle of a pool.
template <typename P>
struct PoolQuery {
  // No deferred command creates or releases pools.
  static constexpr bool kLeavesDeferred = true;

  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    if constexpr (requires { p.pool_out; }) {
      FoundPool(call, *p.pool_out);
    } else {
      FoundPool(call, *p.pool);
    }
  }
};

template <typename P>
struct PoolDestroy {
  void Before(CuCall& call, P& p) { DestroyPool(call, p.pool); }
};

template <typename P>
struct PoolImportPointer {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) ImportedPointer(call, *p.ptr_out);
  }
};

}  // namespace gpusan::cuda
