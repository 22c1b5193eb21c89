// Access between devices; handlers: peer access.
#include "hooks/cuda/streams/peers.h"

#include "hooks/cuda/streams/context_scope.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

constinit std::atomic<int> g_first_device{-1};
constinit std::atomic<bool> g_several_devices{false};

// True if the driver knows the memory but no pointer through which kernels of the context could
// access it (CUDA cuPointerGetAttribute, DEVICE_POINTER). The attribute ACCESS_FLAGS says "read and
// write" for such memory as well.
bool DriverDenies(const Context* context, uintptr_t address) {
  const ContextScope scope(context);
  const auto query = GPUSAN_CU_REAL(cuPointerGetAttribute);
  CUcontext owner = nullptr;
  CUdeviceptr reachable = 0;
  return scope.current() && query != nullptr &&
         query(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address) == CUDA_SUCCESS &&
         query(&reachable, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address) ==
             CUDA_ERROR_INVALID_VALUE;
}

// True if the memory is from a pool of another device than that of the context, which was not given
// access to the pool (CUDA cuMemPoolSetAccess).
bool PoolDenies(const Context* context, uintptr_t address) {
  const ContextScope scope(context);
  const int device = context->device;
  const auto query = GPUSAN_CU_REAL(cuPointerGetAttribute);
  const auto query_pool = GPUSAN_CU_REAL(cuMemPoolGetAccess);
  int owner = device;
  CUmemoryPool pool = nullptr;
  if (query == nullptr || query_pool == nullptr ||
      query(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) != CUDA_SUCCESS ||
      owner == device ||
      query(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address) != CUDA_SUCCESS || pool == nullptr)
    return false;
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device;
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return query_pool(&flags, pool, &location) == CUDA_SUCCESS &&
         flags == CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

// True if the stream's device cannot access plain memory of another device.
bool IsDenied(const Stream& stream, const Resource& resource, uintptr_t address) {
  if (resource.context == stream.context->object) return false;
  const Context* owner = ContextOfObject(resource.context);
  return owner != nullptr && owner->device >= 0 && owner->device != stream.context->device &&
         DriverDenies(stream.context, address);
}

}  // namespace

void NoteDevice(Context* context, int device) {
  context->device = device;
  NoteDeviceInUse(device);
}

void NoteDeviceInUse(int device) {
  int first = -1;
  if (g_first_device.compare_exchange_strong(first, device) || first == device) return;
  if (g_several_devices.exchange(true)) return;
  for (Context* live : LiveContexts()) {
    for (Stream* stream : StreamsOf(live))
      stream->may_defer.store(false, std::memory_order_relaxed);
  }
}

void LostPeerAccess(Context* context) {
  // Other peers may be left: the driver is asked at each launch.
  context->has_peers.store(false, std::memory_order_relaxed);
  for (Stream* stream : StreamsOf(context))
    stream->may_defer.store(false, std::memory_order_relaxed);
}

bool MayLackPeerAccess(const Context& context) {
  return g_several_devices.load(std::memory_order_relaxed) &&
         !context.has_peers.load(std::memory_order_relaxed);
}

void CheckPeerAccess(CuCall& call, const Stream& stream, const Launch& launch) {
  if (!g_several_devices.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (!call.adopts() || stream.context->device < 0) return;
  for (const LaunchArgument& argument : launch.arguments) {
    const Resource* resource = argument.resource;
    // Mapped memory and imported memory have access rights of their own.
    if (argument.indirect || resource->kind != ObjectKind::kDeviceMemory || resource->adopted ||
        resource->has(kImported) || resource->context == nullptr)
      continue;
    const uintptr_t address = resource->handle + argument.offset;
    const bool denied = resource->has(kStreamOrdered) ? PoolDenies(stream.context, address)
                                                      : IsDenied(stream, *resource, address);
    if (!denied) continue;
    const std::string name =
        absl::StrCat("argument ", argument.index, " of ", ObjectText(*launch.kernel, call.words()));
    rules::OnHandleUse({resource, 0, name.c_str(), false, stream.context->object}, call);
    return;
  }
}

}  // namespace gpusan::cuda
