// The driver's functions behind the guarded ones, and how zones are filled and read.
#include "hooks/cuda/guards/driver.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "hooks/common/base/process_state.h"
#include "hooks/common/base/safe_read.h"
#include "hooks/cuda/streams/context_scope.h"

namespace gpusan::cuda {

constinit std::atomic<void*> driver_functions[kSlotCount] = {};

namespace {

struct OwnStreams {
  std::mutex mutex;
  std::map<CUcontext, CUstream> streams;
};
constinit ProcessState<OwnStreams> g_streams;
constinit ProcessState<GuardTable> g_guards;
const ForkReset g_reset([] {
  g_streams.Forget();
  g_guards.Forget();
});

}  // namespace

void* DriverFunctionAt(Slot slot) {
  void* const function = driver_functions[slot].load(std::memory_order_acquire);
  return function != nullptr ? function : RealFunction(slot);
}

GuardTable& Guards() { return g_guards.Get(); }

RelaxedCapture::RelaxedCapture() {
  if (const auto exchange = GPUSAN_CU_DRIVER(cuThreadExchangeStreamCaptureMode);
      exchange != nullptr)
    exchange(&mode_);
}

RelaxedCapture::~RelaxedCapture() {
  if (const auto exchange = GPUSAN_CU_DRIVER(cuThreadExchangeStreamCaptureMode);
      exchange != nullptr)
    exchange(&mode_);
}

CUstream OwnStream() {
  CUcontext context = nullptr;
  if (GPUSAN_CU_DRIVER(cuCtxGetCurrent)(&context) != CUDA_SUCCESS || context == nullptr)
    return nullptr;
  OwnStreams& own = g_streams.Get();
  std::lock_guard lock(own.mutex);
  const auto it = own.streams.find(context);
  if (it != own.streams.end()) return it->second;
  CUstream stream = nullptr;
  if (GPUSAN_CU_DRIVER(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
    return nullptr;
  own.streams.emplace(context, stream);
  return stream;
}

void ForgetOwnStreams() {
  OwnStreams& own = g_streams.Get();
  std::lock_guard lock(own.mutex);
  own.streams.clear();
}

uint64_t GuardBytes() { return std::min(CurrentHooks().guard_bytes, kMaxGuardBytes); }

bool FillZones(const GuardedBlock& block) {
  if (block.kind == kOnHost) {
    for (const bool front : {true, false}) {
      std::memset(reinterpret_cast<void*>(ZoneAddress(block, front)), kGuardByte,
                  ZoneBytes(block, front));
    }
    return true;
  }
  const ContextScope scope(block.context);
  const RelaxedCapture relaxed;
  const CUstream stream = OwnStream();
  const auto set = GPUSAN_CU_DRIVER(cuMemsetD8Async);
  return stream != nullptr && set != nullptr &&
         set(ZoneAddress(block, true), kGuardByte, ZoneBytes(block, true), stream) ==
             CUDA_SUCCESS &&
         set(ZoneAddress(block, false), kGuardByte, ZoneBytes(block, false), stream) ==
             CUDA_SUCCESS &&
         GPUSAN_CU_DRIVER(cuStreamSynchronize)(stream) == CUDA_SUCCESS;
}

bool ReadZone(const GuardedBlock& block, bool front, uint8_t* to) {
  const uintptr_t address = ZoneAddress(block, front);
  const uint64_t bytes = ZoneBytes(block, front);
  if (block.kind == kOnHost) {
    return ReadOwnMemory(address, to, bytes) == bytes;  // a free may not have been seen
  }
  const ContextScope scope(block.context);
  const RelaxedCapture relaxed;
  const CUstream stream = OwnStream();
  return stream != nullptr &&
         GPUSAN_CU_DRIVER(cuMemcpyDtoHAsync_v2)(to, address, bytes, stream) == CUDA_SUCCESS &&
         GPUSAN_CU_DRIVER(cuStreamSynchronize)(stream) == CUDA_SUCCESS;
}

}  // namespace gpusan::cuda
