// Commands of several streams are numbered in the order of their coming.
#include <catch2/catch.hpp>

#include "hooks/cuda/streams/recent_commands.h"

namespace gpusan::cuda {
namespace {

TEST_CASE("numbers of commands grow across streams, however often the stream changes") {
  CommandOrder streams[3];
  uint64_t last = 0;
  int wrong = 0;
  // Runs of 1 to 5,000 commands. Those of the first turns are numbered without the clock and must
  // not overtake the stream that comes next; with later ones it is read for each command.
  for (int run = 0; run < 300; ++run) {
    if (run == 70) last = 0;
    CommandOrder& stream = streams[run % 3];
    const int length = run % 50 == 0 ? 5000 : 1 + run % 4;
    for (int i = 0; i < length; ++i) {
      const uint64_t number = stream.Next();
      wrong += run < 60 ? number <= last : number < last;
      last = number;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace gpusan::cuda
