// Handlers: reserved address ranges, physical memory, and mappings between them.
//
// The same memory may have several addresses, and copies may cross the borders of mappings: for
// mapped memory gpusan checks bounds and lifetime only.
#pragma once

#include <vector>

#include "hooks/cuda/memory/memory.h"

namespace gpusan::cuda {

// --- functions of virtual_memory.cc
void Reserved(CuCall& call, CUdeviceptr address, uint64_t bytes);
Object* FreeReservation(CuCall& call, CUdeviceptr address);
void CreatedMemory(CuCall& call, CUmemGenericAllocationHandle handle, uint64_t bytes,
                   uint16_t flags);
void RetainedMemory(CuCall& call, CUmemGenericAllocationHandle handle);
Resource* UseMemory(CuCall& call, CUmemGenericAllocationHandle handle, const char* argument);
Object* ReleaseMemory(CuCall& call, CUmemGenericAllocationHandle handle);
void CheckMap(CuCall& call, uint64_t bytes, uint64_t offset, CUmemGenericAllocationHandle handle);
void Mapped(CuCall& call, CUdeviceptr address, uint64_t bytes);
// Before the real call: releases and returns the mappings in the range.
std::vector<Resource*> Unmap(CuCall& call, CUdeviceptr address, uint64_t bytes);

// --- handlers

template <typename P>
struct AddressReserve {
  void Before(CuCall& call, P& p) { call.Requested(p.size); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) Reserved(call, *p.ptr, p.size);
  }
};

template <typename P>
struct AddressFree {
  Object* range = nullptr;
  void Before(CuCall& call, P& p) { range = FreeReservation(call, p.ptr); }
  void After(CuCall& call, CUresult code, P&) {
    if (range != nullptr && code != CUDA_SUCCESS) call.tracker().objects().UndoRelease(range);
  }
};

template <typename P>
struct MemoryCreate {
  void Before(CuCall& call, P& p) { call.Requested(p.size); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS)
      return FailedAllocation(call, ObjectKind::kPhysicalMemory, p.size, code);
    CreatedMemory(call, *p.handle, p.size, 0);
  }
};

template <typename P>
struct MemoryImport {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedMemory(call, *p.handle, 0, kImported);
  }
};

template <typename P>
struct MemoryRetain {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) RetainedMemory(call, *p.handle);
  }
};

template <typename P>
struct MulticastCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) CreatedMemory(call, *p.mcHandle, 0, kImported);
  }
};

template <typename P>
struct MulticastBind {
  void Before(CuCall& call, P& p) {
    UseMemory(call, p.mcHandle, "mcHandle");
    if constexpr (requires { p.memHandle; }) UseMemory(call, p.memHandle, "memHandle");
  }
};

template <typename P>
struct MemoryRelease {
  Object* memory = nullptr;
  void Before(CuCall& call, P& p) { memory = ReleaseMemory(call, p.handle); }
  void After(CuCall& call, CUresult code, P&) {
    if (memory != nullptr && code != CUDA_SUCCESS) call.tracker().objects().UndoRelease(memory);
  }
};

template <typename P>
struct MemoryMap {
  void Before(CuCall& call, P& p) { CheckMap(call, p.size, p.offset, p.handle); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) Mapped(call, p.ptr, p.size);
  }
};

template <typename P>
struct MemoryUnmap {
  std::vector<Resource*> mapped;
  void Before(CuCall& call, P& p) { mapped = Unmap(call, p.ptr, p.size); }
  void After(CuCall& call, CUresult code, P&) {
    if (code == CUDA_SUCCESS) return;
    for (Resource* resource : mapped) call.tracker().objects().UndoRelease(resource);
  }
};

}  // namespace gpusan::cuda
