// Nights kept in an SQLite file: what was found when, how often, and the peaks of memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct sqlite3;

namespace gpusan {

// A finding as it was in one night.
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
  int64_t began_ns = 0;  // since 1970
  int64_t ended_ns = 0;
  uint64_t processes = 0;
  uint64_t incomplete = 0;
  std::map<std::string, uint64_t> peaks;  // bytes by ledger, the highest of one process
  // What calls spent in gpusan of all processes that know it, and how long those ran; 0: none does.
  uint64_t own_ns = 0;
  uint64_t wall_ns = 0;
};

// A finding over all nights.
struct KeptFinding {
  NightFinding last;  // as it was when it was seen last; its count too
  std::string first_night;
  std::string last_night;
  uint64_t nights = 0;           // in which it was found
  std::vector<uint64_t> counts;  // of the nights that Show looks back on, oldest first
};

// Not thread-safe. Errors are thrown as std::runtime_error in one line.
class History {
 public:
  // Opens the file; with `create` makes it where there is none.
  History(const std::string& path, bool create);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Begins a night; one of that name is replaced. Nothing is kept before Commit.
  void Begin(const Night& night);
  void Add(const NightFinding& finding);
  void Commit();

  // The last `most` nights, oldest first.
  std::vector<Night> Nights(int most);

  // All findings, with their counts in these nights: those of the last night first, the newest on
  // top.
  std::vector<KeptFinding> Findings(const std::vector<Night>& nights);

 private:
  struct Statement;

  void Run(const char* sql);

  sqlite3* database_ = nullptr;
  int64_t night_ = 0;
};

}  // namespace gpusan
