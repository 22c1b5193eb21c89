// Handlers: contexts that are created, destroyed, attached and detached; primary contexts.
#include "hooks/cuda/streams/devices.h"

#include "hooks/cuda/streams/peers.h"

namespace gpusan::cuda {
namespace {

// Returns the primary context of the device; nullptr if unknown. A primary context that the runtime
// created before gpusan was attached is recognized when it is current.
Context* PrimaryOf(CuCall& call, CUdevice device) {
  for (Context* context : LiveContexts()) {
    if (context->primary && context->device == device) return context;
  }
  const auto query = GPUSAN_CU_REAL(cuCtxGetDevice);
  CUdevice current_device;
  if (query == nullptr || query(&current_device) != CUDA_SUCCESS || current_device != device)
    return nullptr;
  Context* current = call.current();
  // A context that the program created is not a primary context.
  return current != nullptr && current->object->adopted ? current : nullptr;
}

bool IsActive(CUdevice device) {
  const auto query = GPUSAN_CU_REAL(cuDevicePrimaryCtxGetState);
  unsigned flags;
  int active;
  return query == nullptr || query(device, &flags, &active) != CUDA_SUCCESS || active != 0;
}

}  // namespace

void Attached(CuCall& call, uintptr_t handle) {
  if (Context* context = ContextOf(call, handle); context != nullptr)
    call.tracker().objects().Retain(call, context->object);
}

void Detach(CuCall& call, CUcontext handle) {
  Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  if (object != nullptr && object->live() && object->references.load() > 1) {
    call.tracker().objects().Release(call, object);
  } else {
    DestroyContext(call, HandleOf(handle));
  }
}

void RefusedContext(CuCall& call, CUcontext handle) {
  // A primary context that was recreated unseen has its old handle, so only contexts that the
  // driver rejected are checked.
  const Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  if (known != nullptr && known->kind == ObjectKind::kContext && !known->live())
    call.tracker().objects().Use(call, HandleOf(handle), MaskOf(ObjectKind::kContext), "ctx");
}

void RetainedPrimary(CuCall& call, CUcontext handle, CUdevice device) {
  Context* context = ContextOf(call, HandleOf(handle));
  if (context == nullptr) return;
  context->primary = true;
  NoteDevice(context, device);
  // Without a release it lives until the process ends: the runtime never releases it.
  context->object->MarkAdopted();
}

void ReleasedPrimary(CuCall& call, CUdevice device) {
  if (IsActive(device)) return;
  Context* context = PrimaryOf(call, device);
  if (context != nullptr) EndContext(call, context);
}

void ResetPrimary(CuCall& call, CUdevice device) {
  Context* context = PrimaryOf(call, device);
  if (context != nullptr) EndContext(call, context);
}

}  // namespace gpusan::cuda
