// Resident bytes a live buffer, and resident growth over long runs.
#include "memory_cases.h"

namespace bench {
namespace {

constexpr int64_t kDrainEvery = 500;  // commands; the queue's depth is not what is asked for

void CycleBuffers(const Fixture& fixture, int64_t cycles) {
  for (int64_t i = 0; i < cycles; ++i)
    Check(clReleaseMemObject(fixture.NewBuffer()), "clReleaseMemObject");
}

void CycleEvents(const Fixture& fixture, int64_t cycles) {
  for (int64_t i = 0; i < cycles; ++i) {
    cl_event event;
    Check(clEnqueueWriteBuffer(fixture.queue, fixture.buffers[0], CL_FALSE, 0, 64,
                               fixture.host.get(), 0, nullptr, &event),
          "clEnqueueWriteBuffer");
    Check(clReleaseEvent(event), "clReleaseEvent");
    if (i % kDrainEvery == kDrainEvery - 1) Check(clFinish(fixture.queue), "clFinish");
  }
  Check(clFinish(fixture.queue), "clFinish");
}

template <typename Cycle>
void Growth(const Fixture& fixture, const Options& options, const char* name, Cycle cycle) {
  if (!options.Wants(name, "memory")) return;
  cycle(fixture, options.cycles / 10);
  const int64_t before = ResidentBytes();
  cycle(fixture, options.cycles);
  PrintValues(name, "B", {static_cast<double>(ResidentBytes() - before)});
}

}  // namespace

void RunMemoryCases(const Fixture& fixture, const Options& options) {
  if (options.Wants("live_bytes", "memory")) {
    CycleBuffers(fixture, 1000);
    const int64_t before = ResidentBytes();
    const LiveBuffers live(fixture, static_cast<size_t>(options.live));
    const auto grown = static_cast<double>(ResidentBytes() - before);
    PrintValues("live_bytes", "B", {grown / static_cast<double>(options.live)});
  }
  Growth(fixture, options, "growth_buffers", CycleBuffers);
  Growth(fixture, options, "growth_events", CycleEvents);
}

}  // namespace bench
