// Creates the tracker, and forwards events of host memory, the end of the process and forks to it.
#include "layer/runtime/shadow.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string_view>

#include "hooks/common/base/fork_reset.h"
#include "hooks/common/guard.h"
#include "hooks/common/self_time.h"
#include "hooks/common/sites/site.h"
#include "hooks/host/host_interposition.h"
#include "hooks/host/reuse.h"
#include "hooks/host/static_blocks.h"
#include "layer/runtime/kernel_summaries.h"
#include "layer/runtime/own_thread.h"
#include "layer/runtime/program_interface.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/samples.h"
#include "report/text/gpu_drivers.h"
#include "tracker/base/slab_cache.h"
#include "tracker/host/left_stack.h"
#include "tracker/host/lost_memory.h"
#include "tracker/memory/small_uses.h"
#include "tracker/objects/command_log.h"
#include "tracker/objects/discarded_content.h"
#include "tracker/rules/events/left_stack.h"
#include "tracker/rules/events/lost_memory.h"
#include "tracker/rules/rules.h"
#ifdef GPUSAN_CUDA
#include "layer/runtime/cuda_runtime_names.h"
#endif

namespace gpusan {
namespace {

constinit std::atomic<Tracker*> g_shadow{nullptr};
constinit SpinLock g_making;

// Returns the vocabulary for findings about host memory: that of the API with the most calls.
const Vocabulary& WordsInUse() {
  const ApiPart* most = nullptr;
  uint64_t calls = 0;
  ForEachApi([&](const ApiPart& part) {
    const uint64_t seen = part.calls_seen();
    if (most != nullptr && seen <= calls) return;
    most = &part;
    calls = seen;
  });
  return most->words();  // not nullptr: only an API creates the tracker
}

void Settle() {
  ForEachApi([](const ApiPart& part) {
    if (part.settle != nullptr) part.settle();
  });
}

// Returns the API of the access if its calls are never deferred; nullptr otherwise.
const ApiPart* KnownPart(const Access& pending) {
  const ApiPart* part =
      shadow_internal::parts[static_cast<int>(pending.call->api)].load(std::memory_order_acquire);
  return part != nullptr && part->may_run_later != nullptr ? part : nullptr;
}

// Returns whether the pending commands of that API end without further actions of the program.
bool EndsWithoutProgram(const Tracker& shadow, const Access& pending) {
  const ApiPart* part = KnownPart(pending);
  return part != nullptr && !part->may_run_later(shadow);
}

// The calling thread ends.
void OnThreadEnd(uintptr_t frame) {
  Tracker* shadow = ShadowIfAny();
  if (shadow == nullptr || host_users.load(std::memory_order_relaxed) == 0) return;
  ReentryGuard guard;
  Access pending;
  const Resource* storage = nullptr;
  if (!FindEndedStack(shadow->host_side(), shadow->ordering().host(), frame, &pending, &storage))
    return;
  const ApiPart* part = KnownPart(pending);
  if (part == nullptr) return;
  Call call(*shadow, *pending.call, part->words(), nullptr, nullptr, pending.site);
  rules::OnLeftStack({&pending, storage, true}, call);
  call.EmitNow();
}

class FreeObserver final : public HostObserver {
 public:
  void OnHostFree(const HostBlock& block, SiteId site) override {
    Tracker* shadow = ShadowIfAny();
    if (shadow == nullptr || !shadow->host_side().busy()) return;
    static constexpr CallInfo kFree = {"free", Api::kHost};
    static constexpr CallInfo kUnmap = {"munmap", Api::kHost};
    Call call(*shadow, block.kind == HostBlockKind::kHeap ? kFree : kUnmap, WordsInUse(), nullptr,
              nullptr, site);
    shadow->OnHostFree(call, block);
    call.EmitNow();
  }

  bool IsSmallBlockInUse(const HostBlock& block) override {
    Tracker* shadow = ShadowIfAny();
    Access pending;
    if (shadow == nullptr) return false;
    if (FindPending(*shadow, block.begin, block.bytes, &pending)) return true;
    constexpr uintptr_t kPage = 4096;
    for (uintptr_t page = block.begin / kPage * kPage; page < block.end(); page += kPage) {
      if (!FindPending(*shadow, page, kPage, &pending)) ForgetSmallUses(page);
    }
    return false;
  }

  void EndUses(const HostBlock& block) override {
    Tracker& shadow = *ShadowIfAny();
    Access pending;
    while (FindPending(shadow, block.begin, block.bytes, &pending))
      shadow.host_side().shadow().Remove(pending.region, pending.epoch);
  }

  bool IsLossInUse(const HostBlock& range, HostLoss loss) override {
    Access pending;
    return FindLoss(range, loss, &pending);
  }

  void OnHostLoss(const HostBlock& range, HostLoss loss, SiteId site,
                  const char* function) override {
    Access pending;
    if (!FindLoss(range, loss, &pending)) return;
    const CallInfo info = {function, Api::kHost};
    Call call(*ShadowIfAny(), info, *WordsOf(pending.call->api), nullptr, nullptr, site);
    rules::OnLostMemory({range, loss, &pending}, call);
    call.EmitNow();
  }

  bool IsDeviceMemory(uintptr_t address) override { return DeviceMemory(address) != nullptr; }

  void OnDeviceMemoryFree(uintptr_t address, SiteId site) override {
    static constexpr CallInfo kFree = {"free", Api::kHost};
    const Resource* resource = DeviceMemory(address);
    if (resource == nullptr) return;
    Call call(*ShadowIfAny(), kFree, WordsInUse(), nullptr, nullptr, site);
    rules::HostFree free{{address, resource->bytes, HostBlockKind::kHeap, resource->created}};
    free.shared = resource;
    rules::OnHostFree(free, call);
    call.EmitNow();
  }

 private:
  // Only for commands that run without further actions of the program: it may restore the rights or
  // the content before other commands.
  static bool FindLoss(const HostBlock& range, HostLoss loss, Access* pending) {
    Tracker* shadow = ShadowIfAny();
    return shadow != nullptr &&
           FindLostMemory(shadow->host_side(), shadow->ordering().host(), range, loss, pending) &&
           EndsWithoutProgram(*shadow, *pending);
  }

  static bool FindPending(Tracker& shadow, uintptr_t begin, uint64_t bytes, Access* pending) {
    return shadow.host_side().shadow().busy() &&
           shadow.host_side().shadow().FindPending(Region::Linear(begin, bytes),
                                                   shadow.ordering().host(), pending);
  }

  // Returns the memory of CUDA that begins at the address, if it is not memory that the host may
  // access, which is a known block. Other APIs name device memory by handles, or take it from the
  // host's allocator.
  static const Resource* DeviceMemory(uintptr_t address) {
    Tracker* shadow = ShadowIfAny();
    if (shadow == nullptr) return nullptr;
    const AddressMap& addresses = shadow->objects().addresses();
    const Resource* resource = addresses.Spans(address) ? addresses.Find(address) : nullptr;
    return resource != nullptr && resource->handle == address && resource->api == Api::kCuda &&
                   resource->kind == ObjectKind::kDeviceMemory
               ? resource
               : nullptr;
  }
};

// Writes the entries of the command log and clears it.
void WriteCommands(Tracker& shadow) {
  CommandLog* log = shadow.ordering().command_log();
  if (log == nullptr) return;
  const std::vector<LogEntry> entries = log->Take();
  std::vector<LoggedCommand> commands;
  commands.reserve(entries.size());
  const auto point = [](Epoch epoch) { return CommandPoint{epoch.timeline(), epoch.tick()}; };
  const auto write = [&](const LogEntry& entry, uint64_t from, uint64_t count) {
    LoggedCommand& one = commands.emplace_back();
    one.kind = static_cast<CommandEntryKind>(entry.kind);
    one.time_ns = entry.time;
    one.point = point(entry.epoch);
    one.point.tick += from;
    for (int i = 0; i < 2; ++i) one.behind[i] = point(entry.behind[i]);
    const CommandStep& step = entry.steps[from % entry.cycle];
    if (step.call != nullptr) {
      one.api = step.call->api;
      one.call = step.call->name;
    }
    one.site = step.site;
    for (; count != 1 && one.other_count + 1 < entry.cycle; ++one.other_count) {
      const CommandStep& other = entry.steps[one.other_count + 1];
      one.others[one.other_count] = {other.call->name, other.site};
    }
    one.queue = entry.queue;
    one.queue_site = entry.queue_site;
    one.in_order = entry.in_order;
    one.count = count;
    one.until_ns = entry.until;
    one.waits = count != 1 ? entry.waits : 0;
  };
  const auto write_wait = [&](const LogEntry& entry, uint64_t of) {
    LoggedCommand& wait = commands.emplace_back();
    wait.kind = CommandEntryKind::kWait;
    wait.time_ns = entry.time;
    wait.behind[0] = point(entry.epoch);
    wait.behind[0].tick += of;
  };
  for (const LogEntry& entry : entries) {
    // A pattern of alternating commands that did not occur twice is not compressed: write one
    // record for each command.
    if (entry.cycle > 1 && entry.count < 2 * uint64_t{entry.cycle}) {
      for (uint64_t i = 0; i < entry.count; ++i) {
        write(entry, i, 1);
        if (i + 1 != entry.count && (entry.waits >> i % entry.cycle & 1) != 0) write_wait(entry, i);
      }
    } else {
      write(entry, 0, entry.count);
    }
  }
  Runtime::Get().writer()->Write(commands);
}
static_assert(static_cast<int>(CommandEntryKind::kFailed) == LogEntry::kFailed);
static_assert(LoggedCommand::kMostOthers + 1 == CommandRun::kMost);

// Thread function that calls CommandLog::Beat at the right times, until the process ends.
void Beat(void* log) {
  for (;;) {
    CommandLog& beaten = *static_cast<CommandLog*>(log);
    beaten.Pause(beaten.Beat());
  }
}

void AtSample(SampleRecord* sample, bool last) {
  constexpr int64_t kSecond = 1000000000;
  const int64_t after_s = std::min<int64_t>(Runtime::Get().options().growth_after, kSecond);
  Settle();
  if (Tracker* shadow = ShadowIfAny(); shadow != nullptr)
    TakeSample(*shadow, after_s * kSecond, last, sample);
  if (Tracker* shadow = ShadowIfAny(); shadow != nullptr) WriteCommands(*shadow);
}

void AtEnd(EndRecord* end, bool leaks) {
  Tracker* shadow = ShadowIfAny();
  Settle();
  if (shadow != nullptr) ReportGrowthAtEnd(*shadow);
  ForEachApi([&](const ApiPart& part) {
    const uint64_t calls = part.calls_seen();
    if (shadow != nullptr && part.at_end != nullptr) part.at_end(*shadow);
    if (calls == 0 && part.api != Api::kOpenCL) return;
    end->calls.emplace_back(ApiName(part.api), calls);
    if (shadow != nullptr && leaks) shadow->ReportLeaks(part.words(), part.api, nullptr);
  });
  if (shadow == nullptr) return;
  FillLedger(*shadow, &end->ledger);
  end->own_ns = SelfTime::OwnNs();
  if (const uint64_t series = GrowthSeriesDropped(); series != 0)
    end->dropped.emplace_back("growth_series", series);
  WriteCommands(*shadow);
  if (CommandLog* log = shadow->ordering().command_log(); log != nullptr && log->overwritten() != 0)
    end->dropped.emplace_back("timeline", log->overwritten());
  if (const uint64_t programs = KernelSummariesMissing(); programs != 0)
    end->dropped.emplace_back("kernel_summaries", programs);
  uint64_t unguarded = 0;
  ForEachApi([&](const ApiPart& part) {
    if (part.unguarded != nullptr) unguarded += part.unguarded();
  });
  if (unguarded != 0) end->dropped.emplace_back("unguarded_memory", unguarded);
  if (shadow->ordering().dropped() != 0)
    end->dropped.emplace_back("history", shadow->ordering().dropped());
}

// Drops the tracker in the child of a fork. It is not freed, because another thread of the parent
// may have been inside it, and its objects belong to the parent.
void InForkChild() {
  g_shadow.store(nullptr, std::memory_order_release);
  ResetSlabsAfterFork();
  ForgetDiscardsAfterFork();
  ForgetSamples();
  ForgetProgramWordsAfterFork();
  SelfTime::Reset();
  ForkReset::RunAll();
  ForEachApi([](const ApiPart& part) { part.forget(); });
}

// Returns whether the file of the program, and no library, made the call at the site: the innermost
// frame that is not of a driver, loader or runtime decides.
bool IsOwnCall(SiteId site) {
  SiteFrame frames[kMaxSiteFrames];
  const int count = SiteFrames(site, frames, kMaxSiteFrames);
  for (int i = 0; i < count; ++i) {
    const SiteModule* module = SiteModuleById(frames[i].module);
    if (module == nullptr) return false;
    if (IsForwarding(module->path)) continue;
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
    return length > 0 && std::string_view(path, static_cast<size_t>(length)) == module->path;
  }
  return false;
}

constexpr Lifecycle kLifecycle = {AtEnd, AtSample, InForkChild};

}  // namespace

constinit std::atomic<const ApiPart*> shadow_internal::parts[kApiCount] = {};

const Vocabulary* WordsOf(Api api) {
  const ApiPart* part =
      shadow_internal::parts[static_cast<int>(api)].load(std::memory_order_acquire);
  return part != nullptr ? &part->words() : nullptr;
}

void AddApi(const ApiPart& part) {
  shadow_internal::parts[static_cast<int>(part.api)].store(&part, std::memory_order_release);
}

Tracker* ShadowIfAny() { return g_shadow.load(std::memory_order_acquire); }

Tracker& Shadow() {
  Tracker* shadow = ShadowIfAny();
  if (shadow != nullptr) [[likely]]
    return *shadow;
  std::lock_guard lock(g_making);
  shadow = ShadowIfAny();
  if (shadow != nullptr) return *shadow;
  Runtime& runtime = Runtime::Get();
  TrackerOptions options;
  options.deferred_release_min = static_cast<uint64_t>(runtime.options().deferred_release_min);
  options.disabled_rules = DisabledRules(runtime.options());
  options.leaks = runtime.options().leaks;
  options.command_log = static_cast<uint64_t>(runtime.options().timeline);
  options.host_users = &host_users;
  options.may_be_reused = MayBeReused;
  options.is_own_call = IsOwnCall;
  options.capture = [](const void* return_address, const void* frame_address) {
    return CaptureSite(return_address, frame_address);
  };
  FindingSink* sink = runtime.sink();
#ifdef GPUSAN_CUDA
  sink = new RuntimeNames(*sink);
#endif
  auto* const filter = new ProgramFilter(*sink, *runtime.writer());
  sink = filter;
  SetRepeatCounter(filter);
  AddStaticBlocks(*runtime.host_memory());
  shadow = new Tracker(*sink, *runtime.host_memory(), options);
  // Without the thread, each command reads the clock itself.
  if (shadow->ordering().command_log() != nullptr)
    StartOwnThread("gpusan-beat", Beat, shadow->ordering().command_log());
  static FreeObserver* const observer = new FreeObserver;
  SetHostObserver(observer);
  SetThreadEndObserver(&OnThreadEnd);
  runtime.SetLifecycle(&kLifecycle);
  g_shadow.store(shadow, std::memory_order_release);
  return *shadow;
}

}  // namespace gpusan

#ifdef GPUSAN_TIMELINE_SWITCH
// Only in benchmark builds, which compare calls with and without a timeline in one process.
extern "C" [[gnu::visibility("default")]] void gpusanSwitchTimeline(int on) {
  if (gpusan::Tracker* shadow = gpusan::ShadowIfAny(); shadow != nullptr)
    shadow->ordering().SwitchCommandLog(on != 0);
}
#endif
