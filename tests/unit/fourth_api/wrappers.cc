// The wrappers of the toy API, from the rows of entry_points.def: guard, admission, and the shared
// wrapper around the handler.
#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/common/wrapper.h"
#include "tests/unit/fourth_api/handlers.h"

namespace gpusan::toy {

Tracker* tracker = nullptr;

namespace {

template <typename Handler, typename Real, typename... Args>
ToyResult Wrap(const CallInfo& info, const void* return_address, const void* frame_address,
               Real real, Args... args) {
  if (tracker == nullptr || ReentryGuard::Active()) return real(args...);
  ReentryGuard guard;
  SelfTime time;
  const LightCall light{*tracker, info, return_address, frame_address};
  return RunSlow<ToyApi, Handler>(light, time, real, args...);
}

}  // namespace
}  // namespace gpusan::toy

#define TOY_ARGUMENTS(...) , __VA_ARGS__
#define TOY_ENTRY(name, handler, parameters, arguments)                                        \
  ToyResult name parameters {                                                                  \
    static constexpr gpusan::CallInfo kInfo = {#name, gpusan::Api::kToy};                      \
    return gpusan::toy::Wrap<gpusan::toy::handler>(kInfo, __builtin_return_address(0),         \
                                                   __builtin_frame_address(0),                 \
                                                   &toy_driver::name TOY_ARGUMENTS arguments); \
  }
#include "tests/unit/fourth_api/entry_points.def"
#undef TOY_ENTRY
