// The parts of a module's image, which is a fat binary, a cubin or PTX.
#include "hooks/cuda/images/module_image.h"

#include <elf.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

namespace gpusan::cuda {
namespace {

constexpr uint32_t kFatbinMagic = 0xBA55ED50;
constexpr uint32_t kWrapperMagic = 0x466243B1;
constexpr uint16_t kMachineCuda = 190;
constexpr size_t kMaxParts = 256;
constexpr size_t kTextBytes = 64 << 10;  // of PTX; its directives must stand there

struct FatbinHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t bytes;
};

struct FatbinEntry {
  uint16_t kind;
  uint16_t version;
  uint32_t header_bytes;
  uint64_t bytes;
  uint32_t compressed_bytes;
  uint32_t options;
  uint16_t minor;
  uint16_t major;
  uint32_t arch;
  uint32_t name;
  uint32_t name_bytes;
  uint64_t flags;
};
// Behind the entry in its header, if that is long enough.
struct FatbinEntryEnd {
  uint64_t unused;
  uint64_t unpacked_bytes;
};
constexpr uint64_t kLz4 = 0x2000;
constexpr uint64_t kZstd = 0x8000;
constexpr uint64_t kThatArchAlone = 0x100000;
constexpr uint64_t kItsFamily = 0x1000000;

template <typename T>
bool ReadAt(const ImageSource& source, uint64_t offset, T* value) {
  return source.Read(offset, value, sizeof(T)) == sizeof(T);
}

// Returns the word after a directive: "sm_90a" for ".target sm_90a, debug".
std::string_view Behind(std::string_view text, std::string_view directive) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
    if (line.substr(0, directive.size()) == directive) {
      line.remove_prefix(directive.size());
      while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
      size_t length = 0;
      while (length < line.size() && (std::isalnum(static_cast<unsigned char>(line[length])) ||
                                      line[length] == '_' || line[length] == '.'))
        ++length;
      return line.substr(0, length);
    }
    at = end + 1;
  }
  return {};
}

unsigned Number(std::string_view* text) {
  unsigned number = 0;
  while (!text->empty() && (*text)[0] >= '0' && (*text)[0] <= '9' && number < 10000) {
    number = number * 10 + static_cast<unsigned>((*text)[0] - '0');
    text->remove_prefix(1);
  }
  return number;
}

void ReadPtx(const ImageSource& source, ModuleImage* image) {
  std::string text(kTextBytes, '\0');
  text.resize(source.Read(0, text.data(), text.size()));
  text.resize(std::min(text.size(), std::strlen(text.c_str())));
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || std::isspace(static_cast<unsigned char>(c));
  });
  ImagePart part;
  part.kind = ImagePart::Kind::kPtx;
  std::string_view version = Behind(text, ".version"), target = Behind(text, ".target");
  if (!printable || (version.empty() && target.empty())) {
    image->form = ModuleImage::Form::kUnknown;
    return;
  }
  image->form = ModuleImage::Form::kPtx;
  part.version = Number(&version) * 10;
  if (!version.empty() && version[0] == '.') {
    version.remove_prefix(1);
    part.version += Number(&version);
  }
  if (target.substr(0, 3) == "sm_") {
    target.remove_prefix(3);
    part.arch = Number(&target);
    if (target == "a" || target == "f") part.variant = target[0];
  }
  if (part.version == 0) image->damage = "it has no .version";
  if (part.arch == 0) image->damage = "it has no .target";
  image->parts.push_back(part);
}

void ReadCubin(const ImageSource& source, ModuleImage* image) {
  image->form = ModuleImage::Form::kCubin;
  Elf64_Ehdr header;
  if (!ReadAt(source, 0, &header)) {
    image->damage = "it ends inside its header";
    return;
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachineCuda) {
    image->damage = header.e_machine == kMachineCuda
                        ? "it is an object of 32 bits"
                        : "it is an object for a CPU, not for a GPU (e_machine " +
                              std::to_string(header.e_machine) + ")";
    return;
  }
  ImagePart part;
  part.kind = ImagePart::Kind::kCubin;
  // Version 8 of the object ABI (CUDA 13) moved the architecture by one byte.
  part.arch =
      header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 & 0xff : header.e_flags & 0xff;
  image->parts.push_back(part);
  if (header.e_shoff == 0 || header.e_shnum == 0) return;
  uint64_t end = header.e_shoff + uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!ReadAt(source, header.e_shoff + uint64_t{i} * sizeof(section), &section)) {
      image->damage = "it ends inside its table of sections, at byte " +
                      std::to_string(header.e_shoff + uint64_t{i} * sizeof(section));
      return;
    }
    if (i == header.e_shstrndx && section.sh_type != SHT_STRTAB) {
      image->damage = "its table of sections, at byte " + std::to_string(header.e_shoff) +
                      ", holds none: the image is cut or damaged";
      return;
    }
    char last;
    if (section.sh_type != SHT_NOBITS && section.sh_size != 0 &&
        source.Read(section.sh_offset + section.sh_size - 1, &last, 1) != 1) {
      image->damage = "section " + std::to_string(i) + " would end at byte " +
                      std::to_string(section.sh_offset + section.sh_size) +
                      ", past the end of the image";
      return;
    }
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  image->parts[0].bytes = end;
}

void ReadFatbin(const ImageSource& source, ModuleImage* image) {
  image->form = ModuleImage::Form::kFatbin;
  FatbinHeader header;
  if (!ReadAt(source, 0, &header) || header.header_bytes < sizeof(header)) {
    image->damage = "it ends inside its header";
    return;
  }
  uint64_t at = header.header_bytes;
  const uint64_t end = at + std::min(header.bytes, UINT64_MAX - at);
  while (at < end && image->parts.size() < kMaxParts) {
    FatbinEntry entry;
    if (!ReadAt(source, at, &entry) || entry.header_bytes < sizeof(entry) ||
        entry.bytes > end - at || entry.header_bytes > end - at - entry.bytes) {
      image->damage = "its part " + std::to_string(image->parts.size()) + " is cut or damaged";
      return;
    }
    ImagePart& part = image->parts.emplace_back();
    part.kind = entry.kind == 1   ? ImagePart::Kind::kPtx
                : entry.kind == 2 ? ImagePart::Kind::kCubin
                : entry.kind == 8 ? ImagePart::Kind::kLto
                                  : ImagePart::Kind::kOther;
    part.arch = entry.arch;
    part.variant = (entry.flags & kItsFamily) != 0       ? 'f'
                   : (entry.flags & kThatArchAlone) != 0 ? 'a'
                                                         : 0;
    if (part.kind == ImagePart::Kind::kPtx) part.version = entry.major * 10u + entry.minor;
    part.packing = (entry.flags & kZstd) != 0  ? Packing::kZstd
                   : (entry.flags & kLz4) != 0 ? Packing::kLz4
                                               : Packing::kNone;
    part.offset = at + entry.header_bytes;
    part.bytes = entry.bytes;
    if (part.packing != Packing::kNone) {
      FatbinEntryEnd rest;
      if (entry.header_bytes >= sizeof(entry) + sizeof(rest) &&
          ReadAt(source, at + sizeof(entry), &rest))
        part.unpacked_bytes = rest.unpacked_bytes;
      // The part is padded.
      if (entry.compressed_bytes != 0 && entry.compressed_bytes <= entry.bytes)
        part.bytes = entry.compressed_bytes;
    }
    at += entry.header_bytes + entry.bytes;
    char last;
    if (source.Read(at - 1, &last, 1) != 1) {
      image->damage = "its part " + std::to_string(image->parts.size() - 1) + " is cut";
      return;
    }
  }
}

std::string PartText(const ImagePart& part) {
  std::string arch = part.arch == 0 ? "?" : std::to_string(part.arch);
  if (part.variant != 0) arch += part.variant;
  switch (part.kind) {
    case ImagePart::Kind::kPtx:
      return "PTX " + std::to_string(part.version / 10) + "." + std::to_string(part.version % 10) +
             " for sm_" + arch;
    case ImagePart::Kind::kCubin:
      return "a cubin for sm_" + arch;
    case ImagePart::Kind::kLto:
      return "code to be linked for sm_" + arch;
    case ImagePart::Kind::kOther:
      break;
  }
  return "a part of unknown kind";
}

}  // namespace

ModuleImage ReadModuleImage(const ImageSource& source) {
  ModuleImage image;
  unsigned char magic[4] = {};
  if (source.Read(0, magic, 4) == 0) return image;
  uint32_t word;
  std::memcpy(&word, magic, 4);
  if (std::memcmp(magic, ELFMAG, SELFMAG) == 0) {
    ReadCubin(source, &image);
  } else if (word == kFatbinMagic) {
    ReadFatbin(source, &image);
  } else if (word == kWrapperMagic) {
    image.form = ModuleImage::Form::kFatbin;
    image.damage = "the fat binary that the wrapper names cannot be read";
  } else {
    ReadPtx(source, &image);
  }
  return image;
}

std::string ImageText(const ModuleImage& image) {
  switch (image.form) {
    case ModuleImage::Form::kUnreadable:
      return "memory that cannot be read";
    case ModuleImage::Form::kUnknown:
      return "neither a fat binary nor a cubin nor PTX";
    case ModuleImage::Form::kPtx:
    case ModuleImage::Form::kCubin:
      if (image.parts.empty()) return "an object in ELF format";
      return PartText(image.parts[0]);
    case ModuleImage::Form::kFatbin:
      break;
  }
  std::string text = "a fat binary with ";
  for (size_t i = 0; i < image.parts.size(); ++i) {
    if (i != 0) text += i + 1 == image.parts.size() ? " and " : ", ";
    text += PartText(image.parts[i]);
  }
  return image.parts.empty() ? "a fat binary" : text;
}

bool Fits(const ImagePart& part, unsigned device, unsigned ptx) {
  switch (part.kind) {
    case ImagePart::Kind::kCubin:
      return part.variant == 'a' ? part.arch == device
                                 : part.arch / 10 == device / 10 && part.arch <= device;
    case ImagePart::Kind::kPtx:
      if (ptx != 0 && part.version > ptx) return false;
      if (part.variant == 'a') return part.arch == device;
      if (part.variant == 'f' && part.arch / 10 != device / 10) return false;
      return part.arch <= device;
    default:
      return false;
  }
}

namespace {

// The parts of that kind for the newest architecture that the device runs.
std::vector<size_t> NewestFor(const ModuleImage& image, ImagePart::Kind kind, unsigned device) {
  std::vector<size_t> found;
  for (size_t i = 0; i < image.parts.size(); ++i) {
    const ImagePart& part = image.parts[i];
    if (part.kind != kind || !Fits(part, device, 0)) continue;
    if (!found.empty() && part.arch < image.parts[found[0]].arch) continue;
    if (!found.empty() && part.arch > image.parts[found[0]].arch) found.clear();
    found.push_back(i);
  }
  return found;
}

}  // namespace

std::vector<size_t> CodeFor(const ModuleImage& image, unsigned device) {
  return NewestFor(image, ImagePart::Kind::kCubin, device);
}

std::vector<size_t> PtxFor(const ModuleImage& image, unsigned device) {
  return NewestFor(image, ImagePart::Kind::kPtx, device);
}

unsigned PtxOf(int cuda_version) {
  static constexpr struct {
    int cuda;
    unsigned ptx;
  } kVersions[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                   {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80},
                   {11080, 78}, {11070, 77}, {11060, 76}, {11050, 75}, {11040, 74},
                   {11030, 73}, {11020, 72}, {11010, 71}, {11000, 70}};
  if (cuda_version >= 13010) return 0;
  for (const auto& version : kVersions) {
    if (cuda_version >= version.cuda) return version.ptx;
  }
  return 0;
}

}  // namespace gpusan::cuda
