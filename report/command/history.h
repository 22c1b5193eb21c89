// The results of nights in an SQLite file: findings, their counts, and the peaks of memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

struct sqlite3;

namespace gpusan {

// A finding in one night.
struct NightFinding {
  std::string fingerprint;
  std::string severity;
  std::string rule;
  std::string call;
  std::string place;
  std::string what;
  uint64_t count = 0;
};

struct Night {
  std::string name;
  int64_t began_ns = 0;  // since 1970, UTC
  int64_t ended_ns = 0;
  uint64_t processes = 0;
  uint64_t incomplete = 0;
  std::map<std::string, uint64_t> peaks;  // bytes by ledger, the highest of one process
  // Sums over the processes that measured both [ns]: the time that calls spent in gpusan, and the
  // run time. 0: no process did.
  uint64_t own_ns = 0;
  uint64_t wall_ns = 0;
};

// A finding in all nights.
struct KeptFinding {
  NightFinding last;  // of the last night that had the finding
  std::string first_night;
  std::string last_night;
  uint64_t nights = 0;           // number of nights with this finding
  std::vector<uint64_t> counts;  // in the requested nights, oldest first
};

// Not thread-safe. Throws std::runtime_error with a message of one line.
class History {
 public:
  // Opens the file; with `create` creates it if it does not exist.
  History(const std::string& path, bool create);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Begins a night; it replaces an earlier night of that name. Commit makes the changes permanent.
  void Begin(const Night& night);
  void Add(const NightFinding& finding);
  void Commit();

  // The last `most` nights, oldest first.
  std::vector<Night> Nights(int most);

  // All findings with their counts in `nights`: those of the last night first, the newest of them
  // on top.
  std::vector<KeptFinding> Findings(const std::vector<Night>& nights);

 private:
  struct Statement;

  void Run(const char* sql);

  sqlite3* database_ = nullptr;
  int64_t night_ = 0;
};

}  // namespace gpusan
