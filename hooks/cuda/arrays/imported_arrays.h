// Handlers: arrays of other APIs.
#pragma once

#include "hooks/cuda/arrays/arrays.h"
#include "hooks/cuda/memory/imports.h"

namespace gpusan::cuda {

// --- functions of imported_arrays.cc

// Registers an array of a graphics API. Has no effect if the array is known.
void ImportedArray(CuCall& call, CUarray array);
void ImportedMipmap(CuCall& call, CUmipmappedArray mipmap);

// --- handlers

template <typename P>
struct ImportedMipmappedArray {
  void Before(CuCall& call, P& p) { UseImport(call, p.extMem); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS)
      NewMipmap(call, *p.mipmap, p.mipmapDesc->arrayDesc, p.mipmapDesc->numLevels, kImported);
  }
};

template <typename P>
struct GraphicsArray {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) ImportedArray(call, *p.pArray);
  }
};

template <typename P>
struct GraphicsMipmap {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) ImportedMipmap(call, *p.pMipmappedArray);
  }
};

}  // namespace gpusan::cuda
