// The newest commands of a stream, from which the report of a device fault lists the pending ones.
//
// Thread-safe and lock-free: a reader sees a command completely or not at all. Recording a command
// costs a few stores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracker/base/ticks.h"
#include "tracker/calls/operation.h"

namespace gpusan::cuda {

struct GraphExec;

// The kernel or graph of a command that is a launch.
struct Launched {
  const Kernel* kernel = nullptr;
  const GraphExec* graph = nullptr;
  // Kernels: one bit for each pointer parameter that was NULL. Graphs: the version of the plan.
  uint64_t detail = 0;
};

struct RecentCommand {
  uint64_t order = 0;  // increases with time, across streams
  Epoch epoch;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  Launched launched;
};

// Numbers the commands of one stream so that the numbers increase with time across streams.
// Thread-safe.
//
// As long as only one stream gets commands, each number is one more than the previous. When the
// stream changes, the clock is read, which costs as much as the rest of recording a command. A
// program that alternates between streams reads the clock for each command.
class CommandOrder {
 public:
  uint64_t Next() {
    if (g_only_.load(std::memory_order_relaxed) == this) {
      const uint64_t next = last_.load(std::memory_order_relaxed) + 1;
      last_.store(next, std::memory_order_relaxed);
      return next;
    }
    return NextOfMany();
  }

 private:
  static constexpr uint32_t kTurns = 64;

  uint64_t NextOfMany() {
    uint64_t now = Ticks();
    // The previous stream may have used more numbers than the clock has ticks.
    const CommandOrder* before = g_only_.load(std::memory_order_relaxed);
    if (before != nullptr) now = std::max(now, before->last_.load(std::memory_order_relaxed) + 1);
    last_.store(now, std::memory_order_relaxed);
    const uint32_t turns = g_turns_.load(std::memory_order_relaxed);
    if (turns > kTurns) {
      // A slower thread may have set it again.
      if (before != nullptr) g_only_.store(nullptr, std::memory_order_relaxed);
      return now;
    }
    g_turns_.store(turns + 1, std::memory_order_relaxed);
    g_only_.store(turns < kTurns ? this : nullptr, std::memory_order_relaxed);
    return now;
  }

  // The stream that numbered the last command; nullptr once streams have alternated too often.
  static constinit inline std::atomic<CommandOrder*> g_only_{nullptr};
  static constinit inline std::atomic<uint32_t> g_turns_{0};
  std::atomic<uint64_t> last_{0};
};

class RecentCommands {
 public:
  static constexpr size_t kKept = 16;

  void Note(const Command& command, const Launched& launched, uint64_t order) {
    Slot& slot = slots_[command.epoch.tick() % kKept];
    slot.tick.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    slot.order.store(order, std::memory_order_relaxed);
    slot.call.store(command.call, std::memory_order_relaxed);
    slot.kernel.store(launched.kernel, std::memory_order_relaxed);
    slot.graph.store(launched.graph, std::memory_order_relaxed);
    slot.detail.store(launched.detail, std::memory_order_relaxed);
    slot.site.store(command.site, std::memory_order_relaxed);
    slot.timeline.store(command.epoch.timeline(), std::memory_order_relaxed);
    slot.tick.store(command.epoch.tick(), std::memory_order_release);
  }
  // Removes a command whose real call failed.
  void Forget(Epoch epoch) {
    Slot& slot = slots_[epoch.tick() % kKept];
    uint64_t tick = epoch.tick();
    slot.tick.compare_exchange_strong(tick, 0, std::memory_order_relaxed);
  }
  void Clear() {
    for (Slot& slot : slots_) slot.tick.store(0, std::memory_order_relaxed);
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Slot& slot : slots_) {
      const uint64_t tick = slot.tick.load(std::memory_order_acquire);
      if (tick == 0) continue;
      RecentCommand command;
      command.order = slot.order.load(std::memory_order_relaxed);
      command.call = slot.call.load(std::memory_order_relaxed);
      command.launched.kernel = slot.kernel.load(std::memory_order_relaxed);
      command.launched.graph = slot.graph.load(std::memory_order_relaxed);
      command.launched.detail = slot.detail.load(std::memory_order_relaxed);
      command.site = slot.site.load(std::memory_order_relaxed);
      command.epoch = Epoch(slot.timeline.load(std::memory_order_relaxed), tick);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (slot.tick.load(std::memory_order_relaxed) == tick) visit(command);
    }
  }

 private:
  // One cache line, which is the cost of recording a command.
  struct alignas(64) Slot {
    std::atomic<uint64_t> tick{0};  // 0: the slot is empty
    std::atomic<uint64_t> order{0};
    std::atomic<const CallInfo*> call{nullptr};
    std::atomic<const Kernel*> kernel{nullptr};
    std::atomic<const GraphExec*> graph{nullptr};
    std::atomic<uint64_t> detail{0};
    std::atomic<SiteId> site{kUnknownSite};
    std::atomic<TimelineId> timeline{0};
  };
  static_assert(sizeof(Slot) == 64);
  Slot slots_[kKept];
};

}  // namespace gpusan::cuda
