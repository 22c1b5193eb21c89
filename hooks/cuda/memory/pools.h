// Handlers: memory pools, and memory that is allocated and freed in the order of a stream.
#pragma once

#include "hooks/cuda/memory/copies.h"
#include "hooks/cuda/memory/memory.h"

namespace gpusan::cuda {

// --- not templates (pools.cc)

// What memory of the pool is: of the device, or reachable by the host as well.
ObjectKind KindOfPool(CuCall& call, CUmemoryPool pool);
ObjectKind KindOfLocation(CUmemLocationType location, CUmemAllocationType type);
void CreatedPool(CuCall& call, CUmemoryPool pool, const CUmemPoolProps* properties);
void DestroyPool(CuCall& call, CUmemoryPool pool);

// What the default pools of all devices and those that the program made kept from their devices
// when last looked at, bytes; imported pools belong to other processes. The driver is asked in the
// program's own ordered allocations and frees, the next one after each call of this: no thread of
// ours enters a driver that may be on its way out. Thread-safe.
uint64_t PoolReserveBytes();

void ImportedPointer(CuCall& call, CUdeviceptr pointer);

// The driver may be asked now, between two calls of the program, for what PoolReserveBytes says.
void LookAtReserve();

// An allocation on its way into a stream.
class OrderedAllocation {
 public:
  void Begin(CuCall& call, Stream* stream) { command_.Begin(call, stream); }
  // `pool`: nullptr for that of the stream's device.
  void End(CuCall& call, CUmemoryPool pool, CUdeviceptr address, uint64_t bytes, CUresult code);

 private:
  StreamCommand command_;
};
// Keeps one that succeeded (deferral_queue.h). False: that cannot wait.
bool DeferOrderedAllocation(LightCall& call, Stream* stream, CUmemoryPool pool, CUdeviceptr address,
                            uint64_t bytes);

// A free on its way.
class OrderedFree {
 public:
  void Begin(CuCall& call, Stream* stream, CUdeviceptr address);
  void End(CuCall& call, CUresult code);
  // Instead of both: it was refused, and judged before that was known.
  void Refused(CuCall& call, Stream* stream, CUdeviceptr address, const JudgedCommand& judged,
               CUresult code);
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
  bool plain_ = false;   // not allocated in stream order
  bool unseen_ = false;  // it was not seen being allocated
};
// Keeps one. Before the real call. Returns its number; 0: it is none that can wait.
uint64_t DeferOrderedFree(LightCall& call, CUstream stream, CUdeviceptr address);

// --- handlers

template <typename P>
struct MemAllocAsync {
  OrderedAllocation allocation;
  static uint64_t BeginQuickly(LightCall& call, P& p) {
    Stream* stream = KnownStream(call, p.hStream);
    return MayDefer(call, stream) ? reinterpret_cast<uintptr_t>(stream) : 0;
  }
  static bool EndQuickly(LightCall& call, P& p, uint64_t ticket) {
    LookAtReserve();
    return DeferOrderedAllocation(call, reinterpret_cast<Stream*>(ticket), PoolOf(p), *p.dptr,
                                  p.bytesize);
  }
  void Before(CuCall& call, P& p) {
    call.Requested(p.bytesize);
    Stream* stream = StreamArgument(call, p);
    LearnToDefer(call, stream);
    allocation.Begin(call, stream);
  }
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS) {
      LookAtReserve();
      NoteAllocated(*p.dptr);
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
  static uint64_t BeginQuickly(LightCall& call, P& p) {
    return DeferOrderedFree(call, p.hStream, p.dptr);
  }
  static bool EndQuickly(LightCall&, P&, uint64_t number) {
    LookAtReserve();
    DeferredReturned(number);
    return true;
  }
  void Before(CuCall& call, P& p) {
    Stream* stream = StreamArgument(call, p);
    LearnToDefer(call, stream);
    TakeAllocated(p.dptr);
    free.Begin(call, stream, p.dptr);
  }
  void After(CuCall& call, P&, CUresult code) {
    if (code == CUDA_SUCCESS) LookAtReserve();
    free.End(call, code);
  }
  void Refused(CuCall& call, P& p, const JudgedCommand& judged, CUresult code) {
    free.Refused(call, StreamArgument(call, p), p.dptr, judged, code);
  }
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
