// Reads code objects, strings and line tables of CPython.
#include "hooks/common/sites/python_code.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "hooks/common/base/safe_read.h"
#include "hooks/common/sites/source_functions.h"

namespace gpusan {
namespace {

constexpr size_t kLongestFile = 1024;  // bytes, with the final zero
constexpr size_t kLongestName = 256;
constexpr uint32_t kTypeOffset = 8;
constexpr uint32_t kSizeOffset = 16;  // of bytes and strings
constexpr uint32_t kStateOffset = 32;
constexpr uint32_t kBytesHeader = 32;

template <typename T>
bool Read(uintptr_t address, T* value) {
  return ReadOwnMemory(address, value, sizeof(T)) == sizeof(T);
}

bool HasType(uintptr_t object, uintptr_t type) {
  uintptr_t found = 0;
  return object != 0 && Read(object + kTypeOffset, &found) && found == type;
}

void AppendUtf8(uint32_t c, char* to, size_t capacity, size_t* length) {
  char bytes[4];
  size_t count = 0;
  if (c < 0x80) {
    bytes[count++] = static_cast<char>(c);
  } else if (c < 0x800) {
    bytes[count++] = static_cast<char>(0xc0 | c >> 6);
    bytes[count++] = static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    bytes[count++] = static_cast<char>(0xe0 | c >> 12);
    bytes[count++] = static_cast<char>(0x80 | (c >> 6 & 0x3f));
    bytes[count++] = static_cast<char>(0x80 | (c & 0x3f));
  } else {
    bytes[count++] = static_cast<char>(0xf0 | (c >> 18 & 7));
    bytes[count++] = static_cast<char>(0x80 | (c >> 12 & 0x3f));
    bytes[count++] = static_cast<char>(0x80 | (c >> 6 & 0x3f));
    bytes[count++] = static_cast<char>(0x80 | (c & 0x3f));
  }
  if (*length + count >= capacity) return;
  std::memcpy(to + *length, bytes, count);
  *length += count;
}

struct StringState {
  unsigned kind = 0;  // bytes of a character
  bool compact = false;
  bool ascii = false;
};

// Decodes PyASCIIObject.state.
bool DecodeState(const PythonLayout& layout, uint32_t bits, StringState* state) {
  const uint32_t form = bits >> layout.interned_bits;
  *state = {form & 7, (form & 8) != 0, (form & 16) != 0};
  const bool known_kind = state->kind == 1 || state->kind == 2 || state->kind == 4;
  return state->compact && known_kind && (!state->ascii || state->kind == 1);
}

// Stores the string as UTF-8 with a final zero; cuts it at `capacity`.
bool ReadString(const PythonLayout& layout, const PythonTypes& types, uintptr_t object, char* to,
                size_t capacity) {
  if (!HasType(object, types.string)) return false;
  int64_t characters = 0;
  uint32_t bits = 0;
  StringState state;
  if (!Read(object + kSizeOffset, &characters) || !Read(object + kStateOffset, &bits) ||
      characters < 0 || !DecodeState(layout, bits, &state))
    return false;
  const uintptr_t data = object + (state.ascii ? layout.ascii_header : layout.compact_header);
  const size_t count = std::min(static_cast<size_t>(characters), capacity - 1);
  size_t length = 0;
  unsigned char chunk[256];
  for (size_t done = 0; done < count;) {
    const size_t here = std::min(count - done, sizeof(chunk) / state.kind);
    if (ReadOwnMemory(data + done * state.kind, chunk, here * state.kind) != here * state.kind)
      return false;
    for (size_t i = 0; i < here; ++i) {
      uint32_t c = 0;
      std::memcpy(&c, chunk + i * state.kind, state.kind);
      AppendUtf8(c, to, capacity, &length);
    }
    done += here;
  }
  to[length] = 0;
  return true;
}

// The content of a bytes object, byte by byte.
class ByteReader {
 public:
  ByteReader(uintptr_t data, size_t bytes) : data_(data), left_(bytes) {}

  // Returns -1 after the last byte, and for memory that cannot be read.
  int Next() {
    if (at_ == filled_ && !Fill()) return -1;
    return buffer_[at_++];
  }

 private:
  bool Fill() {
    at_ = 0;
    filled_ = ReadOwnMemory(data_, buffer_, std::min(left_, sizeof(buffer_)));
    data_ += filled_;
    left_ -= filled_;
    return filled_ > 0;
  }

  uintptr_t data_;
  size_t left_;
  size_t at_ = 0, filled_ = 0;
  unsigned char buffer_[512];
};

struct Place {
  int line = 0;
  int column = 0;  // from 1; 0: not known
};

// Counts the lines with code in the order of the instructions.
class LineCounter {
 public:
  void Note(int line) {
    if (line <= highest_) return;
    highest_ = line;
    ++count_;
  }
  // The number of those lines that precede `line`, as far as instructions were noted.
  int Before(int line) const { return count_ - (highest_ == line ? 1 : 0); }

 private:
  int highest_ = 0;
  int count_ = 0;
};

// Pairs: distance to the next instruction, distance to its line.
Place FindInNotes(ByteReader table, int first_line, int offset, LineCounter* lines_before) {
  Place place{first_line};
  for (int address = 0;;) {
    const int instructions = table.Next();
    const int lines = table.Next();
    if (lines < 0) return place;
    address += instructions;
    if (address > offset) return place;
    lines_before->Note(place.line);
    place.line += static_cast<int8_t>(lines);
  }
}

// Pairs: length of a range, distance to its line; -128 is a range without a line.
Place FindInRanges(ByteReader table, int first_line, int offset, LineCounter* lines_before) {
  int line = first_line;
  for (int address = 0;;) {
    const int instructions = table.Next();
    const int lines = table.Next();
    if (lines < 0) return {first_line};
    const bool none = static_cast<int8_t>(lines) == -128;
    if (!none) line += static_cast<int8_t>(lines);
    address += instructions;
    if (address > offset) return {none ? first_line : line};
    if (!none) lines_before->Note(line);
  }
}

int Unsigned(ByteReader* table) {
  uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 6) {
    const int byte = table->Next();
    if (byte < 0) return 0;
    value |= static_cast<uint32_t>(byte & 63) << shift;
    if ((byte & 64) == 0) break;
  }
  return static_cast<int>(value);
}

int Signed(ByteReader* table) {
  const int value = Unsigned(table);
  return (value & 1) != 0 ? -static_cast<int>(static_cast<unsigned>(value) >> 1)
                          : static_cast<int>(static_cast<unsigned>(value) >> 1);
}

// Entries whose first byte has the high bit: the form and the number of instructions.
Place FindInLocations(ByteReader table, int first_line, int offset, LineCounter* lines_before) {
  int line = first_line;
  int byte = table.Next();
  for (int address = 0; byte >= 0;) {
    const int form = byte >> 3 & 15;
    address += ((byte & 7) + 1) * 2;
    Place place;
    if (form == 15) {
      place.line = first_line;  // code without a line
    } else if (form == 14) {
      line += Signed(&table);
      Unsigned(&table);
      place = {line, Unsigned(&table)};  // counts from 1
      Unsigned(&table);
    } else if (form == 13) {
      line += Signed(&table);
      place.line = line;
    } else if (form >= 10) {
      line += form - 10;
      place = {line, table.Next() + 1};
      table.Next();
    } else {
      place = {line, form * 8 + (table.Next() >> 4 & 7) + 1};
    }
    if (address > offset) return place;
    if (form != 15) lines_before->Note(line);
    do byte = table.Next();
    while (byte >= 0 && (byte & 128) == 0);
  }
  return {first_line};
}

// Makes the name of a file absolute if the file is below the current folder.
void MakeAbsolute(char* file) {
  if (file[0] == '/' || file[0] == '<' || file[0] == 0) return;
  const int saved_errno = errno;
  char folder[kLongestFile];
  const long length = syscall(SYS_getcwd, folder, sizeof(folder));  // with the final zero
  const size_t rest = std::strlen(file) + 1;
  if (length > 1 && static_cast<size_t>(length) + rest <= sizeof(folder) &&
      syscall(SYS_faccessat, AT_FDCWD, file, F_OK) == 0) {
    std::memmove(file + length, file, rest);
    std::memcpy(file, folder, static_cast<size_t>(length) - 1);
    file[length - 1] = '/';
  }
  errno = saved_errno;
}

// A race between writers, or a reader between the two stores, shows as a wrong check.
struct KnownPosition {
  std::atomic<uint64_t> frame;
  std::atomic<uint64_t> check;
};
constexpr size_t kKnownPositions = 4096;
constinit KnownPosition known_positions[kKnownPositions];

KnownPosition& SlotOf(uint64_t identity) {
  return known_positions[identity * 0x9e3779b97f4a7c15u >> 52];
}
static_assert(kKnownPositions == 1u << (64 - 52));

}  // namespace

bool ReadPythonCode(const PythonLayout& layout, const PythonTypes& types, uintptr_t code,
                    int offset, SourceFrame* frame) {
  if (!HasType(code, types.code)) return false;
  uintptr_t file_name = 0, name = 0, line_table = 0;
  int first_line = 0;
  if (!Read(code + layout.file_name, &file_name) || !Read(code + layout.name, &name) ||
      !Read(code + layout.line_table, &line_table) || !Read(code + layout.first_line, &first_line))
    return false;
  char file[kLongestFile];
  char function[kLongestName];
  int64_t bytes = 0;
  if (!ReadString(layout, types, file_name, file, sizeof(file)) ||
      !ReadString(layout, types, name, function, sizeof(function)) ||
      !HasType(line_table, types.bytes) || !Read(line_table + kSizeOffset, &bytes) || bytes < 0)
    return false;
  MakeAbsolute(file);
  const ByteReader table(line_table + kBytesHeader, static_cast<size_t>(bytes));
  Place place{first_line};
  LineCounter lines_before;
  if (offset >= 0) {
    switch (layout.format) {
      case PythonLayout::LineTable::kNotes:
        place = FindInNotes(table, first_line, offset, &lines_before);
        break;
      case PythonLayout::LineTable::kRanges:
        place = FindInRanges(table, first_line, offset, &lines_before);
        break;
      case PythonLayout::LineTable::kLocations:
        place = FindInLocations(table, first_line, offset, &lines_before);
        break;
    }
  }
  // The lines of code outside of functions count from the start of the file. Fingerprints use the
  // distance from the first line, so that one is chosen which yields the number of lines with code
  // before this line: edits of functions and comments do not change it.
  if (std::strcmp(function, "<module>") == 0)
    first_line = place.line - lines_before.Before(place.line);
  frame->function = InternFunction(
      {.language = "python", .name = function, .file = file, .line = std::max(first_line, 0)});
  frame->line = static_cast<uint32_t>(std::clamp<int>(place.line, 0, kMaxSourceLine));
  frame->column = static_cast<uint32_t>(std::clamp<int>(place.column, 0, kMaxSourceColumn));
  return frame->function != 0;
}

bool FindPythonPosition(uint64_t identity, SourceFrame* frame) {
  const KnownPosition& slot = SlotOf(identity);
  const uint64_t word = slot.frame.load(std::memory_order_acquire);
  if (word == 0 || (slot.check.load(std::memory_order_acquire) ^ word) != identity) return false;
  *frame = SourceFrameFrom(word);
  return true;
}

void KeepPythonPosition(uint64_t identity, const SourceFrame& frame) {
  KnownPosition& slot = SlotOf(identity);
  const uint64_t word = WordOf(frame);
  slot.frame.store(word, std::memory_order_release);
  slot.check.store(identity ^ word, std::memory_order_release);
}

}  // namespace gpusan
