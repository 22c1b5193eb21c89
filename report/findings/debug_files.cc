// Finds separate debug files for libdwfl.
#include "report/findings/debug_files.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "report/base/regular_file.h"
#include "report/findings/debuginfod.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr off_t kMostBytes = off_t{8} << 30;
// The userdata of a module whose supplementary file libdwfl opens.
char g_has_supplementary;

constexpr std::string_view kDebugFolder = "/usr/lib/debug";

// What a debug file must have.
struct Wanted {
  std::string build_id;  // bytes; empty if unknown
  bool has_checksum = false;
  uint32_t checksum = 0;
};

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool HasBuildId(int fd, const std::string& build_id) {
  Elf* const elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  const void* bytes = nullptr;
  const ssize_t size = elf != nullptr ? dwelf_elf_gnu_build_id(elf, &bytes) : -1;
  const bool has = size > 0 && std::string_view(static_cast<const char*>(bytes),
                                                static_cast<size_t>(size)) == build_id;
  elf_end(elf);
  return has;
}

bool HasChecksum(int fd, uint32_t wanted) {
  std::vector<unsigned char> bytes(size_t{1} << 20);
  uLong checksum = crc32(0, nullptr, 0);
  off_t offset = 0;
  ssize_t count = 0;
  while (offset <= kMostBytes && (count = pread(fd, bytes.data(), bytes.size(), offset)) > 0) {
    checksum = crc32(checksum, bytes.data(), static_cast<uInt>(count));
    offset += count;
  }
  return count == 0 && checksum == wanted;
}

// Returns a descriptor of `path`, or -1 if the file is not the wanted one. `program` is
// the file that has the link, which is not its own debug file.
int OpenDebugFile(const std::string& path, const Wanted& wanted, const struct stat& program) {
  std::string ignored;
  const int fd = OpenRegularFile(path, &ignored);
  if (fd < 0) return -1;
  struct stat status = {};
  const bool fits = fstat(fd, &status) == 0 && status.st_size <= kMostBytes &&
                    (status.st_ino != program.st_ino || status.st_dev != program.st_dev);
  const bool is_wanted = fits && (!wanted.build_id.empty() ? HasBuildId(fd, wanted.build_id)
                                  : wanted.has_checksum    ? HasChecksum(fd, wanted.checksum)
                                                           : true);
  if (is_wanted) return fd;
  close(fd);
  return -1;
}

// The folders of `file`, as it is named and without symbolic links.
std::vector<std::string> FoldersOf(const char* file) {
  if (file == nullptr) return {};
  std::vector<std::string> folders = {FolderOf(file)};
  if (char* const real = realpath(file, nullptr); real != nullptr) {
    folders.push_back(FolderOf(real));
    std::free(real);
  }
  if (folders.front() == folders.back()) folders.resize(1);
  return folders;
}

// The places of the debug file `link` of a program; nullptr: of a program without a link.
std::vector<std::string> DebugFilePaths(const char* file, const char* link) {
  std::vector<std::string> paths;
  const std::string name = link != nullptr ? link : NameOf(file) + ".debug";
  for (const std::string& folder : FoldersOf(file)) {
    std::vector<std::string> elsewhere = {folder + "/.debug/"};
    for (size_t slash = folder.find('/'); slash != std::string::npos && folder[0] == '/';
         slash = folder.find('/', slash + 1))
      elsewhere.push_back(std::string(kDebugFolder) + folder.substr(slash) + "/");
    paths.push_back(folder + "/" + name);
    for (const std::string& place : elsewhere) {
      paths.push_back(place + name);
      if (link == nullptr) paths.push_back(place + NameOf(file));
    }
  }
  return paths;
}

// The places of the supplementary file `link` of the debug file `file`.
std::vector<std::string> SupplementaryPaths(const char* file, const std::string& link) {
  const std::string debug_folder(kDebugFolder);
  if (link.empty()) return {};
  if (link[0] == '/') return {link, debug_folder + "/.dwz/" + NameOf(link)};
  std::vector<std::string> paths;
  for (const std::string& folder : FoldersOf(file)) {
    paths.push_back(folder + "/" + link);
    paths.push_back(folder + "/.dwz/" + NameOf(link));
    paths.push_back(folder + "/.debug/" + link);
  }
  paths.push_back(debug_folder + "/" + NameOf(link));
  paths.push_back(debug_folder + "/.dwz/" + NameOf(link));
  return paths;
}

std::string BuildIdOf(Dwfl_Module* module) {
  const unsigned char* bytes = nullptr;
  GElf_Addr where = 0;
  const int size = dwfl_module_build_id(module, &bytes, &where);
  return size > 0 ? std::string(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size))
                  : "";
}

int Fetch(const std::string& build_id, const Wanted& wanted, std::string* path) {
  *path = FetchDebugFile(
      DebugFile::kDebugInfo,
      HexBytes(reinterpret_cast<const unsigned char*>(build_id.data()), build_id.size()));
  return path->empty() ? -1 : OpenDebugFile(*path, wanted, {});
}

// A DWARF file without names and units, which stands for a supplementary file that is missing.
Dwarf* EmptyDwarf() {
  struct Image {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    char names[32];
    char bytes[8];
  };
  static Image image = {};
  static Dwarf* const dwarf = [] {
    constexpr std::string_view kNames("\0.shstrtab\0.debug_info", 22);
    memcpy(image.header.e_ident, ELFMAG, SELFMAG);
    image.header.e_ident[EI_CLASS] = ELFCLASS64;
    image.header.e_ident[EI_DATA] = ELFDATA2LSB;
    image.header.e_ident[EI_VERSION] = EV_CURRENT;
    image.header.e_type = ET_EXEC;
    image.header.e_machine = EM_X86_64;
    image.header.e_version = EV_CURRENT;
    image.header.e_shoff = offsetof(Image, sections);
    image.header.e_ehsize = sizeof(Elf64_Ehdr);
    image.header.e_shentsize = sizeof(Elf64_Shdr);
    image.header.e_shnum = 3;
    image.header.e_shstrndx = 1;
    std::copy(kNames.begin(), kNames.end(), image.names);
    image.sections[1].sh_name = 1;
    image.sections[1].sh_type = SHT_STRTAB;
    image.sections[1].sh_offset = offsetof(Image, names);
    image.sections[1].sh_size = sizeof(image.names);
    image.sections[1].sh_addralign = 1;
    image.sections[2].sh_name = 11;
    image.sections[2].sh_type = SHT_PROGBITS;
    image.sections[2].sh_offset = offsetof(Image, bytes);
    image.sections[2].sh_size = sizeof(image.bytes);
    image.sections[2].sh_addralign = 1;
    Elf* const elf = elf_memory(reinterpret_cast<char*>(&image), sizeof(image));
    return elf != nullptr ? dwarf_begin_elf(elf, DWARF_C_READ, nullptr) : nullptr;
  }();
  return dwarf;
}

}  // namespace

int FindDebugFile(Dwfl_Module* module, void** userdata, const char* name, Dwarf_Addr base,
                  const char* file, const char* link, GElf_Word crc, char** found) {
  // libdwfl also calls this for the supplementary file, once it has loaded the DWARF.
  Dwarf_Addr bias = 0;
  const char* debug_file = nullptr;
  dwfl_module_info(module, nullptr, nullptr, nullptr, &bias, nullptr, nullptr, &debug_file);
  const bool is_supplementary = bias != static_cast<Dwarf_Addr>(-1);
  Wanted wanted;
  std::vector<std::string> paths;
  if (is_supplementary) {
    Dwarf* const dwarf = dwfl_module_getdwarf(module, &bias);
    const char* ignored = nullptr;
    const void* bytes = nullptr;
    const ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf, &ignored, &bytes);
    if (size <= 0) return -1;
    wanted.build_id.assign(static_cast<const char*>(bytes), static_cast<size_t>(size));
    if (link != nullptr)
      paths = SupplementaryPaths(debug_file != nullptr ? debug_file : file, link);
  } else {
    wanted.build_id = BuildIdOf(module);
    wanted.has_checksum = link != nullptr;
    wanted.checksum = crc;
    if (file != nullptr) paths = DebugFilePaths(file, link);
  }
  struct stat program = {};
  if (file != nullptr && stat(file, &program) != 0) program = {};
  int fd = -1;
  std::string path;
  for (size_t i = 0; i < paths.size() && fd < 0; ++i) {
    path = paths[i];
    fd = OpenDebugFile(path, wanted, program);
  }
  if (fd < 0) {
    // Without names, libdwfl looks for the build-id alone.
    fd = dwfl_standard_find_debuginfo(module, userdata, name, base, nullptr, nullptr, 0, found);
    if (fd < 0 && !wanted.build_id.empty())
      fd = Fetch(wanted.build_id, wanted, &path);
    else
      path.clear();
  }
  if (fd >= 0 && !path.empty()) *found = strdup(path.c_str());
  if (fd >= 0 && is_supplementary) {
    Dwarf* const dwarf = dwarf_begin(fd, DWARF_C_READ);
    if (dwarf != nullptr) *userdata = &g_has_supplementary;
    dwarf_end(dwarf);
  }
  return fd;
}

void LoadDebugInformation(Dwfl_Module* module) {
  Dwarf_Addr bias = 0;
  Dwarf* const dwarf = dwfl_module_getdwarf(module, &bias);
  void** userdata = nullptr;
  dwfl_module_info(module, &userdata, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  const bool has_supplementary = userdata != nullptr && *userdata == &g_has_supplementary;
  if (dwarf != nullptr && !has_supplementary) dwarf_setalt(dwarf, EmptyDwarf());
}

}  // namespace gpusan
