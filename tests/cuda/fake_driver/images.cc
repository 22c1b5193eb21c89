// What a module image is: PTX, a cubin or a fat binary.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#if defined(GPUSAN_ZSTD)
#include <zstd.h>
#endif

#include "launches.h"
#include "memory.h"

namespace fake {
namespace {

constexpr uint16_t kMachineCuda = 190;
constexpr uint32_t kFatbinMagic = 0xba55ed50;
constexpr uint32_t kWrapperMagic = 0x466243b1;
constexpr int kComputeMajor = 9;
constexpr int kComputeMinor = 0;

struct FatbinHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t bytes;  // of the entries
};

// The beginning of an entry's header, as far as it is needed here.
struct FatbinEntry {
  uint16_t kind;  // 1: PTX, 2: cubin
  uint16_t version;
  uint32_t header_bytes;
  uint64_t bytes;
  uint32_t compressed_bytes;
  uint32_t options_offset;
  uint16_t minor;
  uint16_t major;
  uint32_t arch;
  uint32_t name_offset;
  uint32_t name_bytes;
  uint64_t flags;
};

struct FatbinWrapper {
  uint32_t magic;
  uint32_t version;
  const void* data;
  void* file;
};

constexpr uint64_t kCompressed = 0x2000;
constexpr uint64_t kCompressedZstd = 0x8000;
constexpr size_t kUnpackedBytesAt = 56;  // in an entry's header

// The content of a packed entry; false: it is packed in another way.
bool Unpack(const char* at, const FatbinEntry& entry, std::string* unpacked) {
#if defined(GPUSAN_ZSTD)
  if ((entry.flags & kCompressedZstd) != 0 && entry.header_bytes >= kUnpackedBytesAt + 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, at + kUnpackedBytesAt, sizeof bytes);
    unpacked->resize(std::min<uint64_t>(bytes, uint64_t{1} << 28));
    return ZSTD_decompress(unpacked->data(), unpacked->size(), at + entry.header_bytes,
                           entry.compressed_bytes) == unpacked->size();
  }
#endif
  static_cast<void>(at);
  static_cast<void>(entry);
  static_cast<void>(unpacked);
  return false;
}

// A cubin runs on its own major capability, from its minor on.
bool Runs(int arch) { return arch / 10 == kComputeMajor && arch % 10 <= kComputeMinor; }

// A copy of part of an image, which may end before what its header promises.
template <typename T>
bool Part(const char* bytes, uint64_t offset, uint64_t count, std::vector<T>* part) {
  constexpr uint64_t kMost = uint64_t{1} << 28;
  if (offset > kMost || count > kMost / sizeof(T)) {
    return false;
  }
  part->resize(count);
  return count == 0 ||
         ReadProgram(part->data(), reinterpret_cast<uintptr_t>(bytes) + offset, count * sizeof(T));
}

// The parameters of a kernel, from its section .nv.info.NAME: entries of a format, an attribute and
// a size, with that many bytes behind if the format is 4.
void ReadParameters(const std::vector<unsigned char>& info, EntryText* entry) {
  constexpr unsigned kWithBytes = 4, kParameter = 0x17, kWideParameter = 0x45;
  std::vector<std::pair<unsigned, Parameter>> found;  // by ordinal
  for (size_t at = 0; at + 4 <= info.size();) {
    uint16_t size = 0;
    std::memcpy(&size, &info[at + 2], sizeof size);
    const unsigned format = info[at], attribute = info[at + 1];
    at += 4;
    if (format != kWithBytes) {
      continue;
    }
    if (size > info.size() - at) {
      break;
    }
    if ((attribute == kParameter || attribute == kWideParameter) && size == 12) {
      uint16_t ordinal = 0, offset = 0;
      uint32_t bits = 0;
      std::memcpy(&ordinal, &info[at + 4], sizeof ordinal);
      std::memcpy(&offset, &info[at + 6], sizeof offset);
      std::memcpy(&bits, &info[at + 8], sizeof bits);
      const uint32_t bytes = attribute == kParameter ? bits >> 18 : bits & 0xffff;
      found.push_back({ordinal, {offset, bytes}});
    }
    at += size;
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [ordinal, parameter] : found) {
    entry->parameters.push_back(parameter);
  }
}

// A variable of device or constant memory, with its first value.
void ReadVariable(const char* bytes, const Elf64_Shdr& section, const std::string& section_name,
                  const Elf64_Sym& symbol, const char* name, ImageText* text) {
  const bool device = section_name == ".nv.global" || section_name == ".nv.global.init";
  if (symbol.st_size == 0 || (!device && section_name != ".nv.constant3")) {
    return;
  }
  GlobalText global;
  global.name = name;
  global.bytes = symbol.st_size;
  if (section.sh_type != SHT_NOBITS &&
      symbol.st_value + symbol.st_size <= section.sh_addr + section.sh_size) {
    Part(bytes, section.sh_offset + symbol.st_value - section.sh_addr, symbol.st_size,
         &global.value);
  }
  text->globals.push_back(global);
}

// The fake executes built-in kernels, which it finds by the names of a cubin's symbols.
bool ReadSymbols(const char* bytes, const Elf64_Ehdr& header, ImageText* text) {
  std::vector<Elf64_Shdr> sections;
  if (header.e_shoff == 0 || !Part(bytes, header.e_shoff, header.e_shnum, &sections)) {
    return false;
  }
  if (header.e_shstrndx >= sections.size()) {
    return false;
  }
  std::vector<char> section_names;
  const Elf64_Shdr& all_names = sections[header.e_shstrndx];
  if (!Part(bytes, all_names.sh_offset, all_names.sh_size, &section_names)) {
    return false;
  }
  section_names.push_back(0);
  const auto name_of = [&](const Elf64_Shdr& section) -> std::string {
    return section.sh_name < section_names.size() ? section_names.data() + section.sh_name : "";
  };
  bool found = false;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) {
      continue;
    }
    const Elf64_Shdr& strings = sections[section.sh_link];
    std::vector<Elf64_Sym> symbols;
    std::vector<char> names;
    if (!Part(bytes, section.sh_offset, section.sh_size / sizeof(Elf64_Sym), &symbols) ||
        !Part(bytes, strings.sh_offset, strings.sh_size, &names)) {
      return false;
    }
    names.push_back(0);
    found = true;
    for (const Elf64_Sym& symbol : symbols) {
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < names.size()) {
        text->entries.push_back({names.data() + symbol.st_name, {}});
      } else if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_name < names.size() &&
                 symbol.st_shndx < sections.size()) {
        const Elf64_Shdr& holder = sections[symbol.st_shndx];
        ReadVariable(bytes, holder, name_of(holder), symbol, names.data() + symbol.st_name, text);
      }
    }
  }
  for (const Elf64_Shdr& section : sections) {
    const std::string name = name_of(section);
    for (EntryText& entry : text->entries) {
      std::vector<unsigned char> info;
      if (name == ".nv.info." + entry.name &&
          Part(bytes, section.sh_offset, section.sh_size, &info)) {
        ReadParameters(info, &entry);
      }
    }
  }
  return found;
}

CUresult ReadCubin(const char* bytes, ImageText* text) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.e_machine != kMachineCuda || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return CUDA_ERROR_INVALID_IMAGE;
  }
  // CUDA 13 moved the architecture up by a byte with the ELF's ABI version.
  const int arch = static_cast<int>(
      header.e_ident[EI_ABIVERSION] >= 8 ? (header.e_flags >> 8) & 0xff : header.e_flags & 0xff);
  if (!Runs(arch)) {
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  return ReadSymbols(bytes, header, text) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

CUresult ReadFatbin(const char* bytes, ImageText* text) {
  FatbinHeader header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.header_bytes < sizeof header || header.version != 1) {
    return CUDA_ERROR_INVALID_IMAGE;
  }
  const char* at = bytes + header.header_bytes;
  const char* end = at + header.bytes;
  CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  while (at + sizeof(FatbinEntry) <= end && result != CUDA_SUCCESS) {
    FatbinEntry entry;
    std::memcpy(&entry, at, sizeof entry);
    if (entry.header_bytes < sizeof entry || entry.bytes > static_cast<uint64_t>(end - at)) {
      return CUDA_ERROR_INVALID_IMAGE;
    }
    const char* data = at + entry.header_bytes;
    const bool packed = (entry.flags & (kCompressed | kCompressedZstd)) != 0;
    std::string unpacked;
    const bool readable = !packed || Unpack(at, entry, &unpacked);
    if (entry.kind == 2 && Runs(static_cast<int>(entry.arch))) {
      result = readable ? ReadCubin(packed ? unpacked.data() : data, text) : CUDA_SUCCESS;
    } else if (entry.kind == 1 && entry.arch <= kComputeMajor * 10 + kComputeMinor) {
      const char* const ptx = packed ? unpacked.c_str() : data;
      result =
          readable
              ? ParsePtx(std::string(ptx, strnlen(ptx, packed ? unpacked.size() : entry.bytes)),
                         text)
              : CUDA_SUCCESS;
    }
    at = data + entry.bytes;
  }
  return result;
}

}  // namespace

CUresult ReadImage(const void* image, ImageText* text) {
  if (image == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const char* bytes = static_cast<const char*>(image);
  uint32_t magic = 0;
  // A text may be shorter than four bytes.
  for (size_t i = 0; i < sizeof magic && (i == 0 || bytes[i - 1] != 0); ++i) {
    reinterpret_cast<char*>(&magic)[i] = bytes[i];
  }
  if (std::memcmp(&magic, ELFMAG, SELFMAG) == 0) {
    return ReadCubin(bytes, text);
  }
  if (std::memcmp(&magic, &kWrapperMagic, sizeof magic) == 0) {
    FatbinWrapper wrapper;
    std::memcpy(&wrapper, bytes, sizeof wrapper);
    return ReadImage(wrapper.data, text);
  }
  if (std::memcmp(&magic, &kFatbinMagic, sizeof magic) == 0) {
    return ReadFatbin(bytes, text);
  }
  return *bytes == 0 ? CUDA_ERROR_INVALID_IMAGE : ParsePtx(bytes, text);
}

}  // namespace fake
