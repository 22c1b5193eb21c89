// Functions, files and lines of recorded frames, from the files on disk.
//
// Not thread-safe. Nothing is opened before the first frame of a file is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "report/record/text.h"

namespace gpusan {

class Symbolizer {
 public:
  // `complain` gets one line, once a file: it is gone, or is not the one that ran.
  explicit Symbolizer(std::function<void(const std::string&)> complain);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // The frame of a return address (file virtual address), before it those that were inlined into
  // it. Never empty. With a build-id other than the recorded one nothing is looked up: a wrong line
  // is worse than none. An empty `build_id` is not compared. Valid until the next call.
  const std::vector<TextFrame>& Symbolize(const std::string& path, const std::string& build_id,
                                          uint64_t return_offset);

 private:
  struct File;

  std::vector<TextFrame> LookUp(const std::string& path, const std::string& build_id,
                                uint64_t return_offset);
  File* Open(const std::string& path, const std::string& build_id);

  std::function<void(const std::string&)> complain_;
  std::map<std::string, std::unique_ptr<File>> files_;
  std::map<std::tuple<std::string, std::string, uint64_t>, std::vector<TextFrame>> known_;
};

// "ns::f(int)" of "_ZN2ns1fEi"; other names as they are.
std::string Demangle(const std::string& symbol);

}  // namespace gpusan
