// Fuzz target: record files, read in two parts as while a process writes them.
#include <cstddef>
#include <cstdint>
#include <string>

#include "report/findings/record_reader.h"
#include "tests/fuzz/input_file.h"

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
  const InputFile file("jsonl");
  const size_t half = size / 2;
  file.Write(data, half);
  Visitor visitor;
  RecordReader reader(file.path(), &visitor);
  reader.Poll();
  file.Append(data + half, size - half);
  reader.Poll();
  reader.Finish();
  return 0;
}
