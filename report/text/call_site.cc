// Sorts the frames of a call site into those of the program and those of libraries.
#include "report/text/call_site.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>

#include "report/base/printable.h"
#include "report/text/gpu_drivers.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

bool IsInterposed(const TextFrame& frame) { return IsForwarding(frame.module); }

// Whether the frame is in the C or C++ runtime, which may have lines if debug information is
// installed.
bool IsRuntime(const TextFrame& frame) {
  const std::string_view name = BaseName(frame.module);
  for (const char* runtime : {"libc.so", "libc-", "libpthread.so", "libpthread-", "libstdc++.so",
                              "libgcc_s.so", "ld-linux"}) {
    if (name.starts_with(runtime)) return true;
  }
  return false;
}

// Whether the file is a header of a library, whose inlined code is rarely the cause: one in a
// folder of the system or of a compiler, or one of the C++ bindings of an API or of an allocator,
// which many programs keep among their own sources.
bool IsLibraryHeader(std::string_view file) {
  for (const std::string_view folder :
       {"/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm", "/usr/lib/clang/", "/usr/local/cuda/",
        "/usr/local/cuda-"}) {
    if (file.starts_with(folder)) return true;
  }
  for (const std::string_view part :
       {"/c++/v1/", "/include/c++/", "/targets/x86_64-linux/include/", "/include/cccl/"}) {
    if (file.find(part) != std::string_view::npos) return true;
  }
  const std::string_view name = BaseName(file);
  if (file.ends_with("CL/opencl.hpp") || file.ends_with("CL/cl2.hpp") ||
      file.ends_with("CL/cl.hpp") || name == "vk_mem_alloc.h" || name == "vk_mem_alloc.hpp")
    return true;
  return name.starts_with("vulkan") && name.ends_with(".hpp") &&
         file.find("vulkan/vulkan") != std::string_view::npos;
}

// Whether the frame is in code that CUDA's compiler writes between a launch and the runtime, in a
// temporary file.
bool IsLaunchStub(const TextFrame& frame) {
  const std::string_view function = frame.function;
  return frame.file.ends_with(".cudafe1.stub.c") || function.starts_with("__device_stub__") ||
         function.starts_with("__cudaLaunchKernel_helper") ||
         function.find("__wrapper__device_stub_") != std::string_view::npos;
}

// The functions of the static CUDA runtime that the program does not call have such names.
bool IsInsideCudaRuntime(const TextFrame& frame) {
  return frame.function.starts_with("libcudart_static_");
}

// Whether the frame is in the CUDA runtime that nvcc links into each program by default: it has no
// lines, and its functions (cudaMalloc) have no parameters in their names, as those of C++ have.
bool IsStaticCudaRuntime(const TextFrame& frame) {
  std::string_view function = frame.function;
  if (IsInsideCudaRuntime(frame)) return true;
  if (frame.line > 0 || function.find('(') != std::string_view::npos) return false;
  if (function.starts_with("__cudaLaunchKernel")) return true;
  return function.starts_with("cuda") && function.size() > 4 && function[4] >= 'A' &&
         function[4] <= 'Z';
}

// Whether `function` is the host function of the kernel that the launch stub `stub` is named after:
// "void app::scale<float>(float*)" for "__device_stub__ZN3app5scaleIfEEvPf", or "scale" for
// "__device_stub__scale", without C++ linkage. True for a function without a name.
bool IsKernelOfStub(std::string_view function, std::string_view stub) {
  function = function.substr(0, function.find_first_of("<("));
  const std::string name(function.substr(function.find_last_of(": ") + 1));
  if (name.empty()) return true;
  // Mangled: the length is in front of the name, and is not the end of a longer number.
  const std::string mangled = std::to_string(name.size()) + name;
  for (size_t at = stub.find(mangled); at != std::string_view::npos;
       at = stub.find(mangled, at + 1)) {
    if (at == 0 || std::isdigit(static_cast<unsigned char>(stub[at - 1])) == 0) return true;
  }
  const size_t at = stub.find("_" + name);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = stub.substr(at + 1 + name.size());
  return rest.empty() || rest.front() == '(' || rest.front() == '<';
}

bool HasLine(const TextFrame& frame) {
  return !frame.file.empty() && frame.line > 0 && !IsLibraryHeader(frame.file) &&
         !IsLaunchStub(frame);
}

bool IsMain(const TextFrame& frame) {
  return frame.function == "main" && !frame.inlined && !frame.IsInterpreted();
}

// Whether the frame is of code that Python compiled from a text and not from a file, such as
// "<string>" or "<attrs generated init Point>". Not so what a user has typed in.
bool IsGenerated(const TextFrame& frame) {
  const std::string_view file = frame.file;
  if (frame.language != "python" || !file.starts_with('<') || !file.ends_with('>')) return false;
  for (const std::string_view typed :
       {"<stdin>", "<console>", "<input>", "<ipython-", "<doctest "}) {
    if (file.starts_with(typed)) return false;
  }
  return true;
}

// The file whose author wrote the code of frames[index]: its own, or for generated code that of the
// function which calls it. Empty if only generated code calls it, as in `python -c`.
std::string_view AuthorsFile(std::span<const TextFrame> frames, size_t index) {
  while (index < frames.size() && IsGenerated(frames[index])) ++index;
  if (index == frames.size() || frames[index].language != "python") return "";
  return frames[index].file;
}

// The name of the package that a Python file belongs to: "torch" for
// "/usr/lib/python3/dist-packages/torch/nn/modules/module.py", "Python" for a file of Python's own
// library and for generated code. Empty: a file of the program.
std::string_view PythonPackage(std::string_view file) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const size_t at = file.rfind(folder);
    if (at == std::string_view::npos) continue;
    std::string_view package = file.substr(at + folder.size());
    package = package.substr(0, package.find('/'));
    if (package.ends_with(".py")) package.remove_suffix(3);
    return package;
  }
  for (const std::string_view begin : {"<frozen ", "<__array_function__", "<eval_with_key>"}) {
    if (file.starts_with(begin)) return "Python";
  }
  for (const std::string_view folder : {"/lib/python3.", "/lib64/python3.", "/python3.zip/"}) {
    if (file.find(folder) != std::string_view::npos) return "Python";
  }
  if (file.find("/torchinductor_") != std::string_view::npos) return "torch";
  return "";
}

// Whether a function that was compiled in the process belongs to the library of its language, or is
// one of the stubs between such code and loaded files.
bool IsRuntimeMethod(const TextFrame& frame) {
  const std::string_view function = frame.function;
  for (const std::string_view begin :
       {"(wrapper ", "System.", "[System.", "Builtin:", "BytecodeHandler:", "RegExp:", "Stub:",
        "stub ", "Interpreter", "StubRoutines", "java.", "jdk.", "sun.", "Base.", "jfptr_"}) {
    if (function.starts_with(begin)) return true;
  }
  return function.find(" [System.") != std::string_view::npos ||
         function.ends_with("_trampoline") || frame.file.starts_with("node:") ||
         frame.file.find("/node_modules/") != std::string::npos;
}

// Whether the function is start-up code of a program or thread.
bool IsStart(const TextFrame& frame) {
  if (frame.function == "_start") return true;
  if (!IsRuntime(frame)) return false;
  for (const char* start : {"__libc_start_main", "__libc_start_call_main", "start_thread", "clone",
                            "clone3", "__clone", "__clone3", "execute_native_thread_routine"}) {
    const size_t length = std::strlen(start);
    // Names may carry a version or a variant: __libc_start_main@@GLIBC_2.34, ..._impl.
    if (frame.function.compare(0, length, start) != 0) continue;
    const std::string_view rest = std::string_view(frame.function).substr(length);
    if (rest.empty() || rest.front() == '@' || rest == "_impl") return true;
  }
  return false;
}

// The characters after "operator" that belong to its name: "<<=" of "operator<<=(int)".
size_t OperatorLength(std::string_view rest) {
  size_t length = 0;
  while (length < rest.size() && length < 3 &&
         std::string_view("<>=-!+*/%&|^~").find(rest[length]) != std::string_view::npos)
    ++length;
  if (length == 0 && rest.starts_with("()")) length = 2;
  return length;
}

// The position after the bracket that closes the one at `begin`; npos if none does.
size_t AfterClosing(std::string_view name, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if (c == '>' && i > 0 && name[i - 1] == '-') continue;  // the arrow of decltype
    if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::span<const TextFrame> ShownFrames(const std::vector<TextFrame>& frames) {
  auto first = std::find_if_not(frames.begin(), frames.end(), [](const TextFrame& frame) {
    return IsInterposed(frame) || IsInsideCudaRuntime(frame);
  });
  if (first == frames.end()) first = frames.begin();
  auto last = first;
  while (last != frames.end() && !IsStart(*last)) {
    if (IsMain(*last++)) break;
  }
  if (last == first) last = frames.end();
  return {frames.data() + (first - frames.begin()), static_cast<size_t>(last - first)};
}

bool IsCompiledInProcess(const TextFrame& frame) { return frame.language == "jit"; }

bool IsLibraryFrame(std::span<const TextFrame> frames, size_t index) {
  const TextFrame& frame = frames[index];
  static constexpr std::string_view kFolders[] = {
      "/usr/lib/",  "/usr/lib32/",  "/usr/lib64/",      "/lib/",
      "/lib32/",    "/lib64/",      "/usr/local/cuda/", "/opt/cuda/",
      "/opt/rocm/", "/opt/nvidia/", "/opt/intel/",      "/usr/libexec/"};
  static constexpr std::string_view kNames[] = {
      "libtorch",    "libc10",        "libcuda",     "libcud",    "libcublas", "libcufft",
      "libcurand",   "libcuso",       "libcuspa",    "libnccl",   "libnvrtc",  "libnv",
      "libcupti",    "libtensorflow", "libjax",      "libxla",    "libOpenCL", "libvulkan",
      "libpocl",     "libmpi",        "libopen-pal", "libnvJit",  "libgomp",   "libomp",
      "libmonosgen", "libcoreclr",    "libjvm",      "libpython", "libVkLayer"};
  if (IsCompiledInProcess(frame)) return IsRuntimeMethod(frame);
  if (frame.IsInterpreted()) return !PythonPackage(AuthorsFile(frames, index)).empty();
  if (IsInterposed(frame) || IsRuntime(frame) || IsLibraryHeader(frame.file) ||
      IsLaunchStub(frame) || IsStaticCudaRuntime(frame))
    return true;
  const std::string_view module = frame.module;
  const std::string_view name = BaseName(module);
  if (module.find("/site-packages/") != std::string_view::npos ||
      module.find("/dist-packages/") != std::string_view::npos ||
      module.find("/lib-dynload/") != std::string_view::npos)
    return true;
  // An interpreter; its own lines, if it has any, are not those of the program.
  if (name == "python" || name.starts_with("python2") || name.starts_with("python3")) return true;
  if (name.find(".so") == std::string_view::npos) return false;
  const auto starts = [](std::string_view text, std::span<const std::string_view> starts) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](std::string_view start) { return text.starts_with(start); });
  };
  return starts(module, kFolders) || starts(name, kNames);
}

std::string LibraryName(std::span<const TextFrame> frames, size_t index) {
  const TextFrame& frame = frames[index];
  if (IsCompiledInProcess(frame)) return "the runtime";
  if (frame.IsInterpreted()) {
    const std::string_view package = PythonPackage(AuthorsFile(frames, index));
    return package == "Python" ? "Python's library" : std::string(package) + " (Python)";
  }
  if (IsLaunchStub(frame)) return "the launch stub of nvcc";
  if (IsStaticCudaRuntime(frame)) return "the CUDA runtime";
  if (frame.module.empty() || IsLibraryHeader(frame.file)) return "headers of libraries";
  return std::string(BaseName(frame.module));
}

const TextFrame* ProgramFrame(const std::vector<TextFrame>& frames) {
  const std::span<const TextFrame> shown = ShownFrames(frames);
  if (shown.empty()) return nullptr;
  const TextFrame* own = nullptr;
  const TextFrame* library = nullptr;
  std::string_view stub;  // of the frame before
  for (size_t i = 0; i < shown.size(); ++i) {
    const TextFrame& frame = shown[i];
    // The stub is called by the host function of the kernel, whose line is the kernel's definition.
    // The launch is in the caller of that function. Optimized code may leave out its frame.
    const bool is_stub = IsLaunchStub(frame);
    const bool kernel = !stub.empty() && !is_stub && IsKernelOfStub(frame.function, stub);
    stub = is_stub ? std::string_view(frame.function) : std::string_view();
    if (IsLibraryFrame(shown, i) || (kernel && i + 1 < shown.size())) {
      if (library == nullptr && HasLine(frame)) library = &frame;
    } else if (HasLine(frame)) {
      return &frame;
    } else if (own == nullptr) {
      own = &frame;
    }
  }
  if (own != nullptr) return own;
  return library != nullptr ? library : &shown.front();
}

namespace {

// "app+0x12", or the address of a frame without a module.
std::string ModuleLocation(const TextFrame& frame) {
  if (frame.IsInterpreted()) return frame.function;
  const std::string_view module = BaseName(frame.module);
  return module.empty() ? Hex(frame.offset) : std::string(module) + "+" + Hex(frame.offset);
}

}  // namespace

std::string ShortLocation(const std::vector<TextFrame>& frames) {
  std::string location = "unknown";
  if (const TextFrame* frame = ProgramFrame(frames); frame != nullptr) {
    location = HasLine(*frame)
                   ? std::string(BaseName(frame->file)) + ":" + std::to_string(frame->line)
                   : ModuleLocation(*frame);
  }
  location = Printable(location, /*lines=*/true);
  for (char& c : location) {
    if (c == ' ' || c == '\t' || c == '\n') c = '_';
  }
  return location;
}

std::string LongLocation(const std::vector<TextFrame>& frames, const std::string& base_folder) {
  const TextFrame* frame = ProgramFrame(frames);
  if (frame == nullptr) return "";
  if (!HasLine(*frame)) return Printable(ModuleLocation(*frame));
  std::string location =
      Printable(ShownFile(frame->file, base_folder)) + ":" + std::to_string(frame->line);
  if (frame->column > 0) location += ":" + std::to_string(frame->column);
  return location;
}

std::string ShownFile(const std::string& file, const std::string& base) {
  if (base.size() > 1 && file.size() > base.size() + 1 && file.compare(0, base.size(), base) == 0 &&
      file[base.size()] == '/') {
    return file.substr(base.size() + 1);
  }
  return file;
}

std::string ShortFunctionName(const std::string& function) {
  constexpr size_t kLong = 60;       // names up to this length stay
  constexpr size_t kArguments = 16;  // template arguments up to this length stay
  constexpr size_t kParameters = 40;
  if (function.size() <= kLong) return function;
  constexpr std::string_view kOperator = "operator";
  const std::string_view name = function;
  std::string shown;
  for (size_t i = 0; i < name.size();) {
    const bool word_before =
        i > 0 && (std::isalnum(static_cast<unsigned char>(name[i - 1])) != 0 || name[i - 1] == '_');
    if (!word_before && name.substr(i).starts_with(kOperator)) {
      const size_t length = kOperator.size() + OperatorLength(name.substr(i + kOperator.size()));
      shown += name.substr(i, length);
      i += length;
      continue;
    }
    const char c = name[i];
    const size_t end = c == '<' || c == '(' ? AfterClosing(name, i) : std::string_view::npos;
    const std::string_view inside = end != std::string_view::npos ? name.substr(i, end - i) : "";
    if (c == '<' && inside.size() > kArguments + 2) {
      shown += "<...>";
      i = end;
    } else if (c == '(' && inside.size() > kParameters + 2 &&
               !inside.starts_with("(anonymous namespace)")) {
      shown += "(...)";
      i = end;
    } else if (c == '(' && inside == "(anonymous namespace)") {
      shown += inside;
      i = end;
    } else {
      shown += c;
      ++i;
    }
  }
  return shown;
}

}  // namespace gpusan
