// Devices that reach each other's memory; handlers: peers.
//
// Whether one does is asked of the driver, on the thread that launches, and only of memory of
// another device: what enabled the access may not have been seen. Thread-safe.
#pragma once

#include "hooks/cuda/streams/contexts.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

// The context is of that device.
void NoteDevice(Context* context, int device);
// Contexts of several devices were seen, and this one has not been seen to be given access to
// another device's memory: its launches are judged at once.
bool MayLackPeerAccess(const Context& context);
// Adds a finding for the first argument in plain memory of a device whose memory the stream's
// device cannot reach. The stream's context may not be the current one; then nothing is said.
void CheckPeerAccess(CuCall& call, const Stream& stream, const Launch& launch);

// --- handlers

template <typename P>
struct EnablePeerAccess {
  void Before(CuCall&, P&) {}
  void After(CuCall& call, P&, CUresult code) {
    if (Context* context = call.current(); context != nullptr && code == CUDA_SUCCESS)
      context->has_peers.store(true, std::memory_order_relaxed);
  }
};

}  // namespace gpusan::cuda
