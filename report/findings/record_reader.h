// Reads record files, complete or while they grow. manifests/record.schema.json defines their
// content.
//
// Not thread-safe. A malformed file does not make the reader fail: it reports each malformed line
// with file and line number and skips it. Memory does not grow with the file: records are passed on
// and not kept.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/record/command_record.h"
#include "report/record/frame_source.h"
#include "report/text/text.h"

namespace gpusan {

// Whether arrays and objects in a line are nested deeper than gpusan writes them; any answer for a
// line that is not JSON. Such lines are not parsed: what is done with the values may recurse.
bool IsTooDeep(std::string_view line);

// A loaded file as the process saw it, or a function of an interpreter.
struct ReadModule {
  std::string path;      // of the loaded file, or the source file of the function
  std::string build_id;  // lower-case hex; may be empty
  std::string function;  // empty: a loaded file
  std::string language;  // of the function
  int first_line = 0;    // of the function; 0: not known

  auto operator<=>(const ReadModule&) const = default;
};

// Modules by their ids in one file. Equal modules of different files are one object, which is never
// deleted.
using ModuleTable = std::map<uint32_t, const ReadModule*>;

// A call site; its id is valid in one process.
struct ReadSite {
  std::vector<RecordFrame> frames;
  std::vector<TextFrame> text_frames;  // in a merged file, instead of `frames`
};
using SiteTable = std::map<uint32_t, ReadSite>;

// A finding record. In files that are not merged, the frames in `text` are empty and the recorded
// frames are in `frames` and `party_frames`.
struct ReadFinding {
  TextFinding text;
  std::string api;
  std::string fingerprint;
  std::vector<RecordFrame> frames;
  std::vector<std::vector<RecordFrame>> party_frames;  // one per party of `text`
  std::map<std::string, std::string> build_ids;        // by module; for frames with symbols
  std::vector<bool> fact_is_number;                    // one per fact of `text`
  bool merged = false;                                 // `text` has frames, and `count` is valid
  bool refresh = false;                                // replaces a finding that was read before
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
    uint32_t id = 0;  // in ReadProcess::sites; 0: the frames are here
    std::vector<RecordFrame> frames;
    std::vector<TextFrame> text_frames;  // in a merged file, instead of `frames`
    uint64_t live_bytes = 0;
    uint64_t live_count = 0;
  };
  int64_t time_ns = 0;  // since 1970
  LedgerFigures ledger;
  Figures calls;  // intercepted so far, by API
  std::vector<Site> sites;
  uint64_t offset = 0;  // of the record in its file, in bytes
};

// A commands record (command_record.h defines the entries).
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
    // For a run of commands: their number, from the tick of `point` on, and the approximate time of
    // the last one.
    uint64_t count = 1;
    int64_t until_ns = 0;
    // The calls that alternate with the first one: call and site.
    std::vector<std::pair<uint32_t, uint32_t>> others;
    // A bit per call of the run: the host waits for each of its commands before the next call.
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

// The known state of a process. A merged file contains many processes.
struct ReadProcess {
  std::string file;
  bool seen = false;  // the process record was read
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
  std::string settings;  // a settings file of Vulkan layers and the options that it set
  std::shared_ptr<const ModuleTable> modules;
  std::shared_ptr<SiteTable> sites;  // nullptr: none
  // Of its records where they were written first. Complete when the process is done.
  uint64_t record_bytes = 0;
  int64_t last_ns = 0;  // time of the last record that was read
  // From the last end record.
  bool ended = false;  // and no finding followed it
  std::string reason;
  Figures dropped;
  Figures calls;  // by API
  LedgerFigures ledger;
  Figures overhead;                   // own_ns, wall_ns; empty: not known
  std::vector<std::string> warnings;  // messages of the library about itself
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
  // An end record starts: the tallies that follow replace earlier ones.
  virtual void OnEnd(const ReadProcess&) {}
  // The number of occurrences in this process, written or not.
  virtual void OnTally(const ReadProcess&, const std::string& /*fingerprint*/, uint64_t) {}
  // The time of the last occurrence, since 1970; for findings that were counted and not written.
  virtual void OnLastSeen(const ReadProcess&, const std::string& /*fingerprint*/, int64_t) {}
  // No more records of this process follow; its state is final. It is the object that the earlier
  // calls received.
  virtual void OnDone(ReadProcess&&) {}
};

// Bytes. The longest lines that gpusan writes are end records with a million tallies, some 100 MiB.
inline constexpr size_t kLongestRecordLine = size_t{256} << 20;

class RecordReader {
 public:
  // Opens no file. The visitor must outlive the reader. `longest_line` [bytes]: a file with a
  // longer line is not read further.
  RecordReader(std::string path, RecordVisitor* visitor, size_t longest_line = kLongestRecordLine);

  // Reads the complete lines that were appended since the last call. Calls `on_progress` with
  // numbers of bytes read. Returns false when the file cannot be read; failure() says why.
  bool Poll(const std::function<void(uint64_t bytes)>& on_progress = nullptr);
  // The reason of the last Poll that returned false, in a few words without the file's name.
  const std::string& failure() const { return failure_; }

  // Call it for a further part of the process that `main` reads: the definitions of modules and
  // call sites are shared between both.
  void ShareTables(RecordReader* main);

  // Call it after the last Poll. Reports a last line without newline as truncated.
  void Finish();

  // The process of the records that were read last.
  const ReadProcess& process() const { return process_; }

 private:
  void Line(std::string_view line, uint64_t offset);
  // Takes over the content of a record, and passes it to the visitor. Throws std::exception if a
  // field is missing or has another type.
  void Apply(const nlohmann::ordered_json& record, uint64_t offset);
  // Reports that something is wrong with the current line.
  void Trouble(const std::string& what);
  void NextProcess(uint64_t offset);

  ReadProcess process_;
  std::shared_ptr<ModuleTable> modules_;
  RecordVisitor* const visitor_;
  const size_t longest_line_;
  std::string failure_;
  bool gave_up_ = false;  // after a line that is too long
  bool merged_ = false;
  uint64_t offset_ = 0;  // of the first line not yet processed
  uint64_t begin_ = 0;   // of the process
  uint64_t line_number_ = 0;
  std::string rest_;  // the incomplete line at that offset
};

// Reads single records again by their offsets. Not thread-safe.
class RecordSource {
 public:
  explicit RecordSource(const std::string& path);
  ~RecordSource();
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;

  // Returns false if the record is no longer at that offset.
  bool Read(uint64_t offset, ReadFinding* finding);
  bool Read(uint64_t offset, ReadSample* sample);
  bool Read(uint64_t offset, ReadCommands* commands);

  // The line of the record without its newline, valid until the next call; empty if it is no longer
  // there.
  std::string_view Line(uint64_t offset);

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int fd_;
  std::string buffer_;
};

}  // namespace gpusan
