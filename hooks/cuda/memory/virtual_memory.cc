// Handlers: reserved address ranges, physical memory, and mappings between them.
#include "hooks/cuda/memory/virtual_memory.h"

namespace gpusan::cuda {
namespace {

// These handles are not addresses and may equal other handles.
uintptr_t KeyOf(CUmemGenericAllocationHandle handle) {
  return static_cast<uintptr_t>(handle) ^ uintptr_t { 1 } << 62;
}

}  // namespace

void Reserved(CuCall& call, CUdeviceptr address, uint64_t) {
  call.tracker().objects().NewPlain(call, ObjectKind::kReservation, HandleOf(address), nullptr);
}

Object* FreeReservation(CuCall& call, CUdeviceptr address) {
  Object* range = call.tracker().objects().UseForRelease(call, HandleOf(address),
                                                         MaskOf(ObjectKind::kReservation), "ptr");
  if (range != nullptr) call.tracker().objects().Release(call, range);
  return range;
}

void CreatedMemory(CuCall& call, CUmemGenericAllocationHandle handle, uint64_t bytes,
                   uint16_t flags) {
  if (AnyFailedAllocation()) [[unlikely]]
    AllocatedInstead(call, bytes);
  ResourceSpec spec;
  spec.kind = ObjectKind::kPhysicalMemory;
  spec.handle = KeyOf(handle);
  spec.bytes = bytes;
  spec.flags = flags | kOutlivesContext;
  spec.initialized = true;
  call.tracker().objects().NewResource(call, spec);
}

void RetainedMemory(CuCall& call, CUmemGenericAllocationHandle handle) {
  Object* object = call.tracker().objects().Find(Api::kCuda, KeyOf(handle));
  if (object != nullptr && object->live()) {
    call.tracker().objects().Retain(call, object);
  } else {
    CreatedMemory(call, handle, 0, kImported);
  }
}

Resource* UseMemory(CuCall& call, CUmemGenericAllocationHandle handle, const char* argument) {
  return static_cast<Resource*>(call.tracker().objects().Use(
      call, KeyOf(handle), MaskOf(ObjectKind::kPhysicalMemory), argument));
}

Object* ReleaseMemory(CuCall& call, CUmemGenericAllocationHandle handle) {
  Object* memory = call.tracker().objects().UseForRelease(
      call, KeyOf(handle), MaskOf(ObjectKind::kPhysicalMemory), "handle");
  if (memory != nullptr) call.tracker().objects().Release(call, memory, true);
  return memory;
}

void CheckMap(CuCall& call, uint64_t bytes, uint64_t offset, CUmemGenericAllocationHandle handle) {
  const Resource* memory = UseMemory(call, handle, "handle");
  if (memory != nullptr && memory->bytes != 0 && SaturatingAdd(offset, bytes) > memory->bytes) {
    call.FailureFact(absl::StrCat("offset ", offset, " + size ", bytes, " B is behind the end of ",
                                  ObjectText(*memory, call.words())));
  }
}

void Mapped(CuCall& call, CUdeviceptr address, uint64_t bytes) {
  ResourceSpec spec;
  spec.kind = ObjectKind::kMappedMemory;
  spec.handle = HandleOf(address);
  spec.bytes = bytes;
  spec.flags = kImported | kOutlivesContext;
  // Leaks are reported for the reservation and the physical memory instead.
  call.tracker().objects().NewResource(call, spec)->owned = true;
}

std::vector<Resource*> Unmap(CuCall& call, CUdeviceptr address, uint64_t bytes) {
  std::vector<Resource*> released;
  const uintptr_t end = HandleOf(address) + bytes;
  for (uintptr_t at = HandleOf(address); at < end;) {
    uint64_t offset = 0;
    Resource* mapped = call.tracker().objects().FindAddress(at, &offset);
    if (mapped == nullptr || mapped->kind != ObjectKind::kMappedMemory || offset != 0) break;
    at += mapped->bytes;
    call.tracker().objects().Release(call, mapped, true);
    released.push_back(mapped);
  }
  return released;
}

}  // namespace gpusan::cuda
