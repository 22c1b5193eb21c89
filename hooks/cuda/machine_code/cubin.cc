// The kernels of a cubin: their names, machine code and parameter layouts.
#include "hooks/cuda/machine_code/cubin.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>

namespace gpusan::cuda {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr uint16_t kMachineCuda = 190;
constexpr unsigned kMaxParameters = 4096;
constexpr unsigned kMaxRelocations = 1 << 16;

// Formats and attributes of the entries of .nv.info (EIFMT_*, EIATTR_*).
constexpr uint8_t kSizedValue = 4;
constexpr uint8_t kMaxThreads = 0x05;  // .maxntid of PTX
constexpr uint8_t kParameterBank = 0x0a;
constexpr uint8_t kRequiredThreads = 0x10;  // .reqntid of PTX
constexpr uint8_t kParameterInfo = 0x17;
constexpr uint8_t kTableBranches = 0x34;
constexpr uint8_t kParameterBytes = 0x19;
constexpr uint8_t kParameterInfoV2 = 0x45;

template <typename T>
std::optional<T> ReadAt(Bytes bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::optional<Bytes> Part(Bytes bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return std::nullopt;
  return bytes.subspan(offset, size);
}

// The zero-terminated text at `offset` of a string table; empty if it has no end.
std::string_view TextAt(Bytes table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const char* text = reinterpret_cast<const char*>(table.data()) + offset;
  const void* end = std::memchr(text, 0, table.size() - offset);
  if (end == nullptr) return {};
  return {text, static_cast<size_t>(static_cast<const char*>(end) - text)};
}

struct Section {
  std::string_view name;
  Elf64_Shdr header;
  Bytes bytes;  // empty for SHT_NOBITS
};

struct Elf {
  Bytes image;
  unsigned architecture = 0;
  std::vector<Section> sections;
  std::string damage;
};

void ReadSections(const Elf64_Ehdr& header, Elf* elf) {
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section =
        ReadAt<Elf64_Shdr>(elf->image, header.e_shoff + uint64_t{i} * sizeof(Elf64_Shdr));
    if (!section) {
      elf->damage = "the table of sections is cut";
      return;
    }
    Bytes bytes;
    if (section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL) {
      const auto part = Part(elf->image, section->sh_offset, section->sh_size);
      if (!part && elf->damage.empty()) elf->damage = "section " + std::to_string(i) + " is cut";
      if (part) bytes = *part;
    }
    elf->sections.push_back({{}, *section, bytes});
  }
  if (header.e_shstrndx >= elf->sections.size()) {
    elf->damage = "the sections have no names";
    return;
  }
  const Bytes names = elf->sections[header.e_shstrndx].bytes;
  for (Section& section : elf->sections) section.name = TextAt(names, section.header.sh_name);
}

Elf ReadElf(Bytes image) {
  Elf elf;
  elf.image = image;
  const auto header = ReadAt<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    elf.damage = "no ELF header";
  } else if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != kMachineCuda) {
    elf.damage = "no 64-bit object for a CUDA device";
  } else if (header->e_shentsize != sizeof(Elf64_Shdr)) {
    elf.damage = "section headers of an unknown size";
  } else {
    // Version 8 of the object ABI (CUDA 13) moved the architecture by one byte.
    elf.architecture =
        header->e_ident[EI_ABIVERSION] >= 8 ? header->e_flags >> 8 & 0xff : header->e_flags & 0xff;
    ReadSections(*header, &elf);
  }
  return elf;
}

void ReadParameterInfo(Bytes payload, bool second_version, CubinKernel* kernel) {
  const auto ordinal = ReadAt<uint16_t>(payload, 4), offset = ReadAt<uint16_t>(payload, 6);
  const auto flags = ReadAt<uint32_t>(payload, 8);
  if (!ordinal || !offset || !flags || kernel->parameters.size() >= kMaxParameters) return;
  kernel->parameters.push_back(
      {*ordinal, *offset, second_version ? *flags & 0xffff : *flags >> 18});
}

// Three words: the sizes x, y and z.
std::array<uint32_t, 3> ReadSizes(Bytes payload) {
  std::array<uint32_t, 3> sizes{};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto size = ReadAt<uint32_t>(payload, i * sizeof(uint32_t));
    if (!size) return {};
    sizes[i] = *size;
  }
  return sizes;
}

// For each branch its offset, a word, the number of its targets, and the targets.
void ReadTableBranches(Bytes payload, CubinKernel* kernel) {
  for (uint64_t at = 0; at + 12 <= payload.size();) {
    TableBranch branch;
    branch.offset = *ReadAt<uint32_t>(payload, at);
    const uint64_t count = *ReadAt<uint32_t>(payload, at + 8);
    at += 12;
    if (count > (payload.size() - at) / sizeof(uint32_t)) return;
    for (uint64_t i = 0; i < count; ++i, at += sizeof(uint32_t))
      branch.targets.push_back(*ReadAt<uint32_t>(payload, at));
    kernel->table_branches.push_back(std::move(branch));
  }
}

// An entry is a byte of format, a byte of attribute, and 16 bits: the value, or the size of the
// payload that follows.
bool ReadInfo(Bytes info, CubinKernel* kernel) {
  bool has_block = false;
  for (uint64_t at = 0; at + 4 <= info.size();) {
    const uint8_t format = info[at], attribute = info[at + 1];
    const uint16_t value = *ReadAt<uint16_t>(info, at + 2);
    at += 4;
    Bytes payload;
    if (format == kSizedValue) {
      const auto part = Part(info, at, value);
      if (!part) return has_block;
      payload = *part;
      at += value;
    }
    if (attribute == kParameterInfo || attribute == kParameterInfoV2) {
      ReadParameterInfo(payload, attribute == kParameterInfoV2, kernel);
    } else if (attribute == kParameterBank) {
      const auto base = ReadAt<uint16_t>(payload, 4), bytes = ReadAt<uint16_t>(payload, 6);
      if (base && bytes) {
        kernel->parameter_base = *base;
        kernel->parameter_bytes = *bytes;
        has_block = true;
      }
    } else if (attribute == kTableBranches && format == kSizedValue) {
      ReadTableBranches(payload, kernel);
    } else if (attribute == kMaxThreads && format == kSizedValue) {
      kernel->block.LimitProduct(ReadSizes(payload));
    } else if (attribute == kRequiredThreads && format == kSizedValue) {
      kernel->block.Require(ReadSizes(payload));
    } else if (attribute == kParameterBytes && kernel->parameter_bytes == 0) {
      kernel->parameter_bytes = value;
    }
  }
  std::sort(
      kernel->parameters.begin(), kernel->parameters.end(),
      [](const KernelParameter& a, const KernelParameter& b) { return a.ordinal < b.ordinal; });
  return has_block;
}

struct Symbol {
  std::string_view name;
  bool defined = false;  // in this image
};

Symbol SymbolAt(const Elf& elf, uint64_t table, uint64_t index) {
  if (table >= elf.sections.size()) return {};
  const Section& symbols = elf.sections[table];
  const auto symbol = ReadAt<Elf64_Sym>(symbols.bytes, index * sizeof(Elf64_Sym));
  if (!symbol || symbols.header.sh_link >= elf.sections.size()) return {};
  return {TextAt(elf.sections[symbols.header.sh_link].bytes, symbol->st_name),
          symbol->st_shndx != SHN_UNDEF};
}

template <typename Relocation>
void ReadRelocations(const Elf& elf, const Section& section, std::vector<CodeRelocation>* to) {
  for (uint64_t at = 0; at + sizeof(Relocation) <= section.bytes.size(); at += sizeof(Relocation)) {
    if (to->size() >= kMaxRelocations) return;
    const auto relocation = *ReadAt<Relocation>(section.bytes, at);
    const Symbol symbol = SymbolAt(elf, section.header.sh_link, ELF64_R_SYM(relocation.r_info));
    to->push_back({relocation.r_offset, symbol.name, symbol.defined});
  }
}

// Appends the relocations of a section, up to kMaxRelocations in all, and sorts them by offset.
void ReadRelocations(const Elf& elf, const Section& section, std::vector<CodeRelocation>* to) {
  if (section.header.sh_type == SHT_RELA) ReadRelocations<Elf64_Rela>(elf, section, to);
  if (section.header.sh_type == SHT_REL) ReadRelocations<Elf64_Rel>(elf, section, to);
  std::sort(to->begin(), to->end(),
            [](const CodeRelocation& a, const CodeRelocation& b) { return a.offset < b.offset; });
}

ModuleWords ReadModuleWords(const Elf& elf) {
  ModuleWords words;
  for (const Section& section : elf.sections) {
    if (section.name == ".rela.nv.constant4" || section.name == ".rel.nv.constant4")
      ReadRelocations(elf, section, &words);
  }
  if (words.size() >= kMaxRelocations) words.clear();
  return words;
}

// Returns the rest of `name` after `prefix`, or an empty text.
std::string_view After(std::string_view name, std::string_view prefix) {
  return name.substr(0, prefix.size()) == prefix ? name.substr(prefix.size()) : std::string_view();
}

struct KernelSections {
  const Section* code = nullptr;
  const Section* info = nullptr;
  std::vector<const Section*> relocations;
};

std::map<std::string_view, KernelSections> GroupByKernel(const Elf& elf) {
  std::map<std::string_view, KernelSections> groups;
  for (const Section& section : elf.sections) {
    if (section.header.sh_type == SHT_RELA || section.header.sh_type == SHT_REL) {
      std::string_view name = After(section.name, ".rela.text.");
      if (name.empty()) name = After(section.name, ".rel.text.");
      if (!name.empty()) groups[name].relocations.push_back(&section);
    } else if (std::string_view code = After(section.name, ".text."); !code.empty()) {
      groups[code].code = &section;
    } else if (std::string_view info = After(section.name, ".nv.info."); !info.empty()) {
      groups[info].info = &section;
    }
  }
  return groups;
}

}  // namespace

const CodeRelocation* CubinKernel::WordAt(uint32_t offset) const {
  if (words == nullptr) return nullptr;
  const auto [first, last] = std::equal_range(
      words->begin(), words->end(), CodeRelocation{offset, {}},
      [](const CodeRelocation& a, const CodeRelocation& b) { return a.offset < b.offset; });
  return last - first == 1 ? &*first : nullptr;
}

std::string_view CubinKernel::DriverFunctionAt(uint32_t offset) const {
  const CodeRelocation* word = WordAt(offset);
  return word != nullptr && !word->defined ? word->symbol : std::string_view();
}

std::string_view CubinKernel::VariableAt(uint32_t offset) const {
  const CodeRelocation* word = WordAt(offset);
  return word != nullptr && word->defined ? word->symbol : std::string_view();
}

Cubin ReadCubin(std::span<const unsigned char> image) {
  const Elf elf = ReadElf(image);
  Cubin cubin;
  cubin.architecture = elf.architecture;
  cubin.damage = elf.damage;
  const auto words = std::make_shared<const ModuleWords>(ReadModuleWords(elf));
  for (const auto& [name, group] : GroupByKernel(elf)) {
    if (group.code == nullptr || group.info == nullptr || group.code->bytes.empty()) continue;
    CubinKernel kernel;
    kernel.name = name;
    kernel.code = group.code->bytes;
    kernel.architecture = elf.architecture;
    // A device function has information too, but no parameter block.
    if (!ReadInfo(group.info->bytes, &kernel)) continue;
    for (const Section* section : group.relocations)
      ReadRelocations(elf, *section, &kernel.relocations);
    if (kernel.relocations.size() >= kMaxRelocations) continue;
    kernel.words = words;
    cubin.kernels.push_back(std::move(kernel));
  }
  return cubin;
}

}  // namespace gpusan::cuda
