// Several `gpusan run` on one host that a launcher started as ranks of one job ("mpirun -n 4 gpusan
// run -- ./solver"): the first rank of the host, the leader, reports for all of them.
//
// Ranks of a host have one parent, the daemon of the launcher. They meet in a folder that is named
// after it. A rank that finds no leader reports for itself.
#pragma once

#include <functional>
#include <string>

namespace gpusan {

// Not thread-safe.
class LocalRanks {
 public:
  LocalRanks() = default;
  ~LocalRanks();
  LocalRanks(const LocalRanks&) = delete;
  LocalRanks& operator=(const LocalRanks&) = delete;

  // Reads the variables of Open MPI, MPICH, Intel MPI and Slurm, and opens the meeting folder. Has
  // no effect where there is only one rank, or where the folder cannot be used.
  void Meet();

  // Whether there are several ranks on this host.
  bool several() const { return !folder_.empty(); }
  bool follower() const { return several() && rank_ != 0; }
  // The folder in which ranks without --output write their records; empty for a single rank.
  const std::string& folder() const { return folder_; }
  // The name of the run that all ranks have in common (report/record/attach_log.h).
  const std::string& run() const { return run_; }

  // Of a follower, at its end: says that this rank is done. Returns false if there is no leader, so
  // that this rank has to report for itself.
  bool LeaveToLeader();

  // Whether no other rank is in the folder.
  bool Alone() const;

  // Of the leader, at its end: waits until the other ranks are done, or have ended. Calls `tick`
  // every 50 ms.
  void AwaitOthers(const std::function<void()>& tick);

 private:
  std::string Mark(const char* what, int rank) const;

  std::string folder_;
  std::string run_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace gpusan
