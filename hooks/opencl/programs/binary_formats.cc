// The formats of program binaries whose headers contain the length of the binary.
#include "hooks/opencl/programs/binary_formats.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace gpusan::opencl {
namespace {

// Little-endian numbers of a binary.
class Bytes {
 public:
  explicit Bytes(std::string_view binary) : binary_(binary) {}

  // nullopt: the binary ends before.
  template <typename Number>
  std::optional<uint64_t> At(uint64_t offset) const {
    Number number;
    if (offset > binary_.size() || binary_.size() - offset < sizeof(number)) return std::nullopt;
    std::memcpy(&number, binary_.data() + offset, sizeof(number));
    return number;
  }

 private:
  std::string_view binary_;
};

// The end of a part; UINT64_MAX if it wraps around.
uint64_t EndOf(uint64_t begin, uint64_t bytes) {
  return bytes > UINT64_MAX - begin ? UINT64_MAX : begin + bytes;
}

// Each function returns a length that the binary has at least, by its headers; 0: not known.

// The fields of the two classes of ELF files.
struct ElfFields {
  uint32_t header, section_table, section_size, section_count;  // offsets in the file header
  uint32_t type, offset, size;                                  // offsets in a section header
};

template <typename Word>
uint64_t ElfLength(std::string_view binary, const ElfFields& fields) {
  constexpr uint64_t kNoContent = 8;  // SHT_NOBITS
  const Bytes bytes(binary);
  const auto table = bytes.At<Word>(fields.section_table);
  const auto size = bytes.At<uint16_t>(fields.section_size);
  const auto count = bytes.At<uint16_t>(fields.section_count);
  if (!table || !size || !count) return fields.header;
  if (*table == 0) return 0;
  uint64_t length = EndOf(*table, *size * *count);
  for (uint64_t i = 0; length <= binary.size() && i < *count; ++i) {
    const uint64_t section = *table + i * *size;
    const auto type = bytes.At<uint32_t>(section + fields.type);
    const auto begin = bytes.At<Word>(section + fields.offset);
    const auto content = bytes.At<Word>(section + fields.size);
    if (type && begin && content && *type != kNoContent && *type != 0)
      length = std::max(length, EndOf(*begin, *content));
  }
  return length;
}

uint64_t ElfLength(std::string_view binary) {
  constexpr ElfFields k64 = {64, 40, 58, 60, 4, 24, 32};
  constexpr ElfFields k32 = {52, 32, 46, 48, 4, 16, 20};
  constexpr size_t kClass = 4, kOrder = 5;
  if (binary.size() <= kOrder || binary[kOrder] != 1) return 0;
  if (binary[kClass] == 2) return ElfLength<uint64_t>(binary, k64);
  return binary[kClass] == 1 ? ElfLength<uint32_t>(binary, k32) : 0;
}

// Where the size of the program's files lies, in binaries of PoCL 3 and of PoCL 6; 0: not known.
uint64_t PoclFilesAt(uint64_t version) {
  switch (version) {
    case 9:
      return 77;
    case 11:
      return 85;
    default:
      return 0;
  }
}

// Of PoCL: a header, the files of the program, and a part for each kernel.
uint64_t PoclLength(std::string_view binary) {
  constexpr uint64_t kVersionAt = 16, kKernelsAt = 20;
  const Bytes bytes(binary);
  const auto version = bytes.At<uint32_t>(kVersionAt), kernels = bytes.At<uint32_t>(kKernelsAt);
  const uint64_t files_at = PoclFilesAt(version.value_or(0));
  if (files_at == 0 || !kernels) return 0;
  const auto files = bytes.At<uint64_t>(files_at);
  uint64_t end = files_at + sizeof(uint64_t);
  if (!files) return end;
  end = EndOf(end, *files);
  for (uint64_t i = 0; end < binary.size() && i < *kernels; ++i) {
    const auto kernel = bytes.At<uint64_t>(end);
    end = EndOf(end, kernel.value_or(sizeof(uint64_t)));
  }
  // A kernel may have no part.
  return end <= binary.size() ? 0 : end;
}

// Whether a PTX text ends inside of braces.
bool EndsInside(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size() && text[at] != '\0'; ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '/' && (next == '/' || next == '*')) {
      const char* const end = next == '/' ? "\n" : "*/";
      at = text.find(end, at + 2);
      if (at == std::string_view::npos) return next == '*' || depth != 0;
    } else if (text[at] == '"') {
      at = text.find('"', at + 1);
      if (at == std::string_view::npos) return true;
    } else {
      depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    }
  }
  return depth > 0;
}

}  // namespace

std::optional<BinaryLength> FindMissingEnd(std::string_view binary) {
  struct Format {
    std::string_view magic;
    const char* name;
    uint64_t (*length)(std::string_view);
  };
  static constexpr Format kFormats[] = {
      {{"\x7f"
        "ELF",
        4},
       "an ELF image",
       &ElfLength},
      {{"poclbin\0", 8}, "a binary of PoCL", &PoclLength},
  };
  for (const Format& format : kFormats) {
    if (!binary.starts_with(format.magic)) continue;
    const uint64_t length = format.length(binary);
    if (length <= binary.size()) return std::nullopt;
    return BinaryLength{format.name,
                        absl::StrCat("it has ", binary.size(), " of at least ", length, " bytes")};
  }
  constexpr size_t kHead = 4096;
  const bool ptx = (binary.starts_with("//") || binary.starts_with(".version")) &&
                   binary.substr(0, kHead).find(".target") != std::string_view::npos;
  if (!ptx || !EndsInside(binary)) return std::nullopt;
  return BinaryLength{"PTX", absl::StrCat("its ", binary.size(), " bytes end inside of a block")};
}

}  // namespace gpusan::opencl
