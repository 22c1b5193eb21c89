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

constexpr std::chrono::seconds kPatience{10};  // from SIGTERM to SIGKILL

}  // namespace

std::string SoakLoop::Set(const Options& options) {
  turns_ = static_cast<uint64_t>(options.repeat);
  if (!options.until.empty()) {
    if (!ParseUntil(options.until, NowNs(), &until_ns_)) {
      return "bad value '" + options.until +
             "' for --until: it must be a future time, such as 06:30, 2027-01-31T06:30 or +8h";
    }
    if (turns_ == 1) turns_ = 0;
  }
  if (!options.timeout.empty()) {
    int64_t timeout_ns = 0;
    if (!ParseDuration(options.timeout, &timeout_ns)) {
      return "bad value '" + options.timeout +
             "' for --timeout: it must be a duration, such as 90s, 15m or 8h";
    }
    timeout_ = std::chrono::nanoseconds(timeout_ns);
  }
  asked_for_ = turns_ != 1 || until_ns_ != 0 || timeout_.count() != 0;
  return "";
}

void SoakLoop::BeginTurn() {
  ++turn_;
  turn_begin_ = Clock::now();
  asked_ = killed_ = false;
}

void SoakLoop::Look(int pid) {
  if (timeout_.count() == 0 || killed_) return;
  const auto taken = Clock::now() - turn_begin_;
  if (asked_ && taken >= timeout_ + kPatience) {
    kill(pid, SIGKILL);
    killed_ = true;
  } else if (!asked_ && taken >= timeout_) {
    kill(pid, SIGTERM);
    kill(pid, SIGCONT);  // a stopped program handles SIGTERM only when it continues
    asked_ = true;
  }
}

bool SoakLoop::Again(const ProgramResult& result) {
  if (result.ExitCode() != 0 || result.asked_to_end || AskedToEnd()) return false;
  if (turns_ != 0 && turn_ >= turns_) return false;
  return until_ns_ == 0 || NowNs() < until_ns_;
}

SoakStatus SoakLoop::Status(const Collector& collector) const {
  SoakStatus status;
  status.elapsed_s =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
  status.turn = turn_;
  status.turns = turns_;
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
  if (turn_ > 1 || turns_ != 1) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
    text += "gpusan: " + CountText(turn_, "iteration", "iterations") + " in " +
            CountText(static_cast<uint64_t>(seconds), "second", "seconds") + "\n";
  }
  if (asked_) {
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
  return asked_ && code != 0 ? kExitTimeout : code;
}

LiveMetrics::LiveMetrics(const Options& options, Collector* collector)
    : path_(options.metrics),
      interval_(std::clamp<int64_t>(options.metrics_interval, 1, 86400)),
      collector_(*collector),
      next_(std::chrono::steady_clock::now()) {}

void LiveMetrics::Look() {
  if (!path_.empty() && std::chrono::steady_clock::now() >= next_) Write();
}

void LiveMetrics::Write() {
  if (path_.empty()) return;
  next_ = std::chrono::steady_clock::now() + interval_;
  Output output;
  std::string complaint = output.Open(path_);
  if (complaint.empty()) {
    WriteMetrics(&collector_, &output);
    complaint = output.Commit();
  }
  if (complaint.empty() || complained_) return;
  complained_ = true;
  collector_.Trouble("--metrics: " + complaint);
}

}  // namespace gpusan
