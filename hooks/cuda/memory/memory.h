// Handlers: linear memory of devices, pinned and managed host memory.
#pragma once

#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/stream_deferral.h"

namespace gpusan::cuda {

// --- not templates (memory.cc)

// A new allocation of the call, at `address`; 0 is ignored, as calls for nothing return that.
Resource* NewLinear(CuCall& call, ObjectKind kind, uintptr_t address, uint64_t bytes,
                    uint16_t flags = 0, uint64_t native_flags = 0);
// Keeps that the call got device memory (deferral_queue.h). False: that cannot wait.
bool DeferAllocation(LightCall& call, CUdeviceptr address, uint64_t bytes);
// `left`: what the program has where the address should be.
void FailedAllocation(CuCall& call, ObjectKind kind, uint64_t bytes, CUresult code,
                      uintptr_t left = 0);
// What the driver says of the current device's memory, and of what its pool keeps.
void AddMemoryState(Failure* failure);
// The resource, unless it belongs to something else, with which it goes: a variable of a module.
Resource* WithoutParts(CuCall& call, Resource* resource, const char* argument);
// What a call is given to free.
struct ToFree {
  uintptr_t address = 0;
  const char* argument = nullptr;
  KindMask kinds = 0;
  uint16_t of_flags = 0, flags = 0;  // of_flags of the resource's flags must be `flags`
};
// The live memory that begins there and may be freed so. nullptr: there is none that was seen; then
// the driver's answer tells (`unseen`), or the finding has been added.
Resource* FindToFree(CuCall& call, const ToFree& to_free, bool* unseen);
// The driver's answer: what it does not take is a finding, what it takes was allocated unseen.
void FreedUnseen(CuCall& call, const ToFree& to_free, CUresult code);
// It is being freed by a call that is no command: takes a free as a wait where it may be one.
void FreeLinear(CuCall& call, Resource* resource);
// Device memory that begins there was allocated before our eyes. Thousands are remembered.
void NoteAllocated(CUdeviceptr address);
// It was, as far as is remembered, and goes now: its free can be kept. What is kept in front of a
// free of anything else has to be judged while the driver still knows that memory.
bool TakeAllocated(CUdeviceptr address);
// Keeps a free of device memory. Before the real call. Returns its number; 0: it is none that can
// wait.
uint64_t DeferFree(LightCall& call, CUdeviceptr address);
inline ToFree DeviceMemoryAt(CUdeviceptr address) {
  return {HandleOf(address), "dptr", AnyOf(ObjectKind::kDeviceMemory, ObjectKind::kManaged)};
}

// What overlaps memory that is to be registered.
void CheckRegistration(CuCall& call, const void* pointer, uint64_t bytes);
// The device reaches host memory under another address.
void NewAlias(CuCall& call, const void* pointer, CUdeviceptr device);
// Frees wait for the device today, and their documents let them ("may"): what they free is not in
// flight. Strict mode does not count on it.
void JoinForFree(CuCall& call);

// --- handlers

template <typename P>
struct MemAlloc {
  static uint64_t BeginQuickly(LightCall& call, P&) { return MayDefer(call) ? 1 : 0; }
  static bool EndQuickly(LightCall& call, P& p, uint64_t) {
    return DeferAllocation(call, *p.dptr, p.bytesize);
  }
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kDeviceMemory, p.bytesize, code,
                              p.dptr != nullptr ? HandleOf(*p.dptr) : 0);
    }
    NoteAllocated(*p.dptr);
    NewLinear(call, ObjectKind::kDeviceMemory, *p.dptr, p.bytesize);
  }
};

template <typename P>
struct MemAllocPitch {
  void Before(CuCall& call, P& p) { call.Requested(SaturatingMultiply(p.WidthInBytes, p.Height)); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kDeviceMemory,
                              SaturatingMultiply(p.WidthInBytes, p.Height), code,
                              p.dptr != nullptr ? HandleOf(*p.dptr) : 0);
    }
    NewLinear(call, ObjectKind::kDeviceMemory, *p.dptr, SaturatingMultiply(*p.pPitch, p.Height));
  }
};

// A free on its way; a call that fails has freed nothing.
struct LinearFree {
  Resource* resource = nullptr;
  ToFree to_free;
  bool unseen = false;
  void Begin(CuCall& call, const ToFree& freed) {
    to_free = freed;
    resource = WithoutParts(call, FindToFree(call, freed, &unseen), freed.argument);
    if (resource != nullptr) FreeLinear(call, resource);
  }
  // The page-locked memory that begins there, and was either allocated or registered.
  void BeginPinned(CuCall& call, const void* pointer, bool registered) {
    if (pointer == nullptr) return;
    const uint16_t flags = registered ? kUsesHostMemory : 0;
    Begin(call, {HandleOf(pointer), "p", MaskOf(ObjectKind::kPinned), kUsesHostMemory, flags});
  }
  void End(CuCall& call, CUresult code) {
    if (resource != nullptr && code != CUDA_SUCCESS) call.tracker().UndoRelease(resource);
    if (unseen) [[unlikely]]
      FreedUnseen(call, to_free, code);
  }
  template <typename P>
  void After(CuCall& call, P&, CUresult code) {
    End(call, code);
  }
};

template <typename P>
struct MemFree : LinearFree, KeptBefore {
  static uint64_t BeginQuickly(LightCall& call, P& p) { return DeferFree(call, p.dptr); }
  void Before(CuCall& call, P& p) {
    if (p.dptr == 0) return;
    TakeAllocated(p.dptr);
    Begin(call, DeviceMemoryAt(p.dptr));
  }
  void Refused(CuCall& call, P& p, const JudgedCommand& judged, CUresult code) {
    to_free = DeviceMemoryAt(p.dptr);
    resource = judged.resource;
    unseen = resource == nullptr && !judged.explained;
    End(call, code);
  }
};

template <typename P>
struct MemHostAlloc {
  static constexpr bool kHasFlags = requires(P & p) { p.Flags; };
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kPinned, p.bytesize, code,
                              p.pp != nullptr ? HandleOf(*p.pp) : 0);
    }
    uint64_t flags = 0;
    if constexpr (kHasFlags) flags = p.Flags;
    NewLinear(call, ObjectKind::kPinned, HandleOf(*p.pp), p.bytesize, kMappedHost, flags);
  }
};

template <typename P>
struct MemFreeHost : LinearFree {
  void Before(CuCall& call, P& p) { BeginPinned(call, p.p, false); }
};

template <typename P>
struct MemHostRegister {
  void Before(CuCall& call, P& p) { CheckRegistration(call, p.p, p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) return;
    JudgeAtOnce();
    NewLinear(call, ObjectKind::kPinned, HandleOf(p.p), p.bytesize, kMappedHost | kUsesHostMemory,
              p.Flags);
  }
};

template <typename P>
struct MemHostUnregister : LinearFree {
  void Before(CuCall& call, P& p) { BeginPinned(call, p.p, true); }
};

template <typename P>
struct MemHostGetDevicePointer {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P& p, CUresult code) {
    if (code == CUDA_SUCCESS && *p.pdptr != HandleOf(p.p)) NewAlias(call, p.p, *p.pdptr);
  }
};

template <typename P>
struct MemAllocManaged {
  void Before(CuCall& call, P& p) { call.Requested(p.bytesize); }
  void After(CuCall& call, P& p, CUresult code) {
    if (code != CUDA_SUCCESS) {
      return FailedAllocation(call, ObjectKind::kManaged, p.bytesize, code,
                              p.dptr != nullptr ? HandleOf(*p.dptr) : 0);
    }
    NewLinear(call, ObjectKind::kManaged, *p.dptr, p.bytesize, kMappedHost, p.flags);
  }
};

}  // namespace gpusan::cuda
