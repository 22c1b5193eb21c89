// What a module image is: PTX, a cubin or a fat binary.
#include <elf.h>

#include <cstring>

#include "launches.h"

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

// A cubin runs on its own major capability, from its minor on.
bool Runs(int arch) { return arch / 10 == kComputeMajor && arch % 10 <= kComputeMinor; }

// The fake executes built-in kernels, which it finds by the names of a cubin's symbols.
void ReadSymbols(const char* bytes, const Elf64_Ehdr& header, ImageText* text) {
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header.e_shnum) {
      continue;
    }
    const char* names = bytes + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes + sections[i].sh_offset);
    for (size_t n = 0; n < sections[i].sh_size / sizeof(Elf64_Sym); ++n) {
      if (ELF64_ST_TYPE(symbols[n].st_info) == STT_FUNC) {
        text->entries.push_back({names + symbols[n].st_name, {}});
      }
    }
  }
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
  if (header.e_shoff != 0 && header.e_shnum != 0) {
    ReadSymbols(bytes, header, text);
  }
  return CUDA_SUCCESS;
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
    if (entry.kind == 2 && Runs(static_cast<int>(entry.arch))) {
      result = packed ? CUDA_SUCCESS : ReadCubin(data, text);
    } else if (entry.kind == 1 && entry.arch <= kComputeMajor * 10 + kComputeMinor) {
      result =
          packed ? CUDA_SUCCESS : ParsePtx(std::string(data, strnlen(data, entry.bytes)), text);
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
  // What is neither is taken for a text when it looks like one.
  const size_t length = strnlen(bytes, 64);
  for (size_t i = 0; i < length; ++i) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c < 0x20 && c != '\n' && c != '\t' && c != '\r') {
      return CUDA_ERROR_INVALID_IMAGE;
    }
  }
  return length == 0 ? CUDA_ERROR_INVALID_IMAGE : ParsePtx(bytes, text);
}

}  // namespace fake
