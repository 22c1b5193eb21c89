// Semaphores of other APIs: what a stream signals and what it waits for.
#include "hooks/cuda/streams/external_semaphores.h"

#include <mutex>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/deferral/deferral_queue.h"

namespace gpusan::cuda {
namespace {

// The semaphores of other APIs that the process has imported.
struct Imports {
  std::mutex mutex;
  bool lost = false;  // LoseExternalSemaphores was called
  std::vector<SharedPayloads::Payload> semaphores;
};
constinit ProcessState<Imports> g_imports;
const ForkReset g_reset([] { g_imports.Forget(); });

void Lose(const SharedPayloads::Payload& payload) {
  if (payload.get() == nullptr) return;
  std::lock_guard lock(payload.semaphore->lock);
  payload.semaphore->foreign = payload.semaphore->unclear = true;
}

// A semaphore that another API of the process exported.
struct ImportedSemaphore final : ObjectPart {
  SharedPayloads::Payload payload;
  void Recycle() override { delete this; }
};

// Returns the exported semaphore of the import if gpusan intercepts all of its signals; otherwise
// nullptr.
const SharedPayloads::Payload* SharedWith(CuCall& call, CUexternalSemaphore semaphore) {
  const Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(semaphore));
  if (object == nullptr || !object->live() || object->kind != ObjectKind::kExternalSemaphore)
    return nullptr;
  const auto* part =
      static_cast<const ImportedSemaphore*>(static_cast<const PlainObject*>(object)->part);
  if (part == nullptr || part->payload.get() == nullptr) return nullptr;
  SharedSemaphore& state = *part->payload.semaphore;
  std::lock_guard lock(state.lock);
  return state.foreign ? nullptr : &part->payload;
}

}  // namespace

SharedPayloads::Payload FindExport(CuCall& call,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* imported) {
  if (imported == nullptr ||
      (imported->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD &&
       imported->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD))
    return {};
  return call.tracker().objects().shared_payloads().Find(imported->handle.fd);
}

void CreatedSemaphore(CuCall& call, uintptr_t handle, const SharedPayloads::Payload& payload) {
  Objects& objects = call.tracker().objects();
  Context* context = call.current();
  PlainObject* object = objects.NewPlain(call, ObjectKind::kExternalSemaphore, handle,
                                         context != nullptr ? context->object : nullptr);
  if (payload.get() == nullptr || payload.semaphore == nullptr) return;
  objects.shared_payloads().Imported(payload);
  auto* part = new ImportedSemaphore;
  part->payload = payload;
  object->part = part;
  // Commands of both APIs are ordered by the order of their calls.
  StopDeferral();
  SharedSemaphore& state = *payload.semaphore;
  {
    std::lock_guard lock(state.lock);
    state.shared.store(true, std::memory_order_relaxed);
    if (state.descriptors != 0) --state.descriptors;
    state.foreign = state.unclear || state.descriptors != 0;
  }
  Imports& imports = g_imports.Get();
  std::lock_guard lock(imports.mutex);
  if (imports.lost) return Lose(payload);
  std::erase_if(imports.semaphores,
                [](const SharedPayloads::Payload& known) { return known.get() == nullptr; });
  imports.semaphores.push_back(payload);
}

void UseExternalSemaphores(CuCall& call, const CUexternalSemaphore* semaphores, unsigned count) {
  if (semaphores == nullptr) return;
  for (unsigned i = 0; i < count; ++i) {
    call.tracker().objects().Use(call, HandleOf(semaphores[i]),
                                 MaskOf(ObjectKind::kExternalSemaphore), "extSemArray");
  }
}

void SignalExternal(CuCall& call, Stream* stream, CUexternalSemaphore semaphore, uint64_t value) {
  const SharedPayloads::Payload* shared = SharedWith(call, semaphore);
  if (shared == nullptr) return SignalUnseen(call, stream);
  if (StreamGroup* group = stream->queue->group; group != nullptr) group->Join(*stream->queue);
  Ordering& ordering = call.tracker().ordering();
  SharedSemaphore& state = *shared->semaphore;
  SignalList::Signal signal;
  signal.value = state.timeline ? value : 0;
  signal.point = ordering.Snap(*stream->queue);
  signal.call = &call.info();
  signal.site = call.site();
  Object& exported = *shared->object.object;
  ordering.SignalShared(call, exported, state, std::move(signal));
  if (state.on_signal != nullptr) state.on_signal(call, exported);
}

void WaitForExternal(CuCall& call, Stream* stream, CUexternalSemaphore semaphore, uint64_t value) {
  const SharedPayloads::Payload* shared = SharedWith(call, semaphore);
  if (shared == nullptr) return WaitUnseen(call, stream);
  call.tracker().ordering().WaitForShared(call, *stream->queue, *shared->object.object,
                                          *shared->semaphore, value);
  if (StreamGroup* group = stream->queue->group; group != nullptr) group->Began(*stream->queue);
}

void LoseExternalSemaphores() {
  Imports& imports = g_imports.Get();
  std::lock_guard lock(imports.mutex);
  imports.lost = true;
  for (const SharedPayloads::Payload& payload : imports.semaphores) Lose(payload);
  imports.semaphores.clear();
}

}  // namespace gpusan::cuda
