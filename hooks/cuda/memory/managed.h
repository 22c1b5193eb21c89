// Handlers: hints and migrations of ranges of managed memory, attributes of pointers.
#pragma once

#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/streams/handle_queries.h"

namespace gpusan::cuda {

// Checks a range that a call names without reading or writing it.
void CheckRange(CuCall& call, CUdeviceptr pointer, uint64_t bytes, const char* argument);

// Applies CU_POINTER_ATTRIBUTE_SYNC_MEMOPS.
void SetSynchronous(CuCall& call, CUdeviceptr pointer, bool synchronous);

template <typename P>
struct RangeHint {
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.hStream; })
      CheckHandle(call, HandleOf(p.hStream), ObjectKind::kQueue, "hStream");
    CheckRange(call, p.devPtr, p.count, "devPtr");
  }
};

// Restricts the streams that may use the memory. gpusan does not see accesses of the host.
template <typename P>
struct StreamAttach {
  void Before(CuCall& call, P& p) {
    CheckHandle(call, HandleOf(p.hStream), ObjectKind::kQueue, "hStream");
    CheckRange(call, p.dptr, p.length != 0 ? p.length : 1, "dptr");
  }
};

template <typename P>
struct RangeHints {
  void Before(CuCall& call, P& p) {
    CheckHandle(call, HandleOf(p.hStream), ObjectKind::kQueue, "hStream");
    if (p.dptrs == nullptr || p.sizes == nullptr) return;
    for (size_t i = 0; i < p.count; ++i) CheckRange(call, p.dptrs[i], p.sizes[i], "dptrs");
  }
};

template <typename P>
struct PointerSetAttribute {
  void Before(CuCall& call, P& p) { CheckRange(call, p.ptr, 1, "ptr"); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS && p.attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      SetSynchronous(call, p.ptr, *static_cast<const unsigned*>(p.value) != 0);
  }
};

template <typename P>
struct Decompress {
  void Before(CuCall& call, P& p) {
    if (p.paramsArray == nullptr) return;
    for (size_t i = 0; i < p.count; ++i) {
      const auto& one = p.paramsArray[i];
      CheckRange(call, HandleOf(one.src), one.srcNumBytes, "src");
      CheckRange(call, HandleOf(one.dst), one.dstNumBytes, "dst");
    }
  }
  void After(CuCall&, CUresult code, P& p);
};

// Marks memory as written by the call when the bytes are unknown.
void MarkWritten(CuCall& call, CUdeviceptr pointer);

template <typename P>
void Decompress<P>::After(CuCall& call, CUresult code, P& p) {
  if (code != CUDA_SUCCESS || p.paramsArray == nullptr) return;
  for (size_t i = 0; i < p.count; ++i) MarkWritten(call, HandleOf(p.paramsArray[i].dst));
}

}  // namespace gpusan::cuda
