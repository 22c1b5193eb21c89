// Replay: the table of operations, and the things that they work on.
#include "tests/replay/player.h"

namespace gpusan::replay {
namespace {

constexpr KindMask kAnyKind = ~KindMask{0};

std::string TextOf(const std::variant<int64_t, uint64_t, std::string>& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<uint64_t>(&value)) return std::to_string(*number);
  return std::to_string(std::get<int64_t>(value));
}

}  // namespace

const std::map<std::string, Player::Handler>& Player::Handlers() {
  static const std::map<std::string, Handler> handlers = {
      {"queue", &Player::NewQueue},
      {"stream", &Player::NewStream},
      {"buffer", &Player::NewBuffer},
      {"user-event", &Player::NewUserEvent},
      {"host", &Player::NewHostBlock},
      {"host-free", &Player::FreeHostBlock},
      {"retain", &Player::Retain},
      {"release", &Player::Release},
      {"use", &Player::UseObject},
      {"end", &Player::End},
      {"write", &Player::Transfer},
      {"read", &Player::Transfer},
      {"copy", &Player::Transfer},
      {"fill", &Player::Transfer},
      {"map", &Player::Transfer},
      {"unmap", &Player::Unmap},
      {"kernel", &Player::Kernel},
      {"marker", &Player::Marker},
      {"barrier", &Player::Marker},
      {"wait", &Player::Wait},
      {"finish", &Player::Finish},
      {"signal", &Player::Signal},
      {"event-record", &Player::RecordEvent},
      {"stream-wait", &Player::WaitRecord},
      {"event-sync", &Player::SyncRecord},
      {"stream-sync", &Player::Finish},
      {"context-sync", &Player::SyncAll},
      {"host-function", &Player::EnqueueHostFunction},
      {"run", &Player::RunHostFunction},
      {"semaphore", &Player::NewSemaphore},
      {"submit-signal", &Player::SignalSemaphore},
      {"submit-wait", &Player::WaitSemaphore},
      {"host-signal", &Player::HostSignalSemaphore},
      {"host-wait", &Player::HostWaitSemaphore},
      {"access", &Player::Access},
      {"pipeline-barrier", &Player::Barrier},
      {"transition", &Player::Transition},
      {"acquire-scope", &Player::AcquireScope},
      {"image", &Player::NewImage},
      {"need-layout", &Player::NeedLayout},
      {"change-layout", &Player::ChangeLayout},
      {"submit", &Player::SubmitCommands},
      {"own-use", &Player::Own},
      {"own-release", &Player::Own},
      {"own-acquire", &Player::Own},
  };
  return handlers;
}

Player::Player() {
  for (const auto& [name, handler] : Handlers()) calls_[name] = {name.c_str(), Api::kOpenCL};
}

void Player::Play(const Operation& operation) {
  const auto found = Handlers().find(operation.words[0]);
  if (found == Handlers().end())
    throw ScriptError(operation.line, "unknown operation '" + operation.words[0] + "'");
  (this->*found->second)(operation);
}

std::vector<Outcome> Player::TakeOutcomes() {
  for (const Finding& finding : fixture_.sink.Take()) {
    Outcome outcome{SeverityName(finding.severity),
                    InfoOf(finding.rule).id,
                    finding.call,
                    static_cast<int>(finding.site),
                    {},
                    {}};
    for (const Party& party : finding.parties)
      outcome.parties.emplace_back(party.role, static_cast<int>(party.site));
    for (const Fact& fact : finding.facts) outcome.facts.emplace_back(fact.key, TextOf(fact.value));
    checked_.push_back(std::move(outcome));
  }
  return std::exchange(checked_, {});
}

void Player::Check(const Operation& operation, const std::string& rule, const std::string& party,
                   int party_line, std::vector<std::pair<std::string, std::string>> facts) {
  Outcome outcome{"error", rule, operation.words[0], operation.line, {}, std::move(facts)};
  if (!party.empty()) outcome.parties.emplace_back(party, party_line);
  checked_.push_back(std::move(outcome));
}

Queue* Player::GetQueue(const Operation& operation, size_t at) {
  Object* object = Get(objects_, operation, operation.word(at));
  if (object->kind != ObjectKind::kQueue)
    throw ScriptError(operation.line, "'" + operation.word(at) + "' is no queue");
  return static_cast<Queue*>(object);
}

Resource* Player::GetBuffer(const Operation& operation, const std::string& name) {
  Object* object = Get(objects_, operation, name);
  if (!object->is_memory()) throw ScriptError(operation.line, "'" + name + "' is no buffer");
  return static_cast<Resource*>(object);
}

// queue NAME in-order|out-of-order
void Player::NewQueue(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    Queue* queue = fixture_.tracker.objects().NewQueue(call, next_handle_ += 8, nullptr,
                                                       operation.word(2) == "in-order", 1);
    objects_[operation.word(1)] = queue;
    queues_.push_back(queue);
  });
}

// stream NAME legacy|blocking|non-blocking
void Player::NewStream(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    Queue* queue = fixture_.tracker.objects().NewQueue(call, next_handle_ += 8, nullptr, true, 1);
    objects_[operation.word(1)] = queue;
    queues_.push_back(queue);
    if (operation.has("blocking")) {
      if (group_ == nullptr) throw ScriptError(operation.line, "the legacy stream comes first");
      group_->Add(queue);
    } else if (operation.word(2) == "legacy") {
      group_ = std::make_unique<StreamGroup>(fixture_.tracker.ordering(), queue);
    }
  });
}

// buffer NAME BYTES [in PARENT OFFSET] [fresh]: a new one is initialised unless it is called fresh
void Player::NewBuffer(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    ResourceSpec spec;
    spec.handle = next_handle_ += 8;
    spec.bytes = operation.number(2);
    spec.initialized = operation.words.size() < 4 || operation.words[3] != "fresh";
    const std::vector<std::string> parent = operation.all("in");
    if (parent.size() == 2) {
      spec.parent = GetBuffer(operation, parent[0]);
      spec.parent_offset = Number(parent[1], operation.line);
    }
    objects_[operation.word(1)] = fixture_.tracker.objects().NewResource(call, spec);
  });
}

// user-event NAME
void Player::NewUserEvent(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    objects_[operation.word(1)] =
        fixture_.tracker.objects().NewUserEvent(call, next_handle_ += 8, nullptr);
  });
}

// host NAME BYTES
void Player::NewHostBlock(const Operation& operation) {
  HostBlock block{};
  block.begin = next_host_ += 1 << 24;
  block.bytes = operation.number(2);
  block.site = static_cast<SiteId>(operation.line);
  fixture_.host_memory.Add(block);
  host_blocks_[operation.word(1)] = {block};
}

// host-free NAME
void Player::FreeHostBlock(const Operation& operation) {
  HostBlock block = Get(host_blocks_, operation, operation.word(1)).block;
  InCall(operation, [&](Call& call) { fixture_.tracker.OnHostFree(call, block); });
  fixture_.host_memory.RemoveHeap(block.begin, &block);
}

// retain NAME
void Player::Retain(const Operation& operation) {
  Object* object = Get(objects_, operation, operation.word(1));
  InCall(operation, [&](Call& call) { fixture_.tracker.objects().Retain(call, object); });
}

// release NAME
void Player::Release(const Operation& operation) {
  Object* object = Get(objects_, operation, operation.word(1));
  InCall(operation, [&](Call& call) {
    Object* released = fixture_.tracker.objects().UseForRelease(call, object->handle,
                                                                MaskOf(object->kind), "object");
    if (released != nullptr) fixture_.tracker.objects().Release(call, released);
  });
}

// use NAME: a call that takes the handle
void Player::UseObject(const Operation& operation) {
  Object* object = Get(objects_, operation, operation.word(1));
  InCall(operation, [&](Call& call) {
    fixture_.tracker.objects().Use(call, object->handle, kAnyKind, "object");
  });
}

// end: the process ends
void Player::End(const Operation&) {
  fixture_.tracker.ReportLeaks(fixture_.words, Api::kOpenCL, nullptr);
}

}  // namespace gpusan::replay
