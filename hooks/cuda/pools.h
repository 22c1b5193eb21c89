// Handlers: memory pools, and memory that is allocated and freed in the order of a stream.
#pragma once

#include "hooks/cuda/copies.h"
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

// An allocation on its way into a stream.
struct OrderedAllocation {
  StreamCommand command;
  void Begin(CuCall& call, Stream* stream, uint64_t bytes);
  void End(CuCall& call, ObjectKind kind, CUdeviceptr address, uint64_t bytes, CUresult code);
};

// A free on its way.
struct OrderedFree {
  StreamCommand command;
  Resource* resource = nullptr;
  bool plain = false;  // not allocated in stream order
  void Begin(CuCall& call, Stream* stream, CUdeviceptr address);
  void End(CuCall& call, CUresult code);

 private:
  void Release(CuCall& call);
};

// --- handlers

template <typename P>
struct MemAllocAsync : OrderedAllocation {
  void Before(CuCall& call, P& p) { Begin(call, StreamArgument(call, p), p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    ObjectKind kind = ObjectKind::kDeviceMemory;
    if constexpr (requires { p.pool; }) kind = KindOfPool(call, p.pool);
    End(call, kind, code == CUDA_SUCCESS ? *p.dptr : 0, p.bytesize, code);
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
