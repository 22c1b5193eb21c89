// The bytes of module images in memory and in files of the program.
//
// Memory is read through safe_read.h, up to the end of its block if the block is known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/images/module_image.h"

namespace gpusan::cuda {

// Bytes at an address of this process. Not thread-safe.
class MemoryImage final : public ImageSource {
 public:
  MemoryImage(uintptr_t address, uint64_t bytes);
  size_t Read(uint64_t offset, void* to, size_t bytes) const override;
  uintptr_t address() const { return address_; }

 private:
  const uintptr_t address_;
  const uint64_t bytes_;
  // Small reads come from a buffered window, because each read of memory that may be unmapped is a
  // system call.
  mutable uint64_t begin_ = 0;
  mutable size_t filled_ = 0;
  mutable unsigned char window_[4096];
};

// The image at the address, or the image to which a wrapper struct at the address points.
// `bytes`: the size that the program passes.
MemoryImage MemoryImageAt(CuCall& call, const void* address, uint64_t bytes = UINT64_MAX);

// A file, opened for the life of the object. Reads nothing if it cannot be opened.
class FileImage final : public ImageSource {
 public:
  explicit FileImage(const char* path);
  FileImage(const FileImage&) = delete;
  FileImage& operator=(const FileImage&) = delete;
  ~FileImage() override;
  size_t Read(uint64_t offset, void* to, size_t bytes) const override;

 private:
  const int file_;
};

}  // namespace gpusan::cuda
