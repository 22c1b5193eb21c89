// Fuzz target: history databases, which are shown and get a night.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "report/command/commands.h"
#include "report/command/history.h"
#include "tests/fuzz/input_file.h"

using namespace gpusan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const InputFile file("nights");
  file.Write(data, size);
  HistoryCommand({"show", "--quiet", "--output=/dev/null", file.path()});
  try {
    History history(file.path(), /*create=*/false);
    Night night;
    night.name = "2026-01-02";
    night.peaks["opencl"] = 3;
    night.wall_ns = 1;
    history.Begin(night);
    NightFinding finding;
    finding.fingerprint = "v1-00000000000000000000000000000000";
    finding.severity = "error";
    finding.rule = "race";
    history.Add(finding);
    history.Commit();
    // Indexes that contradict their tables may hide the night.
    history.Findings(history.Nights(30));
  } catch (const std::runtime_error&) {
    // The file is no database of nights.
  }
  for (const char* const suffix : {"-journal", "-wal", "-shm"})
    unlink((file.path() + suffix).c_str());
  return 0;
}
