// Check wait-never-signaled: commands, or the host, wait for an object that is never signalled.
#include "tracker/rules/events/endless_host_wait.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

// Texts of waits of the host, by the kind of the object.
struct HostWaitTexts {
  const char *state, *why, *fix;
};
constexpr HostWaitTexts kFenceTexts = {
    "which is unsignaled and was given to no submission",
    "only work that is submitted with a fence signals it, and no thread may submit work with a "
    "fence while another one waits for it (Vulkan 1.3 §7.3 and §3.6)",
    "submit work with the fence before the wait, or do not wait; create a fence with "
    "VK_FENCE_CREATE_SIGNALED_BIT if the first wait precedes its first submission"};
constexpr HostWaitTexts kSemaphoreTexts = {
    "which nothing that was submitted signals",
    "only a submission, or vkSignalSemaphore, increases the value of a timeline semaphore (Vulkan "
    "1.3 §7.4)",
    "signal the value on every path, or wait with a time-out"};
constexpr HostWaitTexts kQueryTexts = {
    "which no submitted command has ended or written since its last reset",
    "a query becomes available when a command ends it or writes its timestamp (Vulkan 1.3 §18.3)",
    "submit the commands that end or write the query before the wait, or do not pass "
    "VK_QUERY_RESULT_WAIT_BIT"};

struct WaitNeverSignaled {
  static void OnRelease(const Object& object, Call& call) {
    if (IsUserEvent(object, call)) Check(static_cast<const Event&>(object), "released", call);
  }

  static void OnLeftover(const Leftover& leftover, Call& call) {
    if (IsUserEvent(*leftover.object, call)) {
      Check(static_cast<const Event&>(*leftover.object), "still unset at the end", call);
    }
  }

  static void OnEndlessWait(const EndlessWait& wait, Call& call) {
    const Vocabulary& words = call.words();
    const bool at_end = call.info().name[0] == '\0';
    FindingBuilder finding = call.Add(RuleId::kWaitNeverSignaled);
    finding
        .What(absl::StrCat("the work that ", wait.waiter->name, " submitted waits for ",
                           ObjectText(*wait.object, words),
                           wait.timeline ? absl::StrCat(" to reach ", wait.value) : "",
                           ", but nothing has signalled it before the ",
                           at_end ? "process ends" : "device is destroyed"))
        .Why("work after a wait runs only after the signal, and no later operation can signal",
             Clause::kOrdering)
        .Fix(
            "submit the signal, or signal from the host, on every path, and wait for the work "
            "before the end")
        .WithCreation(*wait.object);
    if (wait.timeline) finding.Fact("value", wait.value);
    if (at_end) {
      finding.CallIs(wait.waiter->name).At(wait.site);
    } else {
      finding.Party("pending-command", absl::StrCat(wait.waiter->name, " waits for it"), wait.site);
    }
  }

  static void OnEndlessHostWait(const EndlessHostWait& wait, Call& call) {
    const Vocabulary& words = call.words();
    const bool fence = wait.object->kind == ObjectKind::kFence;
    const bool query = wait.object->kind == ObjectKind::kQueryPool;
    const HostWaitTexts& texts = fence ? kFenceTexts : query ? kQueryTexts : kSemaphoreTexts;
    FindingBuilder finding = call.Add(RuleId::kWaitNeverSignaled);
    finding
        .What(absl::StrCat(wait.waiter->name, " waits without a time-out for ",
                           query ? absl::StrCat("query ", wait.value, " of ") : "",
                           ObjectText(*wait.object, words),
                           fence || query ? "" : absl::StrCat(" to reach ", wait.value), ", ",
                           texts.state, wait.at_end ? ", until the process ends" : ""))
        .Why(texts.why)
        .Fix(texts.fix)
        .WithCreation(*wait.object);
    if (!fence) finding.Fact("value", wait.value);
    if (wait.reset != nullptr)
      finding.Party("reset", absl::StrCat("reset by ", wait.reset->name), wait.reset_site);
    if (wait.at_end) {
      finding.CallIs(wait.waiter->name).At(wait.site);
      finding.Fact("waiting_thread", static_cast<uint64_t>(wait.thread));
    } else {
      call.MayCrash();  // the driver does not return
    }
  }

 private:
  static bool IsUserEvent(const Object& object, const Call& call) {
    return object.kind == ObjectKind::kUserEvent && call.words().HasUserEvents();
  }
  static void Check(const Event& event, const char* state, Call& call) {
    const uint32_t waiters = event.waiters.load(std::memory_order_relaxed);
    if (event.status.load(std::memory_order_relaxed) != 1 || waiters == 0) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kWaitNeverSignaled);
    finding
        .What(absl::StrCat("the ", ObjectText(event, words), " is ", state,
                           " and its status was never set; ", waiters, " command",
                           waiters == 1 ? " waits" : "s wait", " for it and will never run"))
        .Why("commands that wait for a user event run only after its status is set",
             Clause::kUserEvent)
        .Fix(
            "set the status on every path before the last release; set an error status if the work "
            "is abandoned")
        .Party("pending-command",
               absl::StrCat(
                   event.first_waiter_call != nullptr ? event.first_waiter_call->name : "command",
                   " waits for it"),
               event.first_waiter)
        .WithCreation(event)
        .Fact("waiters", waiters);
    if (call.info().name[0] == '\0') {
      finding.CallIs(event.creator != nullptr ? event.creator->name : "").At(event.created);
    }
  }
};

}  // namespace
}  // namespace gpusan::rules
