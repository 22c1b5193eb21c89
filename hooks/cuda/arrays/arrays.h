// Handlers: arrays, mipmapped arrays and their levels; arrays as sides of copies.
#pragma once

#include "hooks/cuda/call/releases_object.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// --- functions of arrays.cc

// Registers an array that the call created. `flags`: ResourceFlag, for imported arrays and arrays
// that other APIs write.
Resource* NewArray(CuCall& call, CUarray array, const CUDA_ARRAY3D_DESCRIPTOR& shape,
                   uint16_t flags = 0);
void FailedArray(CuCall& call, ObjectKind kind, const CUDA_ARRAY3D_DESCRIPTOR* shape,
                 unsigned levels, CUresult code);
Resource* NewMipmap(CuCall& call, CUmipmappedArray mipmap, const CUDA_ARRAY3D_DESCRIPTOR& shape,
                    unsigned levels, uint16_t flags = 0);
// Registers a level of the mipmapped array. Idempotent: a second look-up of the level gives the
// same array.
void NewLevel(CuCall& call, CUmipmappedArray mipmap, unsigned level, CUarray array);
// Registers one plane of a multi-planar array.
void NewPlane(CuCall& call, CUarray parent, CUarray plane);
Resource* UseArray(CuCall& call, CUarray array, const char* argument);
Resource* DestroyArray(CuCall& call, uintptr_t handle, ObjectKind kind, const char* argument);
// Returns the shape as a three-dimensional one.
inline CUDA_ARRAY3D_DESCRIPTOR Shape(const CUDA_ARRAY3D_DESCRIPTOR& shape) { return shape; }
inline CUDA_ARRAY3D_DESCRIPTOR Shape(const CUDA_ARRAY_DESCRIPTOR& shape) {
  return {shape.Width, shape.Height, 0, shape.Format, shape.NumChannels, 0};
}

// Returns a box of an array as the side of a transfer: x and width in bytes, the rest in elements.
// Sets `usable` to false when the side must not be checked or recorded.
Side ArraySide(CuCall& call, CUarray array, const uint64_t origin[3], const uint64_t extent[3],
               const char* argument, bool* usable);
// Returns the bytes of a one-dimensional array from `offset` on.
Side LineSide(CuCall& call, CUarray array, uint64_t offset, uint64_t bytes, const char* argument,
              bool* usable);

// --- handlers

template <typename P>
struct ArrayCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (p.pAllocateArray == nullptr) return;
    const CUDA_ARRAY3D_DESCRIPTOR shape = Shape(*p.pAllocateArray);
    if (code != CUDA_SUCCESS) return FailedArray(call, ObjectKind::kImage, &shape, 1, code);
    NewArray(call, *p.pHandle, shape);
  }
};

template <typename P>
struct ArrayDestroy : ReleasesObject {
  void Before(CuCall& call, P& p) {
    released = DestroyArray(call, HandleOf(p.hArray), ObjectKind::kImage, "hArray");
  }
};

template <typename P>
struct ArrayGetPlane {
  void Before(CuCall& call, P& p) { UseArray(call, p.hArray, "hArray"); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) NewPlane(call, p.hArray, *p.pPlaneArray);
  }
};

template <typename P>
struct MipmapCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (p.pMipmappedArrayDesc == nullptr) return;
    if (code != CUDA_SUCCESS) {
      return FailedArray(call, ObjectKind::kMipmap, p.pMipmappedArrayDesc, p.numMipmapLevels, code);
    }
    NewMipmap(call, *p.pHandle, *p.pMipmappedArrayDesc, p.numMipmapLevels);
  }
};

template <typename P>
struct MipmapGetLevel {
  void Before(CuCall& call, P& p) {
    call.tracker().objects().Use(call, HandleOf(p.hMipmappedArray), MaskOf(ObjectKind::kMipmap),
                                 "hMipmappedArray");
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) NewLevel(call, p.hMipmappedArray, p.level, *p.pLevelArray);
  }
};

template <typename P>
struct MipmapDestroy : ReleasesObject {
  void Before(CuCall& call, P& p) {
    released =
        DestroyArray(call, HandleOf(p.hMipmappedArray), ObjectKind::kMipmap, "hMipmappedArray");
  }
};

}  // namespace gpusan::cuda
