// The quick walk yields the unwinder's frames, whatever kind of frame a compiler makes.
#include "hooks/common/sites/stack_walk.h"

#include <alloca.h>
#include <unwind.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hooks/common/sites/site.h"

namespace gpusan {
namespace {

struct Stacks {
  bool walked = false;
  std::vector<uintptr_t> walk, unwound;
};

struct Unwinding {
  uintptr_t frame_address;
  std::vector<uintptr_t>* frames;
};

_Unwind_Reason_Code OnFrame(_Unwind_Context* context, void* argument) {
  auto* unwinding = static_cast<Unwinding*>(argument);
  const uintptr_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  if (_Unwind_GetCFA(context) <= unwinding->frame_address + 16 && unwinding->frames->empty()) {
    // The test's own frame; the next one is the first that counts.
    if (_Unwind_GetCFA(context) < unwinding->frame_address + 16) return _URC_NO_REASON;
  }
  unwinding->frames->push_back(address);
  return unwinding->frames->size() < StackWalk::kMaxFrames + 1 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

uintptr_t g_stack_end;
Stacks g_stacks;

// What an exported wrapper does, both ways.
__attribute__((noinline)) void Wrapper() {
  static const auto rules = std::make_unique<FrameRules>();
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const auto caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  StackWalk walk;
  g_stacks = {};
  g_stacks.walked =
      WalkStack(rules.get(), caller, frame, g_stack_end, StackWalk::kMaxFrames, &walk);
  if (g_stacks.walked) g_stacks.walk.assign(walk.frames, walk.frames + walk.count);
  Unwinding unwinding{frame, &g_stacks.unwound};
  _Unwind_Backtrace(OnFrame, &unwinding);
  // Up to here are frames of the test's own.
  auto& frames = g_stacks.unwound;
  while (!frames.empty() && frames.front() != caller) frames.erase(frames.begin());
  if (frames.size() > StackWalk::kMaxFrames) frames.resize(StackWalk::kMaxFrames);
}

void CheckBothWays() {
  CHECK(g_stacks.walked);
  CHECK(g_stacks.unwound.size() > 2);
  CHECK(g_stacks.walk == g_stacks.unwound);
}

#define GPUSAN_TEST_FUNCTION __attribute__((noinline, noclone))
GPUSAN_TEST_FUNCTION void Plain() {
  Wrapper();
  asm volatile("" ::: "memory");
}
GPUSAN_TEST_FUNCTION void Dynamic(size_t bytes) {
  void* block = alloca(bytes);
  asm volatile("" ::"r"(block) : "memory");
  Plain();
  asm volatile("" ::"r"(block) : "memory");
}
GPUSAN_TEST_FUNCTION void Realigned() {
  alignas(64) char block[128];
  asm volatile("" ::"r"(block) : "memory");
  Dynamic(100);
  asm volatile("" ::"r"(block) : "memory");
}
GPUSAN_TEST_FUNCTION void RealignedAndDynamic(size_t bytes) {
  alignas(64) char block[128];
  void* other = alloca(bytes);
  asm volatile("" ::"r"(block), "r"(other) : "memory");
  Realigned();
  asm volatile("" ::"r"(block), "r"(other) : "memory");
}
GPUSAN_TEST_FUNCTION void Deep(int depth) {
  if (depth == 0) {
    RealignedAndDynamic(1000);
  } else {
    Deep(depth - 1);
  }
  asm volatile("" ::: "memory");
}
GPUSAN_TEST_FUNCTION int WithCleanup(int depth) {
  const std::vector<int> numbers(static_cast<size_t>(depth) + 1, depth);
  if (depth != 0) return WithCleanup(depth - 1) + numbers[0];
  Plain();
  return numbers[0];
}

class Fixture {
 public:
  Fixture() {
    // The test's thread is the main one: its stack ends behind the environment's first string.
    g_stack_end = reinterpret_cast<uintptr_t>(environ[0]) & ~uintptr_t{7};
  }
};

TEST_CASE_METHOD(Fixture, "a walk yields the unwinder's frames") {
  Plain();
  CheckBothWays();
  WithCleanup(3);
  CheckBothWays();
}

TEST_CASE_METHOD(Fixture, "frames of unknown size and realigned ones are walked over") {
  Dynamic(333);
  CheckBothWays();
  Realigned();
  CheckBothWays();
  RealignedAndDynamic(77);
  CheckBothWays();
}

TEST_CASE_METHOD(Fixture, "a deep stack is cut") {
  Deep(100);
  CheckBothWays();
  CHECK(g_stacks.walk.size() == StackWalk::kMaxFrames);
}

TEST_CASE_METHOD(Fixture, "frames of the C library are walked over") {
  int numbers[] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof(int), [](const void* a, const void* b) {
    Deep(2);
    return *static_cast<const int*>(a) - *static_cast<const int*>(b);
  });
  CheckBothWays();
  static std::once_flag once;
  std::call_once(once, Plain);
  CheckBothWays();
}

TEST_CASE_METHOD(Fixture, "a walk ends where a thread begins") {
  std::thread([] {
    g_stack_end = reinterpret_cast<uintptr_t>(__builtin_thread_pointer()) & ~uintptr_t{7};
    Deep(3);
  }).join();
  CheckBothWays();
  CHECK(g_stacks.walk.size() < StackWalk::kMaxFrames);
}

TEST_CASE_METHOD(Fixture, "a stack with a signal's frame is left to the unwinder") {
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { Plain(); };
  REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &before, nullptr);
  CHECK_FALSE(g_stacks.walked);
}

TEST_CASE_METHOD(Fixture, "a walk that would leave the stack is refused") {
  g_stack_end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  Plain();
  CHECK_FALSE(g_stacks.walked);
}

}  // namespace
}  // namespace gpusan
