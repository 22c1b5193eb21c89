// Check leak-growth: the memory held by one call site grows steadily.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct LeakGrowth {
  static void OnGrowing(const Growing& growing, Call& call) {
    const bool pool = growing.figure == GrowthFigure::kPoolReserve;
    const bool pending = growing.figure == GrowthFigure::kPendingRelease;
    const bool objects = growing.figure == GrowthFigure::kObjects;
    FindingBuilder finding = call.Add(RuleId::kLeakGrowth);
    finding.Refreshes(growing.again);
    const std::string held =
        objects ? CountText(growing.count, call.words().KindName(growing.kind))
        : pool  ? BytesText(growing.bytes)
                : absl::StrCat(BytesText(growing.bytes), " in ",
                               CountText(growing.count, call.words().KindName(growing.kind)));
    const char* where = objects   ? "the number of objects created here"
                        : pool    ? "memory that memory pools hold on their devices"
                        : pending ? "memory released here and still in use by commands"
                                  : "memory created here";
    if (growing.growth == nullptr) {
      finding.Severe(Severity::kNote)
          .What(absl::StrCat(where, " grew steadily and then levelled off or was released; now ",
                             held))
          .Why("its minimum over time no longer rises, as for a cache that is full")
          .Fix("no change is needed if this level is intended");
    } else {
      const Growth& growth = *growing.growth;
      // Not a leak: the pool may use its memory, and the pending commands may have ended.
      if (pending || pool) finding.Severe(Severity::kNote);
      finding
          .What(absl::StrCat(where, " grows steadily: now ", held, ", ",
                             RateText(growth.bytes_per_second, objects), " more over the last ",
                             TimeText(growth.span_ns),
                             " (95 % confidence: ", RateText(growth.low, objects), " to ",
                             RateText(growth.high, objects), ")"))
          .Why(absl::StrCat(
              "its minimum rose in each of six equal parts of that time and does not level off "
              "(Theil-Sen slope; Mann-Kendall z = ",
              Tenths(growth.trend), ")",
              objects ? "; each object holds memory of the driver"
                      : absl::StrCat(
                            "; at that rate 1 GiB more is held after ",
                            TimeText(static_cast<int64_t>(1e9 * kGiB / growth.bytes_per_second)))))
          .Fix(Fix(growing, call.words()));
      if (objects) {
        finding.Fact("objects_per_hour", PerHour(growth.bytes_per_second / kObjectWeight));
      } else {
        finding.Fact("bytes_per_hour", PerHour(growth.bytes_per_second))
            .Fact("low_bytes_per_hour", PerHour(growth.low))
            .Fact("high_bytes_per_hour", PerHour(growth.high));
      }
      finding.Fact("confidence", "95%")
          .Fact("trend_z", Tenths(growth.trend))
          .Fact("watched_ns", static_cast<uint64_t>(growth.span_ns));
    }
    finding.Fact("figure", objects   ? "objects"
                           : pool    ? "pool_reserve"
                           : pending ? "pending_release"
                                     : "live");
    if (!objects) finding.Fact("held_bytes", growing.bytes);
    finding.Fact("objects", growing.count);
  }

 private:
  static constexpr double kGiB = 1073741824;

  static std::string Fix(const Growing& growing, const Vocabulary& words) {
    if (growing.figure == GrowthFigure::kPendingRelease) {
      return absl::StrCat("wait for the commands (", words.WaitCalls(),
                          ") before the release, or reuse one object");
    }
    if (growing.figure == GrowthFigure::kPoolReserve)
      return "free the allocations of the pool, trim the pool, or lower its release threshold";
    Object object;
    object.kind = growing.kind;
    object.api = growing.api;
    object.creator = growing.creator;
    return absl::StrCat("release the objects created here (", words.ReleaseCallOf(object),
                        ") when they are no longer needed, or limit the container that keeps them");
  }

  static uint64_t PerHour(double bytes_per_second) {
    return static_cast<uint64_t>(std::max(0.0, bytes_per_second * 3600));
  }

  static std::string Tenths(double value) {
    const auto tenths = static_cast<int64_t>(value * 10 + 0.5);
    return absl::StrCat(tenths / 10, ".", tenths % 10);
  }

  // "64.0 KiB a minute"
  static std::string RateText(double bytes_per_second, bool objects) {
    if (objects)
      return absl::StrCat(Tenths(std::max(0.0, bytes_per_second * 60 / kObjectWeight)),
                          " a minute");
    static constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB"};
    double value = std::max(0.0, bytes_per_second * 60);
    int unit = 0;
    for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
    return absl::StrCat(Tenths(value), kUnits[unit], " a minute");
  }

  // "6 min 40 s", "17 h", "300 days"
  static std::string TimeText(int64_t time_ns) {
    const int64_t seconds = time_ns / 1000000000;
    if (seconds < 60) return absl::StrCat(seconds, ".", time_ns / 100000000 % 10, " s");
    if (seconds < 3600) return absl::StrCat(seconds / 60, " min ", seconds % 60, " s");
    if (seconds < 48 * 3600) return absl::StrCat(seconds / 3600, " h ", seconds / 60 % 60, " min");
    return absl::StrCat(seconds / 86400, " days");
  }
};

}  // namespace
}  // namespace gpusan::rules
