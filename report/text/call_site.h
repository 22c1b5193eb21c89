// The frames of a call site: those of the program, the location of a finding, and the shown frames.
// All functions are thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gpusan {

// One frame, with the fields that are known.
struct TextFrame {
  std::string function;  // demangled; empty: not known
  std::string file;      // source file; empty: not known
  int line = 0;          // from 1; 0: not known
  int column = 0;        // from 1; 0: not known
  std::string module;    // path of the loaded file; empty: not known
  uint64_t offset =
      0;  // in that file, of the return address; without a module the absolute address
  uint64_t function_offset =
      0;                  // from the start of the function; shown where file and line are not known
  bool inlined = false;   // into the next frame
  int function_line = 0;  // where the function begins, in its file; 0: not known
  std::string language;   // of a function without a module: that of an interpreter, or "jit" for
                          // code that was compiled in the process; else empty

  bool IsInterpreted() const { return !language.empty(); }
};

// The lines of a source file around a frame. All texts are Printable, without tabs.
struct SourceExcerpt {
  int frame = -1;      // the index of the frame in its call site; -1: no excerpt
  int first_line = 0;  // the number of lines[0], from 1
  size_t marked = 0;   // the index of the line of the frame
  int caret = -1;      // the column [characters] in that line, from 0; -1: not known
  std::vector<std::string> lines;
};

// The frames to show: from the innermost frame of the program to its main or the first function of
// a thread, without the frames of the ICD loader, the CUDA runtime and gpusan before them. If that
// leaves none, all frames from the first one on. The frames of Python precede the others. Refers to
// `frames`.
std::span<const TextFrame> ShownFrames(const std::vector<TextFrame>& frames);

// Whether the frame is in code that a runtime compiled inside the process, such as a method of C#.
bool IsCompiledInProcess(const TextFrame& frame);

// Whether frames[index] belongs to the system or to a framework, which the author of the program
// does not change: a library in a folder of the system, a library of CUDA, PyTorch and the like, a
// package or the library of Python, code that one of these generated ("<string>"), the interpreter,
// the library of .NET, a function that was inlined from a header of a library, or the stub that
// nvcc writes for the launch of a kernel. `frames` are those of a call site, from the innermost on.
bool IsLibraryFrame(std::span<const TextFrame> frames, size_t index);

// The name under which frames[index], a folded frame of a library, is counted: "libtorch_cuda.so",
// "torch (Python)", "headers of libraries".
std::string LibraryName(std::span<const TextFrame> frames, size_t index);

// Returns the frame that is the location of a finding: the innermost frame that is no library
// frame, or else the innermost library frame. In both cases, frames with a line precede frames
// without. The host function of a kernel, which calls the launch stub, counts as a library frame.
// Returns nullptr if there are no frames. The result refers to `frames`.
const TextFrame* ProgramFrame(const std::vector<TextFrame>& frames);

// "bad.c:42" (base name) of ProgramFrame, or "module+0x12", or "unknown". Contains no blanks.
std::string ShortLocation(const std::vector<TextFrame>& frames);

// "src/bad.c:42:7" of ProgramFrame, relative to `base_folder` if it is below it; else as
// ShortLocation. Printable. Empty without frames.
std::string LongLocation(const std::vector<TextFrame>& frames, const std::string& base_folder);

// `file` relative to `base_folder` if it is below it, else unchanged.
std::string ShownFile(const std::string& file, const std::string& base_folder);

// The name of a function with long template arguments written as "<...>" and long parameter lists
// as
// "(...)". Names of at most 60 characters are unchanged.
std::string ShortFunctionName(const std::string& function);

}  // namespace gpusan
