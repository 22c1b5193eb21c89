// Handlers: reserved address ranges, physical memory, and mappings between them.
//
// A mapping is a part of its physical memory, which holds accesses and written bytes: several
// mappings of one allocation are the same memory. Copies and kernels may cross the border of two
// adjoining mappings, and memory that leaves the process has other users: for such memory gpusan
// checks bounds and lifetime only.
#pragma once

#include <vector>

#include "hooks/cuda/call/releases_object.h"
#include "hooks/cuda/memory/memory.h"

namespace gpusan::cuda {

// --- functions of virtual_memory.cc
// `placed`: the program asked for the address.
void Reserved(CuCall& call, CUdeviceptr address, bool placed);
void FreedReservation(CUdeviceptr address);
Object* FreeReservation(CuCall& call, CUdeviceptr address);
void CreatedMemory(CuCall& call, CUmemGenericAllocationHandle handle, uint64_t bytes,
                   uint16_t flags);
void RetainedMemory(CuCall& call, CUmemGenericAllocationHandle handle, const void* address);
Resource* UseMemory(CuCall& call, CUmemGenericAllocationHandle handle, const char* argument);
Object* ReleaseMemory(CuCall& call, CUmemGenericAllocationHandle handle);
void CheckMap(CuCall& call, uint64_t bytes, uint64_t offset, CUmemGenericAllocationHandle handle);
void Mapped(CuCall& call, CUdeviceptr address, uint64_t bytes, uint64_t offset,
            CUmemGenericAllocationHandle handle);
// Records that the range, which whole mappings fill, may be accessed from now on, or not any more.
void SetAccess(CuCall& call, CUdeviceptr address, uint64_t bytes,
               absl::Span<const CUmemAccessDesc> access);
// Records that gpusan does not see all accesses to the memory from now on.
void ShareMemory(CuCall& call, CUmemGenericAllocationHandle handle);
void ShareMemoryAt(CuCall& call, CUdeviceptr address);
// Before the real call: releases and returns the mappings in the range.
std::vector<Resource*> Unmap(CuCall& call, CUdeviceptr address, uint64_t bytes);

// --- handlers

template <typename P>
struct AddressReserve {
  void Before(CuCall& call, P& p) { call.Requested(p.size); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) Reserved(call, *p.ptr, p.addr != 0);
  }
};

template <typename P>
struct AddressFree {
  Object* range = nullptr;
  void Before(CuCall& call, P& p) { range = FreeReservation(call, p.ptr); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) return FreedReservation(p.ptr);
    if (range != nullptr) call.tracker().objects().UndoRelease(range);
  }
};

template <typename P>
struct MemoryCreate {
  void Before(CuCall& call, P& p) { call.Requested(p.size); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS)
      return FailedAllocation(call, ObjectKind::kPhysicalMemory, p.size, code);
    // The host, other hardware and sparse arrays access the memory in ways that gpusan does not
    // see.
    const bool seen = p.prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
                      p.prop->allocFlags.gpuDirectRDMACapable == 0 &&
                      (p.prop->allocFlags.usage & CU_MEM_CREATE_USAGE_TILE_POOL) == 0;
    CreatedMemory(call, *p.handle, p.size, seen ? 0 : kImported);
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
    if (code == CUDA_SUCCESS) RetainedMemory(call, *p.handle, p.addr);
  }
};

template <typename P>
struct MemoryExport {
  void Before(CuCall& call, P& p) { UseMemory(call, p.handle, "handle"); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) ShareMemory(call, p.handle);
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
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    if constexpr (requires { p.memHandle; }) ShareMemory(call, p.memHandle);
    if constexpr (requires { p.memptr; }) ShareMemoryAt(call, p.memptr);
  }
};

template <typename P>
struct MemoryRelease : ReleasesObject {
  void Before(CuCall& call, P& p) { released = ReleaseMemory(call, p.handle); }
};

template <typename P>
struct MemoryMap {
  void Before(CuCall& call, P& p) { CheckMap(call, p.size, p.offset, p.handle); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) Mapped(call, p.ptr, p.size, p.offset, p.handle);
  }
};

template <typename P>
struct MemorySetAccess {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    SetAccess(call, p.ptr, p.size, {p.desc, p.count});
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
