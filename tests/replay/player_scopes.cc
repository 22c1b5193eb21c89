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

void Player::JudgeHazard(const Operation& operation, const ScopeHazard& hazard) {
  if (hazard.kind == Hazard::kNone) return;
  const char* missing = hazard.unordered       ? "order"
                        : hazard.not_available ? "availability"
                                               : "visibility";
  Judge(operation, "missing-barrier", "earlier-access", static_cast<int>(hazard.earlier.site),
        {{"hazard", HazardName(hazard.kind)}, {"missing", missing}});
}

void Player::JudgeSemaphore(const Operation& operation, SemaphoreMisuse misuse) {
  if (misuse == SemaphoreMisuse::kNone) return;
  static constexpr const char* kNames[] = {"", "signaled-twice", "nothing-to-wait-for",
                                           "value-not-greater"};
  Judge(operation, "sync-object-misuse", "", 0, {{"misuse", kNames[static_cast<int>(misuse)]}});
}

// semaphore NAME binary, semaphore NAME timeline INITIAL
void Player::NewSemaphore(const Operation& operation) {
  InCall(operation, [&](Call& call) {
    Semaphore& semaphore = semaphores_[operation.word(1)];
    semaphore.object =
        fixture_.tracker.NewPlain(call, ObjectKind::kSemaphore, next_handle_ += 8, nullptr);
    if (operation.word(2) == "binary") {
      semaphore.binary = std::make_unique<BinarySemaphore>();
    } else {
      semaphore.timeline = std::make_unique<TimelineSemaphore>(fixture_.tracker, *semaphore.object,
                                                               operation.number(3));
    }
  });
}

// submit-signal Q SEMAPHORE [VALUE]
void Player::SignalSemaphore(const Operation& operation) {
  Semaphore& semaphore = Get(semaphores_, operation, operation.word(2));
  const Snapshot point = fixture_.tracker.Snap(*GetQueue(operation));
  InCall(operation, [&](Call& call) {
    JudgeSemaphore(operation, semaphore.binary
                                  ? semaphore.binary->Signal(point)
                                  : semaphore.timeline->Signal(call, operation.number(3), point));
  });
}

// submit-wait Q SEMAPHORE [VALUE]
void Player::WaitSemaphore(const Operation& operation) {
  Semaphore& semaphore = Get(semaphores_, operation, operation.word(2));
  Queue* queue = GetQueue(operation);
  if (semaphore.timeline) {
    semaphore.timeline->Wait(*queue, operation.number(3));
    return;
  }
  Snapshot point;
  JudgeSemaphore(operation, semaphore.binary->Wait(&point));
  fixture_.tracker.OrderBehind(*queue, point);
}

// host-signal SEMAPHORE VALUE
void Player::HostSignalSemaphore(const Operation& operation) {
  Semaphore& semaphore = Get(semaphores_, operation, operation.word(1));
  InCall(operation, [&](Call& call) {
    JudgeSemaphore(operation, semaphore.timeline->Signal(call, operation.number(2), Snapshot()));
    semaphore.timeline->Observe(operation.number(2));
  });
}

// host-wait SEMAPHORE VALUE
void Player::HostWaitSemaphore(const Operation& operation) {
  Get(semaphores_, operation, operation.word(1)).timeline->Observe(operation.number(2));
}

// access RESOURCE STAGE ACCESS: in submission order of one queue
void Player::Access(const Operation& operation) {
  ScopeAccess access;
  access.stage = Mask(operation.word(2), kStages, operation.line);
  access.access = Mask(operation.word(3), kAccesses, operation.line);
  access.write = operation.word(3).find("write") != std::string::npos;
  access.call = &calls_["access"];
  access.site = static_cast<SiteId>(operation.line);
  JudgeHazard(operation, scopes_[operation.word(1)].Use(access));
}

// pipeline-barrier [RESOURCE...] src STAGES ACCESSES dst STAGES ACCESSES; of all resources when
// none is named
void Player::Barrier(const Operation& operation) {
  const ScopeBarrier barrier = BarrierOf(operation);
  for (size_t i = 1; i < operation.words.size(); ++i) scopes_[operation.words[i]].Apply(barrier);
  if (operation.words.size() > 1) return;
  for (auto& [name, scope] : scopes_) scope.Apply(barrier);
}

// transition RESOURCE src STAGES ACCESSES dst STAGES ACCESSES: a barrier that changes the layout
void Player::Transition(const Operation& operation) {
  JudgeHazard(operation,
              scopes_[operation.word(1)].Transition(BarrierOf(operation), &calls_["transition"],
                                                    static_cast<SiteId>(operation.line)));
}

// acquire-scope STAGES: a semaphore was waited for in these stages; "acquire-scope host": by the
// host, for everything
void Player::AcquireScope(const Operation& operation) {
  for (auto& [name, scope] : scopes_) {
    if (operation.word(1) == "host") {
      scope.Forget();
    } else {
      scope.Acquire(Mask(operation.word(1), kStages, operation.line));
    }
  }
}

// image NAME MIPS LAYERS [LAYOUT]
void Player::NewImage(const Operation& operation) {
  const Layout layout =
      LayoutOf(operation.words.size() > 4 ? operation.words[4] : "undefined", operation.line);
  images_[operation.word(1)].layouts =
      std::make_unique<LayoutMap>(static_cast<uint32_t>(operation.number(2)),
                                  static_cast<uint32_t>(operation.number(3)), layout);
}

// need-layout COMMANDS IMAGE MIPS LAYERS LAYOUT, change-layout COMMANDS IMAGE MIPS LAYERS FROM TO
void Player::NeedLayout(const Operation& operation) { ChangeLayout(operation); }

void Player::ChangeLayout(const Operation& operation) {
  const LayoutMap& image = *Get(images_, operation, operation.word(2)).layouts;
  auto& recorded = command_buffers_[operation.word(1)];
  RecordedLayouts& layouts =
      recorded
          .try_emplace(operation.word(2), image.mips(), image.layers(), LayoutOf("undefined", 0))
          .first->second;
  const SubresourceRange range = Subresources(operation, 3);
  const Layout first = LayoutOf(operation.word(5), operation.line);
  const std::optional<LayoutMismatch> mismatch =
      operation.words[0] == "need-layout"
          ? layouts.Need(range, first)
          : layouts.Change(range, first, LayoutOf(operation.word(6), operation.line));
  if (!mismatch) return;
  Judge(operation, "layout-mismatch", "", 0,
        {{"mip", std::to_string(mismatch->mip)},
         {"layer", std::to_string(mismatch->layer)},
         {"expected", NameOf(mismatch->expected)},
         {"actual", NameOf(mismatch->actual)}});
}

// submit COMMANDS
void Player::SubmitCommands(const Operation& operation) {
  for (const auto& [name, layouts] : Get(command_buffers_, operation, operation.word(1))) {
    const std::optional<LayoutMismatch> mismatch = layouts.Submit(images_[name].layouts.get());
    if (!mismatch) continue;
    Judge(operation, "layout-mismatch", "", 0,
          {{"mip", std::to_string(mismatch->mip)},
           {"layer", std::to_string(mismatch->layer)},
           {"expected", NameOf(mismatch->expected)},
           {"actual", NameOf(mismatch->actual)}});
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
  Judge(operation, "queue-ownership", "", 0, {{"misuse", kNames[static_cast<int>(misuse)]}});
}

}  // namespace gpusan::replay
