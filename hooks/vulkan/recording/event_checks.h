// Checks that commands wait for events as other commands, or the host, set them.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recorder/recording.h"

namespace gpusan::vulkan {

// Follows the signals of events through commands in their order, and adds findings. `report`
// states for each wait and reset whether to add a finding: faults inside one recording are reported
// when it ends, all others when it is submitted. Not thread-safe.
class EventChecks {
 public:
  explicit EventChecks(VkCall& call) : call_(call) {}

  void Set(EventSignal& signal, const RecordedSetEvent& record);
  // `position`: of the reset in its queue. `ordered`: the stages after the last wait for the
  // event, if `signal` does not hold them.
  void Reset(EventSignal& signal, const RecordedResetEvent& record, Position position,
             uint64_t ordered, bool report, LabelId label);
  // A command of another queue set the event.
  void WaitForOtherQueue(const CallInfo& setter, SiteId site, const RecordedEventWait& record,
                         LabelId label) {
    Report(Fault::kWaitOtherQueue, record, *record.event, label, &setter, site, "", setter.name);
  }
  void Wait(EventSignal& signal, const RecordedEventWait& record, bool report, LabelId label);

 private:
  using Fault = rules::SyncStateUse::Fault;
  void Report(Fault fault, const Recorded& record, const Object& event, LabelId label,
              const CallInfo* earlier, SiteId site, std::string value = "", std::string other = "");
  void WaitForOne(const EventSignal& signal, const RecordedEventWait& record, LabelId label);
  // All events of a wait of synchronization1.
  void WaitForAll(const RecordedEventWait& record, LabelId label);

  VkCall& call_;
  // These members describe the events of the current wait of synchronization1 that were visited.
  uint64_t needed_ = 0;   // the stages with which they are set
  bool unknown_ = false;  // the signal of one is unknown
  bool report_ = false;
  const PlainObject* unset_ = nullptr;  // one that is not set; nullptr: none
  const PlainObject* first_ = nullptr;
  const CallInfo* setter_ = nullptr;
  SiteId setter_site_ = kUnknownSite;
};

// Adds the findings about events that depend on the recording alone, not on its submission.
void CheckRecordedEvents(VkCall& call, const Recording& recording);

}  // namespace gpusan::vulkan
