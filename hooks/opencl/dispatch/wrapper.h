// The body that all wrappers of OpenCL entry points share.
#pragma once

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Runs `handler` for a call of the program on `path`. Calls `real` directly inside gpusan, inside
// another wrapper, and where Admit lets the call pass through. `timed` calls `real` inside a
// RealCallTime; it replaces `real` in the calls that SelfTime measures. `return_address` and
// `frame_address` are those of the wrapper itself.
template <auto* handler, typename Function, typename... Arguments>
[[gnu::always_inline]] inline auto RunHandler(AttachPath path, const CallInfo& info,
                                              const void* return_address, const void* frame_address,
                                              Function real, Function timed,
                                              Arguments... arguments) {
  if (ReentryGuard::Active()) return real(arguments...);
  Tracker* tracker = Admit(path);
  if (tracker == nullptr) [[unlikely]]
    return real(arguments...);
  ReentryGuard guard;
  SelfTime time;
  if (time.on()) [[unlikely]]
    real = timed;
  ClCall call(*tracker, info, return_address, frame_address, path);
  return handler(call, real, arguments...);
}

}  // namespace gpusan::opencl
