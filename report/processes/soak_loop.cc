// The loop of --repeat, --until and --timeout of `gpusan run`.
#include "report/processes/soak_loop.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include <algorithm>

#include "report/base/printable.h"
#include "report/base/time_text.h"
#include "report/formats/formats.h"
#include "report/formats/output.h"
#include "report/options/duration.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr std::chrono::seconds kKillDelay{10};  // from SIGTERM to SIGKILL

}  // namespace

std::string SoakLoop::Set(const Options& options) {
  limit_ = static_cast<uint64_t>(options.repeat);
  if (!options.until.empty()) {
    if (!ParseUntil(options.until, NowNs(), &until_ns_)) {
      return "bad value '" + options.until +
             "' for --until: it must be a future time, such as 06:30, 2027-01-31T06:30 or +8h";
    }
    if (limit_ == 1) limit_ = 0;
  }
  if (!options.timeout.empty()) {
    int64_t timeout_ns = 0;
    if (!ParseDuration(options.timeout, &timeout_ns)) {
      return "bad value '" + options.timeout +
             "' for --timeout: it must be a duration, such as 90s, 15m or 8h";
    }
    timeout_ = std::chrono::nanoseconds(timeout_ns);
  }
  asked_for_ = limit_ != 1 || until_ns_ != 0 || timeout_.count() != 0;
  return "";
}

void SoakLoop::BeginIteration() {
  ++iteration_;
  iteration_begin_ = Clock::now();
  terminated_ = killed_ = false;
}

void SoakLoop::CheckTimeout(int pid) {
  if (timeout_.count() == 0 || killed_) return;
  const auto taken = Clock::now() - iteration_begin_;
  if (terminated_ && taken >= timeout_ + kKillDelay) {
    kill(pid, SIGKILL);
    killed_ = true;
  } else if (!terminated_ && taken >= timeout_) {
    kill(pid, SIGTERM);
    kill(pid, SIGCONT);  // a stopped program handles SIGTERM only when it continues
    terminated_ = true;
  }
}

bool SoakLoop::Continues(const ProgramResult& result) {
  if (result.ExitCode() != 0 || result.asked_to_end || AskedToEnd()) return false;
  if (limit_ != 0 && iteration_ >= limit_) return false;
  return until_ns_ == 0 || NowNs() < until_ns_;
}

SoakStatus SoakLoop::Status(const Collector& collector) const {
  SoakStatus status;
  status.elapsed_s =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
  status.iteration = iteration_;
  status.iterations = limit_;
  for (const auto& [process, running] : collector.running()) {
    status.has_samples = true;
    status.calls_per_second += running.calls_per_second;
    for (const auto& [api, figures] : running.ledger) {
      const auto live = figures.find("live_bytes");
      if (live != figures.end()) status.live_bytes += live->second;
    }
  }
  for (const FindingGroup& group : collector.table().groups())
    status.findings += group.suppression == 0 ? 1 : 0;
  return status;
}

std::string SoakLoop::Summary(const std::string& program, const ProgramResult& last) const {
  std::string text;
  if (iteration_ > 1 || limit_ != 1) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
    text += "gpusan: " + CountText(iteration_, "iteration", "iterations") + " in " +
            CountText(static_cast<uint64_t>(seconds), "second", "seconds") + "\n";
  }
  if (terminated_) {
    text += "gpusan: '" + Printable(program) + "' took longer than --timeout and was " +
            (killed_ ? "killed" : "terminated") + "\n";
  }
  if (last.signaled) {
    text += "gpusan: '" + Printable(program) + "' was ended by signal " +
            std::to_string(last.code) + " (" + strsignal(last.code) + ")\n";
  }
  return text;
}

int SoakLoop::ExitCode(const ProgramResult& last) const {
  const int code = last.ExitCode();
  return terminated_ && code != 0 ? kExitTimeout : code;
}

LiveMetrics::LiveMetrics(const Options& options, Collector* collector)
    : path_(options.metrics),
      interval_(std::clamp<int64_t>(options.metrics_interval, 1, 86400)),
      collector_(*collector),
      next_(std::chrono::steady_clock::now()) {}

void LiveMetrics::WriteIfDue() {
  if (!path_.empty() && std::chrono::steady_clock::now() >= next_) Write();
}

void LiveMetrics::Write() {
  if (path_.empty()) return;
  next_ = std::chrono::steady_clock::now() + interval_;
  Output output;
  std::string error = output.Open(path_);
  if (error.empty()) {
    WriteMetrics(&collector_, &output);
    error = output.Commit();
  }
  if (error.empty() || reported_) return;
  reported_ = true;
  collector_.Trouble("--metrics: " + error);
}

}  // namespace gpusan
