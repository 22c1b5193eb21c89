// Access between devices; handlers: peer access.
//
// gpusan queries the driver whether a device can access memory of another device, because it may
// not have seen the call that enabled the access. The queries run on the launching thread.
// Thread-safe.
#pragma once

#include "hooks/cuda/streams/contexts.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

// Records the device of the context.
void NoteDevice(Context* context, int device);
// Records that the program has a context or a pool of the device.
void NoteDeviceInUse(int device);
// Returns whether launches in the context may access memory of another device without the right to
// do so: contexts or pools of several devices exist, and gpusan saw no call that gave this context
// access. Such launches are not deferred.
bool MayLackPeerAccess(const Context& context);
// Adds a finding for the first argument that points into plain memory of a device, or memory of a
// pool, which the stream's device cannot access.
void CheckPeerAccess(CuCall& call, const Stream& stream, const Launch& launch);
// Records that the context lost access to memory of another device.
void LostPeerAccess(Context* context);

// --- handlers

template <typename P>
struct EnablePeerAccess {
  void After(CuCall& call, CUresult code, P&) {
    if (Context* context = call.current(); context != nullptr && code == CUDA_SUCCESS)
      context->has_peers.store(true, std::memory_order_relaxed);
  }
};

template <typename P>
struct DisablePeerAccess {
  void After(CuCall& call, CUresult code, P&) {
    if (Context* context = call.current(); context != nullptr && code == CUDA_SUCCESS)
      LostPeerAccess(context);
  }
};

}  // namespace gpusan::cuda
