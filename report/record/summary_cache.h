// Summaries of kernels on disk, by the hash of the code that they come from. Used by the command,
// and by processes under test.
//
// A folder of the user alone (mode 0700) holds one file a summary. Several processes may read,
// write and clean up at once: a file is written under another name and renamed, and its content has
// a checksum. What is damaged, foreign or too large counts as absent. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpusan {

class SummaryCache {
 public:
  using Key = std::array<uint8_t, 32>;
  static constexpr uint64_t kDefaultBytes = uint64_t{64} << 20;
  static constexpr size_t kMaxValue = size_t{4} << 20;

  // `folder` is created when something is stored. Empty: the cache holds nothing. When the files
  // have more than `max_bytes` in total, those that were not used for the longest time are removed.
  explicit SummaryCache(std::string folder, uint64_t max_bytes = kDefaultBytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  // $XDG_CACHE_HOME/gpusan or $HOME/.cache/gpusan. Empty if neither is an absolute path, and in a
  // process with raised privileges (privileges.h).
  static std::string DefaultFolder();

  // The key of code of some kind, such as "opencl-c", under a version of its reader.
  static Key KeyOf(std::string_view kind, int version, std::string_view code);

  // Returns false if there is no sound entry.
  bool Load(const Key& key, std::string* value) const;

  // Stores an entry. Ignores errors, such as a full disk, and values above kMaxValue.
  void Store(const Key& key, std::string_view value) const;

 private:
  int OpenFolder(bool create) const;
  void RemoveOldest(int folder) const;

  const std::string folder_;
  const uint64_t max_bytes_;
};

}  // namespace gpusan
