// Finds the record files that merged files contain.
#include "report/findings/merged_duplicates.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/base/regular_file.h"
#include "report/findings/record_reader.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kProcess = R"({"type":"process")";
constexpr std::string_view kMerge = R"({"type":"merge")";
constexpr std::string_view kEnd = R"({"type":"end")";

// The content of a file; empty if it cannot be read.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    std::string why;
    const int fd = OpenRegularFile(path, &why);
    struct stat status;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0) close(fd);
  }
  ~Mapped() {
    if (data_ != MAP_FAILED) munmap(data_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  std::string_view text() const {
    return data_ == MAP_FAILED ? "" : std::string_view(static_cast<const char*>(data_), size_);
  }

 private:
  void* data_ = MAP_FAILED;
  size_t size_ = 0;
};

struct Held {
  uint64_t bytes = 0;  // of its records where they were written; 0: not known
  bool ended = false;
};

struct File {
  std::string path;
  bool merged = false;
  std::map<std::string, Held> processes;  // by identity
};

// The identity in a process record; empty for other lines, and for values that gpusan does not
// write. Does not parse the counts, of which there may be a million.
std::string IdentityOf(std::string_view line, uint64_t* bytes) {
  const size_t counts = line.find(R"(,"findings":{)");
  const std::string text = counts == std::string_view::npos
                               ? std::string(line)
                               : std::string(line.substr(0, counts)) + "}";
  if (IsTooDeep(text)) return "";
  const Json record = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!record.is_object()) return "";
  const auto length = record.find("record_bytes");
  if (length != record.end() && !length->is_number_unsigned()) return "";
  *bytes = length != record.end() ? length->get<uint64_t>() : 0;
  Json identity = Json::array();
  for (const char* member : {"host", "pid", "exe", "start_ns"}) {
    const auto value = record.find(member);
    if (value == record.end() || value->is_structured()) return "";
    identity.push_back(*value);
  }
  return identity.dump();
}

File Read(const std::string& path) {
  File file{path, false, {}};
  const Mapped mapped(path);
  const std::string_view text = mapped.text();
  Held* last = nullptr;
  size_t begin = 0;  // of the last process
  const auto close = [&](size_t end) {
    if (last != nullptr && !file.merged) last->bytes += end - begin;
    last = nullptr;
  };
  size_t at = 0;
  for (size_t end; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
    const std::string_view line = text.substr(at, end - at);
    if (at == 0) file.merged = line.starts_with(kMerge);
    if (last != nullptr && line.starts_with(kEnd)) last->ended = true;
    if (!line.starts_with(kProcess)) continue;
    close(at);
    uint64_t bytes = 0;
    const std::string identity = IdentityOf(line, &bytes);
    if (identity.empty()) continue;
    last = &file.processes[identity];
    last->bytes += bytes;
    begin = at;
  }
  close(at);
  return file;
}

// The numbers of processes of `part` that `whole` contains completely, and at all.
struct Shared {
  size_t complete = 0;
  size_t all = 0;
};

Shared SharedOf(const File& part, const File& whole) {
  Shared shared;
  for (const auto& [identity, held] : part.processes) {
    const auto found = whole.processes.find(identity);
    if (found == whole.processes.end()) continue;
    ++shared.all;
    const Held& there = found->second;
    const bool known = there.bytes != 0 && held.bytes != 0;
    shared.complete += (known ? held.bytes <= there.bytes : there.ended) ? 1 : 0;
  }
  return shared;
}

bool IsMerged(const std::string& path) {
  char begin[kMerge.size()];
  std::string why;
  const int fd = OpenRegularFile(path, &why);
  if (fd < 0) return false;
  const ssize_t count = pread(fd, begin, sizeof(begin), 0);
  close(fd);
  return count == static_cast<ssize_t>(kMerge.size()) &&
         std::string_view(begin, kMerge.size()) == kMerge;
}

std::string Files(size_t count) { return CountText(count, "record file", "record files"); }

}  // namespace

WithoutCopies LeaveOutCopies(const std::vector<std::string>& paths) {
  WithoutCopies kept{paths, {}};
  if (paths.size() < 2 || std::none_of(paths.begin(), paths.end(), IsMerged)) return kept;
  std::vector<File> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back(Read(path));
  // The merged files with the most processes come first.
  std::vector<size_t> order;
  for (size_t i = 0; i < files.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto weight = [&](size_t i) {
      return files[i].merged ? files[i].processes.size() + 1 : size_t{0};
    };
    return weight(a) > weight(b);
  });
  std::vector<bool> out(files.size());
  std::vector<size_t> wholes;
  std::map<size_t, size_t> left_out;  // by the merged file that has them
  for (const size_t i : order) {
    const File& file = files[i];
    for (const size_t whole : wholes) {
      const Shared shared = SharedOf(file, files[whole]);
      if (shared.all == 0) continue;
      if (shared.complete == file.processes.size()) {
        out[i] = true;
        ++left_out[whole];
        break;
      }
      kept.notes.push_back(
          file.path + " and " + files[whole].path + " have " + std::to_string(shared.all) +
          (shared.all == 1 ? " process" : " processes") +
          " in common, and neither contains the other: these processes count twice");
    }
    if (file.merged && !out[i]) wholes.push_back(i);
  }
  for (const auto& [whole, count] : left_out)
    kept.notes.push_back("left out " + Files(count) + ", all of which is in " + files[whole].path);
  kept.files.clear();
  for (size_t i = 0; i < files.size(); ++i) {
    if (!out[i]) kept.files.push_back(files[i].path);
  }
  return kept;
}

}  // namespace gpusan
