// Handlers: memory and events of other processes and other APIs. gpusan does not know their content
// and their other users. The exception is memory of an API that gpusan watches in this process: it
// has the order of both APIs (SharedPayloads).
#pragma once

#include "hooks/cuda/call/releases_object.h"
#include "hooks/cuda/memory/memory.h"
#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/streams/streams.h"

namespace gpusan::cuda {

// --- functions of imports.cc

// Registers imported memory that the call mapped to an address. If `bytes` is 0, queries the driver
// for the size.
void Imported(CuCall& call, CUdeviceptr address, uint64_t bytes, bool owned);
void OpenedMemory(CuCall& call, CUdeviceptr address);
// Marks memory as writable by other processes or APIs.
void SharedMemory(CuCall& call, CUdeviceptr address);
Resource* CloseMemory(CuCall& call, CUdeviceptr address);
// Before the real call: finds the memory of another API of the process that the call imports, and
// checks the size.
SharedPayloads::Payload FindExport(CuCall& call, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* imported);
void CreatedImport(CuCall& call, uintptr_t handle, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& imported,
                   const SharedPayloads::Payload& payload);
void DestroyImport(CuCall& call, uintptr_t handle, const char* argument);
Object* UseImport(CuCall& call, CUexternalMemory memory);
// Before the real call: adds a finding for a part that exceeds the import.
void CheckImportedPart(CuCall& call, CUexternalMemory memory,
                       const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* part);
// Records that the memory at `address` is a part of the import.
void MappedImport(CuCall& call, CUexternalMemory memory, CUdeviceptr address,
                  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC& part);
// Registers memory of a graphics API at the address that a mapping of the resource returned.
void MappedMemory(CuCall& call, CUgraphicsResource resource, CUdeviceptr address, uint64_t bytes);
// Records that the resource is mapped again: an address that the program kept may be valid again.
void MappedAgain(CuCall& call, CUgraphicsResource resource);
// Before the real call: gives the memory back to the graphics API until the next mapping. Returns
// nullptr when nothing of the resource was mapped, or when another resource also maps the memory.
Resource* UnmapMemory(CuCall& call, CUgraphicsResource resource);
void UnmapFailed(CuCall& call, CUgraphicsResource resource, Resource* unmapped);
void UnregisteredResource(CUgraphicsResource resource);

// --- handlers

template <typename P>
struct IpcGetMem {
  void Before(CuCall& call, P& p) {
    uint64_t offset = 0;
    if (FindPointer(call, p.dptr, &offset) == nullptr) call.CheckUnknown(p.dptr, 1, "dptr");
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) SharedMemory(call, p.dptr);
  }
};

// Memory of a pool that is exported to another process, or a range that is exported to another
// device.
template <typename P>
struct ExportMemory {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    if constexpr (requires { p.dptr; }) {
      SharedMemory(call, p.dptr);
    } else {
      SharedMemory(call, p.ptr);
    }
  }
};

template <typename P>
struct IpcOpenMem {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) OpenedMemory(call, *p.pdptr);
  }
};

template <typename P>
struct IpcCloseMem : ReleasesObject {
  void Before(CuCall& call, P& p) { released = CloseMemory(call, p.dptr); }
};

template <typename P>
struct IpcOpenEvent {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS)
      CreatedEvent(call, HandleOf(*p.phEvent), CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
  }
};

template <typename P>
struct IpcGetEvent {
  void Before(CuCall& call, P& p) { UseEvent(call, p.event); }
};

template <typename P>
struct ImportMemory {
  SharedPayloads::Payload payload;
  void Before(CuCall& call, P& p) { payload = FindExport(call, p.memHandleDesc); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS)
      CreatedImport(call, HandleOf(*p.extMem_out), *p.memHandleDesc, payload);
  }
};

template <typename P>
struct DestroyImportedMemory {
  void Before(CuCall& call, P& p) { DestroyImport(call, HandleOf(p.extMem), "extMem"); }
};

template <typename P>
struct ImportedBuffer {
  void Before(CuCall& call, P& p) {
    if (UseImport(call, p.extMem) != nullptr) CheckImportedPart(call, p.extMem, p.bufferDesc);
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) MappedImport(call, p.extMem, *p.devPtr, *p.bufferDesc);
  }
};

template <typename P>
struct GraphicsPointer {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) MappedMemory(call, p.resource, *p.pDevPtr, *p.pSize);
  }
};

template <typename P>
struct GraphicsMap {
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    for (unsigned i = 0; i < p.count; ++i) MappedAgain(call, p.resources[i]);
  }
};

template <typename P>
struct GraphicsUnmap {
  std::vector<Resource*> unmapped;
  void Before(CuCall& call, P& p) {
    if (p.resources == nullptr) return;
    for (unsigned i = 0; i < p.count; ++i) unmapped.push_back(UnmapMemory(call, p.resources[i]));
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) return;
    for (size_t i = 0; i < unmapped.size(); ++i) UnmapFailed(call, p.resources[i], unmapped[i]);
  }
};

template <typename P>
struct GraphicsUnregister {
  Resource* unmapped = nullptr;
  void Before(CuCall& call, P& p) { unmapped = UnmapMemory(call, p.resource); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) return UnregisteredResource(p.resource);
    UnmapFailed(call, p.resource, unmapped);
  }
};

}  // namespace gpusan::cuda
