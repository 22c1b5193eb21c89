// The one wrapper: what happens around an intercepted call, for every API.
//
// An entry point of an API finds its real function, checks whether the thread is inside gpusan,
// admits the call (counts it and finds its tracker), and then calls one of the functions below. The
// API describes itself by a struct of static members:
//
//   struct Api {
//     using FastCall = ...;  // tracker, entry point and call site; cheap to construct
//     using Call = ...;      // constructible from a FastCall; collects findings
//     (tracker/calls/call.h)
//     // Whether the fast path continues after the real call.
//     static bool Succeeded(Result result);
//     // Processes deferred calls, if the handler reads or changes shadow state that they use.
//     template <typename Handler> static void Settle();
//     // Finishes a call whose TryFast returned true and whose real call failed, or whose
//     // TryFastAfter returned false.
//     template <typename Handler, typename Result, typename... Args>
//     static void FinishSlow(Handler& handler, FastCall& fast, Result& result, Args&... args);
//     // Optional: whether a call ends without the real call, and the result that it has then.
//     static bool Refuses(const Call& call);
//     template <typename Result> static Result Refusal(Call& call);
//   };
//
// Thread-safe: all state is on the stack of the call.
#pragma once

#include <type_traits>

#include "hooks/common/handler.h"
#include "hooks/common/self_time.h"

namespace gpusan {

// The result of a function that returns nothing.
struct NoResult {};

// The steps of one handler around one real call. Used by the wrappers, and by callbacks that run
// before and after the call.
template <typename Api, typename Handler>
class HandlerRun {
 public:
  using Call = typename Api::Call;

  Handler& handler() { return handler_; }

  // Runs everything that precedes the real call.
  template <typename... Args>
  [[gnu::always_inline]] void Before(Call& call, Args&... args) {
    Api::template Settle<Handler>();
    if constexpr (HasBefore<Handler, Call, Args...>) handler_.Before(call, args...);
    call.BeforeReal();
  }

  // Runs everything that follows the real call, and reports the findings of the call.
  template <typename Result, typename... Args>
  [[gnu::always_inline]] void After(Call& call, Result& result, Args&... args) {
    static_assert(HasBefore<Handler, Call, Args...> || HasAfter<Handler, Call, Result, Args...> ||
                      HasShortAfter<Handler, Call, Result> || HasVoidAfter<Handler, Call, Args...>,
                  "the handler has neither a Before nor an After for these arguments");
    // The real call may have reused memory or handles that a command queued in the meantime
    // releases.
    Api::template Settle<Handler>();
    if constexpr (std::is_same_v<Result, NoResult>) {
      if constexpr (HasVoidAfter<Handler, Call, Args...>) handler_.After(call, args...);
      call.Done();
    } else {
      if constexpr (HasAfter<Handler, Call, Result, Args...>) {
        handler_.After(call, result, args...);
      } else if constexpr (HasShortAfter<Handler, Call, Result>) {
        handler_.After(call, result);
      }
      call.Done(result);
    }
  }

 private:
  Handler handler_;
};

namespace wrapper_internal {

template <typename Api>
[[gnu::always_inline]] inline bool Refuses(const typename Api::Call& call) {
  if constexpr (requires { Api::Refuses(call); }) return Api::Refuses(call);
  return false;
}

template <typename Api, typename Real, typename... Args>
[[gnu::always_inline]] inline auto RealOrRefusal(typename Api::Call& call, Real real,
                                                 Args&... args) {
  if constexpr (requires { Api::Refuses(call); }) {
    if (Api::Refuses(call)) [[unlikely]]
      return Api::template Refusal<decltype(real(args...))>(call);
  }
  return real(args...);
}

}  // namespace wrapper_internal

// Runs one call on the slow path. `real(args...)` is the real call. Returns its result.
template <typename Api, typename Handler, typename Real, typename... Args>
[[gnu::always_inline]] inline auto RunSlow(const typename Api::FastCall& fast, SelfTime& time,
                                           Real real, Args&... args) {
  using Result = decltype(real(args...));
  typename Api::Call call(fast);
  HandlerRun<Api, Handler> run;
  run.Before(call, args...);
  if (time.on()) [[unlikely]]
    time.RealBegins();
  if constexpr (std::is_void_v<Result>) {
    if (!wrapper_internal::Refuses<Api>(call)) [[likely]]
      real(args...);
    if (time.on()) [[unlikely]]
      time.RealEnds();
    NoResult none;
    run.After(call, none, args...);
  } else {
    Result result = wrapper_internal::RealOrRefusal<Api>(call, real, args...);
    if (time.on()) [[unlikely]]
      time.RealEnds();
    run.After(call, result, args...);
    return result;
  }
}

// The same, not inline, so that the fast path keeps its values in registers.
template <typename Api, typename Handler, typename Real, typename... Args>
[[gnu::noinline]] auto RunSlowApart(const typename Api::FastCall& fast, SelfTime& time, Real real,
                                    Args&... args) {
  return RunSlow<Api, Handler>(fast, time, real, args...);
}

namespace wrapper_internal {
template <typename Api, typename Handler, typename Result, typename... Args>
[[gnu::noinline]] void FinishSlowApart(Handler& handler, typename Api::FastCall& fast,
                                       Result& result, Args&... args) {
  Api::FinishSlow(handler, fast, result, args...);
}
template <typename Api, typename Handler, typename Result, typename... Args>
[[gnu::noinline]] void FinishSlowWithNew(typename Api::FastCall& fast, Result& result,
                                         Args&... args) {
  Handler handler;
  Api::FinishSlow(handler, fast, result, args...);
}
}  // namespace wrapper_internal

// Runs one call of a handler with TryFastAfter, with the real call in the middle of the fast path.
// Returns false, without side effects, if the call needs the slow path; otherwise sets `*result`.
// `real` measures itself if the call is measured (self_time.h).
template <typename Api, typename Handler, typename Result, typename Real, typename... Args>
[[gnu::always_inline]] inline bool TryFastAround(typename Api::FastCall& fast, Result* result,
                                                 Real real, Args&... args) {
  if constexpr (HasStaticFastPath<Handler, typename Api::FastCall, Args...>) {
    // The handler may be large, and the fast path needs none.
    if (!Handler::TryFast(fast, args...)) [[unlikely]]
      return false;
    *result = real(args...);
    if (Api::Succeeded(*result) && Handler::TryFastAfter(fast, args...)) [[likely]]
      return true;
    wrapper_internal::FinishSlowWithNew<Api, Handler>(fast, *result, args...);
  } else {
    Handler handler;
    if constexpr (HasTryFast<Handler, typename Api::FastCall, Args...>) {
      if (!handler.TryFast(fast, args...)) [[unlikely]]
        return false;
    }
    *result = real(args...);
    if (Api::Succeeded(*result) && handler.TryFastAfter(fast, args...)) [[likely]]
      return true;
    wrapper_internal::FinishSlowApart<Api>(handler, fast, *result, args...);
  }
  return true;
}

}  // namespace gpusan
