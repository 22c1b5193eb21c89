// Action and synchronization commands between a suspended rendering and the next render pass
// instance.
#include "hooks/vulkan/recording/interrupted_renderings.h"

#include <string>
#include <string_view>
#include <utility>

#include "hooks/vulkan/call/valid_usage.h"

namespace gpusan::vulkan {
namespace {

// Whether the record belongs to an action or synchronization command. Queries that begin or end
// count as none.
bool IsWork(const Recorded& record) {
  switch (record.kind) {
    case RecordKind::kUse:
    case RecordKind::kBarrier:
    case RecordKind::kResourceBarrier:
    case RecordKind::kSetEvent:
    case RecordKind::kResetEvent:
    case RecordKind::kEventWait:
    case RecordKind::kSet:
    case RecordKind::kQueryReset:
    case RecordKind::kQueryCopy:
      // Another render pass instance has a finding of its own (CheckRenderings).
      return !std::string_view(record.call->name).starts_with("vkCmdBeginRender");
    default:
      return false;
  }
}

}  // namespace

void InterruptedRenderings::AddPrimary(const Object& object, const Recording& primary) {
  submitted_ = true;
  object_ = &object;
  top_ = &primary;
  if (in_ == nullptr && !primary.renderings().suspends()) [[likely]]
    return;
  Add(primary, 0);
}

void InterruptedRenderings::AddEnded(const Object& object, const Recording& commands) {
  if (!commands.renderings().suspends()) [[likely]]
    return;
  object_ = &object;
  top_ = &commands;
  Add(commands, 0);
}

void InterruptedRenderings::Add(const Recording& commands, uint32_t depth) {
  commands.ForEach([&](const Recorded& record) {
    if (record.kind == RecordKind::kSubpass) {
      const auto& subpass = static_cast<const RecordedSubpass&>(record);
      const bool ends = subpass.index == RecordedSubpass::kNone;
      if (!ends) suspends_ = subpass.suspends;
      in_ = ends && suspends_ ? &commands : nullptr;
      from_ = top_;
    } else if (record.kind == RecordKind::kExecute) {
      Add(commands.child(static_cast<const RecordedExecute&>(record).child), depth + 1);
    } else if (in_ != nullptr && !reported_ && IsWork(record)) {
      Check(record, commands, depth);
    }
  });
}

void InterruptedRenderings::Check(const Recorded& record, const Recording& commands,
                                  uint32_t depth) {
  if (from_ != top_) {
    const bool second = std::string_view(call_.info().name).starts_with("vkQueueSubmit2");
    Report(record,
           second ? "VkSubmitInfo2-commandBuffer-06011" : "VkSubmitInfo-pCommandBuffers-06015");
  } else if (!submitted_ && in_ != &commands) {
    Report(record, "vkCmdExecuteCommands-pCommandBuffers-06021");
  } else if (!submitted_ && depth == 0) {
    Report(record, std::string(CoreName(record.call->name)) + "-suspended");
  }
}

void InterruptedRenderings::Report(const Recorded& record, std::string vuid) {
  reported_ = true;
  Call made(call_.tracker(), *record.call, call_.words(), nullptr, nullptr, record.site, kNoLabel);
  ReportSync(made, *object_, rules::SyncStateUse::Fault::kInterruptsSuspended, "", std::move(vuid));
}

}  // namespace gpusan::vulkan
