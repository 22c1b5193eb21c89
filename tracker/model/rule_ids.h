// The checks: number, name, severity and one line of help, all generated from rules.def.
#pragma once

#include <cstdint>
#include <string_view>

#include "tracker/model/ids.h"

namespace gpusan {

enum class RuleId : uint8_t {
#define GPUSAN_RULE(symbol, id, severity, group, help) k##symbol,
#include "tracker/rules.def"
#undef GPUSAN_RULE
};

struct RuleInfo {
  const char* id;  // "copy-out-of-bounds"; permanent
  Severity severity;
  const char* group;  // "bounds"
  const char* help;   // one line, no trailing period
};

inline constexpr RuleInfo kRules[] = {
#define GPUSAN_RULE(symbol, id, severity, group, help) {id, Severity::severity, group, help},
#include "tracker/rules.def"
#undef GPUSAN_RULE
};

inline constexpr int kRuleCount = static_cast<int>(sizeof(kRules) / sizeof(kRules[0]));

static_assert(kRuleCount <= 64, "sets of checks are 64 bits");

// Checks that report correct but slow use. They are off unless the option `enable` names them.
inline constexpr std::string_view kAdviceGroup = "advice (off unless asked)";
constexpr bool OffByDefault(const RuleInfo& rule) { return rule.group == kAdviceGroup; }

constexpr const RuleInfo& InfoOf(RuleId rule) { return kRules[static_cast<int>(rule)]; }

}  // namespace gpusan
