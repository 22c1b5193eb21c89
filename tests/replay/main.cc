// gpusan_replay FILE...: plays each file into a tracker of its own and compares what is found with
// what it expects.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/replay/player.h"

namespace {

using gpusan::replay::Outcome;

// Prints the differences; true if there are none.
bool Compare(const char* file, const std::vector<Outcome>& expected, std::vector<Outcome> found) {
  bool same = true;
  for (const Outcome& wanted : expected) {
    const auto match = std::find_if(found.begin(), found.end(), [&](const Outcome& outcome) {
      return gpusan::replay::Matches(wanted, outcome);
    });
    if (match == found.end()) {
      std::printf("%s: missing: %s\n", file, gpusan::replay::ToText(wanted).c_str());
      same = false;
    } else {
      found.erase(match);
    }
  }
  for (const Outcome& outcome : found) {
    std::printf("%s: not expected: %s\n", file, gpusan::replay::ToText(outcome).c_str());
    same = false;
  }
  return same;
}

bool PlayFile(const char* file) {
  std::ifstream in(file);
  if (!in) {
    std::printf("%s: cannot be read\n", file);
    return false;
  }
  std::stringstream text;
  text << in.rdbuf();
  try {
    const gpusan::replay::Script script = gpusan::replay::Parse(text.str());
    auto player = std::make_unique<gpusan::replay::Player>();
    std::vector<Outcome> found;
    for (const gpusan::replay::Operation& operation : script.operations) {
      player->Play(operation);
      for (Outcome& outcome : player->TakeOutcomes()) found.push_back(std::move(outcome));
    }
    return Compare(file, script.expected, std::move(found));
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", file, error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: gpusan_replay FILE...\n");
    return 2;
  }
  bool good = true;
  for (int i = 1; i < argc; ++i) good &= PlayFile(argv[i]);
  return good ? 0 : 1;
}
