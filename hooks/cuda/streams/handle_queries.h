// Handler: calls that name an object and change no shadow state (queries, attributes).
#pragma once

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/call/error_codes.h"
#include "hooks/cuda/deferral/deferral_queue.h"

namespace gpusan::cuda {

// Adds a finding if the handle names an object that is released or of another kind. It does not
// report unknown handles and default streams.
inline void CheckHandle(CuCall& call, uintptr_t handle, ObjectKind kind, const char* argument) {
  constexpr uintptr_t kLastDefaultStream = 2;
  if (handle == 0 || (kind == ObjectKind::kQueue && handle <= kLastDefaultStream)) return;
  call.tracker().objects().Use(call, handle, MaskOf(kind), argument);
}

// Surface objects may have the same handles as texture objects.
inline uintptr_t TextureKey(CUtexObject handle) { return handle; }
inline uintptr_t SurfaceKey(CUsurfObject handle) { return handle | uintptr_t{1} << 63; }

// Finds the objects of a query by the names of its parameters.
template <typename P>
struct HandleQuery {
  // No deferred command creates or releases these objects.
  static constexpr bool kLeavesDeferred = true;

  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.hStream; })
      CheckHandle(call, HandleOf(p.hStream), ObjectKind::kQueue, "hStream");
    if constexpr (requires { p.srcStream; }) {
      CheckHandle(call, HandleOf(p.dstStream), ObjectKind::kQueue, "dst");
      CheckHandle(call, HandleOf(p.srcStream), ObjectKind::kQueue, "src");
    }
    if constexpr (requires { p.texObject; })
      CheckHandle(call, TextureKey(p.texObject), ObjectKind::kTexture, "texObject");
    if constexpr (requires { p.surfObject; }) {
      if (p.surfObject != 0)
        CheckHandle(call, SurfaceKey(p.surfObject), ObjectKind::kSurface, "surfObject");
    }
    if constexpr (requires { p.hArray; })
      CheckHandle(call, HandleOf(p.hArray), ObjectKind::kImage, "hArray");
    if constexpr (requires { p.array; })
      CheckHandle(call, HandleOf(p.array), ObjectKind::kImage, "array");
    if constexpr (requires { p.mipmap; })
      CheckHandle(call, HandleOf(p.mipmap), ObjectKind::kMipmap, "mipmap");
    if constexpr (requires { p.pool; })
      CheckHandle(call, HandleOf(p.pool), ObjectKind::kMemoryPool, "pool");
    if constexpr (requires { p.memPool; })
      CheckHandle(call, HandleOf(p.memPool), ObjectKind::kMemoryPool, "memPool");
    if constexpr (requires { p.hGraph; })
      CheckHandle(call, HandleOf(p.hGraph), ObjectKind::kGraph, "hGraph");
    if constexpr (requires { p.hGraphExec; })
      CheckHandle(call, HandleOf(p.hGraphExec), ObjectKind::kGraphExec, "hGraphExec");
    if constexpr (requires { p.mod; })
      CheckHandle(call, HandleOf(p.mod), ObjectKind::kProgram, "mod");
    if constexpr (requires { p.hmod; })
      CheckHandle(call, HandleOf(p.hmod), ObjectKind::kProgram, "hmod");
    if constexpr (requires { p.lib; })
      CheckHandle(call, HandleOf(p.lib), ObjectKind::kProgram, "lib");
    if constexpr (requires { p.library; })
      CheckHandle(call, HandleOf(p.library), ObjectKind::kProgram, "library");
    if constexpr (requires { p.hfunc; })
      CheckHandle(call, HandleOf(p.hfunc), ObjectKind::kKernel, "hfunc");
    if constexpr (requires { p.function; })
      CheckHandle(call, HandleOf(p.function), ObjectKind::kKernel, "function");
    if constexpr (requires { p.func; })
      CheckHandle(call, HandleOf(p.func), ObjectKind::kKernel, "func");
    if constexpr (requires { p.kernel; })
      CheckHandle(call, HandleOf(p.kernel), ObjectKind::kKernel, "kernel");
    if constexpr (requires { p.ctx; })
      CheckHandle(call, HandleOf(p.ctx), ObjectKind::kContext, "ctx");
  }

  // A query that fails answers the program's question: only its arguments are checked.
  void After(CuCall& call, CUresult code, P&) {
    if (code == CUDA_SUCCESS) [[likely]]
      return;
    call.SetExplained();
    // The report of a device fault lists all commands so far.
    if (IsFault(code)) ProcessDeferred();
  }
};

}  // namespace gpusan::cuda
