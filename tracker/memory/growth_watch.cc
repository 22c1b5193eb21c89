// One FloorSeries per call site, and the replacement of the smallest ones.
#include "tracker/memory/growth_watch.h"

namespace gpusan {

GrowthWatch::Watched* GrowthWatch::Place(const GrowthKey& key, uint64_t bytes, int64_t time_ns) {
  const auto known = watched_.find(key);
  if (known != watched_.end()) return &known->second;
  if (watched_.size() >= kMostSeries) {
    auto least = watched_.end();
    for (auto it = watched_.begin(); it != watched_.end(); ++it) {
      if (it->second.found) continue;
      if (least == watched_.end() ||
          it->second.series.last_bytes() < least->second.series.last_bytes())
        least = it;
    }
    ++dropped_;
    if (least == watched_.end() || least->second.series.last_bytes() >= bytes) return nullptr;
    watched_.erase(least);
  }
  Watched& place = watched_[key];
  place.begin_ns = time_ns;
  return &place;
}

std::vector<std::pair<GrowthKey, Growth>> GrowthWatch::Add(
    int64_t time_ns, absl::Span<const std::pair<GrowthKey, uint64_t>> samples) {
  ++samples_;
  for (const auto& [key, bytes] : samples) {
    Watched* place = Place(key, bytes, time_ns);
    if (place == nullptr) continue;
    place->series.Add(time_ns, bytes);
    place->sample = samples_;
  }
  std::vector<std::pair<GrowthKey, Growth>> found;
  for (auto& [key, place] : watched_) {
    if (place.sample != samples_) place.series.Add(time_ns, 0);
    if (place.found || time_ns < place.next_check_ns) continue;
    constexpr int64_t kChecks = 64;  // per doubling of the length of a series
    place.next_check_ns = time_ns + (time_ns - place.begin_ns) / kChecks;
    const std::optional<Growth> growth = place.series.FindGrowth(least_span_ns_);
    if (!growth) continue;
    place.found = growth;
    found.emplace_back(key, *growth);
  }
  return found;
}

std::vector<std::pair<GrowthKey, std::optional<Growth>>> GrowthWatch::Found() const {
  std::vector<std::pair<GrowthKey, std::optional<Growth>>> found;
  for (const auto& [key, place] : watched_) {
    if (!place.found) continue;
    std::optional<Growth> now = place.series.FindGrowth(least_span_ns_);
    if (!now && place.series.LateSlope() >= place.found->bytes_per_second / 4) now = place.found;
    found.emplace_back(key, now);
  }
  return found;
}

bool GrowthWatch::IsFound(const GrowthKey& key) const {
  const auto known = watched_.find(key);
  return known != watched_.end() && known->second.found.has_value();
}

}  // namespace gpusan
