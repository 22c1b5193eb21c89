// Fuzz target: names of code that a runtime compiled: maps for perf, images for a debugger, names
// of mono. The first byte chooses the reader.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "hooks/common/sites/gdb_images.h"
#include "hooks/common/sites/mono_names.h"
#include "hooks/common/sites/perf_map.h"
#include "tests/fuzz/input_file.h"

using namespace gpusan;

namespace {

// As the manual of GDB has them, "JIT Interface".
struct Entry {
  Entry* next;
  Entry* previous;
  const unsigned char* image;
  uint64_t bytes;
};
struct Descriptor {
  uint32_t version;
  uint32_t action;
  Entry* relevant;
  Entry* first;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint8_t choice = data[0];
  ++data;
  --size;
  const std::string text(reinterpret_cast<const char*>(data), size);
  uint64_t begin = 0;
  switch (choice % 4) {
    case 0: {
      // Read in two parts, as while the runtime writes it.
      const InputFile file("map");
      PerfMap map;
      file.Write(data, size / 2);
      map.Read(file.path(), 0);
      file.Append(data + size / 2, size - size / 2);
      map.Read(file.path(), 0);
      for (const uint64_t address : {uint64_t{0}, uint64_t{0x1008}, UINT64_MAX}) {
        const std::string_view name = map.Find(address, &begin);
        if (!name.empty()) JitFunctionNamed(name);
      }
      break;
    }
    case 1: {
      // The last entry names the first one as the next.
      const std::vector<unsigned char> image(data, data + size);
      Entry entries[2] = {
          {&entries[1], nullptr, image.data(), image.size()},
          {(choice & 4) != 0 ? &entries[0] : nullptr, nullptr, image.data(), image.size() / 2}};
      const Descriptor descriptor = {1, 0, nullptr, entries};
      for (const uint64_t address : {uint64_t{0x1008}, uint64_t{0}})
        FunctionInGdbImagesOf(reinterpret_cast<uintptr_t>(&descriptor), address, &begin);
      break;
    }
    case 2:
      JitFunctionNamed(text);
      break;
    default: {
      MonoPosition position;
      ParseMonoPosition(text, &position);
      break;
    }
  }
  return 0;
}
