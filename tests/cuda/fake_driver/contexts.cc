// Contexts and primary contexts.
#include <cuda.h>

#include <algorithm>

#include "memory.h"
#include "operations.h"
#include "state.h"

using namespace fake;

namespace {

bool Valid(CUdevice device) { return device >= 0 && device < kDevices; }

CUresult Create(CUcontext* context, unsigned flags, CUdevice device) {
  return WithDriver([&] {
    if (context == nullptr || (flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    if (ProcessFault() != CUDA_SUCCESS) {
      return ProcessFault();
    }
    ContextPtr made = NewContext(device, flags, false);
    ContextStack().push_back(made);
    *context = contexts.Of(made);
    return CUDA_SUCCESS;
  });
}

CUresult Destroy(CUcontext handle) {
  return WithDriver([&] {
    ContextPtr context = contexts.Find(handle);
    if (context == nullptr || context->primary) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (CurrentContext() == context) {
      ContextStack().pop_back();
    }
    EndContext(context);
    return CUDA_SUCCESS;
  });
}

CUresult Synchronize(Context& context) {
  if (CUresult error = CheckUnsafe(); error != CUDA_SUCCESS) {
    return error;
  }
  WaitForContext(&context);
  return context.sticky;
}

// The last release and a reset end the primary context's state.
void EndPrimary(Device& device) {
  if (device.primary != nullptr) {
    ContextPtr old = device.primary;
    device.primary = nullptr;
    EndContext(old);
  }
}

CUresult ReleasePrimary(CUdevice device) {
  return WithDriver([&] {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    Device& state = TheDevice(device);
    if (state.primary_references == 0) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (--state.primary_references == 0) {
      EndPrimary(state);
    }
    return CUDA_SUCCESS;
  });
}

CUresult ResetPrimary(CUdevice device) {
  return WithDriver([&] {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    Device& state = TheDevice(device);
    if (state.primary == nullptr) {
      return CUDA_SUCCESS;
    }
    // The handle stays valid and stands for a new state, so the object is kept and emptied.
    ContextPtr context = state.primary;
    EndContext(context);
    context->sticky = CUDA_SUCCESS;
    context->streams.clear();
    context->legacy = std::make_shared<Stream>();
    context->legacy->context = context;
    context->legacy->legacy = true;
    context->legacy->id = NextId();
    contexts.Add(context);
    return CUDA_SUCCESS;
  });
}

CUresult SetPrimaryFlags(CUdevice device, unsigned flags) {
  return WithDriver([&] {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    TheDevice(device).primary_flags = flags;
    if (TheDevice(device).primary != nullptr) {
      TheDevice(device).primary->flags = flags;
    }
    return CUDA_SUCCESS;
  });
}

CUresult Pop(CUcontext* context) {
  return WithDriver([&] {
    if (ContextStack().empty()) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (context != nullptr) {
      *context = contexts.Of(CurrentContext());
    }
    ContextStack().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult Push(CUcontext handle) {
  return WithDriver([&] {
    ContextPtr context = contexts.Find(handle);
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    ContextStack().push_back(context);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return Create(context, flags, device);
}
CUresult CUDAAPI cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  return Create(context, flags, device);
}
CUresult CUDAAPI cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int, unsigned int flags,
                                CUdevice device) {
  return Create(context, flags, device);
}
CUresult CUDAAPI cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned int flags,
                                CUdevice device) {
  return Create(context, flags, device);
}
CUresult CUDAAPI cuCtxDestroy(CUcontext context) { return Destroy(context); }
CUresult CUDAAPI cuCtxDestroy_v2(CUcontext context) { return Destroy(context); }
CUresult CUDAAPI cuCtxPopCurrent(CUcontext* context) { return Pop(context); }
CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext* context) { return Pop(context); }
CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) { return Push(context); }
CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext context) { return Push(context); }

CUresult CUDAAPI cuCtxSetCurrent(CUcontext handle) {
  return WithDriver([&] {
    ContextPtr context = contexts.Find(handle);
    if (handle != nullptr && context == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (!ContextStack().empty()) {
      ContextStack().pop_back();
    }
    if (context != nullptr) {
      ContextStack().push_back(context);
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext* context) {
  return WithDriver([&] {
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *context = contexts.Of(CurrentContext());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) {
  return WithDriver([&] {
    ContextPtr context = CurrentContext();
    if (device == nullptr || context == nullptr) {
      return context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    }
    *device = context->device;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  return WithDriver([&] {
    ContextPtr context = handle == nullptr ? CurrentContext() : contexts.Find(handle);
    if (device == nullptr || context == nullptr) {
      return context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    }
    *device = context->device;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetFlags(unsigned int* flags) {
  return WithContext([&](Context& context) {
    *flags = context.flags;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxSetFlags(unsigned int flags) {
  return WithContext([&](Context& context) {
    context.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return WithDriver([&] {
    ContextPtr context = handle == nullptr ? CurrentContext() : contexts.Find(handle);
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    *id = context->id;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  return WithDriver([&] {
    if (context != nullptr && contexts.Find(context) == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    *version = 3020;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxSynchronize() {
  return WithContext([](Context& context) { return Synchronize(context); });
}

CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext handle) {
  return WithDriver([&] {
    ContextPtr context = handle == nullptr ? CurrentContext() : contexts.Find(handle);
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    return context->sticky != CUDA_SUCCESS ? context->sticky : Synchronize(*context);
  });
}

CUresult CUDAAPI cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return WithContext([&](Context&) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = -5;
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetLimit(size_t* value, CUlimit limit) {
  return WithContext([&](Context&) {
    *value = limit == CU_LIMIT_STACK_SIZE ? 1024 : size_t{8} << 20;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuCtxSetLimit(CUlimit, size_t) {
  return WithContext([](Context&) { return CUDA_SUCCESS; });
}
CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache* config) {
  return WithContext([&](Context&) {
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache) {
  return WithContext([](Context&) { return CUDA_SUCCESS; });
}
CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  return WithContext([&](Context& context) {
    ContextPtr other = contexts.Find(peer);
    if (flags != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (other == nullptr || other->device == context.device) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (std::count(context.peers.begin(), context.peers.end(), other->id) != 0) {
      return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    }
    context.peers.push_back(other->id);
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peer) {
  return WithContext([&](Context& context) {
    ContextPtr other = contexts.Find(peer);
    if (other == nullptr) {
      return CUDA_ERROR_INVALID_CONTEXT;
    }
    return std::erase(context.peers, other->id) != 0 ? CUDA_SUCCESS
                                                     : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return WithDriver([&] {
    if (context == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    Device& state = TheDevice(device);
    if (state.primary == nullptr) {
      if (ProcessFault() != CUDA_SUCCESS) {
        return ProcessFault();
      }
      state.primary = NewContext(device, state.primary_flags, true);
    }
    ++state.primary_references;
    *context = contexts.Of(state.primary);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return WithDriver([&] {
    if (!Valid(device)) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    *flags = TheDevice(device).primary_flags;
    *active = TheDevice(device).primary != nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device) { return ReleasePrimary(device); }
CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device) { return ReleasePrimary(device); }
CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device) { return ResetPrimary(device); }
CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device) { return ResetPrimary(device); }
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return SetPrimaryFlags(device, flags);
}
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
  return SetPrimaryFlags(device, flags);
}

}  // extern "C"
