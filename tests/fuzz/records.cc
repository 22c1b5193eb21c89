// Fuzz target: record files, read in two parts as while a process writes them.
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/findings/record_reader.h"

using namespace gpusan;

namespace {

class Visitor final : public RecordVisitor {
 public:
  void OnFinding(const ReadProcess&, ReadFinding&& finding) override {
    seen_ += finding.text.facts.size();
  }
  void OnWarning(const ReadProcess&, const std::string&) override {}
  void OnTrouble(const ReadProcess&, const std::string&) override {}
  void OnCommands(const ReadProcess&, ReadCommands&& commands) override {
    for (const ReadCommands::Entry& entry : commands.entries) {
      if (entry.kind == CommandEntryKind::kCommand) seen_ += CallsOf(commands, entry).size();
    }
  }

 private:
  size_t seen_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path = "/dev/shm/gpusan-fuzz." + std::to_string(getpid()) + ".jsonl";
  const int fd = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) __builtin_trap();
  Visitor visitor;
  RecordReader reader(path, &visitor);
  const size_t half = size / 2;
  if (write(fd, data, half) != static_cast<ssize_t>(half)) __builtin_trap();
  reader.Poll();
  if (write(fd, data + half, size - half) != static_cast<ssize_t>(size - half)) __builtin_trap();
  close(fd);
  reader.Poll();
  reader.Finish();
  unlink(path.c_str());
  return 0;
}
