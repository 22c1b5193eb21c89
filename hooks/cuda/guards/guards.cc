// The guarded forms of the driver's functions.
#include "hooks/cuda/guards/guards.h"

#include <cstring>
#include <utility>

#include "hooks/cuda/guards/allocations.h"
#include "hooks/cuda/guards/interprocess.h"
#include "hooks/cuda/guards/queries.h"

namespace gpusan::cuda {
namespace {

// --- allocations

CUresult CUDAAPI MemAlloc(CUdeviceptr* pointer, size_t bytes) {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuMemAlloc_v2)(pointer, bytes);
  const ReentryGuard nested;
  return AllocateGuarded(pointer, bytes);
}

CUresult CUDAAPI MemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                               unsigned element) {
  if (!GuardsApply())
    return GPUSAN_CU_DRIVER(cuMemAllocPitch_v2)(pointer, pitch, width, height, element);
  const ReentryGuard nested;
  return AllocateGuardedPitch(pointer, pitch, width, height, element);
}

CUresult CUDAAPI MemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuMemAllocManaged)(pointer, bytes, flags);
  const ReentryGuard nested;
  return AllocateGuardedManaged(pointer, bytes, flags);
}

CUresult CUDAAPI MemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuMemHostAlloc)(pointer, bytes, flags);
  const ReentryGuard nested;
  return AllocateGuardedHost(pointer, bytes, flags);
}

CUresult CUDAAPI MemAllocHost(void** pointer, size_t bytes) {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuMemAllocHost_v2)(pointer, bytes);
  const ReentryGuard nested;
  if (!MayGuard(bytes)) return GPUSAN_CU_DRIVER(cuMemAllocHost_v2)(pointer, bytes);
  return AllocateGuardedHost(pointer, bytes, 0);
}

// Whether calls on the stream become nodes of a graph.
template <bool per_thread>
bool IsCapturing(CUstream stream) {
  constexpr Slot kSlot = per_thread ? kSlot_cuStreamIsCapturing_ptsz : kSlot_cuStreamIsCapturing;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return GPUSAN_CU_DRIVER_AT(kSlot, cuStreamIsCapturing)(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// An allocation in stream order: `allocate(pointer, bytes)` is the driver's. The zones are filled
// in the same order.
template <bool per_thread, typename Allocate>
CUresult AllocateInOrder(CUdeviceptr* pointer, size_t bytes, CUstream stream, Allocate allocate) {
  if (pointer == nullptr || !MayGuard(bytes) || IsCapturing<per_thread>(stream))
    return allocate(pointer, bytes);
  GuardedBlock block = NewBlock(kOnDevice, bytes, DeviceAlignment(bytes));
  CUdeviceptr base = 0;
  if (allocate(&base, WholeBytes(block)) != CUDA_SUCCESS) return allocate(pointer, bytes);
  const CUdeviceptr key = base + block.front;
  constexpr Slot kSet = per_thread ? kSlot_cuMemsetD8Async_ptsz : kSlot_cuMemsetD8Async;
  constexpr Slot kFree = per_thread ? kSlot_cuMemFreeAsync_ptsz : kSlot_cuMemFreeAsync;
  const auto set = GPUSAN_CU_DRIVER_AT(kSet, cuMemsetD8Async);
  if (set(key - block.front_zone, kGuardByte, block.front_zone, stream) != CUDA_SUCCESS ||
      set(key + block.bytes, kGuardByte, block.back, stream) != CUDA_SUCCESS ||
      !KeepBlock(std::move(block), base, /*fill=*/false)) {
    GPUSAN_CU_DRIVER_AT(kFree, cuMemFreeAsync)(base, stream);
    return allocate(pointer, bytes);
  }
  *pointer = key;
  return CUDA_SUCCESS;
}

template <bool per_thread>
CUresult CUDAAPI MemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  constexpr Slot kSlot = per_thread ? kSlot_cuMemAllocAsync_ptsz : kSlot_cuMemAllocAsync;
  if (!GuardsApply()) return GPUSAN_CU_DRIVER_AT(kSlot, cuMemAllocAsync)(pointer, bytes, stream);
  const ReentryGuard nested;
  return AllocateInOrder<per_thread>(pointer, bytes, stream, [&](CUdeviceptr* to, size_t size) {
    return GPUSAN_CU_DRIVER_AT(kSlot, cuMemAllocAsync)(to, size, stream);
  });
}

template <bool per_thread>
CUresult CUDAAPI MemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool,
                                       CUstream stream) {
  constexpr Slot kSlot =
      per_thread ? kSlot_cuMemAllocFromPoolAsync_ptsz : kSlot_cuMemAllocFromPoolAsync;
  if (!GuardsApply())
    return GPUSAN_CU_DRIVER_AT(kSlot, cuMemAllocFromPoolAsync)(pointer, bytes, pool, stream);
  const ReentryGuard nested;
  return AllocateInOrder<per_thread>(pointer, bytes, stream, [&](CUdeviceptr* to, size_t size) {
    return GPUSAN_CU_DRIVER_AT(kSlot, cuMemAllocFromPoolAsync)(to, size, pool, stream);
  });
}

// --- frees

// Frees wait for the device, also without gpusan.
void WaitForContext() {
  const RelaxedCapture relaxed;
  GPUSAN_CU_DRIVER(cuCtxSynchronize)();
}

CUresult CUDAAPI MemFree(CUdeviceptr pointer) {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuMemFree_v2)(pointer);
  const ReentryGuard nested;
  static constexpr CallInfo kInfo = {"cuMemFree_v2", Api::kCuda};
  const auto free = GPUSAN_CU_DRIVER(cuMemFree_v2);
  GuardedBlock block;
  if (!TakeToFree(pointer, &block)) return free(pointer);
  WaitForContext();
  EndSharing(block);
  CheckBlock(block, "when it was freed", kInfo, GPUSAN_GUARD_CALLER());
  const CUresult code = free(block.base);
  if (code != CUDA_SUCCESS) Guards().Restore(std::move(block));
  return code;
}

CUresult CUDAAPI MemFreeHost(void* pointer) {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuMemFreeHost)(pointer);
  const ReentryGuard nested;
  static constexpr CallInfo kInfo = {"cuMemFreeHost", Api::kCuda};
  const auto free = GPUSAN_CU_DRIVER(cuMemFreeHost);
  GuardedBlock block;
  if (!TakeToFree(HandleOf(pointer), &block)) return free(pointer);
  WaitForContext();
  EndSharing(block);
  CheckBlock(block, "when it was freed", kInfo, GPUSAN_GUARD_CALLER());
  const CUresult code = free(reinterpret_cast<void*>(block.base));
  if (code != CUDA_SUCCESS) Guards().Restore(std::move(block));
  return code;
}

template <bool per_thread>
CUresult CUDAAPI MemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  constexpr Slot kSlot = per_thread ? kSlot_cuMemFreeAsync_ptsz : kSlot_cuMemFreeAsync;
  if (!GuardsApply()) return GPUSAN_CU_DRIVER_AT(kSlot, cuMemFreeAsync)(pointer, stream);
  const ReentryGuard nested;
  static constexpr CallInfo kInfo = {per_thread ? "cuMemFreeAsync_ptsz" : "cuMemFreeAsync",
                                     Api::kCuda};
  const auto free = GPUSAN_CU_DRIVER_AT(kSlot, cuMemFreeAsync);
  GuardedBlock block;
  if (!TakeToFree(pointer, &block)) return free(pointer, stream);
  EndSharing(block);
  if (!IsCapturing<per_thread>(stream))
    CopyZonesInOrder(block, stream, per_thread, kInfo, GPUSAN_GUARD_CALLER());
  const CUresult code = free(block.base, stream);
  if (code != CUDA_SUCCESS) Guards().Restore(std::move(block));
  return code;
}

// --- waits

template <bool per_thread>
CUresult CUDAAPI StreamSynchronize(CUstream stream) {
  constexpr Slot kSlot = per_thread ? kSlot_cuStreamSynchronize_ptsz : kSlot_cuStreamSynchronize;
  if (!GuardsApply()) return GPUSAN_CU_DRIVER_AT(kSlot, cuStreamSynchronize)(stream);
  const ReentryGuard nested;
  static constexpr CallInfo kInfo = {
      per_thread ? "cuStreamSynchronize_ptsz" : "cuStreamSynchronize", Api::kCuda};
  const CUresult code = GPUSAN_CU_DRIVER_AT(kSlot, cuStreamSynchronize)(stream);
  if (code == CUDA_SUCCESS) CheckAfterWait(kInfo, GPUSAN_GUARD_CALLER());
  return code;
}

CUresult CUDAAPI ContextSynchronize() {
  if (!GuardsApply()) return GPUSAN_CU_DRIVER(cuCtxSynchronize)();
  const ReentryGuard nested;
  static constexpr CallInfo kInfo = {"cuCtxSynchronize", Api::kCuda};
  const CUresult code = GPUSAN_CU_DRIVER(cuCtxSynchronize)();
  if (code == CUDA_SUCCESS) CheckAfterWait(kInfo, GPUSAN_GUARD_CALLER());
  return code;
}

CUresult CUDAAPI ContextSynchronizeOf(CUcontext context) {
  static constexpr CallInfo kInfo = {"cuCtxSynchronize_v2", Api::kCuda};
  using Function = CUresult(CUDAAPI*)(CUcontext);
  const auto wait = reinterpret_cast<Function>(DriverFunctionAt(kSlot_cuCtxSynchronize_v2));
  if (!GuardsApply()) return wait(context);
  const ReentryGuard nested;
  const CUresult code = wait(context);
  if (code == CUDA_SUCCESS) CheckAfterWait(kInfo, GPUSAN_GUARD_CALLER());
  return code;
}

// --- launches

// Calls launch(), and checks the guard zones when the launch is complete.
template <bool per_thread, typename Launch>
CUresult Guarded(CUstream stream, const CallInfo& info, const GuardCaller& caller, Launch launch) {
  if (!GuardsApply()) return launch();
  const ReentryGuard nested;
  const CUresult code = launch();
  if (code == CUDA_SUCCESS) CheckAfterLaunch(stream, per_thread, info, caller);
  return code;
}

template <bool per_thread>
CUresult CUDAAPI LaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                              unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                              unsigned shared, CUstream stream, void** arguments, void** extra) {
  constexpr Slot kSlot = per_thread ? kSlot_cuLaunchKernel_ptsz : kSlot_cuLaunchKernel;
  static constexpr CallInfo kInfo = {per_thread ? "cuLaunchKernel_ptsz" : "cuLaunchKernel",
                                     Api::kCuda};
  return Guarded<per_thread>(stream, kInfo, GPUSAN_GUARD_CALLER(), [&] {
    return GPUSAN_CU_DRIVER_AT(kSlot, cuLaunchKernel)(function, grid_x, grid_y, grid_z, block_x,
                                                      block_y, block_z, shared, stream, arguments,
                                                      extra);
  });
}

template <bool per_thread>
CUresult CUDAAPI LaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                                void** extra) {
  constexpr Slot kSlot = per_thread ? kSlot_cuLaunchKernelEx_ptsz : kSlot_cuLaunchKernelEx;
  static constexpr CallInfo kInfo = {per_thread ? "cuLaunchKernelEx_ptsz" : "cuLaunchKernelEx",
                                     Api::kCuda};
  const CUstream stream = config != nullptr ? config->hStream : nullptr;
  return Guarded<per_thread>(stream, kInfo, GPUSAN_GUARD_CALLER(), [&] {
    return GPUSAN_CU_DRIVER_AT(kSlot, cuLaunchKernelEx)(config, function, arguments, extra);
  });
}

template <bool per_thread>
CUresult CUDAAPI LaunchCooperative(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** arguments) {
  constexpr Slot kSlot =
      per_thread ? kSlot_cuLaunchCooperativeKernel_ptsz : kSlot_cuLaunchCooperativeKernel;
  static constexpr CallInfo kInfo = {
      per_thread ? "cuLaunchCooperativeKernel_ptsz" : "cuLaunchCooperativeKernel", Api::kCuda};
  return Guarded<per_thread>(stream, kInfo, GPUSAN_GUARD_CALLER(), [&] {
    return GPUSAN_CU_DRIVER_AT(kSlot, cuLaunchCooperativeKernel)(
        function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, arguments);
  });
}

template <bool per_thread>
CUresult CUDAAPI GraphLaunch(CUgraphExec graph, CUstream stream) {
  constexpr Slot kSlot = per_thread ? kSlot_cuGraphLaunch_ptsz : kSlot_cuGraphLaunch;
  static constexpr CallInfo kInfo = {per_thread ? "cuGraphLaunch_ptsz" : "cuGraphLaunch",
                                     Api::kCuda};
  return Guarded<per_thread>(stream, kInfo, GPUSAN_GUARD_CALLER(), [&] {
    return GPUSAN_CU_DRIVER_AT(kSlot, cuGraphLaunch)(graph, stream);
  });
}

// --- contexts that end

template <Slot slot>
CUresult CUDAAPI ContextDestroy(CUcontext context) {
  static constexpr CallInfo kInfo = {"cuCtxDestroy_v2", Api::kCuda};
  if (!GuardsApply()) return GPUSAN_CU_DRIVER_AT(slot, cuCtxDestroy_v2)(context);
  const ReentryGuard nested;
  CheckAll("when its context was destroyed", kInfo, GPUSAN_GUARD_CALLER());
  const CUresult code = GPUSAN_CU_DRIVER_AT(slot, cuCtxDestroy_v2)(context);
  DropEnded();
  return code;
}

template <Slot slot>
CUresult CUDAAPI PrimaryEnds(CUdevice device) {
  static constexpr CallInfo kInfo = {slot == kSlot_cuDevicePrimaryCtxReset_v2
                                         ? "cuDevicePrimaryCtxReset_v2"
                                         : "cuDevicePrimaryCtxRelease_v2",
                                     Api::kCuda};
  if (!GuardsApply()) return GPUSAN_CU_DRIVER_AT(slot, cuDevicePrimaryCtxReset_v2)(device);
  const ReentryGuard nested;
  CheckAll("when its context ended", kInfo, GPUSAN_GUARD_CALLER());
  const CUresult code = GPUSAN_CU_DRIVER_AT(slot, cuDevicePrimaryCtxReset_v2)(device);
  DropEnded();
  return code;
}

struct Row {
  Slot slot;
  void* form;
  bool is_query = false;
};

template <typename Function>
void* Untyped(Function* function) {
  return reinterpret_cast<void*>(function);
}

const Row kRows[] = {
    {kSlot_cuMemAlloc_v2, Untyped(&MemAlloc)},
    {kSlot_cuMemAllocPitch_v2, Untyped(&MemAllocPitch)},
    {kSlot_cuMemAllocManaged, Untyped(&MemAllocManaged)},
    {kSlot_cuMemHostAlloc, Untyped(&MemHostAlloc)},
    {kSlot_cuMemAllocHost_v2, Untyped(&MemAllocHost)},
    {kSlot_cuMemAllocAsync, Untyped(&MemAllocAsync<false>)},
    {kSlot_cuMemAllocAsync_ptsz, Untyped(&MemAllocAsync<true>)},
    {kSlot_cuMemAllocFromPoolAsync, Untyped(&MemAllocFromPoolAsync<false>)},
    {kSlot_cuMemAllocFromPoolAsync_ptsz, Untyped(&MemAllocFromPoolAsync<true>)},
    {kSlot_cuMemFree_v2, Untyped(&MemFree)},
    {kSlot_cuMemFreeHost, Untyped(&MemFreeHost)},
    {kSlot_cuMemFreeAsync, Untyped(&MemFreeAsync<false>)},
    {kSlot_cuMemFreeAsync_ptsz, Untyped(&MemFreeAsync<true>)},
    {kSlot_cuStreamSynchronize, Untyped(&StreamSynchronize<false>)},
    {kSlot_cuStreamSynchronize_ptsz, Untyped(&StreamSynchronize<true>)},
    {kSlot_cuCtxSynchronize, Untyped(&ContextSynchronize)},
    {kSlot_cuCtxSynchronize_v2, Untyped(&ContextSynchronizeOf)},
    {kSlot_cuLaunchKernel, Untyped(&LaunchKernel<false>)},
    {kSlot_cuLaunchKernel_ptsz, Untyped(&LaunchKernel<true>)},
    {kSlot_cuLaunchKernelEx, Untyped(&LaunchKernelEx<false>)},
    {kSlot_cuLaunchKernelEx_ptsz, Untyped(&LaunchKernelEx<true>)},
    {kSlot_cuLaunchCooperativeKernel, Untyped(&LaunchCooperative<false>)},
    {kSlot_cuLaunchCooperativeKernel_ptsz, Untyped(&LaunchCooperative<true>)},
    {kSlot_cuGraphLaunch, Untyped(&GraphLaunch<false>)},
    {kSlot_cuGraphLaunch_ptsz, Untyped(&GraphLaunch<true>)},
    {kSlot_cuCtxDestroy_v2, Untyped(&ContextDestroy<kSlot_cuCtxDestroy_v2>)},
    {kSlot_cuDevicePrimaryCtxReset_v2, Untyped(&PrimaryEnds<kSlot_cuDevicePrimaryCtxReset_v2>)},
    {kSlot_cuDevicePrimaryCtxRelease_v2, Untyped(&PrimaryEnds<kSlot_cuDevicePrimaryCtxRelease_v2>)},
    {kSlot_cuIpcGetMemHandle, Untyped(&GuardedIpcHandle)},
    {kSlot_cuIpcOpenMemHandle_v2, Untyped(&OpenGuardedIpc)},
    {kSlot_cuIpcCloseMemHandle, Untyped(&CloseGuardedIpc)},
    {kSlot_cuMemPoolExportPointer, Untyped(&ExportGuardedPointer)},
    {kSlot_cuMemPoolImportPointer, Untyped(&ImportGuardedPointer)},
    {kSlot_cuMemGetAddressRange_v2, Untyped(&GuardedAddressRange), true},
    {kSlot_cuPointerGetAttribute, Untyped(&GuardedAttribute), true},
    {kSlot_cuPointerGetAttributes, Untyped(&GuardedAttributes), true},
};

const Row* RowOf(Slot slot) {
  for (const Row& row : kRows) {
    if (row.slot == slot) return &row;
  }
  return nullptr;
}

}  // namespace

void* GuardedFunction(Slot slot, void* real) {
  if (!GuardsOn() || real == nullptr) return real;
  const Row* row = RowOf(slot);
  if (row == nullptr) return real;
  driver_functions[slot].store(real, std::memory_order_release);
  return row->form;
}

void* GuardedQuery(Slot slot) {
  const Row* row = GuardsOn() ? RowOf(slot) : nullptr;
  return row != nullptr && row->is_query ? row->form : nullptr;
}

void DescribeGuarded(const CuCall& call, const Resource& resource) {
  const char* const name = call.info().name;
  if (std::strncmp(name, "cuMemAlloc", 10) == 0 || std::strncmp(name, "cuMemHostAlloc", 14) == 0)
    Guards().Describe(resource, Words());
}

uint64_t UnguardedCount() { return GuardsOn() ? Guards().unguarded() : 0; }

}  // namespace gpusan::cuda
