// Fuzz target: files that a program executes: headers of ELF files and first lines of scripts.
#include <cstddef>
#include <cstdint>

#include "report/base/executable_file.h"
#include "report/processes/inspect.h"
#include "tests/fuzz/input_file.h"

using namespace gpusan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const InputFile file("program");
  file.Write(data, size);
  ReadExecutableFile(file.path().c_str());
  char name[64];
  PreloadOf(file.path().c_str(), name, sizeof(name));
  InspectProgram(file.path());
  InspectLibrary(file.path());
  return 0;
}
