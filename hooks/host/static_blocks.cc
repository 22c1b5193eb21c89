// The symbol table of the main program. Reads the file instead of mapping it, because the file may
// change while the program runs.
#include "hooks/host/static_blocks.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tracker/base/pages.h"

namespace gpusan {
namespace {

constexpr size_t kLargestTable = size_t{64} << 20;  // a larger one would delay the program
constexpr size_t kMostBlocks = 1 << 16;
constexpr size_t kMostSections = 4096;

// Bytes [offset, offset + bytes) of a file.
class FilePart {
 public:
  FilePart(int file, uint64_t offset, uint64_t bytes) {
    if (bytes == 0 || bytes > kLargestTable) return;
    auto* memory = static_cast<char*>(AllocatePages(bytes + 1));  // ends in a zero byte
    if (memory == nullptr) return;
    memory_ = memory;
    bytes_ = bytes;
    for (uint64_t done = 0; done < bytes;) {
      const ssize_t got =
          pread(file, memory + done, bytes - done, static_cast<off_t>(offset + done));
      if (got <= 0) {
        Discard();
        return;
      }
      done += static_cast<uint64_t>(got);
    }
  }
  ~FilePart() { Discard(); }
  FilePart(const FilePart&) = delete;
  FilePart& operator=(const FilePart&) = delete;

  explicit operator bool() const { return memory_ != nullptr; }
  template <typename T>
  const T* As() const {
    return reinterpret_cast<const T*>(memory_);
  }
  template <typename T>
  size_t Count() const {
    return bytes_ / sizeof(T);
  }
  // A string that begins at `offset`; empty if the part does not hold the offset.
  const char* StringAt(uint64_t offset) const {
    return offset < bytes_ ? memory_ + offset : memory_ + bytes_;
  }
  // Leaves the memory allocated until the process ends.
  void Keep() { memory_ = nullptr; }

 private:
  void Discard() {
    if (memory_ != nullptr) FreePages(memory_, bytes_ + 1);
    memory_ = nullptr;
  }

  char* memory_ = nullptr;
  uint64_t bytes_ = 0;
};

class File {
 public:
  explicit File(const char* path)
      : file_(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Returns false for everything that is not a regular file.
  bool Usable() const {
    struct stat status;
    return file_ >= 0 && fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
  }
  int descriptor() const { return file_; }

 private:
  int file_;
};

bool HoldsSeparateVariables(std::string_view section) {
  for (const std::string_view name : {".data", ".bss", ".rodata", ".data.rel.ro", ".ldata", ".lbss",
                                      ".lrodata", ".data.rel.ro.local"}) {
    if (section == name) return true;
  }
  return false;
}

// Returns the difference between the addresses of the main program and those in its file. Returns
// false if the file is not the one that was loaded, as with a program that ld.so runs.
bool FindBias(int file, const ElfW(Ehdr) & header, uintptr_t* bias) {
  const auto* headers = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR));
  const size_t count = getauxval(AT_PHNUM);
  if (headers == nullptr || count == 0 || count != header.e_phnum) return false;
  const FilePart in_file(file, header.e_phoff, count * sizeof(*headers));
  if (!in_file || memcmp(in_file.As<char>(), headers, count * sizeof(*headers)) != 0) return false;
  *bias = 0;
  for (size_t i = 0; i < count; ++i) {
    if (headers[i].p_type != PT_PHDR) continue;
    *bias = reinterpret_cast<uintptr_t>(headers) - headers[i].p_vaddr;
    return true;
  }
  return false;
}

// Sorts the blocks and joins those that overlap, such as aliases. Returns how many are left.
size_t Join(StaticBlock* blocks, size_t count) {
  std::sort(blocks, blocks + count, [](const StaticBlock& a, const StaticBlock& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.bytes > b.bytes;
  });
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (kept != 0 && blocks[i].begin < blocks[kept - 1].begin + blocks[kept - 1].bytes) {
      StaticBlock& before = blocks[kept - 1];
      before.bytes = std::max(before.bytes, blocks[i].begin - before.begin + blocks[i].bytes);
    } else {
      blocks[kept++] = blocks[i];
    }
  }
  return kept;
}

bool IsVariable(const ElfW(Sym) & symbol) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size != 0 &&
         symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
}

void AddBlocks(int file, const ElfW(Ehdr) & header, HostMemory& memory) {
  uintptr_t bias = 0;
  if (header.e_shnum == 0 || header.e_shnum > kMostSections ||
      header.e_shentsize != sizeof(ElfW(Shdr)) || header.e_shstrndx >= header.e_shnum ||
      !FindBias(file, header, &bias)) {
    return;
  }
  const FilePart section_part(file, header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr)));
  if (!section_part) return;
  const auto* sections = section_part.As<ElfW(Shdr)>();
  const ElfW(Shdr)& name_section = sections[header.e_shstrndx];
  const FilePart section_names(file, name_section.sh_offset, name_section.sh_size);
  const auto* end = sections + header.e_shnum;
  const auto* table = std::find_if(
      sections, end, [](const ElfW(Shdr) & section) { return section.sh_type == SHT_SYMTAB; });
  if (!section_names || table == end || table->sh_link >= header.e_shnum) return;
  const FilePart symbols(file, table->sh_offset, table->sh_size);
  const ElfW(Shdr)& string_section = sections[table->sh_link];
  FilePart strings(file, string_section.sh_offset, string_section.sh_size);
  if (!symbols || !strings) return;

  bool separate[kMostSections] = {};
  for (size_t i = 0; i < header.e_shnum; ++i)
    separate[i] = HoldsSeparateVariables(section_names.StringAt(sections[i].sh_name));
  const auto* first = symbols.As<ElfW(Sym)>();
  const auto* last = first + symbols.Count<ElfW(Sym)>();
  const auto wanted = [&](const ElfW(Sym) & symbol) {
    return IsVariable(symbol) && symbol.st_shndx < header.e_shnum && separate[symbol.st_shndx];
  };
  const auto count = static_cast<size_t>(std::count_if(first, last, wanted));
  if (count == 0 || count > kMostBlocks) return;
  auto* blocks = static_cast<StaticBlock*>(AllocatePages(count * sizeof(StaticBlock)));
  if (blocks == nullptr) return;
  size_t used = 0;
  for (const auto* symbol = first; symbol != last; ++symbol) {
    if (!wanted(*symbol)) continue;
    blocks[used++] = {bias + symbol->st_value, symbol->st_size, strings.StringAt(symbol->st_name)};
  }
  strings.Keep();
  memory.SetStatic(blocks, Join(blocks, used));
}

}  // namespace

void AddStaticBlocks(HostMemory& memory) {
  const File file("/proc/self/exe");
  ElfW(Ehdr) header;
  if (!file.Usable() ||
      pread(file.descriptor(), &header, sizeof(header), 0) !=
          static_cast<ssize_t>(sizeof(header)) ||
      memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32)) {
    return;
  }
  AddBlocks(file.descriptor(), header, memory);
}

}  // namespace gpusan
