// Runs the `gpusan` command with a stand-in for the library, as its user does.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tests/unit/subprocess.h"
#include "tests/unit/temporary_folder.h"

namespace gpusan {

using Catch::Matchers::StartsWith;

// Nothing of the tester's own environment takes part.
inline const Variables kWithLibrary = {{"GPUSAN_LIBRARY", FAKE_LIBRARY},
                                       {"GPUSAN_OPTIONS", ""},
                                       {"OPENCL_LAYERS", ""},
                                       {"LD_PRELOAD", ""}};

inline Output Gpusan(std::vector<std::string> words, Variables variables = {},
                     const std::function<void(pid_t)>& when_ready = nullptr) {
  // Another build of the command, with sanitizers in it, may take its place (tests/sanitize.sh).
  const char* other = std::getenv("GPUSAN_COMMAND");
  words.insert(words.begin(), other != nullptr ? other : COMMAND);
  variables.insert(variables.begin(), kWithLibrary.begin(), kWithLibrary.end());
  return RunCommandLine(words, variables, when_ready);
}

inline std::string Content(const std::string& path) {
  std::ifstream file(path);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

inline int LineOf(const std::string& text) {
  std::ifstream file(VICTIM_SOURCE);
  int number = 1;
  for (std::string line; std::getline(file, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

inline std::string At(int line) { return "report_victim.c:" + std::to_string(line); }

inline int Lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace gpusan
