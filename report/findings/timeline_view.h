// The commands around a finding, for the HTML page: those that were enqueued near it, and those of
// its parties.
#pragma once

#include "report/findings/collector.h"
#include "report/text/json_writer.h"

namespace gpusan {

// Not thread-safe.
class TimelineView {
 public:
  explicit TimelineView(Collector* collector) : collector_(*collector) {}

  // A value: {"rows":[name...],"commands":[{"row","us","call","place","role","count"}...],
  // "orders":[[from, to]...],"waits":[{"us","of"}...]} with commands as indices into the list and
  // times relative to the finding; null without records of commands.
  void Append(const FindingGroup& group, const ReadFinding& finding, JsonWriter* json);

 private:
  struct Place {
    std::string key;   // equal for equal stacks
    std::string text;  // the location
  };

  class Selection;
  class Writer;

  // Returns the process of the finding whose records of commands cover its time; kNoIndex: none.
  uint32_t ProcessOf(const FindingGroup& group, int64_t time_ns) const;
  const Place& PlaceOf(uint32_t process, uint32_t site);
  bool Load(uint32_t process, size_t record);

  Collector& collector_;
  std::map<std::pair<uint32_t, uint32_t>, Place> places_;  // by process and site
  // Cache of the records read last: findings next to each other are often close in time.
  std::map<std::pair<uint32_t, size_t>, ReadCommands> read_;
};

}  // namespace gpusan
