// The bytes of module images in memory and in files of the program.
#include "hooks/cuda/images/image_sources.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "hooks/common/base/safe_read.h"

namespace gpusan::cuda {
namespace {

struct Wrapper {
  uint32_t magic, version;
  uint64_t data;
  uint64_t file;
};
constexpr uint32_t kWrapperMagic = 0x466243B1;

}  // namespace

MemoryImage::MemoryImage(uintptr_t address, uint64_t bytes)
    : address_(address), bytes_(std::min<uint64_t>(bytes, UINTPTR_MAX - address)) {}

size_t MemoryImage::Read(uint64_t offset, void* to, size_t bytes) const {
  if (offset >= bytes_) return 0;
  bytes = std::min<uint64_t>(bytes, bytes_ - offset);
  if (bytes > sizeof(window_) / 2) return ReadOwnMemory(address_ + offset, to, bytes);
  if (offset < begin_ || offset + bytes > begin_ + filled_) {
    begin_ = offset;
    filled_ = ReadOwnMemory(address_ + offset, window_,
                            std::min<uint64_t>(sizeof(window_), bytes_ - offset));
  }
  const size_t count = std::min(bytes, filled_ - static_cast<size_t>(offset - begin_));
  std::memcpy(to, window_ + (offset - begin_), count);
  return count;
}

MemoryImage MemoryImageAt(CuCall& call, const void* address, uint64_t bytes) {
  uintptr_t at = HandleOf(address);
  Wrapper wrapper;
  if (bytes >= sizeof(wrapper) && ReadOwnMemory(at, &wrapper, sizeof(wrapper)) == sizeof(wrapper) &&
      wrapper.magic == kWrapperMagic) {
    at = wrapper.data;
    bytes = UINT64_MAX;
  }
  HostBlock block;
  if (call.tracker().host_side().memory().Find(at, &block))
    bytes = std::min<uint64_t>(bytes, block.end() - at);
  return MemoryImage(at, bytes);
}

FileImage::FileImage(const char* path)
    : file_(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {}

FileImage::~FileImage() {
  if (file_ >= 0) close(file_);
}

size_t FileImage::Read(uint64_t offset, void* to, size_t bytes) const {
  if (file_ < 0 || offset > INT64_MAX) return 0;
  const ssize_t got = pread(file_, to, bytes, static_cast<off_t>(offset));
  return got > 0 ? static_cast<size_t>(got) : 0;
}

}  // namespace gpusan::cuda
