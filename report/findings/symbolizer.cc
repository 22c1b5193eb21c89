// Offline symbolisation with libdw.
#include "report/findings/symbolizer.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "report/base/regular_file.h"
#include "report/findings/debug_files.h"
#include "report/findings/debuginfod.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

char* g_debug_folders = nullptr;  // nullptr: the default of libdwfl

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = FindDebugFile,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &g_debug_folders,
};

std::string FunctionName(Dwarf_Die* die) {
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute value;
    if (dwarf_attr_integrate(die, attribute, &value) != nullptr) {
      const char* name = dwarf_formstring(&value);
      if (name != nullptr) return Demangle(name);
    }
  }
  const char* name = dwarf_diename(die);
  return name != nullptr ? name : "";
}

std::string CleanPath(const char* path) {
  return path != nullptr ? std::filesystem::path(path).lexically_normal().string() : std::string();
}

int Number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Word number = 0;
  if (dwarf_attr(die, attribute, &value) == nullptr || dwarf_formudata(&value, &number) != 0)
    return 0;
  return static_cast<int>(number);
}

// The source position of the function; for an inlined function, of its abstract instance.
int FirstLine(Dwarf_Die* function) {
  Dwarf_Attribute value;
  Dwarf_Word number = 0;
  if (dwarf_attr_integrate(function, DW_AT_decl_line, &value) == nullptr ||
      dwarf_formudata(&value, &number) != 0)
    return 0;
  return static_cast<int>(number);
}

struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

// The call position of this inlined_subroutine.
Place CallPlace(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Place place;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  const int file = Number(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &count) == 0 && file > 0 &&
      static_cast<size_t>(file) < count) {
    place.file = CleanPath(dwarf_filesrc(files, static_cast<size_t>(file), nullptr, nullptr));
  }
  place.line = Number(inlined, DW_AT_call_line);
  place.column = Number(inlined, DW_AT_call_column);
  return place;
}

// The compile unit with code at `address`; works without .debug_aranges.
Dwarf_Die* UnitAt(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias) {
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, bias);
  if (unit != nullptr) return unit;
  while ((unit = dwfl_module_nextcu(module, unit, bias)) != nullptr) {
    if (dwarf_haspc(unit, address - *bias) > 0) return unit;
  }
  return nullptr;
}

// Users look for their call of a function of gpusan.h, not for the function.
bool IsOwnHeader(std::string_view file) {
  constexpr std::string_view kHeader = "/gpusan.h";
  return file.size() >= kHeader.size() && file.substr(file.size() - kHeader.size()) == kHeader;
}

void AppendFromDwarf(Dwfl_Module* module, Dwarf_Addr address, const TextFrame& base,
                     std::vector<TextFrame>* frames) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = UnitAt(module, address, &bias);
  if (unit == nullptr) return;
  Place place;
  if (Dwarf_Line* line = dwarf_getsrc_die(unit, address - bias); line != nullptr) {
    place.file = CleanPath(dwarf_linesrc(line, nullptr, nullptr));
    dwarf_lineno(line, &place.line);
    dwarf_linecol(line, &place.column);
  }
  const auto append = [&](std::string function, bool inlined, int function_line) {
    TextFrame frame = base;
    frame.function_line = function_line;
    frame.function = std::move(function);
    frame.file = place.file;
    frame.line = place.line;
    frame.column = place.column;
    frame.inlined = inlined;
    frames->push_back(std::move(frame));
  };
  Dwarf_Die* scopes = nullptr;
  Dwarf_Die* chain = nullptr;
  bool reached_function = false;
  if (dwarf_getscopes(unit, address - bias, &scopes) > 0) {
    const int count = dwarf_getscopes_die(&scopes[0], &chain);
    for (int i = 0; i < count && !reached_function; ++i) {
      const int tag = dwarf_tag(&chain[i]);
      if (tag == DW_TAG_inlined_subroutine) {
        if (!IsOwnHeader(place.file)) append(FunctionName(&chain[i]), true, FirstLine(&chain[i]));
        place = CallPlace(unit, &chain[i]);
      } else if (tag == DW_TAG_subprogram) {
        append(FunctionName(&chain[i]), false, FirstLine(&chain[i]));
        reached_function = true;
      }
    }
  }
  std::free(chain);
  std::free(scopes);
  if (!reached_function) append("", false, 0);
}

}  // namespace

struct Symbolizer::File {
  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
  GElf_Addr bias = 0;
  bool is_loaded = false;

  ~File() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }
};

std::string Demangle(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name != nullptr ? name.get() : symbol;
}

Symbolizer::Symbolizer(std::function<void(const std::string&)> complain)
    : complain_(std::move(complain)) {}

Symbolizer::~Symbolizer() = default;

Symbolizer::File* Symbolizer::Open(const std::string& path, const std::string& build_id) {
  const auto [entry, is_new] = files_.try_emplace(path + "\n" + build_id, nullptr);
  if (!is_new) return entry->second.get();
  // Names in brackets ("[vdso]") are not files.
  if (path.empty() || path.front() == '[') return nullptr;
  // A record may name any file. Opening a pipe by its name would wait for a writer.
  std::string why;
  int fd = OpenRegularFile(path, &why);
  std::string opened = path;
  if (fd < 0) {
    // A record may come from another host.
    std::string ignored;
    opened = FetchDebugFile(DebugFile::kExecutable, build_id);
    if (!opened.empty()) fd = OpenRegularFile(opened, &ignored);
  }
  if (fd >= 0) {
    entry->second = Read(opened, fd, build_id);
  } else {
    complain_(path + ": " + why.substr(0, why.find(';')) + "; its symbols are not shown");
  }
  return entry->second.get();
}

std::unique_ptr<Symbolizer::File> Symbolizer::Read(const std::string& path, int fd,
                                                   const std::string& build_id) {
  auto file = std::make_unique<File>();
  file->dwfl = dwfl_begin(&kCallbacks);
  if (file->dwfl == nullptr) {
    close(fd);
    return nullptr;
  }
  dwfl_report_begin(file->dwfl);
  file->module = dwfl_report_elf(file->dwfl, path.c_str(), path.c_str(), fd, 0, true);
  if (file->module == nullptr) close(fd);  // otherwise the module owns it
  dwfl_report_end(file->dwfl, nullptr, nullptr);
  if (file->module == nullptr || dwfl_module_getelf(file->module, &file->bias) == nullptr) {
    complain_(path + ": " + dwfl_errmsg(-1) + "; its symbols are not shown");
    return nullptr;
  }
  const unsigned char* bytes = nullptr;
  GElf_Addr where = 0;
  const int size = dwfl_module_build_id(file->module, &bytes, &where);
  if (!build_id.empty() && size > 0 && HexBytes(bytes, static_cast<size_t>(size)) != build_id) {
    complain_(path + " is not the file that ran (build-id " +
              HexBytes(bytes, static_cast<size_t>(size)) + ", recorded " + build_id +
              "); its symbols are not shown");
    return nullptr;
  }
  return file;
}

const std::vector<TextFrame>& Symbolizer::Symbolize(const std::string& path,
                                                    const std::string& build_id,
                                                    uint64_t return_offset) {
  constexpr size_t kMostKept = 20000;
  if (known_.size() >= kMostKept) known_.clear();
  std::vector<TextFrame>& frames = known_[{path, build_id, return_offset}];
  if (frames.empty()) frames = LookUp(path, build_id, return_offset);
  return frames;
}

std::vector<TextFrame> Symbolizer::LookUp(const std::string& path, const std::string& build_id,
                                          uint64_t return_offset) {
  TextFrame base;
  base.module = path;
  base.offset = return_offset;
  std::vector<TextFrame> frames;
  File* file = return_offset > 0 ? Open(path, build_id) : nullptr;
  if (file == nullptr) return {base};
  if (!file->is_loaded) LoadDebugInformation(file->module);
  file->is_loaded = true;
  // The call ends one byte before its return address; the next byte may belong to another line or
  // function.
  const Dwarf_Addr address = return_offset - 1 + file->bias;
  AppendFromDwarf(file->module, address, base, &frames);
  if (frames.empty()) frames.push_back(base);
  TextFrame& outer = frames.back();
  if (outer.function.empty()) {
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* name =
        dwfl_module_addrinfo(file->module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name != nullptr) {
      outer.function = Demangle(name);
      outer.function_offset = offset + 1;
    }
  }
  return frames;
}

}  // namespace gpusan
