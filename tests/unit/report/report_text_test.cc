// The text of a finding, as its reader sees it.
#include <catch2/catch.hpp>

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>
#include <memory>

#include <sstream>

#include "report/base/printable.h"
#include "report/base/terminal.h"
#include "report/record/process_text.h"
#include "report/record/record_name.h"
#include "report/text/handle_numbers.h"
#include "report/text/text.h"
#include "tests/unit/report/report_fake_frames.h"

// In the dynamic symbol table of this executable.
extern "C" __attribute__((visibility("default"), noinline)) int gpusan_text_test_function(
    int value) {
  asm volatile("" : "+r"(value));
  return value;
}

namespace gpusan {
namespace {

using Catch::Matchers::Contains;

TextFrame Line(std::string function, std::string file, int line, int column = 0) {
  TextFrame frame;
  frame.function = std::move(function);
  frame.file = std::move(file);
  frame.line = line;
  frame.column = column;
  frame.module = "/opt/app";
  frame.offset = 0x1234;
  return frame;
}

TextFinding SomeFinding() {
  TextFinding finding;
  finding.severity = Severity::kError;
  finding.rule = "host-buffer-overrun";
  finding.call = "clEnqueueWriteImage";
  finding.has_code = true;
  finding.code = 0;
  finding.code_name = "CL_SUCCESS";
  finding.what = "The write reads 1024 bytes from a block of 256.";
  finding.why = "Each texel has 16 bytes.";
  finding.fix = "Pass floats.";
  finding.frames = {Line("upload()", "/src/bad.c", 42, 7), Line("main", "/src/bad.c", 60),
                    Line("__libc_start_call_main", "", 0)};
  finding.parties.push_back(
      {"host-block", "256 bytes by malloc", {Line("main", "/src/bad.c", 12)}});
  finding.resources.push_back({"image", 0xabc, 65536, "albedo"});
  finding.facts.emplace_back("need_bytes", "1024");
  return finding;
}

TEST_CASE("The text of a finding begins with what happened and ends with a line for grep") {
  TextStyle style;
  style.base_folder = "/src";
  REQUIRE(FormatFinding(SomeFinding(), style) ==
          "gpusan: error: host-buffer-overrun in clEnqueueWriteImage at bad.c:42:7\n"
          "  what: The write reads 1024 bytes from a block of 256.\n"
          "  why: Each texel has 16 bytes.\n"
          "  where:\n"
          "    #0 upload() bad.c:42:7\n"
          "    #1 main bad.c:60\n"
          "  host block: 256 bytes by malloc\n"
          "    #0 main bad.c:12\n"
          "  about: image \"albedo\" 0xabc, 64 KiB (65536 B)\n"
          "  facts: need_bytes=1024\n"
          "  fix: Pass floats.\n"
          "SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage bad.c:42\n");
}

TEST_CASE("A finding at the end of the process has no call and may have no stack") {
  TextFinding finding;
  finding.severity = Severity::kNote;
  finding.rule = "leak";
  finding.what = "Held.";
  REQUIRE(FormatFinding(finding, {}) ==
          "gpusan: note: leak\n  what: Held.\nSUMMARY: gpusan: note leak - unknown\n");
}

TEST_CASE("Frames without lines show module and offset, frames without a module the address") {
  TextFrame frame;
  frame.module = "/usr/lib/libx.so";
  frame.offset = 0x40;
  REQUIRE(FormatFrame(3, frame, {}) == "#3 (/usr/lib/libx.so+0x40)");
  frame.function = "f";
  frame.function_offset = 5;
  REQUIRE(FormatFrame(0, frame, {}) == "#0 f+0x5 (/usr/lib/libx.so+0x40)");
  REQUIRE(ShortLocation({frame}) == "libx.so+0x40");
  REQUIRE(FormatFrame(0, TextFrame{.offset = 0x7f00}, {}) == "#0 0x7f00");
}

TEST_CASE("The short location is the innermost frame that has a line") {
  TextFrame library;
  library.module = "/usr/lib/libx.so";
  library.offset = 1;
  REQUIRE(ShortLocation({library, Line("f", "/a b/c d.cc", 3)}) == "c_d.cc:3");
}

TEST_CASE("Frames of the loader are not shown, and inlined library code is not the location") {
  TextFrame loader;
  loader.module = "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1";
  loader.offset = 9;
  TextFinding finding = SomeFinding();
  finding.frames = {loader, Line("at", "/usr/include/c++/12/bits/stl_vector.h", 9),
                    Line("main", "/src/bad.cc", 60)};
  const std::string text = FormatFinding(finding, {});
  REQUIRE(text.find("libOpenCL") == std::string::npos);
  REQUIRE_THAT(text, Contains("    #0 at /usr/include"));
  REQUIRE_THAT(
      text, Contains("SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage bad.cc:60\n"));
  REQUIRE(ShortLocation({loader}) == "libOpenCL.so.1+0x9");
}

TEST_CASE("The C++ bindings of an API are never the location") {
  for (const char* header :
       {"/src/external/CL/opencl.hpp", "include/CL/cl2.hpp", "/opt/sdk/vulkan/vulkan_funcs.hpp",
        "/src/vk_mem_alloc.h", "/opt/gcc/include/c++/14/vector", "/usr/local/cuda-12.4/include/a.h",
        "/opt/conda/targets/x86_64-linux/include/thrust/copy.h"}) {
    CAPTURE(header);
    CHECK(ShortLocation({Line("f", header, 9), Line("main", "/src/bad.cc", 60)}) == "bad.cc:60");
  }
  for (const char* own : {"/src/opencl.hpp", "/src/vulkan/device.hpp", "/src/vulkan.hpp"})
    CHECK(ShortLocation({Line("f", own, 9), Line("main", "/src/bad.cc", 60)}) ==
          std::string(own).substr(std::string(own).rfind('/') + 1) + ":9");
}

TEST_CASE("The frames that start a thread are neither shown nor the location") {
  TextFrame loop = Line("loop(void*)", "", 0);
  TextFrame thread = Line("start_thread", "./nptl/pthread_create.c", 442, 8);
  thread.module = "/lib/x86_64-linux-gnu/libc.so.6";
  TextFrame clone = thread;
  clone.function = "__clone3@@GLIBC_2.34";
  TextFinding finding = SomeFinding();
  finding.frames = {loop, thread, clone};
  const std::string text = FormatFinding(finding, {});
  REQUIRE_THAT(text, Contains("  where:\n    #0 loop(void*) (/opt/app+0x1234)\n  host block"));
  REQUIRE_THAT(text, Contains("clEnqueueWriteImage app+0x1234\n"));
  // A thread that the C library itself runs: better its own frames than none.
  REQUIRE(ShortLocation({thread}) == "pthread_create.c:442");
}

TEST_CASE("The location is in the program, even if the lines of the C library are known") {
  TextFrame sort = Line("msort_with_tmp", "./stdlib/msort.c", 44);
  sort.module = "/lib/x86_64-linux-gnu/libc.so.6";
  const TextFrame own = Line("compare", "/src/bad.c", 7);
  REQUIRE(ShortLocation({sort, own}) == "bad.c:7");
  // A function of the program without a line says more than a line of the C library.
  REQUIRE(ShortLocation({sort, Line("compare", "", 0)}) == "app+0x1234");
  REQUIRE(ShortLocation({sort}) == "msort.c:44");
}

TEST_CASE(
    "The location of a launch is neither in nvcc's stub nor at the definition of the kernel") {
  const std::string stub_file = "/tmp/tmpxft_00000a1b_00000000-6_bad.cudafe1.stub.c";
  const std::string toolkit = "/usr/local/cuda/include/crt/device_functions.h";
  const TextFrame helper = Line("__cudaLaunchKernel_helper", toolkit, 2963);
  const TextFrame stub = Line("__device_stub__Z5scalePffi(float*, float, int)", stub_file, 15);
  const TextFrame wrapper =
      Line("void __wrapper__device_stub_scale<float>(float*&, float&, int&)", stub_file, 9);
  const TextFrame kernel = Line("scale(float*, float, int)", "/src/kernels.cuh", 3);
  const TextFrame own = Line("main", "/src/bad.cu", 60);
  CHECK(ShortLocation({helper, stub, kernel, own}) == "bad.cu:60");
  CHECK(ShortLocation({helper, stub, wrapper, kernel, own}) == "bad.cu:60");
  CHECK(ShortLocation({helper, stub, kernel}) == "kernels.cuh:3");
  CHECK(ShortLocation({kernel, own}) == "kernels.cuh:3");
  // Optimized code jumps from the kernel's host function to the stub.
  CHECK(ShortLocation({helper, stub, own}) == "bad.cu:60");
  CHECK(ShortLocation({helper, stub, Line("scale_all(int)", "/src/bad.cu", 9), own}) == "bad.cu:9");
  // The length of the kernel's name, 13, ends with that of the caller's.
  CHECK(ShortLocation({Line("__device_stub__Z13run_each_stepPf(float*)", stub_file, 3),
                       Line("run(int)", "/src/bad.cu", 9), own}) == "bad.cu:9");
  CHECK(ShortLocation({Line("__device_stub__scale(float*)", stub_file, 3), kernel, own}) ==
        "bad.cu:60");
  CHECK(LibraryName(std::vector{stub}, 0) == "the launch stub of nvcc");
}

TEST_CASE("The CUDA runtime inside of a program without lines is not the location") {
  const auto frame = [](const char* function, uintptr_t offset) {
    TextFrame made = Line(function, "", 0);
    made.module = "/src/app";
    made.offset = offset;
    return made;
  };
  const TextFrame own = frame("upload(float*)", 0x50);
  CHECK(ShortLocation({frame("libcudart_static_1310e5fb", 0x10), frame("cudaMemcpyAsync", 0x20),
                       own, frame("main", 0x60)}) == "app+0x50");
  CHECK(ShortLocation({frame("__cudaLaunchKernel", 0x20), frame("__device_stub__Z5scalePf", 0x30),
                       frame("scale(float*)", 0x40), own}) == "app+0x50");
  // Names that only the runtime knows are not shown in front of the call.
  const std::vector<TextFrame> frames = {frame("libcudart_static_1310e5fb", 0x10),
                                         frame("libcudart_static_5382377d", 0x18),
                                         frame("cudaMalloc", 0x20), own};
  CHECK(ShownFrames(frames).front().function == "cudaMalloc");
  CHECK(ShortLocation({frame("cudaCheck(int)", 0x30), own}) == "app+0x30");
  CHECK(LibraryName(std::vector{frame("cudaMalloc", 0x20)}, 0) == "the CUDA runtime");
}

TEST_CASE("Code that a package generated is not the location") {
  const auto frame = [](const char* file, int line) {
    TextFrame made = Line("call", file, line);
    made.module.clear();
    made.language = "python";
    return made;
  };
  const TextFrame package = frame("/venv/lib/python3.11/site-packages/tinygrad/ops.py", 8);
  const TextFrame text = frame("<string>", 3);
  const TextFrame own = frame("/src/train.py", 7);
  CHECK(ShortLocation({text, package, own}) == "train.py:7");
  CHECK(ShortLocation({text, text, package, own}) == "train.py:7");
  CHECK(LibraryName(std::vector{text, package, own}, 0) == "tinygrad (Python)");
  // By the program itself, by `python -c`, and typed in.
  CHECK(ShortLocation({package, text, own}) == "<string>:3");
  CHECK(ShortLocation({package, text}) == "<string>:3");
  CHECK(ShortLocation({frame("<ipython-input-3-0ab1>", 2), package}) == "<ipython-input-3-0ab1>:2");
  CHECK(ShortLocation({text, package}) == "<string>:3");
}

TEST_CASE("A function of the program with the name of a C library function is shown") {
  TextFinding finding = SomeFinding();
  finding.frames = {Line("clone", "/src/shapes.c", 3), Line("main", "/src/bad.c", 60)};
  REQUIRE_THAT(FormatFinding(finding, {}),
               Contains("    #0 clone /src/shapes.c:3\n    #1 main /src/bad.c:60\n"));
}

TextFrame Library(const char* path, const char* function = "f") {
  TextFrame frame;
  frame.function = function;
  frame.function_offset = 1;
  frame.module = path;
  frame.offset = 0x10;
  return frame;
}

TEST_CASE("The location is outside of the libraries of the system and of frameworks") {
  for (const char* path :
       {"/usr/lib/x86_64-linux-gnu/libfoo.so.1", "/opt/conda/lib/libtorch_cuda.so",
        "/home/me/venv/lib/python3.11/site-packages/cupy/_core/core.so",
        "/home/me/.pyenv/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so",
        "/usr/local/cuda/lib64/libcublas.so.12", "/usr/bin/python3.11"}) {
    INFO(path);
    TextFrame with_line = Library(path);
    with_line.file = "/build/framework.cc";
    with_line.line = 3;
    CHECK(ShortLocation({with_line, Line("main", "/src/bad.c", 60)}) == "bad.c:60");
    CHECK(IsLibraryFrame(std::vector{with_line}, 0));
  }
  CHECK_FALSE(IsLibraryFrame(std::vector{Library("/home/me/libmine.so")}, 0));
  CHECK_FALSE(IsLibraryFrame(std::vector{Library("/usr/bin/app")}, 0));
  CHECK(LongLocation({Line("main", "/src/a/bad.c", 60, 2)}, "/src") == "a/bad.c:60:2");
  CHECK(LongLocation({Library("/opt/app")}, "/src") == "app+0x10");
  CHECK(LongLocation({}, "/src").empty());
}

TEST_CASE("Frames of libraries between the call and the program are folded") {
  TextFinding finding = SomeFinding();
  finding.frames = {Library("/opt/libtorch_cuda.so"),
                    Library("/opt/libtorch_cuda.so", "g"),
                    Library("/opt/libtorch_cpu.so"),
                    Line("train", "/src/bad.cc", 9),
                    Line("at", "/usr/include/c++/12/bits/stl_vector.h", 9),
                    Line("main", "/src/bad.cc", 60)};
  CHECK_THAT(FormatFinding(finding, {}),
             Contains("    #0 f+0x1 (/opt/libtorch_cuda.so+0x10)\n"
                      "    ... 2 frames in libtorch_cuda.so, libtorch_cpu.so\n"
                      "    #3 train /src/bad.cc:9\n"
                      "    #4 at /usr/include/c++/12/bits/stl_vector.h:9\n"
                      "    #5 main /src/bad.cc:60\n"));
  TextStyle style;
  style.verbose = true;
  CHECK_THAT(FormatFinding(finding, style), Contains("#1 g+0x1") && !Contains("..."));
}

TEST_CASE("Recursion and parties at one call site are shown once") {
  TextFinding finding = SomeFinding();
  finding.frames = {Line("f", "/src/bad.c", 3), Line("f", "/src/bad.c", 3),
                    Line("main", "/src/bad.c", 60)};
  finding.parties = {{"use", "one", {Line("main", "/src/bad.c", 12)}},
                     {"use", "two", {Line("main", "/src/bad.c", 12)}}};
  CHECK_THAT(FormatFinding(finding, {}),
             Contains("    #0 f /src/bad.c:3 [2 times]\n    #2 main /src/bad.c:60\n"
                      "  use: one\n  use: two\n    #0 main /src/bad.c:12\n  about"));
}

TEST_CASE("Long names of functions lose their arguments, not their names") {
  const std::string at =
      "std::vector<std::shared_ptr<Buffer>, std::allocator<std::shared_ptr<Buffer> > "
      ">::at(unsigned "
      "long)";
  CHECK(ShortFunctionName(at) == "std::vector<...>::at(unsigned long)");
  CHECK(ShortFunctionName("short<int>(long)") == "short<int>(long)");
  const std::string shift =
      "operator<<(std::basic_ostream<char, std::char_traits<char> >&, lib::Matrix<double> const&)";
  CHECK(ShortFunctionName(shift) == "operator<<(...)");
  const std::string local =
      "(anonymous namespace)::Upload(std::vector<float, std::allocator<float> > const&, int)";
  CHECK(ShortFunctionName(local) == "(anonymous namespace)::Upload(...)");
  const std::string less =
      "bool lib::operator< <std::basic_string<char, std::char_traits<char> > >(A)";
  CHECK(ShortFunctionName(less) == "bool lib::operator< <...>(A)");
  const std::string unclosed = std::string(70, 'f') + "<std::basic_string<char";
  CHECK(ShortFunctionName(unclosed) == unclosed);
  CHECK_THAT(FormatFrame(0, Line(at, "", 0), {.verbose = true}), Contains(at));
}

TEST_CASE("The line of the source stands below its frame, with a caret") {
  TextFinding finding = SomeFinding();
  finding.excerpt = {.frame = 0,
                     .first_line = 40,
                     .marked = 2,
                     .caret = 2,
                     .lines = {"{", "  x;", "  clEnqueueWriteImage();"}};
  finding.parties[0].excerpt = {.frame = 0, .first_line = 12, .lines = {"malloc(256);"}};
  TextStyle style;
  style.base_folder = "/src";
  CHECK_THAT(FormatFinding(finding, style), Contains("    #0 upload() bad.c:42:7\n"
                                                     "      42 |   clEnqueueWriteImage();\n"
                                                     "         |   ^\n"
                                                     "    #1 main bad.c:60\n") &&
                                                Contains("    #0 main bad.c:12\n"
                                                         "      12 | malloc(256);\n  about"));
  style.verbose = true;
  CHECK_THAT(FormatFinding(finding, style),
             Contains("      40 | {\n      41 |   x;\n      42 |   clEnqueueWriteImage();\n"));
  // A line that is wider than the terminal is cut around the caret.
  finding.excerpt.lines[2] = std::string(200, 'a') + "B" + std::string(200, 'c');
  finding.excerpt.caret = 200;
  style.width = 60;
  std::istringstream lines(FormatFinding(finding, style));
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    if (line.find('|') == std::string::npos) continue;
    CHECK(line.size() <= 60);
    if (line.back() == '^') CHECK(before.at(line.size() - 1) == 'B');
  }
}

TEST_CASE("With --brief a finding is what happened, who took part and what to change") {
  TextStyle style;
  style.base_folder = "/src";
  style.brief = true;
  CHECK(FormatFinding(SomeFinding(), style) ==
        "gpusan: error: host-buffer-overrun in clEnqueueWriteImage at bad.c:42:7\n"
        "  what: The write reads 1024 bytes from a block of 256.\n"
        "  host block: 256 bytes by malloc at bad.c:12\n"
        "  fix: Pass floats.\n"
        "SUMMARY: gpusan: error host-buffer-overrun clEnqueueWriteImage bad.c:42\n");
}

TEST_CASE("The first line names the process and the code of a call that failed") {
  TextFinding finding = SomeFinding();
  finding.process = "rank 3, pid 77";
  finding.code = -30;
  finding.code_name = "CL_INVALID_VALUE";
  CHECK_THAT(
      FormatFinding(finding, {}),
      Contains("at /src/bad.c:42:7, which returned CL_INVALID_VALUE (-30) (rank 3, pid 77)\n"));
}

TEST_CASE("Addresses in texts become numbers, and the numbers are explained") {
  TextFinding finding = SomeFinding();
  finding.what =
      "Write to image 0xabc on queue 0x55aa12345678 after queue 0x55aa12345999, flags 0x80";
  finding.parties[0].text = "block at 0x7fff12345678 for queue 0x55aa12345678";
  NumberHandles(&finding);
  CHECK(finding.what == "Write to image #1 \"albedo\" on queue #1 after queue #2, flags 0x80");
  CHECK(finding.parties[0].text == "block at address #1 for queue #1");
  CHECK_THAT(
      FormatFinding(finding, {}),
      Contains("  about: image #1 \"albedo\", 64 KiB (65536 B), handle 0xabc; queue #1 is "
               "0x55aa12345678; queue #2 is 0x55aa12345999; address #1 is 0x7fff12345678\n"));
}

TEST_CASE("Handles of objects in the heap of a program with fixed addresses are numbered") {
  TextFinding finding = SomeFinding();
  finding.what =
      "kernel 0x46804790 \"fill\" on stream 0x3eab3011 after stream 0x2, size 0x12345678";
  NumberHandles(&finding);
  CHECK(finding.what == "kernel #1 \"fill\" on stream #1 after stream 0x2, size 0x12345678");
}

TEST_CASE("A text that has the name of a resource does not get it again") {
  TextFinding finding = SomeFinding();
  finding.what = "Write to image 0xabc \"albedo\" after a write to image 0xabc";
  NumberHandles(&finding);
  CHECK(finding.what == "Write to image #1 \"albedo\" after a write to image #1");
}

TEST_CASE("Resources have the words of the API that the text has") {
  TextFinding finding;
  finding.resources.push_back({"context", 0xabc, 0, ""});
  finding.what = "device 0xabc is still held";
  NumberHandles(&finding);
  CHECK_THAT(FormatFinding(finding, {}), Contains("  about: device #1, handle 0xabc\n"));
}

TEST_CASE("Words of an API for one kind of object are counted together") {
  TextFinding finding;
  finding.resources.push_back({"command queue", 0xabc, 0, ""});
  finding.what = "stream 0xabc waits for stream 0x55aa12345678";
  NumberHandles(&finding);
  CHECK(finding.what == "stream #1 waits for stream #2");
}

TEST_CASE("Functions have the names of source files") {
  TextFinding finding = SomeFinding();
  finding.call = "cuMemcpyHtoD_v2";
  finding.what = "cuMemAlloc_v2 failed; cublasSgemm_v2, cublasSgemm_v2_64, my_v2 and cuda_v2";
  const std::string text = FormatFinding(finding, {});
  CHECK_THAT(text, Contains(" in cuMemcpyHtoD at"));
  CHECK_THAT(text,
             Contains("cuMemAlloc failed; cublasSgemm, cublasSgemm_v2_64, my_v2 and cuda_v2\n"));
}

TEST_CASE("Colour is as the option, the variables and the terminal say, in this order") {
  unsetenv("NO_COLOR");
  unsetenv("FORCE_COLOR");
  CHECK_FALSE(WantsColor(-1, "auto"));
  CHECK(WantsColor(-1, "always"));
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK_FALSE(WantsColor(ends[1], "auto"));
  setenv("FORCE_COLOR", "1", 1);
  CHECK(WantsColor(ends[1], "auto"));
  CHECK_FALSE(WantsColor(ends[1], "never"));
  setenv("NO_COLOR", "1", 1);
  CHECK_FALSE(WantsColor(ends[1], "auto"));
  CHECK(WantsColor(ends[1], "always"));
  setenv("FORCE_COLOR", "0", 1);
  unsetenv("NO_COLOR");
  CHECK_FALSE(WantsColor(ends[1], "auto"));
  unsetenv("FORCE_COLOR");
  setenv("COLUMNS", "72", 1);
  CHECK(OutputWidth(ends[1]) == 0);
  CHECK(OutputWidth(ends[1], /*forced=*/true) == 72);
  setenv("COLUMNS", "7x", 1);
  CHECK(OutputWidth(ends[1], /*forced=*/true) == 0);
  unsetenv("COLUMNS");
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("Inlined frames say so") {
  TextFrame frame = Line("f", "a.cc", 1, 2);
  frame.inlined = true;
  REQUIRE(FormatFrame(0, frame, {}) == "#0 f a.cc:1:2 (inlined)");
}

TEST_CASE("On a terminal long texts are wrapped under their beginning") {
  TextFinding finding;
  finding.rule = "leak";
  finding.what = "one two three four five six seven eight nine ten eleven twelve";
  TextStyle style;
  style.width = 40;
  REQUIRE_THAT(FormatFinding(finding, style),
               Contains("  what: one two three four five six\n"
                        "      seven eight nine ten eleven twelve\n"));
}

TEST_CASE("Colour appears only when asked for") {
  TextStyle style;
  REQUIRE(FormatFinding(SomeFinding(), style).find('\033') == std::string::npos);
  style.color = true;
  REQUIRE_THAT(FormatFinding(SomeFinding(), style), Contains("\033[1;31merror\033[0m"));
}

TEST_CASE("Control characters are escaped") {
  CHECK(Printable("plain, \xC3\xA4\xE2\x82\xAC and \xF0\x9F\x98\x80") ==
        "plain, \xC3\xA4\xE2\x82\xAC and \xF0\x9F\x98\x80");
  CHECK(Printable("\033[31mred\007\r") == "\\x1b[31mred\\x07\\x0d");
  CHECK(Printable("a\nb\tc") == "a\\x0ab\\x09c");
  CHECK(Printable("a\nb\tc", /*lines=*/true) == "a\nb\tc");
  CHECK(Printable("\xE2\x80\xAE"
                  "cba\xE2\x81\xA9") == "\\u{202e}cba\\u{2069}");
  CHECK(Printable("\xC2\x9B"
                  "2J\xFF") == "\\u{9b}2J\\xff");
  CHECK(Printable("\xEF\xBF\xBE\xEF\xBF\xBD") == "\\u{fffe}\xEF\xBF\xBD");
  CHECK(Printable("\xE2\x80\x8F", false, "\\\\") == "\\\\u{200f}");
}

TEST_CASE("No control character of a finding reaches the terminal") {
  const std::string evil = "a\033]0;title\007\xE2\x80\xAE\rz";
  TextFinding finding = SomeFinding();
  for (std::string* text : {&finding.rule, &finding.call, &finding.code_name, &finding.what,
                            &finding.why, &finding.fix, &finding.seen})
    *text += evil;
  finding.frames[0] = Line(evil, "/src/" + evil, 1);
  finding.frames.push_back(Line(evil, "", 0));
  finding.frames.back().module = evil;
  finding.parties[0].role = finding.parties[0].text = evil;
  finding.resources[0].kind = finding.resources[0].label = evil;
  finding.facts.emplace_back(evil, evil);
  const std::string text = FormatFinding(finding, {});
  for (const char* hidden : {"\033", "\007", "\r", "\xE2\x80\xAE"})
    CHECK(text.find(hidden) == std::string::npos);
  CHECK_THAT(text, Contains("\\x1b]0;title\\x07\\u{202e}\\x0dz"));
  for (const char* hidden : {"\033", "\007", "\r", "\xE2\x80\xAE"})
    CHECK(ShortLocation(finding.frames).find(hidden) == std::string::npos);
}

TEST_CASE("Bytes are shown in units a person can read") {
  REQUIRE(FormatBytes(4) == "4 B");
  REQUIRE(FormatBytes(1024) == "1 KiB (1024 B)");
  REQUIRE(FormatBytes(1536) == "1.5 KiB (1536 B)");
  REQUIRE(FormatBytes(uint64_t{3} << 30) == "3 GiB (3221225472 B)");
}

TEST_CASE("In the process, frames have the names of exported symbols") {
  FakeFrames frames;
  frames.sites[1] = {{0, reinterpret_cast<uintptr_t>(&std::malloc) + 4}, {7, 0x10}};
  Finding finding;
  finding.rule = RuleId::kLeak;
  finding.site = 1;
  finding.facts.push_back({"count", int64_t{-3}});
  const TextFinding text = DescribeInProcess(finding, &frames);
  REQUIRE(text.frames.size() == 2);
  REQUIRE_FALSE(text.frames[0].function.empty());
  REQUIRE(text.facts.at(0).second == "-3");
}

// The loader has no name for the executable, and names for all other files.
TEST_CASE("In the process frames of the executable and of libraries are found by their file") {
  FakeFrames frames;
  const auto function = reinterpret_cast<uintptr_t>(&gpusan_text_test_function);
  Dl_info library;
  link_map* file = nullptr;
  REQUIRE(dladdr1(reinterpret_cast<void*>(&std::malloc), &library, reinterpret_cast<void**>(&file),
                  RTLD_DL_LINKMAP) != 0);
  REQUIRE(file->l_name[0] != '\0');
  Dl_info self;
  link_map* executable = nullptr;
  REQUIRE(dladdr1(reinterpret_cast<void*>(function), &self, reinterpret_cast<void**>(&executable),
                  RTLD_DL_LINKMAP) != 0);
  frames.modules[1] = {ExecutablePath(), ""};
  frames.modules[2] = {file->l_name, ""};
  frames.sites[1] = {{1, function + 1 - executable->l_addr},
                     {2, reinterpret_cast<uintptr_t>(library.dli_saddr) + 1 - file->l_addr}};
  Finding finding;
  finding.rule = RuleId::kLeak;
  finding.site = 1;
  const TextFinding text = DescribeInProcess(finding, &frames);
  REQUIRE(text.frames.size() == 2);
  REQUIRE(text.frames[0].function == "gpusan_text_test_function");
  REQUIRE(text.frames[1].function == library.dli_sname);
}

}  // namespace
}  // namespace gpusan
