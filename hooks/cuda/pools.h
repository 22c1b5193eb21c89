// Handlers: memory pools, and memory that is allocated and freed in the order of a stream.
#pragma once

#include "hooks/cuda/copies.h"
#include "hooks/cuda/deferred_commands.h"
#include "hooks/cuda/memory.h"

namespace gpusan::cuda {

// --- not templates (pools.cc)

// What memory of the pool is: of the device, or reachable by the host as well.
ObjectKind KindOfPool(CuCall& call, CUmemoryPool pool);
ObjectKind KindOfLocation(CUmemLocationType location, CUmemAllocationType type);
void CreatedPool(CuCall& call, CUmemoryPool pool, const CUmemPoolProps* properties);
void DestroyPool(CuCall& call, CUmemoryPool pool);

// What the default pools of all devices and those that the program made kept from their devices when
// last looked at, bytes; imported pools belong to other processes. The
// driver is asked in the program's own ordered allocations and frees, the next one after each call
// of this: no thread of ours enters a driver that may be on its way out. Thread-safe.
uint64_t PoolReserveBytes();

void ImportedPointer(CuCall& call, CUdeviceptr pointer);

// An allocation on its way into a stream. Judged now, or later (deferred_commands.h).
class OrderedAllocation {
 public:
  static constexpr bool kLeavesDeferred = true;
  void Begin(CuCall& call, Stream* stream, uint64_t bytes);
  // `pool`: nullptr for that of the stream's device.
  void End(CuCall& call, CUmemoryPool pool, CUdeviceptr address, uint64_t bytes, CUresult code);
  // Judged now.
  void BeginNow(CuCall& call, Stream* stream);
  void EndNow(CuCall& call, CUmemoryPool pool, CUdeviceptr address, uint64_t bytes, CUresult code);

 private:
  StreamCommand command_;
  Stream* deferred_to_ = nullptr;
};

// A free on its way.
class OrderedFree {
 public:
  static constexpr bool kLeavesDeferred = true;
  void Begin(CuCall& call, Stream* stream, CUdeviceptr address);
  void End(CuCall& call, CUresult code);
  // Judged now.
  void BeginNow(CuCall& call, Stream* stream, CUdeviceptr address);
  void EndNow(CuCall& call, CUresult code);
  Resource* resource() const { return resource_; }
  Epoch epoch() { return command_.command().epoch; }

 private:
  ToFree WhatToFree(CUdeviceptr address) const {
    return {HandleOf(address), "dptr",
            AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kPinned, ObjectKind::kManaged)};
  }
  void Release(CuCall& call);
  [[gnu::noinline, gnu::cold]] void EndRefused(CuCall& call, CUresult code);

  StreamCommand command_;
  Resource* resource_ = nullptr;
  uint64_t number_ = 0;  // while it waits to be judged
  Stream* stream_ = nullptr;
  CUdeviceptr address_ = 0;
  bool plain_ = false;  // not allocated in stream order
  bool unseen_ = false;  // it was not seen being allocated
};

// --- handlers

template <typename P>
struct MemAllocAsync : OrderedAllocation {
  void Before(CuCall& call, P& p) { Begin(call, StreamArgument(call, p), p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    CUmemoryPool pool = nullptr;
    if constexpr (requires { p.pool; }) pool = p.pool;
    End(call, pool, code == CUDA_SUCCESS ? *p.dptr : 0, p.bytesize, code);
  }
};

template <typename P>
struct MemFreeAsync : OrderedFree {
  void Before(CuCall& call, P& p) { Begin(call, StreamArgument(call, p), p.dptr); }
  void After(CuCall& call, P&, CUresult code) { End(call, code); }
};

template <typename P>
struct PoolCreate {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) CreatedPool(call, *p.pool, p.poolProps);
  }
};

template <typename P>
struct PoolImport {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) CreatedPool(call, *p.pool_out, nullptr);
  }
};

template <typename P>
struct PoolDestroy {
  void Before(CuCall& call, P& p) { DestroyPool(call, p.pool); }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct PoolImportPointer {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) ImportedPointer(call, *p.ptr_out);
  }
};

}  // namespace gpusan::cuda
