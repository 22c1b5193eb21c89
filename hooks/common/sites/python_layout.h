// Where CPython 3.8 to 3.14 keeps the frames of a thread and the names of a code object.
//
// All offsets are in bytes, from the start of the object.
#pragma once

#include <cstdint>

namespace gpusan {

struct PythonLayout {
  enum class LineTable : uint8_t {
    kNotes,      // 3.8 and 3.9: Objects/lnotab_notes.txt
    kRanges,     // 3.10: PEP 626
    kLocations,  // 3.11 and later: Objects/locations.md
  };

  // The thread state.
  uint32_t current = 0;         // the innermost frame; with `through_cframe` the C frame
  uint32_t cframe_current = 0;  // in the C frame: the innermost frame
  bool through_cframe = false;  // 3.11 and 3.12

  // A frame: a frame object up to 3.10, then an interpreter frame.
  bool frame_objects = false;
  uint32_t previous = 0;
  uint32_t code = 0;
  uint32_t instruction = 0;        // a pointer; in frame objects an int
  uint32_t instruction_bytes = 1;  // of one unit of that int
  uint32_t owner = 0;              // one byte; only in interpreter frames

  // A code object.
  uint32_t first_line = 0;
  uint32_t file_name = 0;
  uint32_t name = 0;  // the qualified name from 3.11 on
  uint32_t line_table = 0;
  uint32_t instructions = 0;  // only where frames point to them
  uint32_t number = 0;        // co_version, of 4 bytes; 0: before 3.12
  LineTable format = LineTable::kNotes;

  // Headers of strings.
  uint32_t ascii_header = 0;
  uint32_t compact_header = 0;
  uint32_t interned_bits = 2;  // of the state of a string; the bits of its form follow
};

// The owner of frames that belong to the interpreter and have no source: kFirstInnerOwner and
// larger values.
inline constexpr uint8_t kFirstInnerOwner = 3;

// Finds the layout of version 3.`minor`. `debug_offsets` is the start of _PyRuntime, which
// describes the layout of 3.13 and 3.14; it is not read for earlier versions. Returns false if the
// version is not known or the description is not that of the version.
bool FindPythonLayout(int minor, const void* debug_offsets, PythonLayout* layout);

}  // namespace gpusan
