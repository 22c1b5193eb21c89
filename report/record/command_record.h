// The record of commands: their enqueues, their order, and waits of the host.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tracker/model/ids.h"

namespace gpusan {

// A command's position in a timeline; tick 0: no command.
struct CommandPoint {
  uint32_t timeline = 0;  // an in-order queue, or a lane of an out-of-order queue
  uint64_t tick = 0;

  auto operator<=>(const CommandPoint&) const = default;
};

enum class CommandEntryKind : uint8_t {
  kCommand,  // `point` was enqueued, ordered after `behind`; with a `count`, that many ticks
  kOrder,    // `point` and everything after it on its timeline are ordered after `behind`
  kWait,     // the host has waited for `behind`
  kFailed,   // the call that enqueued `point` failed: the command does not exist
};

// "command" (with a `count` other than 1 it is written "run", with `others` "turns", with `waits`
// "awaited"), "order", "wait", "failed".
const char* CommandEntryName(CommandEntryKind kind);
inline constexpr char kCommandRunName[] = "run";
inline constexpr char kCommandTurnsName[] = "turns";
inline constexpr char kCommandAwaitedName[] = "awaited";

struct LoggedCommand {
  CommandEntryKind kind = CommandEntryKind::kCommand;
  int64_t time_ns = 0;  // since 1970
  CommandPoint point;
  CommandPoint behind[2];
  // Of commands.
  Api api = Api::kNone;
  const char* call = "";
  SiteId site = kUnknownSite;
  uint64_t queue = 0;                // its handle
  SiteId queue_site = kUnknownSite;  // of its creation
  bool in_order = false;
  uint64_t count = 1;
  int64_t until_ns = 0;  // with a count: latest time of the last command, since 1970
  // With a count: the other steps of the cycle that begins with `call`. The count includes the
  // commands of all steps.
  struct Other {
    const char* call = "";
    SiteId site = kUnknownSite;
  };
  static constexpr size_t kMostOthers = 3;
  Other others[kMostOthers];
  uint8_t other_count = 0;
  // With a count: one bit for each step of the cycle, beginning with bit 0 for `call`. The host
  // waits for each command of the step before the next command is enqueued.
  uint8_t waits = 0;
};

// A record in one line holds at most this many.
inline constexpr size_t kCommandsOfRecord = 512;

// One line of type "commands", with its newline. Entries are in the order of time. Call sites are
// written as ids.
std::string CommandsRecord(std::span<const LoggedCommand> commands);

}  // namespace gpusan
