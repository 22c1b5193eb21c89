// Handlers: linear memory of devices, pinned and managed host memory.
#pragma once

#include "hooks/cuda/contexts.h"
#include "hooks/cuda/pointers.h"

namespace gpusan::cuda {

// --- not templates (memory.cc)

// A new allocation of the call, at `address`; 0 is ignored, as calls for nothing return that.
Resource* NewLinear(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                    uint16_t flags = 0, uint64_t native_flags = 0);
void FailedAllocation(CuCall& call, ObjectKind kind, uint64_t bytes, CUresult code);
// The allocation that begins at `address` is about to be freed by a call for memory of these kinds;
// nullptr if it is not known or not usable (then the finding has been added).
Resource* UseForFree(CuCall& call, uintptr_t address, KindMask kinds, const char* argument);
// Frees wait for the device today, and their documents let them: what they free is not in flight.
void JoinForFree(CuCall& call);

// --- handlers

template <typename P>
struct MemAlloc {
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedAllocation(call, ObjectKind::kDeviceMemory, p.bytesize, code);
    NewLinear(call, ObjectKind::kDeviceMemory, *p.dptr, p.bytesize);
  }
};

template <typename P>
struct MemAllocPitch {
  void Before(CuCall& call, P& p) { call.Requested(SaturatingMultiply(p.WidthInBytes, p.Height)); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kDeviceMemory,
                              SaturatingMultiply(p.WidthInBytes, p.Height), code);
    }
    NewLinear(call, ObjectKind::kDeviceMemory, *p.dptr, SaturatingMultiply(*p.pPitch, p.Height));
  }
};

template <typename P>
struct MemFree {
  Resource* resource = nullptr;
  void Before(CuCall& call, P& p) {
    if (p.dptr == 0) return;
    resource = UseForFree(call, p.dptr, AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kManaged), "dptr");
    if (resource == nullptr) return;
    JoinForFree(call);
    call.tracker().Release(call, resource, true);
  }
  void After(CuCall& call, P&, CUresult code) {
    if (resource != nullptr && code != CUDA_SUCCESS) call.tracker().UndoRelease(resource);
  }
};

template <typename P>
struct MemHostAlloc {
  static constexpr bool kHasFlags = requires(P& p) { p.Flags; };
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedAllocation(call, ObjectKind::kPinned, p.bytesize, code);
    uint64_t flags = 0;
    if constexpr (kHasFlags) flags = p.Flags;
    NewLinear(call, ObjectKind::kPinned, HandleOf(*p.pp), p.bytesize, kMappedHost, flags);
  }
};

template <typename P>
struct MemFreeHost {
  Resource* resource = nullptr;
  void Before(CuCall& call, P& p) {
    if (p.p == nullptr) return;
    resource = UseForFree(call, HandleOf(p.p), MaskOf(ObjectKind::kPinned), "p");
    if (resource == nullptr) return;
    JoinForFree(call);
    call.tracker().Release(call, resource, true);
  }
  void After(CuCall& call, P&, CUresult code) {
    if (resource != nullptr && code != CUDA_SUCCESS) call.tracker().UndoRelease(resource);
  }
};

template <typename P>
struct MemHostRegister {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return;
    NewLinear(call, ObjectKind::kPinned, HandleOf(p.p), p.bytesize, kMappedHost | kUsesHostMemory,
              p.Flags);
  }
};

template <typename P>
struct MemHostUnregister {
  Resource* resource = nullptr;
  void Before(CuCall& call, P& p) {
    if (p.p == nullptr) return;
    resource = UseForFree(call, HandleOf(p.p), MaskOf(ObjectKind::kPinned), "p");
    if (resource == nullptr) return;
    JoinForFree(call);
    call.tracker().Release(call, resource, true);
  }
  void After(CuCall& call, P&, CUresult code) {
    if (resource != nullptr && code != CUDA_SUCCESS) call.tracker().UndoRelease(resource);
  }
};

template <typename P>
struct MemAllocManaged {
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return FailedAllocation(call, ObjectKind::kManaged, p.bytesize, code);
    NewLinear(call, ObjectKind::kManaged, *p.dptr, p.bytesize, kMappedHost, p.flags);
  }
};

}  // namespace gpusan::cuda
