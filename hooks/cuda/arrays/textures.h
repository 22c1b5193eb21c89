// Handlers: texture and surface objects.
#pragma once

#include "hooks/cuda/arrays/arrays.h"
#include "hooks/cuda/call/releases_object.h"
#include "hooks/cuda/memory/pointers.h"

namespace gpusan::cuda {

// --- functions of textures.cc

// Check the resource of a new texture or surface object. `view` may be nullptr.
void CheckTexture(CuCall& call, const CUDA_RESOURCE_DESC& resource,
                  const CUDA_RESOURCE_VIEW_DESC* view);
void CheckSurface(CuCall& call, const CUDA_RESOURCE_DESC& resource);
// Registers a texture or surface object of the resource. `texture` and `view` describe a texture
// object and may be nullptr.
void CreatedView(CuCall& call, ObjectKind kind, uintptr_t handle,
                 const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC* texture = nullptr,
                 const CUDA_RESOURCE_VIEW_DESC* view = nullptr);
// Adds a finding if the object is destroyed, or its array or memory is freed. `user` names what
// accesses texels through the object. Handles that the program did not receive are not reported.
void CheckViewUse(CuCall& call, ObjectKind kind, uintptr_t handle, const std::string& user);
// The memory whose texels a view accesses.
struct ViewMemory {
  Resource* resource = nullptr;  // nullptr: gpusan does not know it
  uint64_t offset = 0;           // in the resource [bytes]
  uint64_t bytes = 0;            // 0: the whole resource
};
// Returns the live memory of a live texture or surface object, if it is an array without levels or
// linear memory.
ViewMemory MemoryOfView(CuCall& call, ObjectKind kind, uintptr_t handle);
// Releases a texture or surface object and returns it; nullptr if the handle is not usable.
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
    if (code == CUDA_SUCCESS)
      CreatedView(call, ObjectKind::kTexture, *p.pTexObject, *p.pResDesc, p.pTexDesc,
                  p.pResViewDesc);
  }
};

template <typename P>
struct TextureDestroy : ReleasesObject {
  void Before(CuCall& call, P& p) {
    released = DestroyView(call, ObjectKind::kTexture, p.texObject, "texObject");
  }
};

template <typename P>
struct SurfaceCreate {
  void Before(CuCall& call, P& p) {
    if (p.pResDesc != nullptr) CheckSurface(call, *p.pResDesc);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    CreatedView(call, ObjectKind::kSurface, *p.pSurfObject, *p.pResDesc);
    WrittenByKernels(call, p.pResDesc->res.array.hArray);
  }
};

template <typename P>
struct SurfaceDestroy : ReleasesObject {
  void Before(CuCall& call, P& p) {
    released = DestroyView(call, ObjectKind::kSurface, p.surfObject, "surfObject");
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
