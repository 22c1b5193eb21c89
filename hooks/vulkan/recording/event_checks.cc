// Checks that commands wait for events as other commands, or the host, set them.
#include "hooks/vulkan/recording/event_checks.h"

#include <map>
#include <string_view>
#include <utility>

namespace gpusan::vulkan {

using By = EventSignal::By;

void EventChecks::Report(Fault fault, const Recorded& record, const Object& event, LabelId label,
                         const CallInfo* earlier, SiteId site, std::string value,
                         std::string other) {
  Call made(call_.tracker(), *record.call, call_.words(), nullptr, nullptr, record.site, label);
  ReportSync(made, event, fault, std::move(value), std::move(other), {earlier, site});
}

void EventChecks::Set(EventSignal& signal, const RecordedSetEvent& record) {
  // A command that sets an event which is set already has no effect.
  if (signal.by != By::kNobody) return;
  signal.by = By::kCommand;
  signal.dependency = record.dependency;
  signal.call = record.call;
  signal.site = record.site;
}

void EventChecks::Reset(EventSignal& signal, const RecordedResetEvent& record, Position position,
                        uint64_t ordered, bool report, LabelId label) {
  if (report && signal.waiter != nullptr && record.stages != 0 && (ordered & record.stages) == 0) {
    const auto second = [](const CallInfo* call) {
      return std::string_view(call->name).find('2') != std::string_view::npos;
    };
    constexpr const char* kVuids[2][2] = {{"03834", "03835"}, {"03831", "03832"}};
    Report(Fault::kResetBehindWait, record, *record.event, label, signal.waiter, signal.waiter_site,
           "", kVuids[second(record.call)][second(signal.waiter)]);
  }
  signal = EventSignal();
  signal.by = By::kNobody;
  signal.known_since = position;
}

void EventChecks::Wait(EventSignal& signal, const RecordedEventWait& record, bool report,
                       LabelId label) {
  if (record.dependency.second) {
    if (report) WaitForOne(signal, record, label);
  } else {
    if (first_ == nullptr) first_ = record.event;
    if (signal.by == By::kCommand && signal.dependency.second) {
      if (report)
        Report(Fault::kSetByOtherVersion, record, *record.event, label, signal.call, signal.site,
               "", signal.call->name);
      unknown_ = true;
    }
    unknown_ |= signal.by == By::kUnknown;
    if (signal.by == By::kNobody) unset_ = record.event;
    report_ |= report;
    if (signal.by == By::kHost) needed_ |= VK_PIPELINE_STAGE_HOST_BIT;
    if (signal.by == By::kCommand) {
      needed_ |= signal.dependency.stages;
      setter_ = signal.call;
      setter_site_ = signal.site;
    }
    if (record.last) WaitForAll(record, label);
  }
  signal.waiter = record.call;
  signal.waiter_site = record.site;
  signal.ordered = record.target_stages;
}

void EventChecks::WaitForAll(const RecordedEventWait& record, LabelId label) {
  const uint64_t given = record.dependency.stages;
  if (report_ && !unknown_ && given != needed_) {
    const Vocabulary& words = call_.words();
    if (unset_ != nullptr && (given & VK_PIPELINE_STAGE_HOST_BIT) != 0) {
      Report(Fault::kHostSetsNothing, record, *unset_, label, nullptr, kUnknownSite);
    } else if (needed_ == 0) {
      Report(Fault::kWaitNeverSet, record, *first_, label, nullptr, kUnknownSite);
    } else {
      Report(Fault::kWaitStages, record, *first_, label, setter_, setter_site_, words.Stages(given),
             words.Stages(needed_));
    }
  }
  needed_ = 0;
  unknown_ = report_ = false;
  unset_ = first_ = nullptr;
  setter_ = nullptr;
}

void EventChecks::WaitForOne(const EventSignal& signal, const RecordedEventWait& record,
                             LabelId label) {
  const EventDependency& given = record.dependency;
  const auto report = [&](Fault fault, const char* value = "") {
    Report(fault, record, *record.event, label, signal.call, signal.site, value,
           signal.call != nullptr ? signal.call->name : "");
  };
  switch (signal.by) {
    case By::kUnknown:
      break;
    case By::kNobody:
      if (given.stages == VK_PIPELINE_STAGE_2_HOST_BIT) {
        report(Fault::kHostSetsNothing);
      } else if (given.stages != 0 && (given.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0) {
        report(Fault::kWaitNeverSet);
      }
      break;
    case By::kHost:
      if ((given.stages & ~VK_PIPELINE_STAGE_2_HOST_BIT) != 0) report(Fault::kHostSetStages);
      break;
    case By::kCommand:
      if (!signal.dependency.second) {
        report(Fault::kSetByOtherVersion);
      } else if (signal.dependency.content != given.content) {
        report(Fault::kOtherDependency, !given.asymmetric               ? "10788"
                                        : !signal.dependency.asymmetric ? "10789"
                                                                        : "10790");
      }
      break;
  }
}

namespace {

class RecordedEvents {
 public:
  explicit RecordedEvents(VkCall& call) : checks_(call) {}

  void Run(const Recording& recording) {
    recording.ForEach([&](const Recorded& record) {
      switch (record.kind) {
        case RecordKind::kSetEvent: {
          const auto& set = static_cast<const RecordedSetEvent&>(record);
          checks_.Set(signals_[set.event], set);
          break;
        }
        case RecordKind::kResetEvent: {
          const auto& reset = static_cast<const RecordedResetEvent&>(record);
          EventSignal& signal = signals_[reset.event];
          checks_.Reset(signal, reset, 1, signal.ordered, true, label_);
          break;
        }
        case RecordKind::kEventWait: {
          const auto& wait = static_cast<const RecordedEventWait&>(record);
          checks_.Wait(signals_[wait.event], wait, true, label_);
          break;
        }
        case RecordKind::kWaitEvent:
          Order(*static_cast<const RecordedWaitEvent&>(record).barrier);
          break;
        case RecordKind::kBarrier:
          Order(*static_cast<const RecordedBarrier&>(record).barrier);
          break;
        case RecordKind::kResourceBarrier:
          Order(*static_cast<const RecordedResourceBarrier&>(record).barrier);
          break;
        case RecordKind::kExecute:
          Run(recording.child(static_cast<const RecordedExecute&>(record).child));
          break;
        case RecordKind::kLabel:
          label_ = static_cast<const RecordedLabel&>(record).label;
          break;
        default:
          break;
      }
    });
  }

 private:
  void Order(const ScopeBarrier& barrier) {
    for (auto& [event, signal] : signals_) {
      if ((barrier.source_order & signal.ordered) != 0) signal.ordered |= barrier.target_order;
    }
  }

  EventChecks checks_;
  std::map<const PlainObject*, EventSignal> signals_;
  LabelId label_ = kNoLabel;
};

}  // namespace

void CheckRecordedEvents(VkCall& call, const Recording& recording) {
  RecordedEvents(call).Run(recording);
}

}  // namespace gpusan::vulkan
