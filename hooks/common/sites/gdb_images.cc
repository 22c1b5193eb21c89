// Reads the ELF images that compilers registered with a debugger, and their symbol tables.
#include "hooks/common/sites/gdb_images.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "hooks/common/base/safe_read.h"
#include "hooks/glibc/elf_symbols.h"

namespace gpusan {
namespace {

constexpr char kDescriptor[] = "__jit_debug_descriptor";
constexpr int kMostImages = 1 << 12;  // of one descriptor
constexpr uint64_t kMostImageBytes = uint64_t{256} << 20;
constexpr uint64_t kMostTableBytes = uint64_t{16} << 20;  // of one section
constexpr size_t kMostSections = 4096;
constexpr size_t kMostNameBytes = 4096;
constexpr uint64_t kMostBytesRead = uint64_t{64} << 20;  // in one call

// As in the manual of GDB, "JIT Interface".
struct Descriptor {
  uint32_t version;
  uint32_t action;
  uintptr_t relevant;
  uintptr_t first;
};
struct Entry {
  uintptr_t next;
  uintptr_t previous;
  uintptr_t image;
  uint64_t bytes;
};

template <typename T>
bool Read(uintptr_t address, T* value) {
  return ReadOwnMemory(address, value, sizeof(T)) == sizeof(T);
}

// One image. Positions are bytes from its start.
class Image {
 public:
  Image(uintptr_t at, uint64_t bytes, uint64_t* budget) : at_(at), bytes_(bytes), budget_(budget) {}

  std::string Find(uint64_t address, uint64_t* begin) {
    Elf64_Ehdr header;
    if (bytes_ > kMostImageBytes || !Read(at_, &header) || bytes_ < sizeof(header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr) ||
        header.e_shnum > kMostSections)
      return "";
    std::vector<Elf64_Shdr> sections;
    if (!ReadTable(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), &sections))
      return "";
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
      std::vector<Elf64_Sym> symbols;
      if (!ReadTable(section.sh_offset, section.sh_size, &symbols)) continue;
      const Elf64_Sym* found = nullptr;
      for (const Elf64_Sym& symbol : symbols) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
        uint64_t first = symbol.st_value;
        // In a file that was relocated in memory, values count from the section.
        if (header.e_type == ET_REL) {
          if (symbol.st_shndx >= sections.size()) continue;
          first += sections[symbol.st_shndx].sh_addr;
        }
        if (address - first >= std::max<uint64_t>(symbol.st_size, 1)) continue;
        found = &symbol;
        *begin = first;
        break;
      }
      if (found != nullptr) return Name(sections[section.sh_link], found->st_name);
    }
    return "";
  }

 private:
  template <typename T>
  bool ReadTable(uint64_t offset, uint64_t bytes, std::vector<T>* table) {
    if (offset > bytes_ || bytes > bytes_ - offset || bytes > kMostTableBytes || bytes > *budget_)
      return false;
    *budget_ -= bytes;
    table->resize(bytes / sizeof(T));
    const size_t whole = table->size() * sizeof(T);
    return whole > 0 && ReadOwnMemory(at_ + offset, table->data(), whole) == whole;
  }

  std::string Name(const Elf64_Shdr& strings, uint64_t offset) {
    if (strings.sh_offset > bytes_ || strings.sh_size > bytes_ - strings.sh_offset ||
        offset >= strings.sh_size)
      return "";
    std::string name(std::min<uint64_t>(strings.sh_size - offset, kMostNameBytes), '\0');
    name.resize(ReadOwnMemory(at_ + strings.sh_offset + offset, name.data(), name.size()));
    return name.substr(0, name.find('\0'));
  }

  const uintptr_t at_;
  const uint64_t bytes_;
  uint64_t* const budget_;
};

}  // namespace

std::string FunctionInGdbImagesOf(uintptr_t at, uint64_t address, uint64_t* begin) {
  Descriptor descriptor;
  if (!Read(at, &descriptor) || descriptor.version != 1) return "";
  uint64_t budget = kMostBytesRead;
  uintptr_t next = descriptor.first;
  for (int count = 0; next != 0 && count < kMostImages; ++count) {
    Entry entry;
    if (!Read(next, &entry)) break;
    std::string name = Image(entry.image, entry.bytes, &budget).Find(address, begin);
    if (!name.empty()) return name;
    next = entry.next;
  }
  return "";
}

std::string FunctionInGdbImages(uint64_t address, uint64_t* begin) {
  // The loader's lock is held during the visit: nothing is allocated.
  std::vector<uintptr_t> descriptors;
  descriptors.reserve(64);
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_DYNAMIC) continue;
          const auto* dynamic =
              reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + segment.p_vaddr);
          auto* const list = static_cast<std::vector<uintptr_t>*>(data);
          if (const void* found = LookUpSymbol(info->dlpi_addr, dynamic, kDescriptor);
              found != nullptr && list->size() < list->capacity())
            list->push_back(reinterpret_cast<uintptr_t>(found));
        }
        return 0;
      },
      &descriptors);
  for (const uintptr_t descriptor : descriptors) {
    std::string name = FunctionInGdbImagesOf(descriptor, address, begin);
    if (!name.empty()) return name;
  }
  return "";
}

}  // namespace gpusan
