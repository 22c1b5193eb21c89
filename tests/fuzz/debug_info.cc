// Fuzz target: debug information of programs that a record names, and their separate debug files.
//
// libdw itself is not instrumented. The input is a program and, after a line "#part", its separate
// debug file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/findings/symbolizer.h"
#include "tests/fuzz/input_file.h"

using namespace gpusan;

// libdw loses small blocks when it reads damaged units.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static constexpr std::string_view kMark = "\n#part\n";
  static const InputFile program("program");
  static const InputFile debug_file("program.debug");
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t first = std::min(size, input.find(kMark));
  const size_t second = std::min(size, first + kMark.size());
  program.Write(data, first);
  debug_file.Write(data + second, size - second);
  Symbolizer symbolizer([](const std::string&) {});
  for (uint64_t address = 0x401001; address < 0x401040; address += 6)
    symbolizer.Symbolize(program.path(), "", address);
  return 0;
}
