// Opens source files with care.
#include "report/findings/source_excerpt.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "report/base/printable.h"
#include "report/base/regular_file.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr size_t kTab = 4;  // columns
constexpr size_t kLongestLine = 2000;

bool IsSourceName(std::string_view path) {
  static constexpr std::string_view kExtensions[] = {
      "c",    "cc",   "cpp",  "cxx",  "c++",  "h",   "hh",  "hpp",  "hxx",   "inl", "inc", "ipp",
      "cu",   "cuh",  "cl",   "hip",  "py",   "pyx", "cs",  "java", "kt",    "rs",  "go",  "swift",
      "f",    "f90",  "f03",  "f08",  "for",  "jl",  "js",  "ts",   "scala", "m",   "mm",  "zig",
      "comp", "vert", "frag", "glsl", "hlsl", "d",   "nim", "ml",   "lua",   "tcc"};
  const std::string_view name = BaseName(path);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string extension = Lower(name.substr(dot + 1));
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

// The path without symbolic links; empty if there is no such file.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real != nullptr ? real.get() : "";
}

// With blanks for tabs.
std::string Expanded(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t') {
      text.append(kTab, ' ');
    } else {
      text += c;
    }
  }
  return text;
}

int CharactersIn(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

const SourceFiles::File& SourceFiles::Read(const std::string& path) {
  if (files_.size() >= kMostFiles && files_.count(path) == 0) files_.clear();
  const auto [known, is_new] = files_.try_emplace(path);
  File& file = known->second;
  if (!is_new || !IsSourceName(path)) return file;
  const std::string real =
      RealPath(path.front() == '/' || root_.empty() ? path : root_ + "/" + path);
  std::string text;
  std::string why;
  struct stat status;
  if (!IsSourceName(real) || stat(real.c_str(), &status) != 0 ||
      !ReadRegularFile(real, kMostBytes, &text, &why) || text.find('\0') != std::string::npos)
    return file;
  file.changed_ns =
      static_cast<int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    size_t length = end - begin;
    if (length > 0 && text[end - 1] == '\r') --length;
    file.lines.push_back(text.substr(begin, std::min(length, kLongestLine)));
    begin = end + 1;
  }
  return file;
}

SourceExcerpt SourceFiles::Excerpt(const std::vector<TextFrame>& frames, int before,
                                   int64_t ran_ns) {
  SourceExcerpt excerpt;
  const TextFrame* frame = ProgramFrame(frames);
  if (frame == nullptr || frame->file.empty() || frame->line <= 0) return excerpt;
  const File& file = Read(frame->file);
  const auto line = static_cast<size_t>(frame->line);
  if (line > file.lines.size() || (ran_ns > 0 && file.changed_ns > ran_ns)) return excerpt;
  excerpt.frame = static_cast<int>(frame - frames.data());
  const size_t first = line > static_cast<size_t>(before) ? line - static_cast<size_t>(before) : 1;
  excerpt.first_line = static_cast<int>(first);
  excerpt.marked = line - first;
  for (size_t number = first; number <= line; ++number)
    excerpt.lines.push_back(Printable(Expanded(file.lines[number - 1])));
  // The column counts bytes.
  const std::string& marked = file.lines[line - 1];
  if (frame->column > 0 && static_cast<size_t>(frame->column) <= marked.size() + 1) {
    excerpt.caret = CharactersIn(Printable(
        Expanded(std::string_view(marked).substr(0, static_cast<size_t>(frame->column) - 1))));
  }
  return excerpt;
}

}  // namespace gpusan
