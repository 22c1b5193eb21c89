// Serves summaries of kernels to the processes of `gpusan run`.
//
// The command owns a socket in a private folder. The first request starts a process of the
// command's own, which answers this and all later requests; each answer is computed in a child of
// it, so that a damaged request or a crash of the compiler ends only that answer. Nothing here is a
// child of the program under test.
#pragma once

#include <sys/types.h>

#include <string>

#include "report/kernels/clang.h"

namespace gpusan {

struct SummaryServerSettings {
  std::string search_path;   // for the compiler, as of PATH
  std::string cache_folder;  // of SummaryCache; empty: none
  int limit_s = 120;         // for the compiler and one program
};

// Not thread-safe; for a process with one thread.
class SummaryServer {
 public:
  SummaryServer() = default;
  SummaryServer(const SummaryServer&) = delete;
  SummaryServer& operator=(const SummaryServer&) = delete;
  // Ends the serving process, and removes the folder, and those that killed commands have left.
  ~SummaryServer();

  // Creates the socket. Returns an error message of one line, or an empty string.
  std::string Open(const SummaryServerSettings& settings);

  // The path of the socket; empty without Open.
  const std::string& path() const { return path_; }

  // Starts the serving process if a request waits. Returns at once. Call it regularly.
  void Poll();

  // What the user should know at the end, as lines with a line break each; empty: nothing.
  std::string Notes() const;

 private:
  struct Counters;
  [[noreturn]] void Serve();
  void Answer(int connection, const Compiler& compiler);
  bool Start();

  SummaryServerSettings settings_;
  std::string folder_, path_;
  int socket_ = -1;
  int lock_ = -1;                 // of the folder, as long as it is in use
  pid_t owner_ = 0;               // the process that called Open
  pid_t server_ = 0;              // 0: not started
  Counters* counters_ = nullptr;  // shared with the serving process
};

}  // namespace gpusan
