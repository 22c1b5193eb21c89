// Call stacks made up for the tests of report/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/record/frame_source.h"

namespace gpusan {

class FakeFrames final : public FrameSource {
 public:
  std::map<SiteId, std::vector<RecordFrame>> sites;
  std::map<uint32_t, std::pair<std::string, std::string>> modules;  // path, build-id

  int Frames(SiteId site, RecordFrame* frames, int capacity) const override {
    const auto found = sites.find(site);
    if (found == sites.end()) return 0;
    int count = 0;
    for (const RecordFrame& frame : found->second) {
      if (count < capacity) frames[count++] = frame;
    }
    return count;
  }

  bool Module(uint32_t id, RecordModule* module) const override {
    const auto found = modules.find(id);
    if (found == modules.end()) return false;
    *module = {found->second.first, found->second.second};
    return true;
  }
};

}  // namespace gpusan
