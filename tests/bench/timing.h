// CPU time of the calling thread, batch by batch, and the lines in which a bench program prints its
// figures.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

// CPU time that the calling thread has used, in ns. A driver's worker threads do not count.
int64_t ThreadCpuNs();
// Wall clock, in ns, from an arbitrary origin.
int64_t WallNs();
// Resident set of this process in bytes, exact at the time of the call.
int64_t ResidentBytes();

struct Options {
  std::vector<std::string> cases;  // empty: the group "calls"
  int batches = 100;               // timed batches a case
  int64_t live = 100'000;          // buffers for the cases with live buffers
  int64_t cycles = 3'000'000;      // repetitions in the growth cases
  bool gated = true;               // hold the queue back while a batch of enqueues is timed
  bool switched = false;           // each batch twice, without and with a timeline

  // A case is selected by its name or by one of its groups.
  bool Wants(const char* name, const char* group) const;
};

// Takes --switch-timeline away where it is the first argument of a program with arguments of its
// own.
bool TakeSwitchTimeline(int* argc, char*** argv);

// Parses --case, --batches, --live, --cycles, --ungated and --switch-timeline; on anything else
// prints the usage and exits with 2. --cpu N takes effect at once: the process, a driver's later
// threads included, stays on that CPU.
Options ParseOptions(int argc, char** argv);

// Prints {"case":..,"unit":..,"values":[..]} as one line. One value a batch.
void PrintValues(const char* name, const char* unit, const std::vector<double>& values);

// Prints the figure of a case for people to read, as one line.
void PrintNs(const char* name, double ns);

// Commands are put on the timeline from now on, or not: with a libgpusan.so that was built with
// GPUSAN_TIMELINE_SWITCH and keeps one by its options. Without such a library it says so and
// exits.
void SwitchTimeline(bool on);

// Prints which of the libraries under measurement are mapped: {"attached":["libempty_layer.so"]}.
void PrintAttached();

// Two values a batch, of which one is without and one with a timeline: of each other batch the
// second one is without. `measure` returns a value.
template <typename Measure>
void MeasureSwitched(int batches, const char* name, const char* unit, Measure measure) {
  constexpr int kWarmUp = 2;
  std::vector<double> values[2];
  for (int batch = -kWarmUp; batch < batches; ++batch) {
    for (int i = 0; i < 2; ++i) {
      const bool on = ((i ^ batch) & 1) != 0;
      SwitchTimeline(on);
      const double value = measure();
      if (batch >= 0) values[on].push_back(value);
    }
  }
  PrintValues(name, unit, values[0]);
  PrintValues((std::string(name) + ", timeline").c_str(), unit, values[1]);
}

// `measure(calls)` makes so many calls and returns the ns that they took. Prints ns a call: the
// best of five rounds of `calls`, or, where `switched`, batches without and with a timeline as
// JSON.
template <typename Measure>
void MeasureBest(const char* name, int calls, bool switched, Measure measure) {
  constexpr int kRounds = 5;
  constexpr int kSwitchedCalls = 5000;
  if (switched) {
    const int batches = calls > kSwitchedCalls ? calls / kSwitchedCalls : 1;
    return MeasureSwitched(batches, name, "ns", [&] {
      return static_cast<double>(measure(kSwitchedCalls)) / kSwitchedCalls;
    });
  }
  int64_t best = measure(calls);
  for (int round = 1; round < kRounds; ++round) {
    const int64_t took = measure(calls);
    if (took < best) best = took;
  }
  PrintNs(name, static_cast<double>(best) / calls);
}

// Times `options.batches` batches of `iterations` calls of `body()`, with `before()` and `after()`
// around each batch and outside the timed region, and prints ns of the calling thread a call. Two
// batches go before as warm-up.
template <typename Before, typename Body, typename After>
void MeasureBatches(const Options& options, const char* name, int iterations, Before before,
                    Body body, After after) {
  const auto measure = [&] {
    before();
    const int64_t begin = ThreadCpuNs();
    for (int i = 0; i < iterations; ++i) body();
    const int64_t end = ThreadCpuNs();
    after();
    return static_cast<double>(end - begin) / iterations;
  };
  if (options.switched) return MeasureSwitched(options.batches, name, "ns", measure);
  constexpr int kWarmUp = 2;
  std::vector<double> values;
  values.reserve(static_cast<size_t>(options.batches));
  for (int batch = -kWarmUp; batch < options.batches; ++batch) {
    const double value = measure();
    if (batch >= 0) values.push_back(value);
  }
  PrintValues(name, "ns", values);
}

template <typename Body>
void MeasureBatches(const Options& options, const char* name, int iterations, Body body) {
  MeasureBatches(
      options, name, iterations, [] {}, body, [] {});
}

}  // namespace bench
