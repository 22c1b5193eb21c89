// The tables and their statements.
#include "report/command/history.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <stdexcept>

namespace gpusan {
namespace {

constexpr char kTables[] = R"(
CREATE TABLE IF NOT EXISTS nights (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, began_ns INTEGER NOT NULL,
  ended_ns INTEGER NOT NULL, processes INTEGER NOT NULL, incomplete INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS findings (
  id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, severity TEXT NOT NULL,
  rule TEXT NOT NULL, call TEXT NOT NULL, place TEXT NOT NULL, what TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS counts (
  night INTEGER NOT NULL REFERENCES nights(id) ON DELETE CASCADE,
  finding INTEGER NOT NULL REFERENCES findings(id), count INTEGER NOT NULL,
  PRIMARY KEY (finding, night)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counts_of_night ON counts (night);
CREATE TABLE IF NOT EXISTS peaks (
  night INTEGER NOT NULL REFERENCES nights(id) ON DELETE CASCADE,
  ledger TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (night, ledger)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS overheads (
  night INTEGER PRIMARY KEY REFERENCES nights(id) ON DELETE CASCADE,
  own_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL);
)";

// The value of PRAGMA user_version. Files of a later version are not changed.
constexpr int kVersion = 2;

}  // namespace

struct History::Statement {
  Statement(sqlite3* database, const char* sql) : database(database) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK) Fail();
  }
  ~Statement() { sqlite3_finalize(statement); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  [[noreturn]] void Fail() const { throw std::runtime_error(sqlite3_errmsg(database)); }

  Statement& Bind(int64_t value) {
    if (sqlite3_bind_int64(statement, ++bound, value) != SQLITE_OK) Fail();
    return *this;
  }
  Statement& Bind(const std::string& value) {
    if (sqlite3_bind_text(statement, ++bound, value.data(), static_cast<int>(value.size()),
                          SQLITE_TRANSIENT) != SQLITE_OK)
      Fail();
    return *this;
  }

  // True while there is a row.
  bool Step() {
    const int result = sqlite3_step(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE) Fail();
    return result == SQLITE_ROW;
  }

  int64_t Number(int column) const { return sqlite3_column_int64(statement, column); }
  std::string Text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    return text == nullptr ? "" : text;
  }

  sqlite3* database;
  sqlite3_stmt* statement = nullptr;
  int bound = 0;
};

History::History(const std::string& path, bool create) {
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  if (sqlite3_open_v2(path.c_str(), &database_, flags, nullptr) != SQLITE_OK) {
    const std::string what = sqlite3_errmsg(database_);
    sqlite3_close(database_);
    throw std::runtime_error(path + ": " + what);
  }
  try {
    sqlite3_busy_timeout(database_, 60000);  // several hosts may add to one file
    // A file of others: its schema has tables only, nothing that runs when they are used.
    sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    Run("PRAGMA cell_size_check = ON");
    Run("PRAGMA foreign_keys = ON");
    int64_t version = 0;
    {
      Statement pragma(database_, "PRAGMA user_version");
      if (pragma.Step()) version = pragma.Number(0);
    }
    if (version > kVersion) throw std::runtime_error("it was written by a newer gpusan");
    if (version < kVersion) {
      Run("BEGIN IMMEDIATE");
      Run(kTables);
      Run(("PRAGMA user_version = " + std::to_string(kVersion)).c_str());
      Run("COMMIT");
    }
  } catch (const std::exception& error) {
    sqlite3_close(database_);
    throw std::runtime_error(path + ": " + error.what());
  }
}

History::~History() { sqlite3_close(database_); }

void History::Run(const char* sql) {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database_));
}

void History::Begin(const Night& night) {
  Run("BEGIN IMMEDIATE");
  Statement(database_, "DELETE FROM nights WHERE name = ?").Bind(night.name).Step();
  Statement(database_,
            "INSERT INTO nights (name, began_ns, ended_ns, processes, incomplete) "
            "VALUES (?, ?, ?, ?, ?)")
      .Bind(night.name)
      .Bind(night.began_ns)
      .Bind(night.ended_ns)
      .Bind(static_cast<int64_t>(night.processes))
      .Bind(static_cast<int64_t>(night.incomplete))
      .Step();
  night_ = sqlite3_last_insert_rowid(database_);
  for (const auto& [ledger, bytes] : night.peaks) {
    Statement(database_, "INSERT INTO peaks VALUES (?, ?, ?)")
        .Bind(night_)
        .Bind(ledger)
        .Bind(static_cast<int64_t>(bytes))
        .Step();
  }
  if (night.wall_ns == 0) return;
  Statement(database_, "INSERT INTO overheads VALUES (?, ?, ?)")
      .Bind(night_)
      .Bind(static_cast<int64_t>(night.own_ns))
      .Bind(static_cast<int64_t>(night.wall_ns))
      .Step();
}

void History::Add(const NightFinding& finding) {
  Statement(database_,
            "INSERT INTO findings (fingerprint, severity, rule, call, place, what) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE SET "
            "severity = excluded.severity, place = excluded.place, what = excluded.what")
      .Bind(finding.fingerprint)
      .Bind(finding.severity)
      .Bind(finding.rule)
      .Bind(finding.call)
      .Bind(finding.place)
      .Bind(finding.what)
      .Step();
  Statement(database_, "INSERT INTO counts SELECT ?, id, ? FROM findings WHERE fingerprint = ?")
      .Bind(night_)
      .Bind(static_cast<int64_t>(finding.count))
      .Bind(finding.fingerprint)
      .Step();
}

void History::Commit() { Run("COMMIT"); }

std::vector<Night> History::Nights(int most) {
  std::vector<Night> nights;
  Statement rows(database_,
                 "SELECT id, name, began_ns, ended_ns, processes, incomplete FROM nights "
                 "ORDER BY began_ns DESC, id DESC LIMIT ?");
  rows.Bind(int64_t{most});
  while (rows.Step()) {
    Night& night = nights.emplace_back();
    night.name = rows.Text(1);
    night.began_ns = rows.Number(2);
    night.ended_ns = rows.Number(3);
    night.processes = static_cast<uint64_t>(rows.Number(4));
    night.incomplete = static_cast<uint64_t>(rows.Number(5));
    Statement peaks(database_, "SELECT ledger, bytes FROM peaks WHERE night = ?");
    peaks.Bind(rows.Number(0));
    while (peaks.Step()) night.peaks[peaks.Text(0)] = static_cast<uint64_t>(peaks.Number(1));
    Statement overhead(database_, "SELECT own_ns, wall_ns FROM overheads WHERE night = ?");
    overhead.Bind(rows.Number(0));
    if (overhead.Step()) {
      night.own_ns = static_cast<uint64_t>(overhead.Number(0));
      night.wall_ns = static_cast<uint64_t>(overhead.Number(1));
    }
  }
  std::reverse(nights.begin(), nights.end());
  return nights;
}

std::vector<KeptFinding> History::Findings(const std::vector<Night>& nights) {
  std::map<std::string, size_t> position;
  for (size_t i = 0; i < nights.size(); ++i) position[nights[i].name] = i;
  std::vector<KeptFinding> findings;
  Statement rows(database_,
                 "SELECT fingerprint, severity, rule, call, place, what, name, count "
                 "FROM findings JOIN counts ON finding = findings.id JOIN nights ON "
                 "night = nights.id ORDER BY findings.id, began_ns, nights.id");
  while (rows.Step()) {
    const std::string fingerprint = rows.Text(0);
    if (findings.empty() || findings.back().last.fingerprint != fingerprint) {
      KeptFinding& kept = findings.emplace_back();
      kept.last.fingerprint = fingerprint;
      kept.last.severity = rows.Text(1);
      kept.last.rule = rows.Text(2);
      kept.last.call = rows.Text(3);
      kept.last.place = rows.Text(4);
      kept.last.what = rows.Text(5);
      kept.first_night = rows.Text(6);
      kept.counts.resize(nights.size());
    }
    KeptFinding& kept = findings.back();
    kept.last_night = rows.Text(6);
    kept.last.count = static_cast<uint64_t>(rows.Number(7));
    ++kept.nights;
    const auto at = position.find(kept.last_night);
    if (at != position.end()) kept.counts[at->second] = kept.last.count;
  }
  const std::string latest = nights.empty() ? "" : nights.back().name;
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const KeptFinding& a, const KeptFinding& b) {
                     const bool here = a.last_night == latest;
                     if (here != (b.last_night == latest)) return here;
                     return a.nights < b.nights;  // newest findings first
                   });
  return findings;
}

}  // namespace gpusan
