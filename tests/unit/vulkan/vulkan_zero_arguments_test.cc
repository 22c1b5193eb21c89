// Every intercepted command, with arguments that the API forbids: null handles, and null pointers
// or pointers to structures of zeros. gpusan must not crash.
#include <catch2/catch.hpp>
#include <cstddef>
#include <set>
#include <string_view>
#include <type_traits>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

// What the first argument of a command may be.
struct Handles {
  VkDevice device;
  VkQueue queue;
  VkCommandBuffer commands;

  template <typename Handle>
  Handle Of() const {
    if constexpr (std::is_same_v<Handle, VkDevice>) return device;
    if constexpr (std::is_same_v<Handle, VkQueue>) return queue;
    if constexpr (std::is_same_v<Handle, VkCommandBuffer>) return commands;
    return Handle();
  }
};

// Zeros that pointers refer to; large enough for what a driver returns.
alignas(16) std::byte zeros[1 << 16];

// `pointers`: pointers refer to zeros, and numbers are 1.
template <typename T>
T Value(bool pointers) {
  if constexpr (std::is_same_v<T, const VkAllocationCallbacks*>) {
    return nullptr;
  } else if constexpr (std::is_pointer_v<T> && !std::is_same_v<T, VkDevice>) {
    // Handles are pointers to structures that are declared only.
    using To = std::remove_pointer_t<T>;
    if constexpr (std::is_void_v<To> || requires { sizeof(To); }) {
      if (pointers) return reinterpret_cast<T>(reinterpret_cast<uintptr_t>(zeros));
    }
    return T();
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(pointers ? 1 : 0);
  } else {
    return T();
  }
}

template <typename Result, typename First, typename... Rest>
void Call(Result(VKAPI_PTR* function)(First, Rest...), const Handles& handles,
          [[maybe_unused]] bool pointers) {
  if (function == nullptr || handles.Of<First>() == First()) return;
  for (std::byte& byte : zeros) byte = std::byte{};
  function(handles.Of<First>(), Value<Rest>(pointers)...);
}

// They end what the others need.
const std::set<std::string_view> kLast = {"vkDestroyDevice"};

void CallAll(bool pointers) {
  const StateScene scene;
  const Handles handles{scene.device(), scene.queue(), scene.commands};
#define GPUSAN_VK(name, Handler) \
  if (!kLast.contains(#name)) Call(scene.Get<PFN_##name>(#name), handles, pointers);
#define GPUSAN_VK_LATER(name, Handler, Result, parameters) \
  Call(scene.Get<Result(VKAPI_PTR*) parameters>(#name), handles, pointers);
#define GPUSAN_VK_NEED(name)
#define GPUSAN_VK_PASS(name, reason)
#define GPUSAN_VK_PASS_LATER(name, reason)
#include "vulkan_rows.inc"
}

TEST_CASE("commands without handles and pointers are findings") {
  CallAll(false);
  CHECK(Vuids().size() > 100);
}

TEST_CASE("commands without handles, with structures of zeros, are findings") {
  CallAll(true);
  CHECK(Vuids().size() > 100);
}

}  // namespace
}  // namespace gpusan::test
