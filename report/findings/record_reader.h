// Reads record files back, whole or while they grow. manifests/record.schema.json says what is in
// them.
//
// Not thread-safe. No bad file makes it fail: what is malformed is named with file and line and
// left out. Memory does not grow with the file: what it holds is handed on and forgotten.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/record/command_record.h"
#include "report/record/frame_source.h"
#include "report/record/text.h"

namespace gpusan {

// A loaded file as the process saw it.
struct ReadModule {
  std::string path;
  std::string build_id;  // lower-case hex; may be empty

  auto operator<=>(const ReadModule&) const = default;
};

// By the ids of one file. Equal modules of different files are one object, which lives as long as
// the program.
using ModuleTable = std::map<uint32_t, const ReadModule*>;

// A place of the program, by its id in one process.
struct ReadSite {
  std::vector<RecordFrame> frames;
  std::vector<TextFrame> text_frames;  // of a merged file, in place of `frames`
};
using SiteTable = std::map<uint32_t, ReadSite>;

// A finding record. Unless the file is a merged one, the frames in `text` are empty and here they
// are as recorded.
struct ReadFinding {
  TextFinding text;
  std::string api;
  std::string fingerprint;
  std::vector<RecordFrame> frames;
  std::vector<std::vector<RecordFrame>> party_frames;  // one a party of `text`
  std::map<std::string, std::string> build_ids;        // by module; of frames that have symbols
  std::vector<bool> fact_is_number;                    // one a fact of `text`
  bool merged = false;                                 // `text` has frames, `count` counts
  bool refresh = false;                                // in place of one that was read before
  uint64_t count = 1;
  int64_t first_ns = 0;  // since 1970
  int64_t last_ns = 0;
  int64_t thread = 0;
  uint64_t offset = 0;  // of the record in its file, in bytes
};

using Figures = std::map<std::string, uint64_t>;
using LedgerFigures = std::map<std::string, Figures>;

struct ReadSample {
  struct Site {
    std::string api;
    uint32_t id = 0;  // in ReadProcess::sites; 0: the frames stand here
    std::vector<RecordFrame> frames;
    std::vector<TextFrame> text_frames;  // of a merged file, in place of `frames`
    uint64_t live_bytes = 0;
    uint64_t live_count = 0;
  };
  int64_t time_ns = 0;  // since 1970
  LedgerFigures ledger;
  Figures calls;  // so far, by API
  std::vector<Site> sites;
  uint64_t offset = 0;  // of the record in its file, in bytes
};

// A commands record (command_record.h says what the entries are).
struct ReadCommands {
  struct Queue {
    std::string api;
    std::string handle;
    uint32_t site = 0;  // in ReadProcess::sites; 0: not known
    bool in_order = false;
  };
  struct Entry {
    CommandEntryKind kind = CommandEntryKind::kCommand;
    int64_t time_ns = 0;  // since 1970
    CommandPoint point;
    CommandPoint behind[2];
    uint32_t call = 0;   // in `calls`
    uint32_t queue = 0;  // in `queues`
    uint32_t site = 0;   // in ReadProcess::sites; 0: not known
    // Of a run of commands: from the tick of `point` on as many, until about then.
    uint64_t count = 1;
    int64_t until_ns = 0;
    // Those that came in turn with the first: call and site.
    std::vector<std::pair<uint32_t, uint32_t>> others;
    // A bit a place: the host waits for each of its commands before the next one comes.
    uint32_t waits = 0;

    CommandPoint last() const { return {point.timeline, point.tick + count - 1}; }
  };

  std::vector<std::string> calls;
  std::vector<Queue> queues;
  std::vector<Entry> entries;  // not empty, in the order of time
  uint64_t offset = 0;         // of the record in its file, in bytes
};

// "clEnqueueWriteBuffer", or "clEnqueueWriteBuffer, clEnqueueNDRangeKernel and wait in turn".
std::string CallsOf(const ReadCommands& commands, const ReadCommands::Entry& entry);

// What is known of a process. A merged file holds many.
struct ReadProcess {
  std::string file;
  bool seen = false;  // the process record
  int pid = 0;
  int ppid = 0;
  std::string gpusan;  // version
  std::string exe;
  std::vector<std::string> arguments;
  std::string host;
  std::string rank;
  int64_t start_ns = 0;  // since 1970
  std::map<std::string, std::string> options;
  std::vector<std::string> attach_paths;
  std::shared_ptr<const ModuleTable> modules;
  std::shared_ptr<SiteTable> sites;  // nullptr: none
  uint64_t record_bytes =
      0;  // of its records where they were written first; complete when it is done
  uint64_t findings_written = 0;
  int64_t last_ns = 0;  // of what was read last
  // From the last end record.
  bool ended = false;  // and nothing was found after it
  std::string reason;
  Figures dropped;
  Figures calls;  // by API
  LedgerFigures ledger;
  Figures overhead;                   // own_ns, wall_ns; empty: not known
  std::vector<std::string> warnings;  // of the library about itself
};

class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  virtual void OnFinding(const ReadProcess& process, ReadFinding&& finding) = 0;
  virtual void OnWarning(const ReadProcess& process, const std::string& text) = 0;
  // One line "file:line: what is wrong" about the file itself.
  virtual void OnTrouble(const ReadProcess& process, const std::string& line) = 0;
  virtual void OnSample(const ReadProcess&, ReadSample&&) {}
  virtual void OnCommands(const ReadProcess&, ReadCommands&&) {}
  // An end record begins: the tallies that follow are in place of those before.
  virtual void OnEnd(const ReadProcess&) {}
  // So often was it found in this process, written or not.
  virtual void OnTally(const ReadProcess&, const std::string& /*fingerprint*/, uint64_t) {}
  // ... and so late for the last time, since 1970; told of those that were counted and not written.
  virtual void OnLastSeen(const ReadProcess&, const std::string& /*fingerprint*/, int64_t) {}
  // Nothing more is read of this process; what stays unknown of it is unknown for good. It is the
  // object that the calls before were about.
  virtual void OnDone(ReadProcess&&) {}
};

class RecordReader {
 public:
  // Opens nothing yet. The visitor must outlive the reader.
  RecordReader(std::string path, RecordVisitor* visitor);

  // Reads what was appended since the last time, whole lines only. `on_progress` is told how many
  // bytes were read, every now and then. False with errno when the file cannot be read.
  bool Poll(const std::function<void(uint64_t bytes)>& on_progress = nullptr);

  // For a further part of the process that `main` reads: what its records define is known there
  // too.
  void ShareTables(RecordReader* main);

  // After the last Poll: a line without its newline is truncated, and reported.
  void Finish();

  // The one that the records read last belong to.
  const ReadProcess& process() const { return process_; }

 private:
  void Line(std::string_view line, uint64_t offset);
  void NextProcess(uint64_t offset);

  ReadProcess process_;
  std::shared_ptr<ModuleTable> modules_;
  RecordVisitor* const visitor_;
  bool merged_ = false;
  uint64_t offset_ = 0;  // of the first line not taken yet
  uint64_t begin_ = 0;   // of the process
  uint64_t line_number_ = 0;
  std::string rest_;  // what stands there without a newline
};

// Reads single records again by their offsets.
class RecordSource {
 public:
  explicit RecordSource(const std::string& path);
  ~RecordSource();
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;

  // False when there is no such record there any more.
  bool Read(uint64_t offset, ReadFinding* finding);
  bool Read(uint64_t offset, ReadSample* sample);
  bool Read(uint64_t offset, ReadCommands* commands);

  // The record as it stands there, without its newline, until the next call; empty as above.
  std::string_view Line(uint64_t offset);

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int fd_;
  std::string buffer_;
};

}  // namespace gpusan
