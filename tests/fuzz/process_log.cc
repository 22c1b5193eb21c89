// Fuzz target: the log in which processes of a run name the programs that they start.
#include <cstddef>
#include <cstdint>

#include "report/processes/lost_processes.h"
#include "tests/fuzz/input_file.h"

using namespace gpusan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const InputFile file("log");
  ProcessLog log(file.path());
  file.Write(data, size / 2);
  log.Read();
  file.Append(data + size / 2, size - size / 2);
  log.Read();
  LostPrograms(log, {{1, "/bin/program"}});
  return 0;
}
