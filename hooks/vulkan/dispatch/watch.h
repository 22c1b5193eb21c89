// The core of every wrapper; for the files that are made from the rows.
//
// A handler is a struct, made once a call:
//
//   struct CmdFillBuffer {
//     void Before(VkCall& call, VkCommandBuffer commands, ...);  // the arguments of the command
//     void After(VkCall& call, [VkResult code,] VkCommandBuffer commands, ...);
//   };
//
// Its members carry what After needs; a handler may have only one of the two. One with a static
// Around(call, arguments...) makes the real call itself. A static Short(tracker, place,
// arguments...) is asked before: it does what Before would, where that needs no VkCall and there is
// no After, or answers false, and then it may have done a part of it that does no harm twice. It
// must not allocate without a ReentryGuard of its own. What it calls should take few arguments and
// not be inline: all those of the command wait for the real call.
//
// One with a bool Finish(tracker, place, arguments...) is asked in place of After where the call
// has succeeded: it does what After would, where that needs no VkCall, or answers false, and
// nothing has happened. Where there is a Before, a bool Begin(tracker, place, arguments...) comes
// in front of it in the same way, with a real call between the two.
//
// A static Quick(info, return address, frame address, arguments...) of a command of a command
// buffer is asked in front of that: it does all that is to be done, calls nothing, and returns the
// scope, or nullptr, and then it has done nothing that matters. It keeps count of itself
// (CommandBufferState::quick_left).
#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

extern constinit std::atomic<Tracker*> attached_tracker;  // nullptr: not attached yet
// Makes the tracker at the first call. nullptr: gpusan is switched off.
Tracker* AttachTracker();

// The tracker for a call of the program, counted; nullptr: pass it on unwatched.
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
// Every table of entries; ends with nullptr, and so does each.
extern const Entry* const kEntryTables[];

// `Row`: kInfo, kSlot, Function and Operation of a row.
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
  // Calls that are measured go the other way. The real call comes when no frame of gpusan is left.
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
// Whoever is called last has to find the stack as it is here.
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
    // Had through the instance, of a device without it.
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
  // Nothing is to be said of the call, as it seems. False: it is to be made.
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
  // Nothing takes the place of the caller's frame, which stacks are walked from.
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
  // Apart, so that what the short way needs stays in registers.
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
        // What was found is told when the call goes.
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
