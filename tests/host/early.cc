// A shared file whose constructors and destructors allocate.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/host/probe.h"

namespace {

std::vector<std::string> texts;
void* blocks[100];

__attribute__((constructor)) void Begin() {
  for (int i = 0; i < 100; ++i) {
    blocks[i] = malloc(2000 + i);
    memset(blocks[i], i, 2000 + i);
    texts.emplace_back(3000, static_cast<char>('a' + i % 26));
  }
  PROBE_CALL(count, +1);
}

__attribute__((destructor)) void End() {
  for (void* block : blocks) free(block);
  free(malloc(5000));
  PROBE_CALL(count, -1);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int gpusan_test_early_blocks() {
  int good = 0;
  for (int i = 0; i < 100; ++i)
    good += static_cast<char*>(blocks[i])[1999] == i && texts[i].size() == 3000;
  return good;
}
