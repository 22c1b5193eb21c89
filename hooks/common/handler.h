// The one shape of a handler: what gpusan does around one entry point, for every API.
//
// A handler is a struct. The wrapper (wrapper.h) creates one for each call and runs the members
// that the handler has. `args` are the arguments of the entry point; for CUDA, the struct that
// holds them:
//
//   void Before(Call& call, args...);
//       Validates the arguments against the shadow state, before the real call. If the attach path
//       permits it, may take an argument by reference and replace it.
//   void After(Call& call, Result result, args...);
//       Applies the effects of a successful call. Has no parameter `result` if the function returns
//       nothing. May take the result by reference and replace it. If the function has a result,
//       After may omit the arguments: void After(Call& call, Result result).
//   bool TryFast(FastCall& call, args...);
//       The work of the common, fault-free case before the real call, without a Call. Static,
//       unless TryFastAfter needs state of the handler. Returns false if the call needs the slow
//       path; its side effects must be idempotent then. Without a TryFastAfter it does the complete
//       work of the call, and the real call follows when no frame of gpusan is left on the stack.
//       It may allocate only under a ReentryGuard.
//   bool TryFastAfter(FastCall& call, args...);
//       The rest of the fast path, after a successful real call. Returns false, without side
//       effects, if the call needs the slow path. If it returns false, or if the real call failed,
//       Api::FinishSlow finishes the call.
//
// Members of a handler carry state from one step to the next. A handler runs on the thread of its
// call; no lock of gpusan is held.
#pragma once

namespace gpusan {

template <typename Handler, typename Call, typename... Args>
concept HasBefore = requires(Handler handler, Call& call, Args&... args) {
  handler.Before(call, args...);
};

template <typename Handler, typename Call, typename Result, typename... Args>
concept HasAfter = requires(Handler handler, Call& call, Result& result, Args&... args) {
  handler.After(call, result, args...);
};

template <typename Handler, typename Call, typename Result>
concept HasShortAfter = requires(Handler handler, Call& call, Result& result) {
  handler.After(call, result);
};

// For a function that returns nothing.
template <typename Handler, typename Call, typename... Args>
concept HasVoidAfter = requires(Handler handler, Call& call, Args&... args) {
  handler.After(call, args...);
};

template <typename Handler, typename FastCall, typename... Args>
concept HasTryFast = requires(Handler handler, FastCall& call, Args&... args) {
  handler.TryFast(call, args...);
};

template <typename Handler, typename FastCall, typename... Args>
concept HasTryFastAfter = requires(Handler handler, FastCall& call, Args&... args) {
  handler.TryFastAfter(call, args...);
};

// Whether the fast path keeps no state in the handler: TryFast and TryFastAfter are static.
template <typename Handler, typename FastCall, typename... Args>
concept HasStaticFastPath = requires(FastCall& call, Args&... args) {
  Handler::TryFast(call, args...);
  Handler::TryFastAfter(call, args...);
};

// The types of the members Before and After, by which handlers declare them. `Function` is the
// pointer type of the entry point, whose parameters the members have after the call and the result.
template <typename Call, typename Function>
struct HandlerTypes;
template <typename Call, typename Result, typename... Args>
struct HandlerTypes<Call, Result (*)(Args...)> {
  using Before = void(Call& call, Args...);
  using After = void(Call& call, Result result, Args...);
};
template <typename Call, typename... Args>
struct HandlerTypes<Call, void (*)(Args...)> {
  using Before = void(Call& call, Args...);
  using After = void(Call& call, Args...);
};

}  // namespace gpusan
