// Replay: barriers, layouts, semaphores and ownership, as Vulkan has them. Stages, accesses and
// layouts go by names.
#include <algorithm>
#include <optional>

#include "tests/replay/player.h"

namespace gpusan::replay {
namespace {

// Bits in order of their names; "all" is every bit, "none" no bit, "a|b" both.
uint64_t Mask(const std::string& text, const std::vector<std::string>& names, int line) {
  uint64_t mask = 0;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('|', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    if (name == "all") {
      mask |= (uint64_t{1} << names.size()) - 1;
    } else if (name != "none") {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) throw ScriptError(line, "'" + name + "' is not known");
      mask |= uint64_t{1} << (found - names.begin());
    }
    begin = end + 1;
  }
  return mask;
}

const std::vector<std::string> kStages = {"transfer", "compute", "vertex",
                                          "fragment", "color",   "host"};
const std::vector<std::string> kAccesses = {"transfer-read", "transfer-write", "shader-read",
                                            "shader-write",  "color-read",     "color-write",
                                            "host-read",     "host-write"};
const std::vector<std::string> kLayouts = {"undefined",       "general", "transfer-source",
                                           "transfer-target", "shader",  "color"};

Layout LayoutOf(const std::string& name, int line) {
  const auto found = std::find(kLayouts.begin(), kLayouts.end(), name);
  if (found == kLayouts.end()) throw ScriptError(line, "layout '" + name + "' is not known");
  return static_cast<Layout>(found - kLayouts.begin());
}

std::string NameOf(Layout layout) { return layout < kLayouts.size() ? kLayouts[layout] : "?"; }

// "2" or "1-3": first and count.
std::pair<uint32_t, uint32_t> RangeOf(const std::string& text, int line) {
  const size_t dash = text.find('-');
  const auto first = static_cast<uint32_t>(Number(text.substr(0, dash), line));
  if (dash == std::string::npos) return {first, 1};
  return {first, static_cast<uint32_t>(Number(text.substr(dash + 1), line)) - first + 1};
}

SubresourceRange Subresources(const Operation& operation, size_t at) {
  const auto [first_mip, mips] = RangeOf(operation.word(at), operation.line);
  const auto [first_layer, layers] = RangeOf(operation.word(at + 1), operation.line);
  return {first_mip, mips, first_layer, layers};
}

// src STAGES ACCESSES dst STAGES ACCESSES
ScopeBarrier BarrierOf(const Operation& operation) {
  const std::vector<std::string> source = operation.all("src"), target = operation.all("dst");
  if (source.size() != 2 || target.size() != 2)
    throw ScriptError(operation.line, "src STAGES ACCESSES dst STAGES ACCESSES");
  ScopeBarrier barrier;
  barrier.source_order = barrier.source_stages = Mask(source[0], kStages, operation.line);
  barrier.source_access = Mask(source[1], kAccesses, operation.line);
  barrier.target_order = barrier.target_stages = Mask(target[0], kStages, operation.line);
  barrier.target_access = Mask(target[1], kAccesses, operation.line);
  return barrier;
}

}  // namespace

namespace {

// A timeline that the tracker gives to no queue of a script.
constexpr TimelineId kTimeline = kMaxTimelines - 2;
const Clock kNothingBefore;

}  // namespace

void Player::CheckHazard(const Operation& operation, const ScopedConflict& conflict) {
  const char* missing = conflict.unordered          ? "order"
                        : !conflict.reach.available ? "availability"
                                                    : "visibility";
  Check(operation, "missing-barrier", "earlier-access", static_cast<int>(conflict.earlier->site),
        {{"hazard", HazardName(conflict.kind)}, {"missing", missing}});
}

void Player::CheckMisuse(const Operation& operation, const char* misuse) {
  Check(operation, "sync-object-misuse", "", 0, {{"misuse", misuse}});
}

// semaphore NAME binary, semaphore NAME timeline INITIAL
void Player::NewSemaphore(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    Semaphore& semaphore = semaphores_[operation.word(1)];
    semaphore.object = fixture_.tracker.objects().NewPlain(call, ObjectKind::kSemaphore,
                                                           next_handle_ += 8, nullptr);
    semaphore.timeline = operation.word(2) != "binary";
    if (semaphore.timeline) semaphore.signals.Reset(operation.number(3));
  });
}

// submit-signal Q SEMAPHORE [VALUE]
void Player::SignalSemaphore(const Operation& operation) {
  Semaphore& semaphore = Get(semaphores_, operation, operation.word(2));
  const Snapshot point = fixture_.tracker.ordering().Snap(*GetQueue(operation));
  const uint64_t value = semaphore.timeline ? operation.number(3) : 0;
  if (!semaphore.signals.Add({value, point}))
    return CheckMisuse(operation, semaphore.timeline ? "value-not-greater" : "signaled-twice");
  if (!semaphore.timeline) return;
  InCall(operation, [&](Call& call) {
    fixture_.tracker.ordering().OpenGate(call, *semaphore.object, value, point);
  });
}

// submit-wait Q SEMAPHORE [VALUE]
void Player::WaitSemaphore(const Operation& operation) {
  Semaphore& semaphore = Get(semaphores_, operation, operation.word(2));
  Queue* queue = GetQueue(operation);
  std::vector<Snapshot> points;
  if (semaphore.timeline) {
    const uint64_t value = operation.number(3);
    if (!semaphore.signals.PointsOf(value, &points))
      fixture_.tracker.ordering().GateBehind(*queue, *semaphore.object, value);
  } else if (semaphore.signals.pending()) {
    points.push_back(semaphore.signals.Take().point);
  } else {
    CheckMisuse(operation, "nothing-to-wait-for");
  }
  for (const Snapshot& point : points) fixture_.tracker.ordering().OrderBehind(*queue, point);
}

// host-signal SEMAPHORE VALUE
void Player::HostSignalSemaphore(const Operation& operation) {
  Semaphore& semaphore = Get(semaphores_, operation, operation.word(1));
  const uint64_t value = operation.number(2);
  if (!semaphore.signals.Add({value})) return CheckMisuse(operation, "value-not-greater");
  InCall(operation, [&](Call& call) {
    fixture_.tracker.ordering().OpenGate(call, *semaphore.object, value, Snapshot());
  });
  HostWaitSemaphore(operation);
}

// host-wait SEMAPHORE VALUE
void Player::HostWaitSemaphore(const Operation& operation) {
  SignalList& signals = Get(semaphores_, operation, operation.word(1)).signals;
  for (const Snapshot& point : signals.Observe(operation.number(2)))
    fixture_.tracker.ordering().WaitSnapshot(point);
}

ScopedAccess Player::NextAccess(const Operation& operation) {
  ScopedAccess access;
  access.extent = Region::Linear(0, 1);
  access.epoch = Epoch(kTimeline, ++tick_);
  access.position = order_.Next();
  access.call = &calls_[operation.words[0]];
  access.site = static_cast<SiteId>(operation.line);
  return access;
}

// access RESOURCE STAGE ACCESS: in submission order of one queue
void Player::Access(const Operation& operation) {
  ScopedAccess access = NextAccess(operation);
  access.stage = Mask(operation.word(2), kStages, operation.line);
  access.access = Mask(operation.word(3), kAccesses, operation.line);
  access.write = operation.word(3).find("write") != std::string::npos;
  scopes_[operation.word(1)].Use(
      access, {order_, kNothingBefore, fixture_.tracker.ordering().host()},
      [&](const ScopedConflict& conflict) { CheckHazard(operation, conflict); });
}

// pipeline-barrier [RESOURCE...] src STAGES ACCESSES dst STAGES ACCESSES; of all resources when
// none is named
void Player::Barrier(const Operation& operation) {
  const ScopeBarrier barrier = BarrierOf(operation);
  for (size_t i = 1; i < operation.words.size(); ++i) {
    scopes_[operation.words[i]].Apply(barrier, Region::Linear(0, 1), kTimeline,
                                      {order_, kNothingBefore, fixture_.tracker.ordering().host()});
  }
  if (operation.words.size() == 1)
    order_.Add(barrier, &calls_[operation.words[0]], static_cast<SiteId>(operation.line));
}

// transition RESOURCE src STAGES ACCESSES dst STAGES ACCESSES: a barrier that changes the layout
void Player::Transition(const Operation& operation) {
  ScopedAccess access = NextAccess(operation);
  access.write = access.transition = true;
  scopes_[operation.word(1)].Transition(
      BarrierOf(operation), access, {order_, kNothingBefore, fixture_.tracker.ordering().host()},
      [&](const ScopedConflict& conflict) { CheckHazard(operation, conflict); });
}

// acquire-scope STAGES: a semaphore was waited for in these stages; "acquire-scope host": by the
// host, for everything
void Player::AcquireScope(const Operation& operation) {
  const Epoch last(kTimeline, tick_);
  if (operation.word(1) == "host") {
    fixture_.tracker.ordering().host().Join(last);
    return;
  }
  Clock clock;
  clock.Join(last);
  order_.Acquire(clock, Mask(operation.word(1), kStages, operation.line),
                 &calls_[operation.words[0]], static_cast<SiteId>(operation.line));
}

// image NAME MIPS LAYERS [LAYOUT]
void Player::NewImage(const Operation& operation) {
  const Layout layout =
      LayoutOf(operation.words.size() > 4 ? operation.words[4] : "undefined", operation.line);
  images_[operation.word(1)].layouts =
      std::make_unique<LayoutMap>(static_cast<uint32_t>(operation.number(2)),
                                  static_cast<uint32_t>(operation.number(3)), layout);
}

// need-layout COMMANDS IMAGE MIPS LAYERS LAYOUT, change-layout COMMANDS IMAGE MIPS LAYERS FROM TO:
// recorded, and checked when they are submitted
void Player::NeedLayout(const Operation& operation) { ChangeLayout(operation); }

void Player::ChangeLayout(const Operation& operation) {
  command_buffers_[operation.word(1)].push_back(operation);
}

// submit COMMANDS
void Player::SubmitCommands(const Operation& submit) {
  for (const Operation& operation : Get(command_buffers_, submit, submit.word(1))) {
    LayoutMap& layouts = *Get(images_, operation, operation.word(2)).layouts;
    const SubresourceRange range = Subresources(operation, 3);
    const Layout first = LayoutOf(operation.word(5), operation.line);
    const bool changes = operation.words[0] == "change-layout";
    // From "undefined" any content may be dropped.
    if (!changes || NameOf(first) != "undefined") {
      if (const auto mismatch = layouts.Check(range, first)) {
        Check(operation, "layout-mismatch", "", 0,
              {{"mip", std::to_string(mismatch->mip)},
               {"layer", std::to_string(mismatch->layer)},
               {"expected", NameOf(mismatch->expected)},
               {"actual", NameOf(mismatch->actual.layout)}});
      }
    }
    if (changes) layouts.Set(range, LayoutOf(operation.word(6), operation.line));
  }
}

// own-use IMAGE FAMILY [discard], own-release IMAGE FROM TO, own-acquire IMAGE FROM TO
void Player::Own(const Operation& operation) {
  Ownership& owner = Get(images_, operation, operation.word(1)).owner;
  const auto first = static_cast<uint32_t>(operation.number(2));
  Ownership::Misuse misuse;
  if (operation.words[0] == "own-use") {
    misuse = owner.Use(first, operation.words.size() > 3 && operation.words[3] == "discard");
  } else {
    const auto second = static_cast<uint32_t>(operation.number(3));
    misuse = operation.words[0] == "own-release" ? owner.Release(first, second)
                                                 : owner.Acquire(first, second);
  }
  if (misuse == Ownership::Misuse::kNone) return;
  static constexpr const char* kNames[] = {"", "not-owner", "not-released", "different-transfer",
                                           "released-by-non-owner"};
  Check(operation, "queue-ownership", "", 0, {{"misuse", kNames[static_cast<int>(misuse)]}});
}

}  // namespace gpusan::replay
