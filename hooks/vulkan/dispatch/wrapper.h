// The wrappers of Vulkan commands: how a command reaches the one wrapper of all APIs
// (hooks/common/wrapper.h). Included by the files that CMake generates from the rows. Handlers have
// the shape of hooks/common/handler.h, with three exceptions:
//
// - TryFast of a command that is recorded (its first argument is a VkCommandBuffer) runs before the
//   call is admitted, because admission costs as much as recording the command. It finds the
//   command buffer by FastState, counts the call there (CommandBufferState::fast_left) and sets the
//   scope of the FastCall.
// - A handler with a static Around(call, args...) makes the real call itself. Only the four
//   commands that create or destroy an instance or a device have one, because they create or
//   destroy the table that the wrapper takes the real function from.
// - A handler may have a static UseAlone(call, uses, args...), which runs before its Before. It
//   begins the use of the objects that no other thread may use during the call
//   (objects/lone_uses.h). Recorded commands need none: all of them use their command buffer alone.
#pragma once

#include <atomic>
#include <type_traits>

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/common/wrapper.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/dispatch/arguments.h"
#include "hooks/vulkan/recorder/recorder.h"

// A fast path ends with the real call in tail position, so that the driver finds the stack as the
// program left it. The slow path is in tail position too, and takes its own return address and
// frame address for those of the program's call. Compilers make no tail calls without optimization
// or with a sanitizer: there the slow path is inline, so that both addresses are still the
// program's.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GPUSAN_SLOW_PATH [[gnu::noinline]]
#else
#define GPUSAN_SLOW_PATH [[gnu::always_inline]]
#endif

namespace gpusan::vulkan {

extern constinit std::atomic<Tracker*> attached_tracker;  // nullptr before the first call
// Makes the tracker at the first call. nullptr: gpusan is switched off.
Tracker* AttachTracker();

// Counts a call of the program and returns the tracker; nullptr: forward the call unchecked.
[[gnu::always_inline]] inline Tracker* Admit() {
  Tracker* tracker = attached_tracker.load(std::memory_order_acquire);
  if (tracker == nullptr) [[unlikely]] {
    tracker = AttachTracker();
    if (tracker == nullptr) return nullptr;
  }
  intercepted_calls.Count();
  return tracker;
}

// Vulkan as hooks/common/wrapper.h needs it.
struct VulkanApi {
  using FastCall = vulkan::FastCall;
  using Call = VkCall;

  static bool Succeeded(VkResult result) { return result == VK_SUCCESS; }

  // Vulkan defers no call.
  template <typename Handler>
  static void Settle() {}

  // TryFast did the work of Before.
  template <typename Handler, typename Result, typename... Args>
  static void FinishSlow(Handler& handler, FastCall& fast, Result& result, Args&... args) {
    VkCall call(fast);
    handler.After(call, result, args...);
    call.Done(result);
  }
};

struct Entry {
  const char* name;
  Slot slot;
  PFN_vkVoidFunction wrapper;
};
// All tables of entries. The list ends with nullptr, and each table with an empty entry.
extern const Entry* const kEntryTables[];

// The wrapper of one row. `Row` has kInfo, kSlot, Function and Handler.
template <typename Row, typename Function = typename Row::Function>
struct Wrapper;

template <typename Row, typename Result, typename First, typename... Rest>
struct Wrapper<Row, Result(VKAPI_PTR*)(First, Rest...)> {
  using Function = typename Row::Function;
  using Handler = typename Row::Handler;

  static VKAPI_ATTR Result VKAPI_CALL Enter(First first, Rest... rest) {
    if constexpr (kFastAlone && kRecorded) {
      FastCall fast{attached_tracker.load(std::memory_order_acquire), Row::kInfo,
                    __builtin_return_address(0), __builtin_frame_address(0), nullptr};
      if (Handler::TryFast(fast, first, rest...)) [[likely]]
        return reinterpret_cast<Function>(fast.scope->next[Row::kSlot])(first, rest...);
      return EnterSlowly(first, rest...);
    } else {
      return EnterScoped(__builtin_return_address(0), __builtin_frame_address(0), first, rest...);
    }
  }

 private:
  static constexpr bool kRecorded = std::is_same_v<First, VkCommandBuffer>;
  static constexpr bool kSelfMade = requires(VkCall & call, First first, Rest... rest) {
    Handler::Around(call, first, rest...);
  };
  static constexpr bool kFastAround = HasTryFastAfter<Handler, FastCall, First, Rest...>;
  static constexpr bool kFastAlone = HasTryFast<Handler, FastCall, First, Rest...> && !kFastAround;

  // The slow path of a recorded command whose TryFast returned false.
  GPUSAN_SLOW_PATH static VKAPI_ATTR Result VKAPI_CALL EnterSlowly(First first, Rest... rest) {
    CountFastCalls(first);
    return EnterScoped(__builtin_return_address(0), __builtin_frame_address(0), first, rest...);
  }

  // Everything after the fast path of recorded commands.
  [[gnu::always_inline]] static Result EnterScoped(const void* return_address,
                                                   const void* frame_address, First first,
                                                   Rest... rest) {
    if (first == nullptr) [[unlikely]]
      return WithoutHandleApart(return_address, frame_address);
    Scope* scope = ScopeOf(first);
    const auto next = reinterpret_cast<Function>(scope->next[Row::kSlot]);
    // The program retrieved the command through the instance; its device lacks it.
    if (next == nullptr) [[unlikely]]
      return Missing();
    if (ReentryGuard::Active()) return next(first, rest...);
    if constexpr (kFastAlone && !kRecorded) {
      if (TryAlone(return_address, frame_address, scope, first, rest...)) [[likely]]
        return next(first, rest...);
      return RunApart(return_address, frame_address, scope, first, rest...);
    } else if constexpr (kFastAround) {
      Result result;
      if (TryAround(return_address, frame_address, scope, next, &result, first, rest...)) [[likely]]
        return result;
      return RunApart(return_address, frame_address, scope, first, rest...);
    } else {
      return Run(return_address, frame_address, scope, first, rest...);
    }
  }

  // Not a tail call, as RunApart.
  [[gnu::always_inline]] static Result WithoutHandleApart(const void* return_address,
                                                          const void* frame_address) {
    if constexpr (std::is_void_v<Result>) {
      WithoutHandle(return_address, frame_address);
      asm volatile("");
    } else {
      const Result result = WithoutHandle(return_address, frame_address);
      asm volatile("");
      return result;
    }
  }
  // A call whose first argument, which selects the next layer, is NULL: there is no layer to call.
  [[gnu::noinline, gnu::cold]] static Result WithoutHandle(const void* return_address,
                                                           const void* frame_address) {
    // vkDestroyDevice and vkDestroyInstance ignore NULL.
    constexpr bool kIgnores = kSelfMade && std::is_void_v<Result>;
    if (Tracker* tracker = kIgnores ? nullptr : attached_tracker.load(std::memory_order_acquire);
        tracker != nullptr && !ReentryGuard::Active()) {
      ReentryGuard guard;
      VkCall call(FastCall{tracker, Row::kInfo, return_address, frame_address, nullptr});
      ReportNullHandle(call);
    }
    return Missing();
  }

  static Result Missing() {
    if constexpr (std::is_same_v<Result, VkResult>) {
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    } else {
      return Result();
    }
  }

  // Tries TryFast of a handler without TryFastAfter. The real call follows when no frame of gpusan
  // is left on the stack. A call whose own time is measured takes the slow path.
  [[gnu::always_inline]] static bool TryAlone(const void* return_address, const void* frame_address,
                                              Scope* scope, First first, Rest... rest) {
    Tracker* tracker = attached_tracker.load(std::memory_order_acquire);
    if (tracker == nullptr || !SelfTime::CountUnmeasured()) [[unlikely]]
      return false;
    FastCall fast{tracker, Row::kInfo, return_address, frame_address, scope};
    if (!Handler::TryFast(fast, first, rest...)) [[unlikely]]
      return false;
    intercepted_calls.Count();
    return true;
  }

  // Tries TryFast and TryFastAfter around the real call. Returns false before the real call if the
  // slow path is needed.
  [[gnu::always_inline]] static bool TryAround(const void* return_address,
                                               const void* frame_address, Scope* scope,
                                               Function next, Result* result, First first,
                                               Rest... rest) {
    Tracker* tracker = attached_tracker.load(std::memory_order_acquire);
    if (tracker == nullptr || !SelfTime::CountUnmeasured()) [[unlikely]]
      return false;
    ReentryGuard guard;
    FastCall fast{tracker, Row::kInfo, return_address, frame_address, scope};
    const auto real = [next](First a, Rest... b) { return next(a, b...); };
    if (!TryFastAround<VulkanApi, Handler>(fast, result, real, first, rest...)) [[unlikely]]
      return false;
    intercepted_calls.Count();
    return true;
  }

  // Not a tail call: stack walks start from the frame of the caller, which must stay in place.
  [[gnu::always_inline]] static Result RunApart(const void* return_address,
                                                const void* frame_address, Scope* scope,
                                                First first, Rest... rest) {
    if constexpr (std::is_void_v<Result>) {
      RunNotInline(return_address, frame_address, scope, first, rest...);
      asm volatile("");
    } else {
      const Result result = RunNotInline(return_address, frame_address, scope, first, rest...);
      asm volatile("");
      return result;
    }
  }
  // Not inline, so that the fast path keeps its values in registers.
  [[gnu::noinline]] static Result RunNotInline(const void* return_address,
                                               const void* frame_address, Scope* scope, First first,
                                               Rest... rest) {
    return Run(return_address, frame_address, scope, first, rest...);
  }

  [[gnu::always_inline]] static Result Run(const void* return_address, const void* frame_address,
                                           Scope* scope, First first, Rest... rest) {
    const auto next = reinterpret_cast<Function>(scope->next[Row::kSlot]);
    ReentryGuard guard;
    Tracker* tracker = Admit();
    if (tracker == nullptr) [[unlikely]]
      return next(first, rest...);
    SelfTime time;
    const FastCall fast{tracker, Row::kInfo, return_address, frame_address, scope};
    if constexpr (kSelfMade) {
      VkCall call(fast);
      return Handler::Around(call, first, rest...);
    } else {
      const auto real = [next](First a, Rest... b) { return next(a, b...); };
      using ToRun = HandlerToRun<Handler, Row::kSlot, First, Rest...>;
      return RunSlow<VulkanApi, ToRun>(fast, time, real, first, rest...);
    }
  }
};

template <typename Row>
Entry MakeEntry() {
  static_assert(requires(typename Row::Handler handler) { sizeof(handler); });
  return {Row::kInfo.name, Row::kSlot, reinterpret_cast<PFN_vkVoidFunction>(&Wrapper<Row>::Enter)};
}

}  // namespace gpusan::vulkan
