// The commands around a finding, for the page: those that were enqueued around it, and those that
// its parties are about.
#pragma once

#include "report/findings/collector.h"
#include "report/record/json_writer.h"

namespace gpusan {

// Not thread-safe.
class TimelineView {
 public:
  explicit TimelineView(Collector* collector) : collector_(*collector) {}

  // A value: {"rows":[name...],"commands":[{"row","us","call","place","role","count"}...],
  // "orders":[[from, to]...],"waits":[{"us","of"}...]} with commands by their place in the list and
  // times since the finding; null where nothing was recorded.
  void Append(const FindingGroup& group, const ReadFinding& finding, JsonWriter* json);

 private:
  struct Place {
    std::string key;   // the same for the same stack
    std::string text;  // where it is
  };

  const Place& PlaceOf(uint32_t process, uint32_t site);
  bool Load(uint32_t process, size_t record);

  Collector& collector_;
  std::map<std::pair<uint32_t, uint32_t>, Place> places_;  // by process and site
  // The records read last: neighbours in the list of findings are often neighbours in time.
  std::map<std::pair<uint32_t, size_t>, ReadCommands> read_;
};

}  // namespace gpusan
