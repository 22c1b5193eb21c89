// The driver's functions behind the guarded ones, and how zones are filled and read.
#pragma once

#include "hooks/common/guard_zones.h"
#include "hooks/cuda/guards/guards.h"

namespace gpusan::cuda {

// How the zones of a block are accessed. kForeign: by another process alone.
enum GuardedKind : uint32_t { kOnDevice, kOnHost, kForeign };

// The driver's functions by slot, if they have a guarded form.
extern std::atomic<void*> driver_functions[kSlotCount];

// The driver's function of the slot, with the type of the entry point `name` of cuda.h.
#define GPUSAN_CU_DRIVER_AT(slot, name) \
  (reinterpret_cast<decltype(&::name)>(::gpusan::cuda::DriverFunctionAt(slot)))
#define GPUSAN_CU_DRIVER(name) GPUSAN_CU_DRIVER_AT(::gpusan::cuda::kSlot_##name, name)

// The guarded memory of the process. Thread-safe.
GuardTable& Guards();

// While one lives, calls of this thread are allowed while other threads capture.
class RelaxedCapture {
 public:
  RelaxedCapture();
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

// Returns gpusan's own stream of the current context; nullptr if there is none. It does not
// synchronize with the legacy stream.
CUstream OwnStream();
// Forgets the streams of all contexts: some of them ended. The other streams are lost.
void ForgetOwnStreams();

uint64_t GuardBytes();

// Fills both zones, and waits. Returns false if the driver rejects it.
bool FillZones(const GuardedBlock& block);
// Reads one zone, and waits. Returns false if the driver rejects it.
bool ReadZone(const GuardedBlock& block, bool front, uint8_t* to);

// Address and size [bytes] of a zone.
inline uintptr_t ZoneAddress(const GuardedBlock& block, bool front) {
  return front ? block.key - block.front_zone : block.key + block.bytes;
}
inline uint64_t ZoneBytes(const GuardedBlock& block, bool front) {
  return front ? block.front_zone : block.back;
}

}  // namespace gpusan::cuda
