// Tracker: unexplained failures, holders of memory, and the leaks of a context or the process.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "tracker/rules/rules.h"
#include "tracker/state/memory_use.h"
#include "tracker/tracker.h"

namespace gpusan {

void Tracker::ReportFailure(Call& call, const Failure& failure, Finding* reported) {
  if (call.explained()) return;
  if (failure.out_of_memory) {
    const Api api = call.info().api;
    const Ledger::Totals totals = objects_.ledger().Of(api);
    const HeldMemory held = {totals.live_bytes,           totals.live_count,
                             totals.largest_bytes,        objects_.pending_releases().Bytes(api),
                             LargestOf(objects_, api, 3), HoldersOf(objects_, api)};
    Failure with_holders = failure;
    with_holders.held = &held;
    rules::OnFailure(with_holders, call);
  } else {
    rules::OnFailure(failure, call);
  }
  if (reported != nullptr && call.findings() != nullptr) {
    *reported = call.findings()->back();
    reported->has_code = true;
    reported->code = failure.code;
    reported->code_name = call.words().CodeName(failure.code);
  }
  call.Finish(failure.code);
}

void Tracker::ReportDeviceFault(Call& call, const DeviceFault& fault) {
  faulted_.fetch_or(1u << static_cast<int>(call.info().api), std::memory_order_relaxed);
  rules::OnDeviceFault(fault, call);
}

namespace {

// Returns what still refers to the resource, as one line.
std::string HeldBy(Objects& objects, const Vocabulary& words, const Resource& resource) {
  std::string held;
  auto add = [&](const std::string& line) {
    if (!held.empty()) held += "; ";
    held += line;
  };
  int more = 0;
  objects.ForEachResource([&](Resource& other) {
    if (other.parent != &resource || other.parent_generation != resource.generation) return;
    if (++more <= 4) add(absl::StrCat(ObjectText(other, words), ", made from it"));
  });
  objects.ForEachKernel([&](Kernel& kernel) {
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (kernel.arguments[i].resource.get() == &resource && ++more <= 4) {
        add(absl::StrCat("argument ", i, " of ", ObjectText(kernel, words)));
      }
    }
  });
  const ResourceExtra* extra = resource.more();
  if (extra != nullptr && !extra->mappings.empty()) {
    add(absl::StrCat(extra->mappings.size(), " mapped region",
                     extra->mappings.size() == 1 ? "" : "s"));
  }
  return held;
}

bool HoldsMemory(const Object& object) {
  return object.is_memory() || object.kind == ObjectKind::kMemoryPool ||
         object.kind == ObjectKind::kReservation || object.kind == ObjectKind::kExternalMemory;
}

// An API that leaves objects without memory to the end of the process permits a program to keep
// them. A loop that keeps the objects of each turn is reported nevertheless.
bool IsKeptByLoop(Objects& objects, const TrackerOptions& options, const Object& first,
                  uint64_t count) {
  constexpr uint64_t kFewest = 32;
  return count >= kFewest &&
         objects.creation_loops().Turns(first.kind, first.created) >= count - count / 4 &&
         options.is_own_call != nullptr && options.is_own_call(first.created);
}

}  // namespace

void Tracker::ReportLeaks(const Vocabulary& words, Api api, Object* context) {
  // After a device fault the program can release nothing, or may exit without releasing anything.
  if (HasFaulted(api) && (!words.ReleasesAfterFault() || context == nullptr)) return;
  const CallInfo no_call = {"", api};
  struct Group {
    Object* first = nullptr;
    uint64_t bytes = 0, count = 0;
    int32_t references = 0;
  };
  // One finding per kind, creation site and reference count: a loop that leaks is one defect.
  std::map<std::tuple<ObjectKind, SiteId, int32_t>, Group> groups;
  // Allocations that are divided into blocks: the blocks are reported instead.
  const std::vector<const Resource*> divided = block_pools_.Divided();
  auto visit = [&](Object& object, uint64_t bytes) {
    if (object.api != api || object.adopted || object.owned) return;
    if (context != nullptr &&
        (object.context != context || object.context_generation != context->generation ||
         OutlivesContext(object)))
      return;
    Group& group = groups[{object.kind, object.created, object.references.load()}];
    if (group.first == nullptr) group.first = &object;
    group.bytes += bytes;
    ++group.count;
  };
  objects_.ForEachResource([&](Resource& resource) {
    if (std::find(divided.begin(), divided.end(), &resource) != divided.end()) return;
    const bool counts = resource.holds_memory() || resource.is_block();
    visit(resource, counts ? resource.bytes : 0);
  });
  objects_.ForEachOther([&](Object& object) { visit(object, 0); });
  for (auto& [key, group] : groups) {
    if (words.LeavesObjectsToExit() && !HoldsMemory(*group.first) &&
        !IsKeptByLoop(objects_, shadow_.options(), *group.first, group.count))
      continue;
    Call call(*this, no_call, words, nullptr, nullptr);
    Leftover leftover{group.first, group.bytes, group.count, "", context == nullptr};
    if (group.first->is_memory())
      leftover.held_by = HeldBy(objects_, words, static_cast<Resource&>(*group.first));
    rules::OnLeftover(leftover, call);
  }
}

}  // namespace gpusan
