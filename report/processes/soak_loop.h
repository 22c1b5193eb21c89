// The loop of `gpusan run` with --repeat, --until and --timeout, and the file of --metrics.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "report/findings/collector.h"
#include "report/processes/program.h"
#include "report/processes/status_line.h"

namespace gpusan {

// The exit code of timeout(1).
inline constexpr int kExitTimeout = 124;

// Not thread-safe.
class SoakLoop {
 public:
  // Applies the options. Returns an empty string, or an error message of one line.
  std::string Set(const Options& options);

  // Whether --repeat, --until or --timeout was given.
  bool asked_for() const { return asked_for_; }

  void BeginIteration();

  // Call it repeatedly during an iteration. Sends SIGTERM to the program after --timeout, and
  // SIGKILL 10 s later.
  void CheckTimeout(int pid);

  // Call it after an iteration. Returns whether another iteration follows. The loop ends after the
  // last requested iteration, after a failed iteration, and after a signal such as Ctrl-C.
  bool Continues(const ProgramResult& result);

  SoakStatus Status(const Collector& collector) const;

  // The number of iterations and how the last one ended, one line each; empty for a single
  // iteration that ended normally.
  std::string Summary(const std::string& program, const ProgramResult& last) const;

  // The exit code of the last iteration, or kExitTimeout if --timeout ended it and it did not
  // return 0.
  int ExitCode(const ProgramResult& last) const;

 private:
  using Clock = std::chrono::steady_clock;

  bool asked_for_ = false;
  uint64_t limit_ = 1;                   // iterations; 0: no limit
  int64_t until_ns_ = 0;                 // since 1970; 0: no limit
  std::chrono::nanoseconds timeout_{0};  // 0: none
  uint64_t iteration_ = 0;               // number of the current iteration, from 1
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point iteration_begin_;
  bool terminated_ = false;  // SIGTERM was sent in this iteration
  bool killed_ = false;      // SIGKILL was sent in this iteration
};

// Rewrites the file of --metrics every --metrics-interval seconds. Not thread-safe.
class LiveMetrics {
 public:
  LiveMetrics(const Options& options, Collector* collector);
  // Writes the file if the interval has passed.
  void WriteIfDue();
  // Writes the file. Reports the first failure with Collector::Trouble.
  void Write();

 private:
  const std::string path_;
  const std::chrono::seconds interval_;
  Collector& collector_;
  std::chrono::steady_clock::time_point next_;
  bool reported_ = false;  // a failure was reported
};

}  // namespace gpusan
