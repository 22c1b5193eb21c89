// Handlers: linear device memory, pinned and managed host memory.
#pragma once

#include "hooks/cuda/memory/allocation_retries.h"
#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/memory/refused_frees.h"
#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/pinned_guards.h"
#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {

// --- functions of memory.cc

// Registers an allocation of the call at `address`. Ignores address 0, which calls for zero bytes
// return.
Resource* NewLinear(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                    uint16_t flags = 0, uint64_t native_flags = 0);
// The same for memory that a call outside of streams allocated. Later commands of the context's
// blocking streams then come after all earlier ones: the documentation says that commands of two
// streams do not overlap if a device or page-locked allocation is between them (CUDA C++
// Programming Guide, implicit synchronization). Strict mode does not rely on that.
Resource* NewAllocated(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                       uint16_t flags = 0, uint64_t native_flags = 0);
// Queues the registration of device memory (deferral_queue.h). Returns false if that cannot be
// deferred.
bool DeferAllocation(FastCall& call, CUdeviceptr address, uint64_t bytes);
// Records a failed allocation. `left`: the content of the variable for the address.
void FailedAllocation(CuCall& call, ObjectKind kind, uint64_t bytes, CUresult code,
                      uintptr_t left = 0);
// Adds what the driver reports of the current device's memory and of its pool's reserve.
void AddMemoryState(Failure* failure);
// Returns the resource. Returns nullptr and adds a failure fact if the resource is released with
// the object that it is a part of (a variable of a module).
Resource* WithoutParts(CuCall& call, Resource* resource, const char* argument);
// The argument of a call that frees memory.
struct ToFree {
  uintptr_t address = 0;
  const char* argument = nullptr;
  KindMask kinds = 0;
  uint16_t of_flags = 0, flags = 0;  // the resource's flags, masked by of_flags, must equal `flags`
};
// Returns the live memory that begins at the address and may be freed by this call. Returns nullptr
// when none was registered: then `unseen` is true and the driver's answer decides, or a finding was
// added.
Resource* FindToFree(CuCall& call, const ToFree& to_free, bool* unseen);
// Applies the driver's answer for unregistered memory: a rejected address is a finding, an accepted
// one belonged to memory that gpusan did not see allocated.
void FreedUnseen(CuCall& call, const ToFree& to_free, CUresult code);
// Adds a finding if a copy that is not known to be complete uses the page-locked memory that the
// call frees or unregisters.
void CheckPendingCopies(CuCall& call, const ToFree& to_free, bool registered);
// Releases memory that a call outside of streams frees; counts the free as a wait where it may be
// one.
void FreeLinear(CuCall& call, Resource* resource);
// Remembers that gpusan saw the allocation of the device memory that begins at the address. The
// table holds some thousands of addresses.
void NoteAllocated(CUdeviceptr address);
// Removes the address from that table and returns true if it was there; then the free may be
// deferred. Before a free of any other address, the queue must be processed while the driver still
// knows the memory.
bool TakeAllocated(CUdeviceptr address);
// Queues a free of device memory, before the real call. Returns false if the free cannot be
// deferred.
bool DeferFree(FastCall& call, CUdeviceptr address);
inline ToFree DeviceMemoryAt(CUdeviceptr address) {
  return {HandleOf(address), "dptr", AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kManaged)};
}

// Checks a block that is about to be registered for overlaps.
void CheckRegistration(CuCall& call, const void* pointer, uint64_t bytes);
// Registers the device address of host memory.
void NewAlias(CuCall& call, const void* pointer, CUdeviceptr device);
// Records that the host waits as a free does. Frees wait for the device today, and the
// documentation permits it ("may"), so that memory being freed is not in flight. Strict mode does
// not rely on that.
void JoinForFree(CuCall& call);

// --- handlers

template <typename P>
struct MemAlloc {
  static bool TryFast(FastCall& call, P&) { return !AnyFailedAllocation() && MayDefer(call); }
  static bool TryFastAfter(FastCall& call, P& p) {
    return DeferAllocation(call, *p.dptr, p.bytesize);
  }
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kDeviceMemory, p.bytesize, code,
                              p.dptr != nullptr ? HandleOf(*p.dptr) : 0);
    }
    NoteAllocated(*p.dptr);
    NewAllocated(call, ObjectKind::kDeviceMemory, *p.dptr, p.bytesize);
  }
};

template <typename P>
struct MemAllocPitch {
  void Before(CuCall& call, P& p) { call.Requested(SaturatingMultiply(p.WidthInBytes, p.Height)); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kDeviceMemory,
                              SaturatingMultiply(p.WidthInBytes, p.Height), code,
                              p.dptr != nullptr ? HandleOf(*p.dptr) : 0);
    }
    NewAllocated(call, ObjectKind::kDeviceMemory, *p.dptr, SaturatingMultiply(*p.pPitch, p.Height));
  }
};

// The free of a call. A call that fails frees nothing.
struct LinearFree {
  Resource* resource = nullptr;
  ToFree to_free;
  bool unseen = false;
  void Begin(CuCall& call, const ToFree& freed) {
    to_free = freed;
    resource = WithoutParts(call, FindToFree(call, freed, &unseen), freed.argument);
    if (resource != nullptr) FreeLinear(call, resource);
  }
  // Begins the release of the page-locked memory that begins at the address and was allocated or
  // registered.
  void BeginPinned(CuCall& call, const void* pointer, bool registered) {
    if (pointer == nullptr) return;
    const uint16_t flags = registered ? kUsesHostMemory : 0;
    const ToFree freed = {HandleOf(pointer), "p", MaskOf(ObjectKind::kPinned), kUsesHostMemory,
                          flags};
    CheckPendingCopies(call, freed, registered);
    if (GuardsPinned()) [[unlikely]]
      RemovePinnedGuards(freed.address);
    Begin(call, freed);
  }
  void End(CuCall& call, CUresult code) {
    if (resource != nullptr && code != CUDA_SUCCESS) {
      call.tracker().objects().UndoRelease(resource);
      NoteRefusedFree(resource, code);
    }
    if (unseen) [[unlikely]]
      FreedUnseen(call, to_free, code);
  }
  template <typename P>
  void After(CuCall& call, CUresult code, P&) {
    End(call, code);
  }
};

template <typename P>
struct MemFree : LinearFree, QueuedBefore {
  static bool TryFast(FastCall& call, P& p) { return DeferFree(call, p.dptr); }
  void Before(CuCall& call, P& p) {
    if (p.dptr == 0) return;
    TakeAllocated(p.dptr);
    Begin(call, DeviceMemoryAt(p.dptr));
  }
  void OnRejected(CuCall& call, CUresult code, P& p, const ProcessedCommand& processed) {
    to_free = DeviceMemoryAt(p.dptr);
    resource = processed.resource;
    unseen = resource == nullptr && !processed.explained;
    End(call, code);
  }
};

template <typename P>
struct MemHostAlloc {
  static constexpr bool kHasFlags = requires(P & p) { p.Flags; };
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kPinned, p.bytesize, code,
                              p.pp != nullptr ? HandleOf(*p.pp) : 0);
    }
    uint64_t flags = 0;
    if constexpr (kHasFlags) flags = p.Flags;
    NewAllocated(call, ObjectKind::kPinned, HandleOf(*p.pp), p.bytesize, kMappedHost, flags);
  }
};

template <typename P>
struct MemFreeHost : LinearFree {
  void Before(CuCall& call, P& p) { BeginPinned(call, p.p, false); }
};

template <typename P>
struct MemHostRegister {
  void Before(CuCall& call, P& p) { CheckRegistration(call, p.p, p.bytesize); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    StopDeferral();
    NewLinear(call, ObjectKind::kPinned, HandleOf(p.p), p.bytesize,
              kMappedHost | kUsesHostMemory |
                  ((p.Flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0 ? kKernelReadOnly : 0),
              p.Flags);
  }
};

template <typename P>
struct MemHostUnregister : LinearFree {
  void Before(CuCall& call, P& p) { BeginPinned(call, p.p, true); }
};

template <typename P>
struct MemHostGetDevicePointer {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS && *p.pdptr != HandleOf(p.p)) NewAlias(call, p.p, *p.pdptr);
  }
};

template <typename P>
struct MemAllocManaged {
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kManaged, p.bytesize, code,
                              p.dptr != nullptr ? HandleOf(*p.dptr) : 0);
    }
    NewAllocated(call, ObjectKind::kManaged, *p.dptr, p.bytesize, kMappedHost, p.flags);
  }
};

}  // namespace gpusan::cuda
