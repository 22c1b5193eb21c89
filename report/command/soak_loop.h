// --repeat, --until and --timeout of `gpusan run`: a program in a loop, and what is told of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "report/command/program.h"
#include "report/command/status_line.h"
#include "report/findings/collector.h"

namespace gpusan {

// timeout(1) has the same.
inline constexpr int kExitTimeout = 124;

// Not thread-safe.
class SoakLoop {
 public:
  // Takes the options; returns an empty string, or what is wrong in one line.
  std::string Set(const Options& options);

  // One of the three options was given.
  bool asked_for() const { return asked_for_; }

  void BeginTurn();

  // While a turn runs: asks the program to end when its time is over, and kills it 10 s later.
  void Look(int pid);

  // After a turn: whether another one follows. The loop ends with the first turn that fails, with
  // the last one that was asked for, and when somebody asks gpusan to end (Ctrl-C).
  bool Again(const ProgramResult& result);

  SoakStatus Status(const Collector& collector) const;

  // How many turns there were and how the last one ended, a line each; empty where there is nothing
  // to say.
  std::string Summary(const std::string& program, const ProgramResult& last) const;

  // The last turn's: its own, or kExitTimeout when it had to be ended and did not return 0.
  int ExitCode(const ProgramResult& last) const;

 private:
  using Clock = std::chrono::steady_clock;

  bool asked_for_ = false;
  uint64_t turns_ = 1;                   // 0: no end
  int64_t until_ns_ = 0;                 // since 1970; 0: no such moment
  std::chrono::nanoseconds timeout_{0};  // 0: none
  uint64_t turn_ = 0;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point turn_begin_;
  bool asked_ = false;  // SIGTERM was sent in this turn
  bool killed_ = false;
};

// --metrics: the file, replaced every --metrics-interval seconds.
class LiveMetrics {
 public:
  LiveMetrics(const Options& options, Collector* collector);
  // Writes if it is time to.
  void Look();
  // Writes in any case. What fails is trouble, once.
  void Write();

 private:
  const std::string path_;
  const std::chrono::seconds interval_;
  Collector& collector_;
  std::chrono::steady_clock::time_point next_;
  bool complained_ = false;
};

}  // namespace gpusan
