// Findings about a command's arguments, kept as text for the report of a device fault.
#include "hooks/cuda/call/flaws.h"

#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/common/base/process_state.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxFlaws = 64;

struct Flaw {
  Epoch epoch;
  std::string text;
};

struct State {
  SpinLock lock;
  std::vector<Flaw> flaws;  // a ring
  size_t next_flaw = 0;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

}  // namespace

std::string FlawsOf(const CuCall& call, size_t from) {
  std::string text;
  if (call.findings() == nullptr) return text;
  for (size_t i = from; i < call.findings()->size(); ++i) {
    const Finding& finding = (*call.findings())[i];
    if (finding.severity == Severity::kNote) continue;
    absl::StrAppend(&text, text.empty() ? "" : "; ", InfoOf(finding.rule).id, ": ", finding.what);
  }
  return text;
}

void NoteFlaws(const CuCall& call, const Command& command) {
  std::string text = FlawsOf(call);
  if (text.empty()) return;
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  if (state.flaws.size() < kMaxFlaws) {
    state.flaws.push_back({command.epoch, std::move(text)});
  } else {
    state.flaws[state.next_flaw++ % kMaxFlaws] = {command.epoch, std::move(text)};
  }
}

std::string NotedFlaws(Epoch epoch) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  for (const Flaw& flaw : state.flaws) {
    if (flaw.epoch == epoch) return flaw.text;
  }
  return "";
}

}  // namespace gpusan::cuda
