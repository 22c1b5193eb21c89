// Wrappers of extension functions: kRealsPerExtension for each name, each with a slot for the real
// function that it stands for.
#include "hooks/opencl/dispatch/extensions.h"

#include <cstring>
#include <mutex>

#include "hooks/common/base/next_symbol.h"
#include "hooks/opencl/commands/command_buffers.h"
#include "hooks/opencl/commands/external_memory.h"
#include "hooks/opencl/commands/recorded_commands.h"
#include "hooks/opencl/commands/semaphore_commands.h"
#include "hooks/opencl/commands/svm.h"
#include "hooks/opencl/commands/transfers.h"
#include "hooks/opencl/commands/unified_memory.h"
#include "hooks/opencl/dispatch/interposition.h"
#include "hooks/opencl/dispatch/wrapper.h"
#include "hooks/opencl/kernels/kernels.h"
#include "hooks/opencl/objects/memory.h"
#include "hooks/opencl/objects/objects.h"
#include "hooks/opencl/objects/semaphores.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::opencl {
namespace {

// The real function behind one wrapper. `path` is written before `real`, which changes only when
// its library was unloaded.
struct Slot {
  std::atomic<void*> real{nullptr};
  AttachPath path = kLayerPath;
};

template <typename Function, const CallInfo* info, typename Handler>
struct ExtensionWrapper;

template <typename Result, typename... Arguments, const CallInfo* info, typename Handler>
struct ExtensionWrapper<Result(CL_API_CALL*)(Arguments...), info, Handler> {
  using Function = Result(CL_API_CALL*)(Arguments...);

  static inline Slot slots[kRealsPerExtension];

  template <int index>
  static Result CL_API_CALL Enter(Arguments... arguments) {
    const auto real = reinterpret_cast<Function>(slots[index].real.load(std::memory_order_acquire));
    return RunHandler<Handler>(slots[index].path, *info, __builtin_return_address(0),
                               __builtin_frame_address(0), real, arguments...);
  }

  static void* Address(int index) {
    static constexpr Function kAddresses[] = {&Enter<0>, &Enter<1>, &Enter<2>, &Enter<3>};
    static_assert(std::size(kAddresses) == kRealsPerExtension);
    return reinterpret_cast<void*>(kAddresses[index]);
  }
};

struct Row {
  const char* name;
  Treatment treatment;
  // Of wrapped rows; nullptr otherwise.
  Slot* slots = nullptr;
  void* (*wrapper)(int index) = nullptr;
  // Rows of a function whose parameters changed: those of `extension` in [from, below).
  const char* extension = nullptr;
  cl_version from = 0, below = 0;
};

// Findings name the extension function, also if the handler of a core function serves it.
#define EXTENSION(name, type, core, treatment) \
  [[maybe_unused]] constexpr CallInfo kInfo_##name = {#name, Api::kOpenCL};
#include "hooks/opencl/extension_entry_points.def"

#define GPUSAN_WRAPPED(type, name, handler)                        \
  ExtensionWrapper<type, &kInfo_##name, handlers::handler>::slots, \
      &ExtensionWrapper<type, &kInfo_##name, handlers::handler>::Address
#define GPUSAN_ROW_kAsCore(name, type, core) \
  {#name, Treatment::kAsCore, GPUSAN_WRAPPED(type, name, core)},
#define GPUSAN_ROW_kOwn(name, type, core) \
  {#name, Treatment::kOwn, GPUSAN_WRAPPED(type, name, name)},
#define GPUSAN_ROW_kDispatch(name, type, core) {#name, Treatment::kDispatch},
#define GPUSAN_ROW_kPass(name, type, core) {#name, Treatment::kPass},
#define EXTENSION(name, type, core, treatment) GPUSAN_ROW_##treatment(name, type, core)
#define REVISED_EXTENSION(name, old_type, new_type, extension, revision, core)            \
  {#name, Treatment::kOwn, GPUSAN_WRAPPED(old_type, name, name), extension, 1, revision}, \
      {#name,     Treatment::kOwn, GPUSAN_WRAPPED(new_type, name, name),                  \
       extension, revision,        ~cl_version{0}},

const Row kRows[] = {
#include "hooks/opencl/extension_entry_points.def"
};

SpinLock g_slots_lock;

// Takes a slot whose function was in a library that was unloaded: nothing is mapped there now. The
// functions of loaded drivers keep their slots, also those that no symbol names.
void* ClaimUnloaded(const Row& row, void* real, AttachPath path) {
  for (int i = 0; i < kRealsPerExtension; ++i) {
    Slot& slot = row.slots[i];
    void* taken = slot.real.load(std::memory_order_acquire);
    if (taken == nullptr || IsInLoadedFile(taken)) continue;
    std::lock_guard lock(g_slots_lock);
    if (slot.real.load(std::memory_order_relaxed) != taken) continue;
    slot.path = path;
    slot.real.store(real, std::memory_order_release);
    return row.wrapper(i);
  }
  return nullptr;
}

// Returns the wrapper of `real` on `path`. If there is none, assigns an unused wrapper of the row.
// Returns nullptr if all wrappers of the row are in use.
void* Claim(const Row& row, void* real, AttachPath path) {
  std::lock_guard lock(g_slots_lock);
  for (int i = 0; i < kRealsPerExtension; ++i) {
    Slot& slot = row.slots[i];
    void* taken = slot.real.load(std::memory_order_relaxed);
    if (taken == nullptr) {
      slot.path = path;
      slot.real.store(real, std::memory_order_release);
      return row.wrapper(i);
    }
    if (taken == real && slot.path == path) return row.wrapper(i);
  }
  return nullptr;
}

}  // namespace

void* WrapExtension(const char* name, void* real, AttachPath path, const RevisionOf& revision_of) {
  for (const Row& row : kRows) {
    if (std::strcmp(row.name, name) != 0) continue;
    if (row.treatment == Treatment::kPass) return real;
    if (row.treatment == Treatment::kDispatch) break;
    if (row.extension != nullptr) {
      const cl_version revision = revision_of(row.extension);
      if (revision < row.from || revision >= row.below) continue;
    }
    void* wrapper = Claim(row, real, path);
    if (wrapper == nullptr) wrapper = ClaimUnloaded(row, real, path);
    return wrapper != nullptr ? wrapper : real;
  }
  // Functions of the dispatch table: with the layer, the loader returns its own function, which
  // calls the layer. On the other attach paths, the address may be the driver's.
  if (path == kLayerPath) return real;
  void* wrapper = WrapperForSymbol(name, real);
  return wrapper != nullptr ? wrapper : real;
}

}  // namespace gpusan::opencl
