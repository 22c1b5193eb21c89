// What the kernel and the loader do with a file that a process executes: ELF headers and the first
// line of scripts. All functions are async-signal-safe and allocate nothing, so that the child of a
// vfork can call them. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusan {

// The start of a file.
struct ExecutableFile {
  enum class Kind : uint8_t { kUnreadable, kElf, kScript, kOther };
  Kind kind = Kind::kUnreadable;
  int error = 0;  // errno; of kUnreadable
  // Of kElf.
  int elf_class = 0;
  int machine = 0;
  int type = 0;
  bool has_interpreter = false;
  // The loader of an ELF file, or the program in the first line of a script. Longer names are cut.
  char interpreter[256] = {};
};

ExecutableFile ReadExecutableFile(const char* path);

// The effect of LD_PRELOAD with the dynamic library of this process (or of this command) on a
// program.
enum class Preload : uint8_t {
  kLoads,            // it is loaded, as far as headers show
  kStatic,           // nothing is loaded; children that inherit the variable load it
  kAnotherMachine,   // the loader of the program prints an error
  kAnotherCLibrary,  // the loader of the program ends the program
};

// Inspects `path`; for a script, the program that interprets it. `file`, which may be null,
// receives the name of the inspected file, cut at `capacity` bytes.
Preload PreloadOf(const char* path, char* file = nullptr, size_t capacity = 0);

// Searches `name` in PATH (default as execvp: "/bin:/usr/bin") if it contains no slash. Stores the
// path in `path`; returns false if there is no executable file, or its path is too long.
bool FindExecutable(const char* name, char* path, size_t capacity);

}  // namespace gpusan
