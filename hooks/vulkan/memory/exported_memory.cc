// Memory that a device exports as a file descriptor and imports again.
//
// The file behind a descriptor identifies the memory by its inode, which the driver keeps while the
// memory lives. No mark on the descriptor is needed.
#include "hooks/vulkan/memory/exported_memory.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::vulkan {
namespace {

using File = std::pair<dev_t, ino_t>;

// Returns the file behind the descriptor if it belongs to one memory: a file in memory of a CPU
// driver, or a DMA buffer.
std::optional<File> FileOf(int descriptor) {
  constexpr long kDmaBuffers = 0x444d4142;  // DMA_BUF_MAGIC
  const int error = errno;
  struct stat file;
  struct statfs system;
  const bool known = fstat(descriptor, &file) == 0 &&
                     (S_ISREG(file.st_mode) || (fstatfs(descriptor, &system) == 0 &&
                                                static_cast<long>(system.f_type) == kDmaBuffers));
  errno = error;
  if (!known) return std::nullopt;
  return File(file.st_dev, file.st_ino);
}

struct Export {
  File file;
  WeakRef<Resource> memory;
};
constexpr size_t kMostExports = 1024;

struct Exports {
  SpinLock lock;
  std::vector<Export> all;
};
Exports& AllExports() {
  static auto* const exports = new Exports;  // never destroyed: threads may outlive main
  return *exports;
}

bool IsLive(const WeakRef<Resource>& ref) {
  const Resource* memory = ref.get();
  return memory != nullptr && memory->live();
}

}  // namespace

void NoteExported(Resource& memory, int descriptor) {
  const std::optional<File> file = FileOf(descriptor);
  if (!file) return;
  Exports& exports = AllExports();
  std::lock_guard lock(exports.lock);
  std::erase_if(exports.all,
                [&](const Export& old) { return old.file == *file || !IsLive(old.memory); });
  if (exports.all.size() < kMostExports) exports.all.push_back({*file, WeakRef<Resource>(&memory)});
}

WeakRef<Resource> FindExporter(VkCall& call, const VkMemoryAllocateInfo& info,
                               const VkImportMemoryFdInfoKHR& import) {
  const std::optional<File> file = FileOf(import.fd);
  if (!file) return {};
  WeakRef<Resource> found;
  {
    Exports& exports = AllExports();
    std::lock_guard lock(exports.lock);
    const auto entry = std::ranges::find(exports.all, *file, &Export::file);
    if (entry != exports.all.end()) found = entry->memory;
  }
  if (!IsLive(found)) return {};
  const Resource& memory = *found.get();
  if (memory.context != call.device().object) return {};
  if (import.handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT &&
      (info.allocationSize != memory.bytes || info.memoryTypeIndex != MemoryOf(memory).type))
      [[unlikely]] {
    ReportSync(call, memory, rules::SyncStateUse::Fault::kImportsOther,
               info.allocationSize != memory.bytes
                   ? absl::StrCat("the allocationSize ", info.allocationSize)
                   : absl::StrCat("the memoryTypeIndex ", info.memoryTypeIndex),
               info.allocationSize != memory.bytes ? absl::StrCat(memory.bytes)
                                                   : absl::StrCat(MemoryOf(memory).type));
  }
  return found;
}

}  // namespace gpusan::vulkan
