// Which places of the program hold ever more memory: a series a place, and what of it grows.
//
// Not thread-safe. Memory is bounded: kMostSeries series, each of a fixed size.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "tracker/memory/growth.h"
#include "tracker/model/ids.h"

namespace gpusan {

// What is measured at a place.
enum class GrowthFigure : uint8_t {
  kLive,            // memory that was created there and is not released
  kPendingRelease,  // memory that was released there and is still in use by commands
  kPoolReserve,     // memory that pools keep from their devices, of no known place
};

struct GrowthKey {
  GrowthFigure figure = GrowthFigure::kLive;
  Api api = Api::kNone;
  SiteId site = kUnknownSite;

  auto operator<=>(const GrowthKey&) const = default;
};

class GrowthWatch {
 public:
  // Growth is certain after that time at the earliest.
  explicit GrowthWatch(int64_t least_span_ns) : least_span_ns_(least_span_ns) {}

  // A sample: what is held at the places, each once; a place that is not named holds nothing.
  // Returned are those that are found to grow for the first time.
  std::vector<std::pair<GrowthKey, Growth>> Add(
      int64_t time_ns, absl::Span<const std::pair<GrowthKey, uint64_t>> places);

  // All that were found: as they are now, or as they were when that was certain last; nothing where
  // the last third of the time has less than a quarter of that slope.
  std::vector<std::pair<GrowthKey, std::optional<Growth>>> Found() const;
  bool IsFound(const GrowthKey& key) const;

  // Places that could not be watched because kMostSeries others held more.
  uint64_t dropped() const { return dropped_; }

  static constexpr size_t kMostSeries = 256;

 private:
  struct Watched {
    FloorSeries series;
    int64_t begin_ns = 0;
    int64_t next_judgement_ns = 0;
    uint64_t sample = 0;          // the last one that named it
    std::optional<Growth> found;  // as it was then
  };
  Watched* Place(const GrowthKey& key, uint64_t bytes, int64_t time_ns);

  const int64_t least_span_ns_;
  absl::btree_map<GrowthKey, Watched> watched_;
  uint64_t samples_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace gpusan
