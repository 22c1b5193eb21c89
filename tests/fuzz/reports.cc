// Fuzz target: what the command makes of record files: every format, suppressions, baselines,
// merged files, differences, nights. The first byte chooses; a byte 0xff ends the first file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/command/commands.h"
#include "tests/fuzz/input_file.h"

using namespace gpusan;

namespace {

const char* const kFormats[] = {
#define GPUSAN_FORMAT(name, type, function, doc) "--format=" #name,
#include "report/formats.def"
#undef GPUSAN_FORMAT
};
constexpr size_t kFormatCount = std::size(kFormats);

constexpr char kQuiet[] = "--quiet", kNowhere[] = "--output=/dev/null";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint8_t choice = data[0];
  const uint8_t* const begin = data + 1;
  const uint8_t* const end = data + size;
  const uint8_t* const cut = std::find(begin, end, uint8_t{0xff});
  const InputFile first("first.jsonl"), second("second.jsonl"), made("made.jsonl");
  first.Write(begin, static_cast<size_t>(cut - begin));
  if (cut != end) second.Write(cut + 1, static_cast<size_t>(end - cut - 1));
  switch (choice % 8) {
    case 0:
      ReportCommand({kQuiet, kNowhere, "--gen-suppressions", first.path()});
      break;
    case 1:
      MergeCommand({kQuiet, "--output=" + made.path(), first.path(), second.path()});
      ReportCommand({kQuiet, kNowhere, made.path()});
      break;
    case 2:
      DiffCommand({kQuiet, kNowhere, first.path(), second.path()});
      break;
    case 3:
      HistoryCommand({"add", kQuiet, made.path(), first.path()});
      HistoryCommand({"show", kQuiet, kNowhere, made.path()});
      break;
    default: {
      std::vector<std::string> words = {kQuiet, kNowhere, kFormats[choice / 8 % kFormatCount]};
      if (choice % 8 >= 6) words.push_back("--baseline=" + second.path());
      if (choice % 8 == 5) words.emplace_back("--verbose");
      words.push_back(first.path());
      ReportCommand(words);
    }
  }
  return 0;
}
