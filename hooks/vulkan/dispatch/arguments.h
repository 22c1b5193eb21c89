// The checks before the handler of a call: required pointers, because a handler may dereference
// them, and objects that only one thread at a time may use. The rows of required pointers come from
// the registry (required_pointers.py).
#pragma once

#include <cstdint>
#include <type_traits>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/dispatch_slots.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Adds a finding: `name`, a parameter of the command or a member of the structure `owner`, is NULL.
// Returns false.
[[gnu::noinline, gnu::cold]] bool ReportNull(VkCall& call, const char* owner, const char* name);

// Adds a finding: the first argument, the handle of an instance, device, queue or command buffer,
// is NULL.
[[gnu::noinline, gnu::cold]] void ReportNullHandle(VkCall& call);

// The required pointers of a structure. A specialization has
//   static bool Check(VkCall& call, const T& at);
// which returns false, after adding a finding, if one of them is NULL.
template <typename T>
struct Members {};

// The required pointers of a command. A specialization has
//   static bool Check(VkCall& call, parameters...);
template <Slot slot>
struct Arguments {};

namespace arguments_internal {

template <typename T>
concept HasMembers = requires(VkCall& call, const T& at) {
  Members<T>::Check(call, at);
};

template <typename T>
[[gnu::always_inline]] inline bool CheckNested(VkCall& call, const T& at) {
  if constexpr (HasMembers<T>) {
    return Members<T>::Check(call, at);
  } else {
    return true;
  }
}
template <typename T>
[[gnu::always_inline]] inline bool CheckOptional(VkCall& call, const T* at) {
  return at == nullptr || CheckNested(call, *at);
}
template <typename T>
[[gnu::always_inline]] inline bool CheckRequired(VkCall& call, T* at, const char* owner,
                                                 const char* name) {
  if (at == nullptr) [[unlikely]]
    return ReportNull(call, owner, name);
  if constexpr (!std::is_void_v<T>) return CheckNested(call, *at);
  return true;
}
template <typename T>
[[gnu::always_inline]] inline bool CheckArray(VkCall& call, T* at, uint64_t count,
                                              const char* owner, const char* name) {
  if (count == 0) return true;
  if (at == nullptr) [[unlikely]]
    return ReportNull(call, owner, name);
  if constexpr (!std::is_void_v<T> && HasMembers<std::remove_const_t<T>>) {
    for (uint64_t i = 0; i < count; ++i) {
      if (!CheckNested(call, at[i])) [[unlikely]]
        return false;
    }
  }
  return true;
}

}  // namespace arguments_internal

#define GPUSAN_VK_MEMBERS(structure, ...)                  \
  template <>                                              \
  struct Members<structure> {                              \
    static bool Check(VkCall& call, const structure& at) { \
      constexpr const char* kOwner = #structure;           \
      static_cast<void>(kOwner);                           \
      return __VA_ARGS__;                                  \
    }                                                      \
  };
#define NESTED(member) arguments_internal::CheckNested(call, at.member)
#define OPTIONAL(member) arguments_internal::CheckOptional(call, at.member)
#define REQUIRED(member) arguments_internal::CheckRequired(call, at.member, kOwner, #member)
#define ARRAY(member, count) arguments_internal::CheckArray(call, at.member, count, kOwner, #member)
#define GPUSAN_VK_ARGUMENTS(command, canonical, parameters, ...)
#define GPUSAN_VK_SAME_ARGUMENTS(command, same)
#include "hooks/vulkan/dispatch/required_pointers.def"
#undef GPUSAN_VK_MEMBERS
#undef GPUSAN_VK_ARGUMENTS
#undef GPUSAN_VK_SAME_ARGUMENTS
#undef NESTED
#undef OPTIONAL
#undef REQUIRED
#undef ARRAY

#define GPUSAN_UNPACK(...) __VA_ARGS__
#define GPUSAN_VK_MEMBERS(structure, ...)
#define GPUSAN_VK_ARGUMENTS(command, canonical, parameters, ...) \
  template <>                                                    \
  struct Arguments<kSlot_##command> {                            \
    static bool Check(VkCall& call, GPUSAN_UNPACK parameters) {  \
      constexpr const char* kOwner = #canonical;                 \
      static_cast<void>(kOwner);                                 \
      return __VA_ARGS__;                                        \
    }                                                            \
  };
#define GPUSAN_VK_SAME_ARGUMENTS(command, same) \
  template <>                                   \
  struct Arguments<kSlot_##command> : Arguments<kSlot_##same> {};
#define OPTIONAL(name) arguments_internal::CheckOptional(call, name)
#define REQUIRED(name) arguments_internal::CheckRequired(call, name, kOwner, #name)
#define ARRAY(name, count) arguments_internal::CheckArray(call, name, count, kOwner, #name)
#include "hooks/vulkan/dispatch/required_pointers.def"
#undef GPUSAN_UNPACK
#undef GPUSAN_VK_MEMBERS
#undef GPUSAN_VK_ARGUMENTS
#undef GPUSAN_VK_SAME_ARGUMENTS
#undef OPTIONAL
#undef REQUIRED
#undef ARRAY

template <Slot slot, typename... Args>
concept HasRequiredPointers = requires(VkCall& call, Args... args) {
  Arguments<slot>::Check(call, args...);
};
template <typename Handler, typename... Args>
concept HasUseAlone = requires(VkCall& call, UsesOfCall& uses, Args... args) {
  Handler::UseAlone(call, uses, args...);
};
template <typename First, typename...>
inline constexpr bool kIsRecorded = std::is_same_v<First, VkCommandBuffer>;

// The handler of a row with required pointers, or with objects that one thread at a time may use.
// If a required pointer is NULL, the finding is added before the real call, and the handler does
// not run.
template <typename Handler, Slot slot>
class CheckedHandler {
 public:
  template <typename... Args>
  [[gnu::always_inline]] void Before(VkCall& call, Args&... args) {
    if constexpr (HasRequiredPointers<slot, Args...>) {
      usable_ = Arguments<slot>::Check(call, args...);
      if (!usable_) [[unlikely]]
        return;
    }
    if constexpr (HasUseAlone<Handler, Args...>) {
      Handler::UseAlone(call, uses_, args...);
    } else if constexpr (kIsRecorded<Args...>) {
      UseCommandBuffer(call, args...);
    }
    if constexpr (requires { handler_.Before(call, args...); }) handler_.Before(call, args...);
  }
  // `args`: the result, if the command has one, and the arguments.
  template <typename First, typename... Rest>
  [[gnu::always_inline]] void After(VkCall& call, First& first, Rest&... rest) {
    if (!usable_) [[unlikely]]
      return;
    if constexpr (requires { handler_.After(call, first, rest...); }) {
      handler_.After(call, first, rest...);
    } else if constexpr (requires { handler_.After(call, first); }) {
      handler_.After(call, first);
    }
  }

 private:
  template <typename... Rest>
  [[gnu::always_inline]] void UseCommandBuffer(VkCall& call, VkCommandBuffer commands, Rest&...) {
    UseCommandBufferAlone(call, uses_, commands);
  }

  bool usable_ = true;
  UsesOfCall uses_;
  Handler handler_;
};

// The handler that the slow path of a row runs.
template <typename Handler, Slot slot, typename... Args>
using HandlerToRun = std::conditional_t<HasRequiredPointers<slot, Args...> ||
                                            HasUseAlone<Handler, Args...> || kIsRecorded<Args...>,
                                        CheckedHandler<Handler, slot>, Handler>;

}  // namespace gpusan::vulkan
