// The core of every wrapper. Included by the files that CMake generates from the rows.
//
// A handler is a struct that is constructed once a call:
//
//   struct CmdFillBuffer {
//     void Before(VkCall& call, VkCommandBuffer commands, ...);  // the arguments of the command
//     void After(VkCall& call, [VkResult code,] VkCommandBuffer commands, ...);
//   };
//
// Its members carry state from Before to After; a handler may have only one of the two. A handler
// with a static Around(call, arguments...) makes the real call itself.
//
// Fast paths, from the shortest to the longest:
// - static Quick(info, return address, frame address, arguments...), for commands of command
// buffers:
//   does everything without a call to another function and returns the scope, or returns nullptr
//   without side effects that matter. It counts its calls itself (CommandBufferState::quick_left).
// - static bool Short(tracker, place, arguments...), for handlers without After: does the work of
//   Before without a VkCall, or returns false; the part that it did then must be idempotent. It
//   must not allocate without a ReentryGuard of its own. The functions that it calls should take
//   few arguments and not be inline, since the arguments of the command are kept for the real call.
// - bool Begin(tracker, place, arguments...) before the real call and bool Finish(tracker, place,
//   arguments...) after a real call that succeeded: do the work of Before and After without a
//   VkCall, or return false without side effects. A handler with Before and Finish needs Begin.
#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/recording/command_buffers.h"

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

struct Entry {
  const char* name;
  Slot slot;
  PFN_vkVoidFunction wrapper;
};
// All tables of entries. The list ends with nullptr, and each table with an empty entry.
extern const Entry* const kEntryTables[];

// The wrapper of one row. `Row` has kInfo, kSlot, Function and Operation.
template <typename Row, typename Function = typename Row::Function>
struct Wrapper;

template <typename Row, typename Result, typename First, typename... Rest>
struct Wrapper<Row, Result(VKAPI_PTR*)(First, Rest...)> {
  static Result Missing() {
    if constexpr (std::is_same_v<Result, VkResult>) {
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    } else {
      return Result();
    }
  }
  // Tries Short. Calls whose own time is measured take the slow path. The real call follows when no
  // frame of gpusan is left on the stack.
  [[gnu::always_inline]] static bool Shortly(const Place& place, First first, Rest... rest) {
    Tracker* tracker = attached_tracker.load(std::memory_order_acquire);
    if (tracker == nullptr || !SelfTime::CountUnmeasured()) [[unlikely]]
      return false;
    if (!Row::Operation::Short(*tracker, place, first, rest...)) [[unlikely]]
      return false;
    intercepted_calls.Count();
    return true;
  }
  using Function = typename Row::Function;
  static VKAPI_ATTR Result VKAPI_CALL Enter(First first, Rest... rest) {
// The real call is a tail call: it finds the stack as it is here.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if constexpr (requires { &Row::Operation::Quick; }) {
      const Scope* scope = Row::Operation::Quick(Row::kInfo, __builtin_return_address(0),
                                                 __builtin_frame_address(0), first, rest...);
      if (scope != nullptr) [[likely]]
        return reinterpret_cast<Function>(scope->next[Row::kSlot])(first, rest...);
      return EnterSlowly(first, rest...);
    }
#endif
    return Admitted(first, rest...);
  }
  [[gnu::noinline]] static VKAPI_ATTR Result VKAPI_CALL EnterSlowly(First first, Rest... rest) {
    CountQuickCalls(first);
    return Admitted(first, rest...);
  }
  [[gnu::always_inline]] static Result Admitted(First first, Rest... rest) {
    Scope* scope = ScopeOf(first);
    const auto next = reinterpret_cast<Function>(scope->next[Row::kSlot]);
    // The program retrieved the command through the instance; its device lacks it.
    if (next == nullptr) [[unlikely]]
      return Missing();
    if (ReentryGuard::Active()) return next(first, rest...);
    const Place place = {Row::kInfo, __builtin_return_address(0), __builtin_frame_address(0),
                         scope};
    if constexpr (requires { &Row::Operation::Short; }) {
      if (Shortly(place, first, rest...)) [[likely]]
        return next(first, rest...);
      return CallApart(place, first, rest...);
    } else if constexpr (requires { &Row::Operation::Finish; }) {
      Result result;
      if (Plainly(place, next, &result, first, rest...)) [[likely]]
        return result;
      return CallApart(place, first, rest...);
    } else {
      return Watch(place, next, first, rest...);
    }
  }
  // Tries Begin and Finish around the real call. Returns false before the real call if the slow
  // path is needed.
  [[gnu::always_inline]] static bool Plainly(const Place& place, Function next, Result* result,
                                             First first, Rest... rest) {
    using Operation = typename Row::Operation;
    Tracker* tracker = attached_tracker.load(std::memory_order_acquire);
    if (tracker == nullptr || !SelfTime::CountUnmeasured()) [[unlikely]]
      return false;
    ReentryGuard guard;
    Operation operation;
    if constexpr (requires { &Operation::Begin; }) {
      if (!operation.Begin(*tracker, place, first, rest...)) [[unlikely]]
        return false;
    }
    intercepted_calls.Count();
    *result = next(first, rest...);
    if (*result == VK_SUCCESS && operation.Finish(*tracker, place, first, rest...)) [[likely]]
      return true;
    WatchEnd(*tracker, place.return_address, place.frame_address, place.scope, operation, *result,
             first, rest...);
    return true;
  }
  template <typename Operation, typename Code>
  [[gnu::noinline]] static void WatchEnd(Tracker& tracker, const void* return_address,
                                         const void* frame_address, Scope* scope,
                                         Operation& operation, Code result, First first,
                                         Rest... rest) {
    VkCall call(tracker, Row::kInfo, return_address, frame_address, scope);
    operation.After(call, result, first, rest...);
    call.Done(result);
  }
  // Not a tail call: stack walks start from the frame of the caller, which must stay in place.
  [[gnu::always_inline]] static Result CallApart(const Place& place, First first, Rest... rest) {
    if constexpr (std::is_void_v<Result>) {
      WatchApart(place.return_address, place.frame_address, place.scope, first, rest...);
      asm volatile("");
    } else {
      const Result result =
          WatchApart(place.return_address, place.frame_address, place.scope, first, rest...);
      asm volatile("");
      return result;
    }
  }
  // Not inline, so that the fast path keeps its values in registers.
  [[gnu::noinline]] static Result WatchApart(const void* return_address, const void* frame_address,
                                             Scope* scope, First first, Rest... rest) {
    return Watch({Row::kInfo, return_address, frame_address, scope},
                 reinterpret_cast<Function>(scope->next[Row::kSlot]), first, rest...);
  }
  [[gnu::always_inline]] static Result Watch(const Place& place, Function next, First first,
                                             Rest... rest) {
    using Operation = typename Row::Operation;
    ReentryGuard guard;
    Tracker* tracker = Admit();
    if (tracker == nullptr) [[unlikely]]
      return next(first, rest...);
    SelfTime time;
    VkCall call(*tracker, place.info, place.return_address, place.frame_address, place.scope);
    if constexpr (requires { Operation::Around(call, first, rest...); }) {
      return Operation::Around(call, first, rest...);
    } else {
      Operation operation;
      if constexpr (requires { operation.Before(call, first, rest...); })
        operation.Before(call, first, rest...);
      call.BeforeReal();
      if (time.on()) [[unlikely]]
        time.RealBegins();
      if constexpr (std::is_void_v<Result>) {
        next(first, rest...);
        if (time.on()) [[unlikely]]
          time.RealEnds();
        if constexpr (requires { operation.After(call, first, rest...); })
          operation.After(call, first, rest...);
        // ~VkCall reports the findings.
      } else {
        const Result result = next(first, rest...);
        if (time.on()) [[unlikely]]
          time.RealEnds();
        if constexpr (requires { operation.After(call, result, first, rest...); })
          operation.After(call, result, first, rest...);
        if constexpr (std::is_same_v<Result, VkResult>) {
          call.Done(result);
        } else {
          call.Done();
        }
        return result;
      }
    }
  }
};

template <typename Row>
Entry MakeEntry() {
  static_assert(requires(typename Row::Operation operation) { sizeof(operation); });
  return {Row::kInfo.name, Row::kSlot, reinterpret_cast<PFN_vkVoidFunction>(&Wrapper<Row>::Enter)};
}

}  // namespace gpusan::vulkan
