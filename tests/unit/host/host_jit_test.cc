// Names of code that was compiled in the process: maps for perf and images for a debugger, also
// hostile ones, and the walk over the frames of such code.
#include "hooks/common/sites/jit_names.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "hooks/common/sites/gdb_images.h"
#include "hooks/common/sites/mono_names.h"
#include "hooks/common/sites/perf_map.h"
#include "hooks/common/sites/site.h"
#include "tests/unit/temporary_folder.h"

// As a runtime has it.
struct JitEntry {
  JitEntry* next;
  JitEntry* previous;
  const char* image;
  uint64_t bytes;
};
struct JitDescriptor {
  uint32_t version;
  uint32_t action;
  JitEntry* relevant;
  JitEntry* first;
};

extern "C" {
__attribute__((visibility("default")))
JitDescriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
}

namespace gpusan {
namespace {

void Write(const std::string& path, const std::string& text, bool append = false) {
  std::ofstream(path, append ? std::ios::app : std::ios::trunc) << text;
}

std::string NameIn(const PerfMap& map, uint64_t address) {
  uint64_t begin = 0;
  const std::string_view name = map.Find(address, &begin);
  if (!name.empty()) CHECK(begin <= address);
  return std::string(name);
}

std::string NameIn(const std::string& path, uint64_t address, int64_t not_before = 0) {
  PerfMap map;
  map.Read(path, not_before);
  return NameIn(map, address);
}

TEST_CASE("a map names the functions that contain an address") {
  const TemporaryFolder folder;
  const std::string path = folder / "perf.map";
  Write(path, "1000 20 Program:Train (ulong,intptr)\n0x1020 0x10 Program:Test ()\nnonsense\n");
  PerfMap map;
  map.Read(path, 0);
  CHECK(map.functions() == 2);
  CHECK(NameIn(map, 0xfff).empty());
  CHECK(NameIn(map, 0x1000) == "Program:Train (ulong,intptr)");
  CHECK(NameIn(map, 0x101f) == "Program:Train (ulong,intptr)");
  CHECK(NameIn(map, 0x1020) == "Program:Test ()");
  CHECK(NameIn(map, 0x1030).empty());
  SECTION("that is written further, within a line") {
    Write(path, "1030 8 La", true);
    map.Read(path, 0);
    CHECK(NameIn(map, 0x1030).empty());
    Write(path, "ter\n", true);
    map.Read(path, 0);
    CHECK(NameIn(map, 0x1030) == "Later");
    CHECK(map.functions() == 3);
  }
  SECTION("whose code was replaced") {
    Write(path, "1010 18 New\n", true);
    map.Read(path, 0);
    CHECK(NameIn(map, 0x100f) == "Program:Train (ulong,intptr)");
    CHECK(NameIn(map, 0x1010) == "New");
    CHECK(NameIn(map, 0x1027) == "New");
    CHECK(NameIn(map, 0x1028).empty());
  }
  SECTION("that is written anew") {
    Write(path, "1000 8 Short\n");
    map.Read(path, 0);
    CHECK(NameIn(map, 0x1000) == "Short");
    CHECK(map.functions() == 1);
    Write(path, "2000 8 " + std::string(500, 'x') + "\n3000 10 Other\n");
    map.Read(path, 0);
    CHECK(NameIn(map, 0x1000).empty());
    CHECK(NameIn(map, 0x3000) == "Other");
  }
}

TEST_CASE("a map that may be another's is not read") {
  const TemporaryFolder folder;
  const std::string path = folder / "perf.map", other = folder / "other.map";
  Write(path, "1000 20 Train\n");
  REQUIRE(NameIn(path, 0x1000) == "Train");
  SECTION("a link") {
    REQUIRE(symlink(path.c_str(), other.c_str()) == 0);
    CHECK(NameIn(other, 0x1000).empty());
  }
  SECTION("a file with two names") {
    REQUIRE(link(path.c_str(), other.c_str()) == 0);
    CHECK(NameIn(other, 0x1000).empty());
  }
  SECTION("a file that everybody may write") {
    REQUIRE(chmod(path.c_str(), 0666) == 0);
    CHECK(NameIn(path, 0x1000).empty());
  }
  SECTION("a file of another user") {
    if (geteuid() != 0 || chown(path.c_str(), 65534, 65534) != 0) return;
    CHECK(NameIn(path, 0x1000).empty());
  }
  SECTION("a file that was written before the process began") {
    CHECK(NameIn(path, 0x1000, int64_t{4'000'000'000} * 1'000'000'000).empty());
  }
  SECTION("a pipe, which would block") {
    REQUIRE(mkfifo(other.c_str(), 0600) == 0);
    CHECK(NameIn(other, 0x1000).empty());
  }
  SECTION("a folder, and a file that does not exist") {
    CHECK(NameIn(folder.path(), 0x1000).empty());
    CHECK(NameIn(folder / "none.map", 0x1000).empty());
  }
}

TEST_CASE("any content of a map is harmless") {
  const TemporaryFolder folder;
  const std::string path = folder / "perf.map";
  SECTION("numbers that no code has") {
    Write(path,
          "ffffffffffffffff 2 Wraps\n0 0 Empty\n1000 ffffffffffffffff Huge\n"
          "123456789abcdef012 10 Long\n-5 10 Negative\n2000 10 \n2000 10\n 3000 10 Blank\n\n");
    PerfMap map;
    map.Read(path, 0);
    CHECK(map.functions() == 0);
  }
  SECTION("a name without an end") {
    Write(path, "1000 10 " + std::string(1 << 20, 'n') + "\n2000 10 Next\n");
    CHECK(NameIn(path, 0x1000).size() == PerfMap::kMostNameBytes);
    CHECK(NameIn(path, 0x2000) == "Next");
  }
  SECTION("more bytes than are read") {
    Write(path, "1000 10 First\n");
    REQUIRE(truncate(path.c_str(), PerfMap::kMostBytes + 4096) == 0);
    Write(path, "\n2000 10 Last\n", true);
    CHECK(NameIn(path, 0x1000) == "First");
    CHECK(NameIn(path, 0x2000).empty());
  }
  SECTION("random bytes, pieces of lines and changes of size") {
    std::mt19937 random(20);
    PerfMap map;
    const std::string pieces[] = {"1000", " ",   "\n", "f00 20 Name\n", "0x", "ffffffff", "[Tier0]",
                                  ":",    "JS:", "~",  "\xff\xfe",      "- ", "1 1 a\n",  "7:8"};
    for (int round = 0; round < 300; ++round) {
      std::string text;
      const size_t count = random() % 200;
      for (size_t i = 0; i < count; ++i) {
        if (random() % 4 == 0) {
          text += static_cast<char>(random());
        } else {
          text += pieces[random() % std::size(pieces)];
        }
      }
      Write(path, text, random() % 3 != 0);
      map.Read(path, 0);
      uint64_t begin = 0;
      for (int i = 0; i < 20; ++i) {
        const std::string_view name = map.Find(random() % 0x3000, &begin);
        if (!name.empty()) CHECK(!JitFunctionNamed(name).name.empty());
      }
    }
  }
}

TEST_CASE("names lose what differs between two compilations of one function") {
  CHECK(JitFunctionNamed("void [app] Program::Main(string[])[Tier0]").name ==
        "void [app] Program::Main(string[])");
  CHECK(JitFunctionNamed("int32 [app] P::At(int32[])[OptimizedTier1]").name ==
        "int32 [app] P::At(int32[])");
  CHECK(JitFunctionNamed("int32[] [app] P::Array(int32[])").name ==
        "int32[] [app] P::Array(int32[])");
  const JitFunction train = JitFunctionNamed("JS:*train /srv/my app.js:10:15");
  CHECK(train.name == "train");
  CHECK(train.file == "/srv/my app.js");
  CHECK(train.line == 10);
  CHECK(JitFunctionNamed("JS:~ /srv/app.js:3:5").name == "(anonymous 3:5)");
  const JitFunction older = JitFunctionNamed("LazyCompile:~test /srv/app.js:7");
  CHECK(older.name == "test");
  CHECK(older.line == 7);
  CHECK(JitFunctionNamed("Builtin:CallApiCallback").name == "Builtin:CallApiCallback");
}

TEST_CASE("the look-up of mono names the function at an address") {
  MonoPosition position;
  REQUIRE(ParseMonoPosition(
      " P:Train (ulong,intptr) [{0x5581} + 0x4f] (0x4027 0x4028) [0x55 - a.exe]", &position));
  CHECK(position.function.name == "P:Train (ulong,intptr)");
  CHECK(position.function.file.empty());
  CHECK(position.offset == 0x4f);
  REQUIRE(ParseMonoPosition(
      " P:Train () [{0x5581} + 0x4f] [/src/my [x] :: a.cs :: 12u] (0x4027 0x4028) [0x5 - a.exe]",
      &position));
  CHECK(position.function.file == "/src/my [x] :: a.cs");
  CHECK(position.line == 12);
  for (const char* text : {"", " ", "unmanaged", " <0x4 - 0x5 trampoline>", " [{", " x [{0x5} + ",
                           " x [{0x5} + 0x", "[{0x5} + 0x5] (0x1 0x2)"})
    CHECK(!ParseMonoPosition(text, &position));
}

// An ELF file in memory with two functions.
class SmallImage {
 public:
  explicit SmallImage(uint64_t code, uint16_t type = ET_EXEC) {
    const char names[] = "\0julia_train_1234\0_Z4testi";
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_type = type;
    header.e_shoff = sizeof(header);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 4;
    Elf64_Shdr sections[4] = {};
    Elf64_Sym symbols[3] = {};
    const uint64_t base = type == ET_REL ? 0 : code;
    symbols[1] = {.st_name = 1,
                  .st_info = STT_FUNC,
                  .st_other = 0,
                  .st_shndx = 1,
                  .st_value = base,
                  .st_size = 0x10};
    symbols[2] = {.st_name = 18,
                  .st_info = STT_FUNC,
                  .st_other = 0,
                  .st_shndx = 1,
                  .st_value = base + 0x10,
                  .st_size = 0x20};
    sections[1].sh_addr = code;
    sections[2].sh_type = SHT_SYMTAB;
    sections[2].sh_link = 3;
    sections[2].sh_offset = sizeof(header) + sizeof(sections);
    sections[2].sh_size = sizeof(symbols);
    sections[3].sh_type = SHT_STRTAB;
    sections[3].sh_offset = sections[2].sh_offset + sizeof(symbols);
    sections[3].sh_size = sizeof(names);
    Add(&header, sizeof(header));
    Add(sections, sizeof(sections));
    Add(symbols, sizeof(symbols));
    Add(names, sizeof(names));
  }
  std::string bytes;

 private:
  void Add(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

std::string NameIn(const JitDescriptor& descriptor, uint64_t address) {
  uint64_t begin = 0;
  return FunctionInGdbImagesOf(reinterpret_cast<uintptr_t>(&descriptor), address, &begin);
}

TEST_CASE("an image for a debugger names the functions that contain an address") {
  const SmallImage first(0x1000), second(0x5000, ET_REL);
  JitEntry later{nullptr, nullptr, second.bytes.data(), second.bytes.size()};
  JitEntry entry{&later, nullptr, first.bytes.data(), first.bytes.size()};
  const JitDescriptor descriptor{1, 0, nullptr, &entry};
  CHECK(NameIn(descriptor, 0xfff).empty());
  CHECK(NameIn(descriptor, 0x100f) == "julia_train_1234");
  CHECK(NameIn(descriptor, 0x1010) == "_Z4testi");
  CHECK(NameIn(descriptor, 0x1030).empty());
  CHECK(NameIn(descriptor, 0x5011) == "_Z4testi");
}

TEST_CASE("any content of an image is harmless") {
  JitEntry entry{nullptr, nullptr, nullptr, 0};
  JitDescriptor descriptor{1, 0, nullptr, &entry};
  SECTION("a list without an end") {
    entry.next = &entry;
    CHECK(NameIn(descriptor, 0x1000).empty());
  }
  SECTION("a list and an image at addresses of nothing") {
    entry.next = reinterpret_cast<JitEntry*>(0x10);
    entry.image = reinterpret_cast<const char*>(0x20);
    entry.bytes = 4096;
    CHECK(NameIn(descriptor, 0x1000).empty());
    descriptor.first = reinterpret_cast<JitEntry*>(~uintptr_t{7});
    CHECK(NameIn(descriptor, 0x1000).empty());
    descriptor.version = 2;
    CHECK(NameIn(descriptor, 0x1000).empty());
  }
  SECTION("images that are cut or changed") {
    std::mt19937 random(20);
    const SmallImage good(0x1000);
    for (int round = 0; round < 3000; ++round) {
      std::string bytes = good.bytes;
      for (size_t changes = random() % 4; changes > 0; --changes)
        bytes[SELFMAG + random() % (bytes.size() - SELFMAG)] = static_cast<char>(random());
      if (random() % 3 == 0) bytes.resize(random() % bytes.size());
      entry.image = bytes.data();
      entry.bytes = random() % 5 == 0 ? ~uint64_t{0} >> random() % 40 : bytes.size();
      for (const uint64_t address : {0x1000u, 0x1018u, 0x9000u}) NameIn(descriptor, address);
    }
  }
}

TEST_CASE("names follow the descriptor of a loaded file, demangled and without Julia's number") {
  // The descriptor of this program, which a runtime would fill.
  JitDescriptor& test_descriptor = __jit_debug_descriptor;
  SmallImage image(0x123000);
  JitEntry entry{nullptr, nullptr, image.bytes.data(), image.bytes.size()};
  test_descriptor.first = &entry;
  CHECK(KnownJitPosition(0x123008).function == 0);
  FindJitPosition(0x123008);
  JitPosition position = KnownJitPosition(0x123008);
  const SiteFunction* function = SiteFunctionById(position.function);
  REQUIRE(function != nullptr);
  CHECK(function->name == std::string("julia_train"));
  CHECK(function->language == std::string("jit"));
  CHECK(position.offset == 8);
  FindJitPosition(0x123020);
  function = SiteFunctionById(KnownJitPosition(0x123020).function);
  REQUIRE(function != nullptr);
  CHECK(function->name == std::string("test(int)"));
  // The call is before its return address.
  FindJitPosition(0x123000);
  CHECK(KnownJitPosition(0x123000).function == 0);
  test_descriptor.first = nullptr;
}

TEST_CASE("the map of this process is read") {
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const std::string line = "700000 40 JS:^train /srv/app.js:10:15\n";
  REQUIRE(write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
  close(fd);
  FindJitPosition(0x700010);
  const SiteFunction* function = SiteFunctionById(KnownJitPosition(0x700010).function);
  REQUIRE(function != nullptr);
  CHECK(function->name == std::string("train"));
  CHECK(function->file == std::string("/srv/app.js"));
  CHECK(function->line == 10);
  RemovePerfMap();
  CHECK(access(path.c_str(), F_OK) != 0);
}

#if defined(__x86_64__)
// What an exported wrapper does.
SiteId g_site;
__attribute__((noinline)) void Wrapper() {
  g_site = CaptureSite(__builtin_return_address(0), __builtin_frame_address(0));
  asm volatile("" ::: "memory");
}

// Code without unwind tables that calls the function in rdi, with a frame pointer or without.
struct Generated {
  unsigned char* page;
  explicit Generated(bool frame_pointer) {
    static const unsigned char kWith[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
    static const unsigned char kWithout[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd7,
                                             0x48, 0x83, 0xc4, 0x08, 0xc3};
    page = static_cast<unsigned char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (page == MAP_FAILED) std::abort();
    if (frame_pointer) {
      std::memcpy(page, kWith, sizeof(kWith));
    } else {
      std::memcpy(page, kWithout, sizeof(kWithout));
    }
  }
  ~Generated() { munmap(page, 4096); }
  void Call(void (*function)()) const {
    void (*code)(void (*)());
    std::memcpy(&code, &page, sizeof(code));
    code(function);
  }
  bool Contains(uint64_t address) const {
    return address - reinterpret_cast<uintptr_t>(page) < 4096;
  }
};

__attribute__((noinline, noclone)) void CallFromOnePlace(const Generated& code) {
  code.Call(Wrapper);
  asm volatile("# one" ::: "memory");
}
__attribute__((noinline, noclone)) void CallFromAnotherPlace(const Generated& code) {
  code.Call(Wrapper);
  asm volatile("# two" ::: "memory");
}

TEST_CASE("the callers of generated code with frame pointers are in the call site") {
  const Generated code(/*frame_pointer=*/true);
  SiteFrame frames[kMaxSiteFrames];
  SiteId sites[2] = {};
  for (int i = 0; i < 6; ++i) {
    (i % 2 == 0 ? CallFromOnePlace : CallFromAnotherPlace)(code);
    if (i < 2) sites[i] = g_site;
    CHECK(g_site == sites[i % 2]);
  }
  CHECK(sites[0] != sites[1]);
  REQUIRE(SiteFrames(sites[0], frames, kMaxSiteFrames) > 2);
  CHECK(frames[0].module == 0);
  CHECK(code.Contains(frames[0].offset));
  CHECK(frames[1].module != 0);
}

TEST_CASE("generated code without frame pointers does not end the program") {
  const Generated code(/*frame_pointer=*/false);
  SiteFrame frames[kMaxSiteFrames];
  CallFromOnePlace(code);
  REQUIRE(SiteFrames(g_site, frames, kMaxSiteFrames) > 0);
  CHECK(frames[0].module == 0);
}
#endif

}  // namespace
}  // namespace gpusan
