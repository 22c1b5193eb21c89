// Findings that are only counted, because an equal one was written: their texts need not be built.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tracker/model/finding.h"

namespace gpusan {

// A hash of all that makes findings of one process equal: the check, the call, and the roles and
// call sites of the parties, in order.
class FindingKey {
 public:
  FindingKey(RuleId rule, std::string_view call, SiteId site) {
    Mix(static_cast<uint64_t>(rule));
    Mix(call);
    Mix(uint64_t{site});
  }
  explicit FindingKey(const Finding& finding)
      : FindingKey(finding.rule, finding.call, finding.site) {
    for (const Party& party : finding.parties) AddParty(party.role, party.site);
  }

  FindingKey& AddParty(std::string_view role, SiteId site) {
    Mix(role);
    Mix(uint64_t{site});
    return *this;
  }
  uint64_t value() const { return hash_; }

 private:
  // Ends with the last steps of MurmurHash3: each bit of the sum affects all bits.
  void Mix(uint64_t number) {
    uint64_t hash = hash_ * 31 + number + 1;
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    hash_ = hash ^ (hash >> 33);
  }
  void Mix(std::string_view text) { Mix(std::hash<std::string_view>()(text)); }

  uint64_t hash_ = 0;
};

// Thread-safe.
class RepeatCounter {
 public:
  virtual ~RepeatCounter() = default;
  // Counts one more finding with the key, if it would be counted and not written. Otherwise returns
  // false without side effects: the finding must be reported.
  virtual bool CountRepeat(const FindingKey& key) = 0;
};

// Sets the counter of this process, which must live for ever. Without one, no finding repeats.
void SetRepeatCounter(RepeatCounter* counter);
// nullptr: none is set.
RepeatCounter* TheRepeatCounter();

}  // namespace gpusan
