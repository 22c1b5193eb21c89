// A finding describes one defect of the program. Data only: no logic, no formatting.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tracker/model/ids.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {

// A stable machine-readable property of a finding. Keys consist of lower-case words and '_'; keys
// of byte counts end in "_bytes", keys of times in "_ns". A property that programs and people read
// belongs here, not only in the text.
struct Fact {
  std::string key;
  std::variant<int64_t, uint64_t, std::string> value;
};

// Another call site that takes part in the finding: the creation of the allocation, the enqueueing
// of the pending command, the failed call.
struct Party {
  std::string role;  // "allocation", "pending-command", "release", "failed-call", "holder",
                     // "host-block", "map", ...
  std::string text;  // one line: "64 KiB buffer 0x55.. created by clCreateBuffer"
  SiteId site = kUnknownSite;
};

// A resource that the finding is about.
struct FindingResource {
  std::string kind;     // "buffer", "image", "svm", "host block", "queue", "event", ...
  uint64_t handle = 0;  // as the program sees it
  uint64_t bytes = 0;   // 0 if a size has no meaning
  std::string label;    // given by the program; may be empty
};

// One defect. `what`, `why` and `fix` are complete sentences without a trailing newline.
struct Finding {
  RuleId rule{};
  Severity severity = Severity::kError;
  Api api = Api::kNone;
  std::string call;  // entry point as the API spells it; empty for findings at process end
  SiteId site = kUnknownSite;  // the call site of `call`
  // False if the finding is reported before the real call, or if the call returns nothing.
  bool has_code = false;
  int64_t code = 0;       // return value of the call
  std::string code_name;  // "CL_INVALID_OPERATION"
  std::string what;       // what happened
  std::string why;        // the rule of the specification and the shadow facts that break it
  std::string fix;        // what to change
  std::vector<Party> parties;
  std::vector<FindingResource> resources;
  std::vector<Fact> facts;
  // The finding adds facts to an earlier finding of the same call site. It replaces that finding
  // and is not counted again.
  bool refreshes = false;
  int32_t thread = 0;  // the thread that made the call; 0: the reporting thread
};

// Receives findings. Implementations are thread-safe and do not call the tracker. Report must write
// the finding before it returns, because the next call may crash the process.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void Report(Finding&& finding) = 0;
};

}  // namespace gpusan
