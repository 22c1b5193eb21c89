// Writes commands records.
#include "report/record/command_record.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/text/json_writer.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// The index of an item in a list; appends the item if it is not there. The lists are short: calls
// and queues of some hundred commands.
template <typename T>
size_t IndexIn(std::vector<T>* list, const T& item) {
  for (size_t i = list->size(); i-- > 0;) {
    if ((*list)[i] == item) return i;
  }
  list->push_back(item);
  return list->size() - 1;
}

struct QueueNamed {
  Api api;
  uint64_t handle;
  SiteId site;
  bool in_order;

  bool operator==(const QueueNamed&) const = default;
};

void AppendPoint(const CommandPoint& point, JsonWriter* json) {
  json->BeginArray().Uint(point.timeline).Uint(point.tick).EndArray();
}

}  // namespace

const char* CommandEntryName(CommandEntryKind kind) {
  static constexpr const char* kNames[] = {"command", "order", "wait", "failed"};
  return kNames[static_cast<int>(kind)];
}

std::string CommandsRecord(std::span<const LoggedCommand> commands) {
  const int64_t begin = commands.empty() ? 0 : commands.front().time_ns;
  std::vector<std::string_view> calls;
  std::vector<QueueNamed> queues;
  JsonWriter entries;
  entries.BeginArray();
  for (const LoggedCommand& one : commands) {
    const bool run = one.kind == CommandEntryKind::kCommand && one.count != 1;
    const bool awaited = run && one.waits != 0;
    const bool turns = awaited || (run && one.other_count != 0);
    entries.BeginArray().String(awaited ? kCommandAwaitedName
                                : turns ? kCommandTurnsName
                                : run   ? kCommandRunName
                                        : CommandEntryName(one.kind));
    entries.Int(one.time_ns - begin);
    if (one.kind != CommandEntryKind::kWait) entries.Uint(one.point.timeline).Uint(one.point.tick);
    if (one.kind == CommandEntryKind::kCommand) {
      entries.Uint(IndexIn(&calls, std::string_view(one.call)));
      entries.Uint(IndexIn(&queues, QueueNamed{one.api, one.queue, one.queue_site, one.in_order}));
      entries.Uint(one.site);
      if (run) entries.Uint(one.count).Int(std::max(one.until_ns, one.time_ns) - begin);
      if (turns) {
        entries.BeginArray();
        for (const LoggedCommand::Other& other : std::span(one.others, one.other_count)) {
          entries.BeginArray().Uint(IndexIn(&calls, std::string_view(other.call)));
          entries.Uint(other.site).EndArray();
        }
        entries.EndArray();
      }
      if (awaited) entries.Uint(one.waits);
    }
    for (const CommandPoint& point : one.behind) {
      if (point.tick != 0) AppendPoint(point, &entries);
    }
    entries.EndArray();
  }
  entries.EndArray();
  JsonWriter json;
  json.BeginObject().Field("type", "commands").Field("time_ns", begin).Key("calls").BeginArray();
  for (const std::string_view call : calls) json.String(call);
  json.EndArray().Key("queues").BeginArray();
  for (const QueueNamed& queue : queues) {
    json.BeginObject().Field("api", ApiName(queue.api)).Field("handle", Hex(queue.handle));
    json.Field("site", uint64_t{queue.site}).Field("in_order", queue.in_order).EndObject();
  }
  json.EndArray().Key("entries").Raw(entries.TakePart()).EndObject();
  return json.TakeLine();
}

}  // namespace gpusan
