// Finds the call sites whose memory grows steadily, with one time series per call site.
//
// Not thread-safe. Memory is bounded: at most kMostSeries series of fixed size.
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

// The figure that is measured for a call site.
enum class GrowthFigure : uint8_t {
  kLive,            // memory that was created there and is not released
  kPendingRelease,  // memory that was released there and that commands still use
  kPoolReserve,     // memory that pools reserve from their devices; has no known call site
  kObjects,         // objects without memory that were created there, kObjectWeight bytes each
};

// The weight of an object without memory in a series of bytes [bytes].
inline constexpr uint64_t kObjectWeight = 1024;

struct GrowthKey {
  GrowthFigure figure = GrowthFigure::kLive;
  Api api = Api::kNone;
  SiteId site = kUnknownSite;

  auto operator<=>(const GrowthKey&) const = default;
};

class GrowthWatch {
 public:
  // Reports growth only over a span of at least `least_span_ns`.
  explicit GrowthWatch(int64_t least_span_ns) : least_span_ns_(least_span_ns) {}

  // Adds a sample: the bytes by key, each key at most once. A watched key without a sample counts
  // as 0 bytes. Returns the keys whose growth is found for the first time.
  std::vector<std::pair<GrowthKey, Growth>> Add(
      int64_t time_ns, absl::Span<const std::pair<GrowthKey, uint64_t>> samples);

  // Returns all keys whose growth was found. The value is the current growth if it is still
  // certain. Otherwise it is the growth when it was found, or std::nullopt if the slope of the last
  // third of the series has fallen below a quarter of that growth.
  std::vector<std::pair<GrowthKey, std::optional<Growth>>> Found() const;
  bool IsFound(const GrowthKey& key) const;

  // Number of times a key was not watched, or replaced another key, because kMostSeries keys were
  // watched already.
  uint64_t dropped() const { return dropped_; }

  static constexpr size_t kMostSeries = 256;

 private:
  struct Watched {
    FloorSeries series;
    int64_t begin_ns = 0;
    int64_t next_check_ns = 0;
    uint64_t sample = 0;          // number of the last sample that contained the key
    std::optional<Growth> found;  // the growth when it was found
  };
  Watched* Place(const GrowthKey& key, uint64_t bytes, int64_t time_ns);

  const int64_t least_span_ns_;
  absl::btree_map<GrowthKey, Watched> watched_;
  uint64_t samples_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace gpusan
