// Plays operations into a tracker with no driver behind it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/replay/script.h"
#include "tests/unit/tracker/tracker_fixture.h"
#include "tracker/model/event_record.h"
#include "tracker/order/semaphore.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"
#include "tracker/state/host_function.h"
#include "tracker/state/stream_group.h"

namespace gpusan::replay {

class Player {
 public:
  Player();
  // Throws ScriptError.
  void Play(const Operation& operation);
  // What was found since the last call, in order.
  std::vector<Outcome> TakeOutcomes();

 private:
  using Handler = void (Player::*)(const Operation&);
  // A table row: the name of the operation is the name of the call in findings.
  static const std::map<std::string, Handler>& Handlers();

  // Things (objects.cc)
  void NewQueue(const Operation& operation);
  void NewStream(const Operation& operation);
  void NewBuffer(const Operation& operation);
  void NewUserEvent(const Operation& operation);
  void NewHostBlock(const Operation& operation);
  void FreeHostBlock(const Operation& operation);
  void Retain(const Operation& operation);
  void Release(const Operation& operation);
  void UseObject(const Operation& operation);
  void End(const Operation& operation);
  // Commands (commands.cc)
  void Transfer(const Operation& operation);
  void Kernel(const Operation& operation);
  void Marker(const Operation& operation);
  void Unmap(const Operation& operation);
  void Wait(const Operation& operation);
  void Finish(const Operation& operation);
  void Signal(const Operation& operation);
  // Streams (streams.cc)
  void RecordEvent(const Operation& operation);
  void WaitRecord(const Operation& operation);
  void SyncRecord(const Operation& operation);
  void EnqueueHostFunction(const Operation& operation);
  void RunHostFunction(const Operation& operation);
  void SyncAll(const Operation& operation);
  // Vulkan's order (scopes.cc)
  void NewSemaphore(const Operation& operation);
  void SignalSemaphore(const Operation& operation);
  void WaitSemaphore(const Operation& operation);
  void HostSignalSemaphore(const Operation& operation);
  void HostWaitSemaphore(const Operation& operation);
  void Access(const Operation& operation);
  void Barrier(const Operation& operation);
  void Transition(const Operation& operation);
  void AcquireScope(const Operation& operation);
  void NewImage(const Operation& operation);
  void NeedLayout(const Operation& operation);
  void ChangeLayout(const Operation& operation);
  void SubmitCommands(const Operation& operation);
  void Own(const Operation& operation);

  template <typename Function>
  void InCall(const Operation& operation, Function function);
  template <typename Map>
  auto& Get(Map& map, const Operation& operation, const std::string& name) {
    const auto found = map.find(name);
    if (found == map.end()) throw ScriptError(operation.line, "there is no '" + name + "'");
    return found->second;
  }
  Queue* GetQueue(const Operation& operation, size_t at = 1);
  Resource* GetBuffer(const Operation& operation, const std::string& name);
  std::vector<Event*> Waits(const Operation& operation);
  void Enqueue(const Operation& operation, Call& call, Command& command, bool after_all = false,
               bool barrier = false);
  void Finished(const Operation& operation, Call& call, Command& command);
  void Check(const Operation& operation, const std::string& rule, const std::string& party,
             int party_line, std::vector<std::pair<std::string, std::string>> facts);
  void CheckHazard(const Operation& operation, const ScopedConflict& conflict);
  void CheckMisuse(const Operation& operation, const char* misuse);
  ScopedAccess NextAccess(const Operation& operation);

  struct HostBlockOf {
    HostBlock block;
  };
  struct Semaphore {
    PlainObject* object = nullptr;
    bool timeline = false;
    SignalList signals;
  };
  struct Mapped {
    Resource* resource;
    const void* pointer;
  };
  struct Image {
    std::unique_ptr<LayoutMap> layouts;
    Ownership owner;
  };

  test::TrackerFixture fixture_;
  std::map<std::string, CallInfo> calls_;
  std::map<std::string, Object*> objects_;
  std::map<std::string, HostBlockOf> host_blocks_;
  std::map<std::string, Mapped> mappings_;
  std::map<std::string, EventRecord> records_;
  std::map<std::string, HostFunction> functions_;
  std::unique_ptr<StreamGroup> group_;
  std::vector<Queue*> queues_;
  std::map<std::string, Semaphore> semaphores_;
  // One queue, whose commands only barriers order.
  std::map<std::string, ScopedHistory> scopes_;
  SubmissionOrder order_;
  uint64_t tick_ = 0;
  std::map<std::string, Image> images_;
  std::map<std::string, std::vector<Operation>> command_buffers_;
  std::vector<Outcome> checked_;
  uintptr_t next_handle_ = 0x1000;
  uintptr_t next_host_ = 0x10000000;
};

template <typename Function>
void Player::InCall(const Operation& operation, Function function) {
  const auto info = calls_.find(operation.words[0]);
  Call call(fixture_.tracker, info->second, fixture_.words,
            reinterpret_cast<const void*>(uintptr_t(operation.line)), nullptr);
  function(call);
  call.Finish(0);
}

}  // namespace gpusan::replay
