// The body that all wrappers of OpenCL entry points share.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/common/wrapper.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// OpenCL for the wrapper of hooks/common. The tracker needs the ClCall of a command for its site,
// so commands have their fast path inside Before and After.
struct OpenClApi {
  using FastCall = ClCallStart;
  using Call = ClCall;
  static bool Succeeded(cl_int result) { return result == CL_SUCCESS; }
  // Returns whether the call ends without the real call, with the result of Refusal.
  static bool Refuses(const ClCall& call) { return call.may_crash() && call.Refused(); }
  template <typename Result>
  static Result Refusal(ClCall& call) {
    call.SetRefusal();
    if constexpr (std::is_same_v<Result, cl_int>) {
      return call.RefusalCode();
    } else {
      return Result{};
    }
  }
  template <typename Handler>
  static void Settle() {}
  template <typename Handler, typename Result, typename... Args>
  static void FinishSlow(Handler& handler, const ClCallStart& start, Result& result,
                         Args&... args) {
    ClCall call(start);
    handler.After(call, result, args...);
    call.Done(result);
  }
};

// Returns whether the function returns an object and passes its code by the last parameter.
template <typename Result, typename... Arguments>
constexpr bool PassesCode() {
  if constexpr (std::is_pointer_v<Result> && sizeof...(Arguments) != 0) {
    using Last = std::tuple_element_t<sizeof...(Arguments) - 1, std::tuple<Arguments...>>;
    return std::is_same_v<Last, cl_int*>;
  } else {
    return false;
  }
}

// Returns whether the wrapper can call what the handler declares: a row with the handler of another
// entry point does not compile if the parameters differ. Overloaded members are not checked.
template <typename Handler, typename Result, typename... Arguments>
constexpr bool Fits() {
  constexpr bool names_before = requires { &Handler::Before; };
  constexpr bool names_after = requires { &Handler::After; };
  if (names_before && !HasBefore<Handler, ClCall, Arguments...>) return false;
  return !names_after || HasAfter<Handler, ClCall, Result, Arguments...> ||
         HasShortAfter<Handler, ClCall, Result> || HasVoidAfter<Handler, ClCall, Arguments...>;
}

// Runs `Handler` around `real` for a call of the program on `path`. Calls only `real` inside
// gpusan, inside another wrapper, and where Admit lets the call pass through. `return_address` and
// `frame_address` are those of the wrapper itself.
template <typename Handler, typename Result, typename... Arguments>
[[gnu::always_inline]] inline Result RunHandler(AttachPath path, const CallInfo& info,
                                                const void* return_address,
                                                const void* frame_address,
                                                Result(CL_API_CALL* real)(Arguments...),
                                                Arguments... arguments) {
  static_assert(Fits<Handler, Result, Arguments...>(), "Before or After has other parameters");
  if (ReentryGuard::Active()) return real(arguments...);
  Tracker* tracker = Admit(path);
  if (tracker == nullptr) [[unlikely]]
    return real(arguments...);
  ReentryGuard guard;
  SelfTime time;
  if constexpr (HasTryFastAfter<Handler, ClCallStart, Arguments...>) {
    ClCallStart start{*tracker, info, return_address, frame_address, path};
    const auto measured = [&](Arguments... all) {
      if (time.on()) [[unlikely]] {
        const RealCallTime real_time;
        return real(all...);
      }
      return real(all...);
    };
    Result result;
    if (TryFastAround<OpenClApi, Handler>(start, &result, measured, arguments...)) [[likely]]
      return result;
    return RunSlowApart<OpenClApi, Handler>(start, time, real, arguments...);
  } else if constexpr (PassesCode<Result, Arguments...>()) {
    // The driver stores the code here, because the program may pass NULL.
    cl_int code = CL_SUCCESS;
    cl_int*& errcode_ret = std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
    cl_int* const of_program = std::exchange(errcode_ret, &code);
    const Result result = RunSlow<OpenClApi, Handler>(
        ClCallStart{*tracker, info, return_address, frame_address, path, &code}, time, real,
        arguments...);
    if (of_program != nullptr) *of_program = code;
    return result;
  } else {
    return RunSlow<OpenClApi, Handler>(
        ClCallStart{*tracker, info, return_address, frame_address, path}, time, real, arguments...);
  }
}

}  // namespace gpusan::opencl
