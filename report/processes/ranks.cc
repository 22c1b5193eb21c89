// Ranks of one host meet in a folder.
#include "report/processes/ranks.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "report/base/temporary_root.h"

namespace gpusan {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kTick{50};
constexpr milliseconds kPatience{2000};  // for the start of other ranks

// The number in the variable; -1 without one.
int Number(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return -1;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  // Slurm writes "4(x2)" for two nodes with four tasks each.
  const bool whole = *end == '\0' || *end == '(';
  return whole && number >= 0 && number < (1 << 20) ? static_cast<int>(number) : -1;
}

// The time at which the process started, in ticks since the boot; empty if it is not known.
std::string StartOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  size_t at = text.rfind(')');  // the name may contain blanks
  constexpr int kFieldsBetween = 20;
  for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = text.find(' ', at + 1);
  if (at == std::string::npos) return "";
  return text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

// Whether the folder exists and only this user can use it.
bool IsOwnFolder(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Whether the process whose number is in the file runs.
bool Runs(const std::string& file) {
  std::ifstream text(file);
  int pid = 0;
  return text >> pid && pid > 0 && kill(pid, 0) == 0;
}

}  // namespace

void LocalRanks::Meet() {
  constexpr const char* kVariables[][2] = {
      {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
      {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
      {"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
  };
  for (const auto& [rank, size] : kVariables) {
    if (Number(rank) < 0 || Number(size) < 2) continue;
    rank_ = Number(rank);
    size_ = Number(size);
    break;
  }
  if (size_ < 2 || rank_ >= size_) return;
  const std::string start = StartOf(getppid());
  if (start.empty()) return;
  const std::string name =
      "gpusan-ranks." + std::to_string(geteuid()) + "." + std::to_string(getppid()) + "." + start;
  const std::string folder = TemporaryRoot() + "/" + name;
  mkdir(folder.c_str(), 0700);
  if (!IsOwnFolder(folder)) return;
  folder_ = folder;
  run_ = name;
  std::ofstream(Mark("start", rank_)) << getpid() << "\n";
}

LocalRanks::~LocalRanks() {
  if (!several()) return;
  unlink(Mark("start", rank_).c_str());
  if (!follower()) {
    for (int rank = 1; rank < size_; ++rank) unlink(Mark("done", rank).c_str());
  }
  rmdir(folder_.c_str());  // fails while records or marks of other ranks are in it
}

std::string LocalRanks::Mark(const char* what, int rank) const {
  return folder_ + "/." + what + "." + std::to_string(rank);
}

bool LocalRanks::LeaveToLeader() {
  for (milliseconds waited{0}; waited < kPatience; waited += kTick) {
    if (Runs(Mark("start", 0))) {
      std::ofstream(Mark("done", rank_)).flush();
      return true;
    }
    if (Exists(Mark("start", 0))) return false;  // the leader was killed
    std::this_thread::sleep_for(kTick);
  }
  return false;
}

bool LocalRanks::Alone() const {
  for (int rank = 0; rank < size_; ++rank) {
    if (rank != rank_ && Exists(Mark("start", rank))) return false;
  }
  return true;
}

void LocalRanks::AwaitOthers(const std::function<void()>& tick) {
  const auto awaited = [&](int rank, milliseconds waited) {
    if (Exists(Mark("done", rank))) return false;
    const std::string start = Mark("start", rank);
    return Exists(start) ? Runs(start) : waited < kPatience;
  };
  for (milliseconds waited{0};; waited += kTick) {
    bool any = false;
    for (int rank = 1; rank < size_; ++rank) any = any || awaited(rank, waited);
    tick();
    if (!any) break;
    std::this_thread::sleep_for(kTick);
  }
  unlink(Mark("start", 0).c_str());  // ranks that come later report for themselves
}

}  // namespace gpusan
