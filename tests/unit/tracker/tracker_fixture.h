// A tracker with nothing around it: findings are kept, sites are numbers, words are neutral.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tracker/memory/host_memory.h"
#include "tracker/tracker.h"

namespace gpusan::test {

class NeutralVocabulary final : public Vocabulary {
 public:
  const char* Cite(Clause) const override { return "clause"; }
  std::string Flags(const Resource& resource) const override {
    return std::to_string(resource.native_flags);
  }
  std::string Format(const ImageInfo& image) const override {
    return std::to_string(image.texel_bytes) + " B a texel";
  }
  std::string FittingType(const ImageInfo&, uint64_t) const override { return ""; }
  std::string CodeName(int64_t code) const override {
    return code == 0 ? "ok" : "error " + std::to_string(code);
  }
  const char* ReleaseCall(ObjectKind) const override { return "release"; }
  const char* WaitCalls() const override { return "finish or wait"; }
};

// Thread-safe.
class KeptFindings : public FindingSink {
 public:
  void Report(Finding&& finding) override {
    std::lock_guard lock(lock_);
    findings_.push_back(std::move(finding));
  }
  std::vector<Finding> Take() {
    std::lock_guard lock(lock_);
    return std::exchange(findings_, {});
  }

 private:
  std::mutex lock_;
  std::vector<Finding> findings_;
};

// A call's site is the number that was given as its return address.
inline SiteId SiteOfNumber(const void* number, const void*) {
  return static_cast<SiteId>(reinterpret_cast<uintptr_t>(number));
}

inline TrackerOptions OptionsWithSites() {
  TrackerOptions options;
  options.capture = SiteOfNumber;
  options.may_be_reused = [](uintptr_t, uint64_t bytes) { return bytes < 1024; };
  return options;
}

inline constexpr CallInfo kCreateCall = {"create", Api::kOpenCL};
inline constexpr CallInfo kReleaseCall = {"release", Api::kOpenCL};
inline constexpr CallInfo kWriteCall = {"write", Api::kOpenCL};
inline constexpr CallInfo kReadCall = {"read", Api::kOpenCL};
inline constexpr CallInfo kLaunchCall = {"launch", Api::kOpenCL};
inline constexpr CallInfo kWaitCall = {"wait", Api::kOpenCL};

class TrackerFixture {
 public:
  explicit TrackerFixture(const TrackerOptions& options = OptionsWithSites())
      : tracker_owner(std::make_unique<Tracker>(sink, host_memory, options)) {}

  // Calls `function(Call&)` within a call at `site`, which then ends with success.
  template <typename Function>
  auto In(const CallInfo& info, SiteId site, Function function) {
    Call call(tracker, info, words, reinterpret_cast<const void*>(uintptr_t{site}), nullptr);
    if constexpr (std::is_void_v<decltype(function(call))>) {
      function(call);
      call.Finish(0);
    } else {
      auto result = function(call);
      call.Finish(0);
      return result;
    }
  }

  Queue* NewQueue(uintptr_t handle, bool in_order) {
    return In(kCreateCall, 1, [&](Call& call) {
      return tracker.objects().NewQueue(call, handle, nullptr, in_order, 1);
    });
  }
  Resource* NewBuffer(uintptr_t handle, uint64_t bytes, Resource* parent = nullptr,
                      uint64_t offset = 0, SiteId site = 2) {
    return In(kCreateCall, site, [&](Call& call) {
      ResourceSpec spec;
      spec.handle = handle;
      spec.bytes = bytes;
      spec.parent = parent;
      spec.parent_offset = offset;
      spec.initialized = true;
      return tracker.objects().NewResource(call, spec);
    });
  }
  Event* NewUserEvent(uintptr_t handle) {
    return In(kCreateCall, 3,
              [&](Call& call) { return tracker.objects().NewUserEvent(call, handle, nullptr); });
  }
  void Release(Object* object, SiteId site = 4) {
    In(kReleaseCall, site, [&](Call& call) { tracker.objects().Release(call, object); });
  }

  // Enqueues a transfer between the buffer and nothing that is known of; returns the command.
  Command Transfer(Queue* queue, Resource* buffer, bool write, uint64_t offset, uint64_t bytes,
                   std::vector<Event*> waits = {}, SiteId site = 5) {
    Command command;
    In(write ? kWriteCall : kReadCall, site, [&](Call& call) {
      gpusan::Transfer transfer;
      transfer.kind = write ? TransferKind::kWrite : TransferKind::kRead;
      Side& device = write ? transfer.destination : transfer.source;
      device.resource = buffer;
      device.region = Region::Linear(offset, bytes);
      tracker.ordering().Begin(call, command, queue, waits);
      tracker.accesses().CheckTransfer(call, transfer);
      tracker.accesses().RecordTransfer(call, command, transfer);
      tracker.accesses().CommitTransfer(transfer);
    });
    return command;
  }
  Event* EventOf(uintptr_t handle, const Command& command) {
    return In(kWriteCall, 5, [&](Call& call) {
      return tracker.objects().NewEvent(call, handle, nullptr, command);
    });
  }
  Command Barrier(Queue* queue, std::vector<Event*> waits = {}) {
    Command command;
    In(kWaitCall, 6, [&](Call& call) {
      tracker.ordering().Begin(call, command, queue, waits, waits.empty(), true);
    });
    return command;
  }
  void Signal(Event* event, int32_t status, SiteId site = 7) {
    In(kWaitCall, site,
       [&](Call& call) { tracker.ordering().SignalUserEvent(call, *event, status); });
  }

  // The rules of the findings since the last call, in order.
  std::vector<std::string> Rules() {
    std::vector<std::string> rules;
    for (const Finding& finding : sink.Take()) rules.push_back(InfoOf(finding.rule).id);
    return rules;
  }

  KeptFindings sink;
  HostMemory host_memory;
  NeutralVocabulary words;
  std::unique_ptr<Tracker> tracker_owner;
  Tracker& tracker = *tracker_owner;
};

}  // namespace gpusan::test
