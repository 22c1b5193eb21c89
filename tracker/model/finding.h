// A finding: one defect of the program, as plain data. No logic, no formatting.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tracker/model/ids.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {

// A stable machine-readable property of a finding. Keys are lower-case words with '_'; byte counts
// end in
// "_bytes", times in "_ns". Facts that both programs and people read belong here, not only in the
// wording.
struct Fact {
  std::string key;
  std::variant<int64_t, uint64_t, std::string> value;
};

// A place that takes part in the finding beside the call that was made: where the allocation was
// made, where the pending command was enqueued, where the failed call was.
struct Party {
  std::string role;  // "allocation", "pending-command", "release", "failed-call", "holder",
                     // "host-block", "map", ...
  std::string text;  // one line: "64 KiB buffer 0x55.. created by clCreateBuffer"
  SiteId site = kUnknownSite;
};

// A resource that the finding is about.
struct FindingResource {
  std::string kind;     // "buffer", "image", "svm", "host block", "queue", "event", ...
  uint64_t handle = 0;  // as the program knows it
  uint64_t bytes = 0;   // 0 where size has no meaning
  std::string label;    // given by the program; may be empty
};

// One defect. The four texts are complete sentences without a trailing newline.
struct Finding {
  RuleId rule{};
  Severity severity = Severity::kError;
  Api api = Api::kNone;
  std::string call;  // entry point as the API spells it; empty for findings at process end
  SiteId site = kUnknownSite;  // this call
  bool has_code =
      false;         // false: reported before the real call was made, or the call returns nothing
  int64_t code = 0;  // what the call returned
  std::string code_name;  // "CL_INVALID_OPERATION"
  std::string what;       // what happened
  std::string why;        // the rule of the specification and the shadow facts that break it
  std::string fix;        // what to change
  std::vector<Party> parties;
  std::vector<FindingResource> resources;
  std::vector<Fact> facts;
  // Later facts about a finding of the same place that was reported before: takes its place, and is
  // not counted again.
  bool refreshes = false;
  int32_t thread = 0;  // that made the call; 0: the one that reports
};

// Receives findings. Implementations are thread-safe, do not call back into the tracker, and have
// the finding on its way to disk when Report returns (the next call may crash the process).
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void Report(Finding&& finding) = 0;
};

}  // namespace gpusan
