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

  // A case is selected by its name or by one of its groups.
  bool Wants(const char* name, const char* group) const;
};

// Parses --case, --batches, --live, --cycles and --ungated; on anything else prints the usage and
// exits with 2. --cpu N takes effect at once: the process, a driver's later threads included, stays
// on that CPU.
Options ParseOptions(int argc, char** argv);

// Prints {"case":..,"unit":..,"values":[..]} as one line. One value a batch.
void PrintValues(const char* name, const char* unit, const std::vector<double>& values);

// Prints which of the libraries under measurement are mapped: {"attached":["libempty_layer.so"]}.
void PrintAttached();

// Times `options.batches` batches of `iterations` calls of `body()`, with `before()` and `after()`
// around each batch and outside the timed region, and prints ns of the calling thread a call. Two
// batches go before as warm-up.
template <typename Before, typename Body, typename After>
void MeasureBatches(const Options& options, const char* name, int iterations, Before before,
                    Body body, After after) {
  constexpr int kWarmUp = 2;
  std::vector<double> values;
  values.reserve(static_cast<size_t>(options.batches));
  for (int batch = -kWarmUp; batch < options.batches; ++batch) {
    before();
    const int64_t begin = ThreadCpuNs();
    for (int i = 0; i < iterations; ++i) body();
    const int64_t end = ThreadCpuNs();
    after();
    if (batch >= 0) values.push_back(static_cast<double>(end - begin) / iterations);
  }
  PrintValues(name, "ns", values);
}

template <typename Body>
void MeasureBatches(const Options& options, const char* name, int iterations, Body body) {
  MeasureBatches(
      options, name, iterations, [] {}, body, [] {});
}

}  // namespace bench
