// The offsets in Python 3.8 to 3.12, and the reader of _Py_DebugOffsets, which later versions have.
#include "hooks/common/sites/python_layout.h"

#include <algorithm>
#include <cstring>

namespace gpusan {
namespace {

using LineTable = PythonLayout::LineTable;

// Python 3.8 and 3.9.
constexpr PythonLayout kFrameObjects = {.current = 24,
                                        .frame_objects = true,
                                        .previous = 24,
                                        .code = 32,
                                        .instruction = 104,
                                        .first_line = 40,
                                        .file_name = 104,
                                        .name = 112,
                                        .line_table = 120,
                                        .format = LineTable::kNotes,
                                        .ascii_header = 48,
                                        .compact_header = 72};

constexpr PythonLayout Python310() {
  PythonLayout layout = kFrameObjects;
  layout.instruction = 96;
  layout.instruction_bytes = 2;
  layout.format = LineTable::kRanges;
  return layout;
}

constexpr PythonLayout kPython311 = {.current = 56,
                                     .cframe_current = 8,
                                     .through_cframe = true,
                                     .previous = 48,
                                     .code = 32,
                                     .instruction = 56,
                                     .owner = 69,
                                     .first_line = 72,
                                     .file_name = 112,
                                     .name = 128,
                                     .line_table = 136,
                                     .instructions = 184,
                                     .format = LineTable::kLocations,
                                     .ascii_header = 48,
                                     .compact_header = 72};

constexpr PythonLayout kPython312 = {.current = 56,
                                     .cframe_current = 0,
                                     .through_cframe = true,
                                     .previous = 8,
                                     .code = 0,
                                     .instruction = 56,
                                     .owner = 70,
                                     .first_line = 68,
                                     .file_name = 112,
                                     .name = 128,
                                     .line_table = 136,
                                     .instructions = 192,
                                     .number = 92,
                                     .format = LineTable::kLocations,
                                     .ascii_header = 40,
                                     .compact_header = 56};

// _Py_DebugOffsets: a cookie, the version (PY_VERSION_HEX), whether the build is free-threaded, and
// then groups of words, whose sizes depend on the version.
bool ReadDebugOffsets(int minor, const void* debug_offsets, PythonLayout* layout) {
  // The numbers of words in each group.
  constexpr size_t kHead = 3, kRuntimeState = 3, kThreadState = 9;
  const size_t interpreter_state = minor == 13 ? 13 : 16;
  const size_t frame = minor == 13 ? 6 : 8;
  constexpr uint64_t kLargest = 4096;  // bytes
  uint64_t words[64];
  std::memcpy(words, debug_offsets, sizeof(words));
  if (std::memcmp(words, "xdebugpy", 8) != 0) return false;
  if (words[1] >> 16 != 0x300u + static_cast<unsigned>(minor) || words[2] != 0) return false;
  const uint64_t* const of_thread = words + kHead + kRuntimeState + interpreter_state;
  const uint64_t* const of_frame = of_thread + kThreadState;
  const uint64_t* const of_code = of_frame + frame;
  if (*std::max_element(of_thread, of_code + 10) > kLargest) return false;
  const auto offset = [](uint64_t word) { return static_cast<uint32_t>(word); };
  *layout = {.current = offset(of_thread[4]),
             .previous = offset(of_frame[1]),
             .code = offset(of_frame[2]),
             .instruction = offset(of_frame[3]),
             .owner = offset(of_frame[5]),
             .first_line = offset(of_code[5]),
             .file_name = offset(of_code[1]),
             .name = offset(of_code[3]),
             .line_table = offset(of_code[4]),
             .instructions = offset(of_code[9]),
             .number = offset(of_code[5]) + 24,  // not described; as in 3.12
             .format = LineTable::kLocations,
             .ascii_header = 40,
             .compact_header = 56};
  return true;
}

}  // namespace

bool FindPythonLayout(int minor, const void* debug_offsets, PythonLayout* layout) {
  switch (minor) {
    case 8:
    case 9:
      *layout = kFrameObjects;
      return true;
    case 10:
      *layout = Python310();
      return true;
    case 11:
      *layout = kPython311;
      return true;
    case 12:
      *layout = kPython312;
      return true;
    case 13:
    case 14:
      return debug_offsets != nullptr && ReadDebugOffsets(minor, debug_offsets, layout);
    default:
      return false;
  }
}

}  // namespace gpusan
