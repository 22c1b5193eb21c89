// The handlers of extension functions: declarations from the rows of extension_entry_points.def
// whose treatment is kOwn.
#pragma once

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/words/extension_types.h"

namespace gpusan::opencl {

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
