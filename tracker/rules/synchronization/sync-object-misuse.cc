// Check sync-object-misuse: a synchronization object is used in a way that its API forbids.
#include "tracker/rules/events/concurrent_use.h"
#include "tracker/rules/events/missing_time.h"
#include "tracker/rules/events/present_wait.h"
#include "tracker/rules/events/query_use.h"
#include "tracker/rules/events/unflushed_wait.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct SyncObjectMisuse {
  static void OnSyncMisuse(const SyncMisuse& misuse, Call& call) {
    const Texts texts = TextsOf(misuse, call);
    FindingBuilder finding = call.Add(RuleId::kSyncObjectMisuse);
    finding.What(texts.what).Why(texts.why).Fix(texts.fix);
    if (misuse.fault == SyncMisuse::Fault::kEventInOwnWaitList) {
      finding.Severe(Severity::kWarning);
      call.MayCrash();
    }
    // Legal: the driver drops the graph.
    if (misuse.fault == SyncMisuse::Fault::kCaptureLost) finding.Severe(Severity::kWarning);
    // A driver may wait for the signal inside of the call.
    if (misuse.fault == SyncMisuse::Fault::kNothingToWaitFor) call.MayCrash();
    if (!misuse.capture.empty()) {
      finding.Party("capture", absl::StrCat("the capture of ", misuse.capture, " began"),
                    misuse.site);
    }
    if (misuse.earlier != nullptr) {
      finding.Party("earlier-signal", absl::StrCat("signaled by ", misuse.earlier->name),
                    misuse.site);
    }
    if (misuse.waiter != nullptr) {
      finding.Party("waiting-command", absl::StrCat(misuse.waiter->name, " waits for the event"),
                    misuse.waiter_site);
    }
    if (misuse.object != nullptr) finding.WithCreation(*misuse.object);
    if (*misuse.vuid != '\0') finding.Fact("vuid", std::string(misuse.vuid));
  }

  static void OnConcurrentUse(const ConcurrentUse& use, Call& call) {
    if (RuleOf(use) == RuleId::kSyncObjectMisuse) AddConcurrentUse(use, call);
  }

  // The program may have meant to do without a time.
  static void OnMissingTime(const MissingTime& missing, Call& call) {
    const char* const name = missing.query->name;
    const bool opencl = call.info().api == Api::kOpenCL;
    call.Add(RuleId::kSyncObjectMisuse)
        .Severe(Severity::kWarning)
        .CallIs(name)
        .At(missing.site)
        .What(absl::StrCat(name, " returned ", missing.code,
                           missing.queries == 1
                               ? " here, and the program never asked for this time again"
                               : absl::StrCat(" in all ", missing.queries,
                                              " calls here, and the program got no time")))
        .Why(opencl ? "the call returns a time only if the execution status of the command is "
                      "CL_COMPLETE (OpenCL 3.0 §5.14, clGetEventProfilingInfo)"
                    : "the call stores a time only if both events are complete (CUDA Driver API, "
                      "Event Management, cuEventElapsedTime)")
        .Fix(absl::StrCat(opencl
                              ? "wait for the event (clWaitForEvents) or for its queue (clFinish)"
                              : "call cuEventSynchronize for the second event",
                          " before ", name))
        .Fact("queries", missing.queries);
  }

  static void OnQueryUse(const QueryUse& use, Call& call) {
    if (use.fault != QueryUse::Fault::kResetPending) return;
    const std::string pool = ObjectText(*use.pool, call.words());
    call.Add(RuleId::kSyncObjectMisuse)
        .What(absl::StrCat(call.info().name, " resets query ", use.query, " of ", pool, " while ",
                           use.pending->name, ", which uses it, is not known to be complete"))
        .Why(
            "the host may reset a query only when all submitted commands that refer to it are "
            "complete (Vulkan 1.3 §18.2, VUID-vkResetQueryPool-firstQuery-02741)")
        .Fix(
            "wait for the submission or for the result of the query first, or record "
            "vkCmdResetQueryPool")
        .Party("pending-command", absl::StrCat(use.pending->name, " uses it"), use.site)
        .WithCreation(*use.pool)
        .Fact("query", uint64_t{use.query})
        .Fact("vuid", std::string("VUID-vkResetQueryPool-firstQuery-02741"));
  }

  static void OnUnflushedWait(const UnflushedWait& wait, Call& call) {
    const Vocabulary& words = call.words();
    const CallInfo* const command = wait.event->call;
    FindingBuilder finding = call.Add(RuleId::kSyncObjectMisuse);
    finding.Severe(Severity::kNote)
        .What(absl::StrCat(call.info().name, " waits for ", ObjectText(*wait.event, words),
                           command != nullptr ? absl::StrCat(" of ", command->name) : "", " in ",
                           ObjectText(*wait.queue, words),
                           ", which was not flushed after that command"))
        .Why(
            "before a command of another queue waits for an event, the program must flush the "
            "queue of the event's command, because the driver may not start the command before "
            "(OpenCL 3.0 §5.15, clFlush)")
        .Fix("call clFlush on the queue of the event before the wait")
        .About(*wait.event)
        .About(*wait.queue);
    if (command != nullptr)
      finding.Party("command", absl::StrCat(command->name, " enqueued the command"),
                    wait.event->command_site);
  }

  static void OnPresentWait(const PresentWait& wait, Call& call) {
    const std::string vuid = wait.vuid;
    // The presentation engine has most likely waited, but nothing shows it.
    call.Add(RuleId::kSyncObjectMisuse)
        .Severe(Severity::kWarning)
        .What(absl::StrCat(call.info().name, " signals ", ObjectText(*wait.semaphore, call.words()),
                           ", which the presentation of image ", wait.image, " may still wait for"))
        .Why(absl::StrCat("a binary semaphore must be unsignaled when it is signaled, and only the "
                          "next acquisition of the image shows that its presentation has waited "
                          "(VK_KHR_swapchain, ",
                          vuid, ")"))
        .Fix(
            "use one such semaphore for each image of the swapchain, by the index of the image, "
            "instead of one for each frame in flight")
        .Party("presentation", absl::StrCat(wait.presented->name, " waits for it"), wait.site)
        .WithCreation(*wait.semaphore)
        .Fact("image", uint64_t{wait.image})
        .Fact("vuid", vuid);
  }

 private:
  struct Texts {
    std::string what, why, fix;
  };

  // The entry points in the texts are those of the only API that has the fault.
  static Texts TextsOf(const SyncMisuse& misuse, const Call& call) {
    using Fault = SyncMisuse::Fault;
    const std::string name = !misuse.name.empty()       ? misuse.name
                             : misuse.object != nullptr ? ObjectText(*misuse.object, call.words())
                                                        : "";
    switch (misuse.fault) {
      case Fault::kNothingToWaitFor:
        return {absl::StrCat("a submission waits for binary ", name,
                             ", but no submitted work signals it"),
                "each wait for a binary semaphore needs a signal of its own that is submitted "
                "before the wait (Vulkan 1.3 §7.4.2, VUID-vkQueueSubmit-pWaitSemaphores-03238)",
                "submit the signal first, and wait once for each signal"};
      case Fault::kSignaledTwice:
        return {absl::StrCat("binary ", name,
                             " is signaled again before any work waits for its first signal"),
                "a binary semaphore must be unsignaled when its signal operation executes (Vulkan "
                "1.3 §7.4.1, VUID-vkQueueSubmit-pSignalSemaphores-00067)",
                "wait for each signal, or use one semaphore for each frame in flight"};
      case Fault::kValueNotGreater:
        return {absl::StrCat("timeline ", name, " is signaled with the value ", misuse.value,
                             ", which it already has or which another signal sets"),
                "each signal of a timeline semaphore must increase its value (Vulkan 1.3 §7.4.1, "
                "VUID-VkSubmitInfo-pSignalSemaphores-03242, "
                "VUID-VkSemaphoreSignalInfo-value-03258)",
                "signal a value that is greater than all earlier values"};
      case Fault::kPresentsUnacquired:
        return {absl::StrCat("image ", misuse.value,
                             " of a swapchain is presented, but it is not acquired"),
                "only an image that is acquired, and not presented since its acquisition, may be "
                "presented (VUID-VkPresentInfoKHR-pImageIndices-01430)",
                "present each acquired image once, with the index that vkAcquireNextImageKHR "
                "returned"};
      case Fault::kUsesUnacquired:
        return {absl::StrCat(call.info().name, " uses ", name,
                             " of a swapchain, but the image is not acquired"),
                "an image of a swapchain may be used, and its layout changed, only between its "
                "acquisition and its presentation (Vulkan 1.3 with VK_KHR_swapchain §34.10: WSI "
                "swapchain)",
                "use the image whose index vkAcquireNextImageKHR returned, and present it after "
                "its last use"};
      case Fault::kTimingDisabled:
        return {absl::StrCat(misuse.argument, " is ", name,
                             ", which was created with CU_EVENT_DISABLE_TIMING"),
                "an event with this flag records no time (cuEventElapsedTime)",
                "create both events without CU_EVENT_DISABLE_TIMING"};
      case Fault::kNeverRecorded:
        return {absl::StrCat(misuse.argument, " is ", name, ", which has never been recorded"),
                "the elapsed time is measured between the records of two events "
                "(cuEventElapsedTime)",
                "record both events first"};
      case Fault::kReleasedBeforeSignal:
        return {
            absl::StrCat("the last reference to ", misuse.name,
                         " is released while a command waits for ",
                         ObjectText(*misuse.object, call.words()), ", whose status is not set"),
            absl::StrCat("the status of a user event for which commands wait must be set before "
                         "objects other than events are released (",
                         call.words().Cite(Clause::kUserEvent), ")"),
            "set the status of the user event before the release"};
      case Fault::kBlockingInCallback:
        return {
            absl::StrCat(call.info().name,
                         ", which may block, is called in a callback of an event or object"),
            "blocking calls, builds, and creations of contexts and queues are undefined in such "
            "a callback, which may run on a thread of the driver (OpenCL 3.0 §5.11, "
            "clSetEventCallback; §5.5.1, clSetMemObjectDestructorCallback)",
            "let the callback signal a thread of the program, which then makes the call, or use "
            "the non-blocking form"};
      case Fault::kEventInOwnWaitList:
        return {
            absl::StrCat("the event argument of ", call.info().name, " is the address of element ",
                         misuse.value, " of its own event_wait_list"),
            "the event argument should not refer to an element of the wait list (OpenCL 3.0 "
            "§5.8 and the other sections on commands): the driver may write the new event "
            "before it has read the list, and the old event is not released",
            "pass another variable for the new event, and release the old event"};
      default:
        return TextsOfCapture(misuse, name);
    }
  }

  static Texts TextsOfCapture(const SyncMisuse& misuse, const std::string& name) {
    using Fault = SyncMisuse::Fault;
    switch (misuse.fault) {
      case Fault::kCaptureEndsElsewhere:
        return {absl::StrCat("the capture that ", name, " takes part in began in ", misuse.capture),
                "a capture ends in the stream in which it began (cuStreamEndCapture)",
                absl::StrCat("let ", misuse.capture, " wait for an event of ", name,
                             ", and end the capture there")};
      case Fault::kCaptureUnjoined:
        return {absl::StrCat("the capture of ", name, " ends, but ", name,
                             " does not wait for the work that was captured in ",
                             misuse.others.empty() ? "other streams" : misuse.others),
                "every stream that an event brought into a capture must be joined back into the "
                "stream in which the capture began before it ends (CUDA programming guide, "
                "cross-stream dependencies and events)",
                absl::StrCat("record an event after the last work of each of them and let ", name,
                             " wait for it (cuStreamWaitEvent) before the end")};
      case Fault::kCaptureWrongThread:
        return {absl::StrCat("the capture of ", name,
                             " is ended by a different thread than the one that began it"),
                absl::StrCat("a capture that was begun with ", misuse.mode,
                             " ends in the thread that began it (cuStreamEndCapture)"),
                "end it in the same thread, or begin it with CU_STREAM_CAPTURE_MODE_RELAXED"};
      case Fault::kNotCaptured:
      case Fault::kAlreadyCaptured:
        return {
            absl::StrCat(name, misuse.fault == Fault::kNotCaptured ? " is not being captured"
                                                                   : " is being captured already"),
            "a capture begins in a stream that is not being captured, and ends once "
            "(cuStreamBeginCapture, cuStreamEndCapture)",
            "pair each begin with one end on the same stream"};
      case Fault::kCaptureLost:
        return {
            absl::StrCat(name,
                         " is destroyed before its capture has ended: the captured work "
                         "is lost and never runs"),
            "a capture ends with cuStreamEndCapture, on the stream on which it began; only then "
            "is there a graph (CUDA driver API, cuStreamBeginCapture)",
            absl::StrCat("end the capture before the destruction of ", name)};
      case Fault::kWaitsForCaptured:
        return {absl::StrCat("the host queries or waits for ", name,
                             " while it is being captured, which makes the capture invalid"),
                "captured work has not been submitted and cannot complete (CUDA programming guide, "
                "stream capture, prohibited and unhandled operations)",
                "end the capture, launch the graph, and wait for the stream of the launch"};
      case Fault::kCapturedEvent:
        return {
            absl::StrCat(name, " was last recorded in a captured stream"),
            "the event represents a position in the graph, not submitted work: outside the capture "
            "the program must neither wait for it nor query it",
            "record the event in a stream that is not captured, or use another one; to record "
            "it when the graph runs, pass CU_EVENT_RECORD_EXTERNAL"};
      case Fault::kRecordedOutside:
        return {absl::StrCat("captured work waits for ", name,
                             ", which was recorded outside the capture"),
                "no dependency may lead from a graph that is being captured to work outside it",
                "order the launch of the graph after the event instead, or pass "
                "CU_EVENT_WAIT_EXTERNAL to make the wait a node of the graph"};
      default:
        return {absl::StrCat(name,
                             " was recorded in a different capture than the one that waits for it"),
                "two captures cannot become one",
                "capture both parts from one stream, or launch one graph after the other"};
    }
  }
};

}  // namespace

void AddConcurrentUse(const ConcurrentUse& use, Call& call) {
  const bool kernel = use.object->kind == ObjectKind::kKernel;
  call.MayCrash();
  call.Add(RuleOf(use))
      .What(absl::StrCat(call.info().name, " uses ", ObjectText(*use.object, call.words()),
                         " while another thread is inside of ", use.other->name,
                         ", which uses it, too"))
      .Why(!kernel ? "only one thread at a time may be inside of a call that uses such an object "
                     "(Vulkan 1.3 §3.6: external synchronization)"
           : use.of_launch
               ? "whether the launch gets the old or the new value of the argument is not defined "
                 "(OpenCL 3.0 appendix A.2, multiple host threads)"
               : "the state of a kernel is undefined if several threads set its arguments at the "
                 "same time (OpenCL 3.0 appendix A.2, multiple host threads)")
      .Fix(kernel
               ? "give each thread a kernel of its own by clCreateKernel, or hold one mutex from "
                 "the first clSetKernelArg to the end of clEnqueueNDRangeKernel"
               : "hold one mutex around all calls that use it, or give each thread an object of "
                 "its own")
      .Party("other-thread", absl::StrCat("another thread is inside of ", use.other->name),
             use.site)
      .WithCreation(*use.object)
      .Fact("other_call", std::string(use.other->name))
      .Fact("other_thread", static_cast<uint64_t>(use.other_thread));
}

}  // namespace gpusan::rules
