// Wrappers of extension functions, made from the rows of extension_entry_points.def.
#pragma once

#include <functional>

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/call/extension_types.h"

namespace gpusan::opencl {

// How rows of extension_entry_points.def are treated; said there.
enum class Treatment { kAsCore, kOwn, kDispatch, kPass };

// The revision of an extension behind the address that is looked up; 0 if nobody tells.
using RevisionOf = std::function<cl_version(const char* extension)>;

// What the program shall get for an extension function whose real address is `real`, not nullptr:
// its wrapper, or `real` itself when the name has no row or needs none, or has more real functions
// than are kept apart. `door`: where the program asked for the address; the wrapper's handler asks
// the driver more behind the same door. Thread-safe.
void* WrapExtension(const char* name, void* real, Door door, const RevisionOf& revision_of);

// Real functions of one name, those of several platforms, that are kept apart.
inline constexpr int kRealsPerExtension = 4;

// The handlers of rows that have their own.
#define GPUSAN_HANDLER_kAsCore(name, type)
#define GPUSAN_HANDLER_kOwn(name, type) HandlerType<type>::Type Handle_##name;
#define GPUSAN_HANDLER_kDispatch(name, type)
#define GPUSAN_HANDLER_kPass(name, type)
#define EXTENSION(name, type, core, treatment) GPUSAN_HANDLER_##treatment(name, type)
#define REVISED_EXTENSION(name, old_type, new_type, extension, revision, core) \
  HandlerType<old_type>::Type Handle_##name;                                   \
  HandlerType<new_type>::Type Handle_##name;
#include "hooks/opencl/extension_entry_points.def"
#undef GPUSAN_HANDLER_kAsCore
#undef GPUSAN_HANDLER_kOwn
#undef GPUSAN_HANDLER_kDispatch
#undef GPUSAN_HANDLER_kPass

}  // namespace gpusan::opencl
