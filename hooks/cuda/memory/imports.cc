// Handlers: memory and events of other processes and other APIs.
#include "hooks/cuda/memory/imports.h"

#include <map>
#include <mutex>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/deferral/deferral_queue.h"
#include "tracker/base/sampled.h"
#include "tracker/order/waiting_kernels.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

// The last mapping of a graphics resource.
struct GraphicsMemory {
  uintptr_t address = 0;
  uint64_t bytes = 0;
  bool mapped = false;
};

struct Graphics {
  std::mutex mutex;
  std::map<uintptr_t, GraphicsMemory> memory;  // by resource
};
constinit ProcessState<Graphics> g_graphics;
const ForkReset g_reset([] { g_graphics.Forget(); });

// The known properties of imported memory.
struct ImportedMemory final : ObjectPart {
  WeakRef<Resource> exporter;  // of another API of the process; empty: unknown
  uint64_t bytes = 0;
  void Recycle() override { delete this; }
};

const ImportedMemory* PartOf(CuCall& call, CUexternalMemory memory) {
  const Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(memory));
  if (object == nullptr || !object->live() || object->kind != ObjectKind::kExternalMemory)
    return nullptr;
  return static_cast<const ImportedMemory*>(static_cast<const PlainObject*>(object)->part);
}

void ReportImportRange(CuCall& call, const Resource* memory, uint64_t offset, uint64_t bytes,
                       uint64_t limit, const char* argument) {
  rules::MemoryUse use;
  use.fault = rules::MemoryUse::Fault::kImportRange;
  use.memory = memory;
  use.offset = offset;
  use.bytes = bytes;
  use.limit = limit;
  use.argument = argument;
  rules::OnMemoryUse(use, call);
}

}  // namespace

void MappedMemory(CuCall& call, CUgraphicsResource resource, CUdeviceptr address, uint64_t bytes) {
  {
    Graphics& graphics = g_graphics.Get();
    std::lock_guard lock(graphics.mutex);
    graphics.memory[HandleOf(resource)] = {HandleOf(address), bytes, true};
  }
  Imported(call, address, bytes, true);
}

void MappedAgain(CuCall& call, CUgraphicsResource resource) {
  GraphicsMemory again;
  {
    Graphics& graphics = g_graphics.Get();
    std::lock_guard lock(graphics.mutex);
    auto known = graphics.memory.find(HandleOf(resource));
    if (known == graphics.memory.end()) return;
    known->second.mapped = true;
    again = known->second;
  }
  Imported(call, again.address, again.bytes, true);
}

Resource* UnmapMemory(CuCall& call, CUgraphicsResource resource) {
  uintptr_t address = 0;
  {
    Graphics& graphics = g_graphics.Get();
    std::lock_guard lock(graphics.mutex);
    auto known = graphics.memory.find(HandleOf(resource));
    if (known == graphics.memory.end() || !known->second.mapped) return nullptr;
    known->second.mapped = false;
    address = known->second.address;
    for (const auto& [other, memory] : graphics.memory) {
      if (memory.mapped && memory.address == address) return nullptr;
    }
  }
  uint64_t offset = 0;
  Resource* mapped = call.tracker().objects().FindAddress(address, &offset);
  if (mapped == nullptr || offset != 0 || !mapped->has(kImported)) return nullptr;
  call.tracker().objects().Release(call, mapped, true);
  return mapped;
}

void UnmapFailed(CuCall& call, CUgraphicsResource resource, Resource* unmapped) {
  if (unmapped == nullptr) return;
  call.tracker().objects().UndoRelease(unmapped);
  Graphics& graphics = g_graphics.Get();
  std::lock_guard lock(graphics.mutex);
  auto known = graphics.memory.find(HandleOf(resource));
  if (known != graphics.memory.end()) known->second.mapped = true;
}

void UnregisteredResource(CUgraphicsResource resource) {
  Graphics& graphics = g_graphics.Get();
  std::lock_guard lock(graphics.mutex);
  graphics.memory.erase(HandleOf(resource));
}

void Imported(CuCall& call, CUdeviceptr address, uint64_t bytes, bool owned) {
  uint64_t offset = 0;
  Resource* known = call.tracker().objects().FindAddress(HandleOf(address), &offset);
  // Mapped again, as graphics resources are in every frame.
  if (known != nullptr && offset == 0 && known->bytes == bytes && known->has(kImported)) return;
  Resource* resource =
      NewLinear(call, ObjectKind::kDeviceMemory, HandleOf(address), bytes, kImported);
  if (resource != nullptr) resource->MarkOwned(owned);
}

void SharedMemory(CuCall& call, CUdeviceptr address) {
  NoteWaitingKernel();  // those of the other process are not seen
  // The other process sees the whole allocation.
  BlockPools& pools = call.tracker().block_pools();
  if (const uintptr_t base = pools.Find(HandleOf(address)); base != 0) pools.Dissolve(call, base);
  uint64_t offset = 0;
  Resource* resource = call.tracker().objects().FindAddress(HandleOf(address), &offset);
  if (resource == nullptr) return;
  StoreSampled(resource->flags, static_cast<uint16_t>(resource->flags | kImported));
  std::lock_guard lock(resource->root->lock);
  resource->root->init.MarkAll();
}

void OpenedMemory(CuCall& call, CUdeviceptr address) {
  NoteWaitingKernel();
  uint64_t offset = 0;
  Resource* known = call.tracker().objects().FindAddress(HandleOf(address), &offset);
  if (known != nullptr && offset == 0) {
    call.tracker().objects().Retain(call, known);
    return;
  }
  const auto query = GPUSAN_CU_REAL(cuMemGetAddressRange_v2);
  CUdeviceptr base = 0;
  size_t bytes = 0;
  if (query == nullptr || query(&base, &bytes, address) != CUDA_SUCCESS) return;
  NewLinear(call, ObjectKind::kDeviceMemory, HandleOf(address), bytes - (address - base),
            kImported | kOutlivesContext);
}

Resource* CloseMemory(CuCall& call, CUdeviceptr address) {
  uint64_t offset = 0;
  // Memory that was opened before gpusan was attached is closed without a record.
  if (call.tracker().objects().FindAddress(HandleOf(address), &offset) == nullptr) return nullptr;
  Resource* memory = call.tracker().pointers().UseForFree(
      call, HandleOf(address), "dptr", MaskOf(ObjectKind::kDeviceMemory), kImported, kImported);
  if (memory != nullptr) call.tracker().objects().Release(call, memory, true);
  return memory;
}

SharedPayloads::Payload FindExport(CuCall& call, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* imported) {
  if (imported == nullptr || imported->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) return {};
  const SharedPayloads::Payload payload =
      call.tracker().objects().shared_payloads().Find(imported->handle.fd);
  const Object* exported = payload.get();
  if (exported == nullptr || !exported->is_memory()) return {};
  const auto& memory = static_cast<const Resource&>(*exported);
  if (imported->size > memory.bytes)
    ReportImportRange(call, &memory, 0, imported->size, memory.bytes, "memHandleDesc->size");
  return payload;
}

void CreatedImport(CuCall& call, uintptr_t handle, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& imported,
                   const SharedPayloads::Payload& payload) {
  Context* context = call.current();
  PlainObject* object = call.tracker().objects().NewPlain(
      call, ObjectKind::kExternalMemory, handle, context != nullptr ? context->object : nullptr);
  auto* part = new ImportedMemory;
  part->bytes = imported.size;
  if (Object* exported = payload.get(); exported != nullptr) {
    call.tracker().objects().shared_payloads().Imported(payload);
    part->exporter = WeakRef<Resource>(static_cast<Resource*>(exported));
    // Commands of both APIs change one history, in the order of the calls.
    StopDeferral();
  }
  object->part = part;
}

void DestroyImport(CuCall& call, uintptr_t handle, const char* argument) {
  Object* object = call.tracker().objects().UseForRelease(
      call, handle, MaskOf(ObjectKind::kExternalMemory), argument);
  if (object != nullptr) call.tracker().objects().Release(call, object);
}

void CheckImportedPart(CuCall& call, CUexternalMemory memory,
                       const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* part) {
  const ImportedMemory* imported = PartOf(call, memory);
  if (imported == nullptr || part == nullptr) return;
  if (part->size != 0 &&
      (part->offset > imported->bytes || part->size > imported->bytes - part->offset)) {
    ReportImportRange(call, imported->exporter.get(), part->offset, part->size, imported->bytes,
                      "bufferDesc->offset, bufferDesc->size");
  }
}

void MappedImport(CuCall& call, CUexternalMemory memory, CUdeviceptr address,
                  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC& part) {
  NoteWaitingKernel();
  const ImportedMemory* imported = PartOf(call, memory);
  Resource* exporter = imported != nullptr ? imported->exporter.get() : nullptr;
  if (exporter == nullptr || !exporter->live()) return Imported(call, address, part.size, false);
  uint64_t offset = 0;
  Resource* mapped = call.tracker().objects().FindAddress(HandleOf(address), &offset);
  if (mapped == nullptr || offset != 0 || mapped->bytes != part.size) {
    // Without kImported: the accesses of both APIs are compared.
    mapped = NewLinear(call, ObjectKind::kDeviceMemory, HandleOf(address), part.size);
    if (mapped == nullptr) return;
    mapped->MarkOwned(false);
    std::lock_guard lock(mapped->root->lock);
    mapped->root->init.MarkAll();
  }
  call.tracker().accesses().NoteImport(*exporter, *mapped, part.offset);
}

Object* UseImport(CuCall& call, CUexternalMemory memory) {
  return call.tracker().objects().Use(call, HandleOf(memory), MaskOf(ObjectKind::kExternalMemory),
                                      "extMem");
}

}  // namespace gpusan::cuda
