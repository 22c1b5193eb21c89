// Handlers: texture and surface objects.
#pragma once

#include "hooks/cuda/memory/arrays.h"
#include "hooks/cuda/memory/pointers.h"

namespace gpusan::cuda {

// --- functions of textures.cc
void CheckTexture(CuCall& call, const CUDA_RESOURCE_DESC& resource,
                  const CUDA_RESOURCE_VIEW_DESC* view);
void CheckSurface(CuCall& call, const CUDA_RESOURCE_DESC& resource);
void CreatedView(CuCall& call, ObjectKind kind, uintptr_t handle);
Object* DestroyView(CuCall& call, ObjectKind kind, uintptr_t handle, const char* argument);
// Marks the array as writable by kernels from now on.
void WrittenByKernels(CuCall& call, CUarray array);

// --- handlers

template <typename P>
struct TextureCreate {
  void Before(CuCall& call, P& p) {
    if (p.pResDesc != nullptr) CheckTexture(call, *p.pResDesc, p.pResViewDesc);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedView(call, ObjectKind::kTexture, *p.pTexObject);
  }
};

template <typename P>
struct TextureDestroy {
  Object* view = nullptr;
  void Before(CuCall& call, P& p) {
    view = DestroyView(call, ObjectKind::kTexture, p.texObject, "texObject");
  }
  void After(CuCall& call, CUresult code, P&) {
    if (view != nullptr && code != CUDA_SUCCESS) call.tracker().objects().UndoRelease(view);
  }
};

template <typename P>
struct SurfaceCreate {
  void Before(CuCall& call, P& p) {
    if (p.pResDesc != nullptr) CheckSurface(call, *p.pResDesc);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    CreatedView(call, ObjectKind::kSurface, *p.pSurfObject);
    WrittenByKernels(call, p.pResDesc->res.array.hArray);
  }
};

template <typename P>
struct SurfaceDestroy {
  Object* view = nullptr;
  void Before(CuCall& call, P& p) {
    view = DestroyView(call, ObjectKind::kSurface, p.surfObject, "surfObject");
  }
  void After(CuCall& call, CUresult code, P&) {
    if (view != nullptr && code != CUDA_SUCCESS) call.tracker().objects().UndoRelease(view);
  }
};

template <typename P>
struct SurfaceReferenceSetArray {
  void Before(CuCall& call, P& p) { UseArray(call, p.hArray, "hArray"); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) WrittenByKernels(call, p.hArray);
  }
};

// The bytes that kernels will read are unknown: some programs pass the largest possible size.
template <typename P>
struct TextureReferenceSetAddress {
  void Before(CuCall& call, P& p) {
    uint64_t offset = 0;
    if (p.dptr != 0 && FindPointer(call, HandleOf(p.dptr), &offset) == nullptr)
      call.CheckUnknown(HandleOf(p.dptr), 1, "dptr");
  }
};

template <typename P>
struct TextureReferenceSetArray {
  void Before(CuCall& call, P& p) {
    if (p.hArray != nullptr) UseArray(call, p.hArray, "hArray");
  }
};

}  // namespace gpusan::cuda
