// The content of a sample: the ledger, the call sites with the most memory, and growing call sites.
#include "layer/runtime/samples.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "layer/runtime/shadow.h"
#include "tracker/memory/growth_watch.h"
#include "tracker/rules/rules.h"
#include "tracker/state/memory_use.h"

namespace gpusan {
namespace {

// The sampling state of a process. The child of a fork has its own.
struct Samples {
  explicit Samples(int64_t growth_after_ns) : watch(growth_after_ns) {}
  std::mutex mutex;
  GrowthWatch watch;
  // The growing figures with their values in the last sample before the end of the process. A
  // program may release at its end the memory that has grown until then.
  absl::btree_map<GrowthKey, SiteUse> growing;
  int64_t next_walk_ns = 0;
  bool ended = false;  // a finding after the end record would make the process incomplete
};

constinit std::atomic<Samples*> g_samples{nullptr};

Samples& TheSamples(int64_t growth_after_ns) {
  Samples* samples = g_samples.load(std::memory_order_acquire);
  if (samples != nullptr) return *samples;
  auto* made = new Samples(growth_after_ns);
  if (g_samples.compare_exchange_strong(samples, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *samples;
}

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

struct Place {
  GrowthKey key;
  SiteUse use;
};

using Reserves = std::vector<std::pair<Api, uint64_t>>;

Reserves PoolReserves() {
  Reserves reserves;
  ForEachApi([&](const ApiPart& part) {
    if (part.pool_reserve != nullptr && part.calls_seen() != 0)
      reserves.emplace_back(part.api, part.pool_reserve());
  });
  return reserves;
}

std::vector<Place> PlacesOf(Tracker& shadow, const Reserves& reserves) {
  std::vector<Place> places;
  for (const auto& [api, bytes] : reserves) {
    if (bytes == 0) continue;
    places.push_back({{GrowthFigure::kPoolReserve, api, kUnknownSite},
                      {api, kUnknownSite, ObjectKind::kMemoryPool, nullptr, bytes, 1}});
  }
  for (const SiteUse& use : LiveBySite(shadow.objects()))
    places.push_back({{GrowthFigure::kLive, use.api, use.site}, use});
  for (const SiteUse& use : shadow.objects().pending_releases().BySite())
    places.push_back({{GrowthFigure::kPendingRelease, use.api, use.site}, use});
  for (const SiteUse& use : ObjectsBySite(shadow.objects()))
    places.push_back({{GrowthFigure::kObjects, use.api, use.site}, use});
  return places;
}

void ReportGrowing(Tracker& shadow, const GrowthKey& key, const SiteUse& use, const Growth* growth,
                   bool again) {
  const Vocabulary* words = WordsOf(key.api);
  if (words == nullptr) return;
  const CallInfo unknown = {"", key.api};
  Call call(shadow, use.call != nullptr ? *use.call : unknown, *words, nullptr, nullptr, key.site);
  rules::Growing growing;
  growing.figure = key.figure;
  growing.api = key.api;
  growing.kind = use.kind;
  growing.creator = use.call;
  growing.bytes = use.bytes;
  growing.count = use.count;
  growing.growth = growth;
  growing.again = again;
  rules::OnGrowing(growing, call);
}

// Updates the values of the growing figures. A figure that is not in `places` is 0.
void FollowGrowing(const std::vector<Place>& places, Samples* samples) {
  for (auto& [key, use] : samples->growing) use.bytes = use.count = 0;
  for (const Place& place : places) {
    if (samples->watch.IsFound(place.key)) samples->growing[place.key] = place.use;
  }
}

// Writes the call sites with the most live memory, and those that grow, to the sample.
void FillSites(const std::vector<Place>& places, const GrowthWatch& watch, SampleRecord* sample) {
  constexpr size_t kMost = 16;
  std::vector<const Place*> live;
  for (const Place& place : places) {
    if (place.key.figure == GrowthFigure::kLive && place.key.site != kUnknownSite)
      live.push_back(&place);
  }
  std::stable_sort(live.begin(), live.end(),
                   [](const Place* a, const Place* b) { return a->use.bytes > b->use.bytes; });
  for (size_t i = 0; i < live.size(); ++i) {
    if (i >= kMost && !watch.IsFound(live[i]->key)) continue;
    const SiteUse& use = live[i]->use;
    sample->sites.push_back({use.api, use.site, use.bytes, use.count});
  }
}

void AddReserves(const Reserves& reserves, LedgerTable* ledger) {
  for (const auto& [api, bytes] : reserves) {
    for (auto& [name, figures] : *ledger) {
      if (name == ApiName(api)) figures.emplace_back("pool_reserve_bytes", bytes);
    }
  }
}

}  // namespace

void FillLedger(Tracker& shadow, LedgerTable* ledger) {
  ForEachApi([&](const ApiPart& part) {
    if (part.calls_seen() == 0 && part.api != Api::kOpenCL) return;
    const Ledger::Totals totals = shadow.objects().ledger().Of(part.api);
    ledger->push_back(
        {ApiName(part.api),
         {{"live_bytes", totals.live_bytes},
          {"live_objects", totals.live_count},
          {"peak_bytes", totals.peak_bytes},
          {"pending_release_bytes", shadow.objects().pending_releases().Bytes(part.api)}}});
  });
}

void TakeSample(Tracker& shadow, int64_t growth_after_ns, bool last, SampleRecord* sample) {
  ForEachApi([&](const ApiPart& part) {
    if (const uint64_t calls = part.calls_seen(); calls != 0)
      sample->calls.emplace_back(ApiName(part.api), calls);
  });
  const Reserves reserves = PoolReserves();
  Samples& samples = TheSamples(growth_after_ns);
  std::lock_guard lock(samples.mutex);
  const int64_t begin = NowNs();
  // A walk over a million objects is slow, so walks use at most half a percent of the time. Samples
  // between two walks have no call sites.
  constexpr int64_t kShare = 200;
  const bool walks = last || begin >= samples.next_walk_ns;
  const std::vector<Place> places = walks ? PlacesOf(shadow, reserves) : std::vector<Place>();
  FillLedger(shadow, &sample->ledger);
  AddReserves(reserves, &sample->ledger);
  if (!walks) return;
  if (shadow.shadow().Enabled(RuleId::kLeakGrowth) && !samples.ended && !last) {
    std::vector<std::pair<GrowthKey, uint64_t>> figures;
    for (const Place& place : places) {
      if (place.key.site != kUnknownSite || place.key.figure == GrowthFigure::kPoolReserve)
        figures.emplace_back(place.key, place.use.bytes);
    }
    const auto found = samples.watch.Add(begin, figures);
    FollowGrowing(places, &samples);
    for (const auto& [key, growth] : found)
      ReportGrowing(shadow, key, samples.growing[key], &growth, /*again=*/false);
  }
  FillSites(places, samples.watch, sample);
  samples.next_walk_ns = begin + kShare * (NowNs() - begin);
}

void ReportGrowthAtEnd(Tracker& shadow) {
  Samples* samples = g_samples.load(std::memory_order_acquire);
  if (samples == nullptr) return;
  std::lock_guard lock(samples->mutex);
  samples->ended = true;
  for (const auto& [key, growth] : samples->watch.Found())
    ReportGrowing(shadow, key, samples->growing[key], growth ? &*growth : nullptr, /*again=*/true);
}

uint64_t GrowthSeriesDropped() {
  Samples* samples = g_samples.load(std::memory_order_acquire);
  if (samples == nullptr) return 0;
  std::lock_guard lock(samples->mutex);
  return samples->watch.dropped();
}

void ForgetSamples() { g_samples.store(nullptr, std::memory_order_release); }

}  // namespace gpusan
