// The order among the commands of one command buffer (cl_khr_command_buffer), and the search for
// accesses that it leaves unordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "hooks/opencl/call/call.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

// What a recording call says about the order of its command.
struct CommandDependencies {
  // The queue of the command; nullptr: not known. In an in-order queue the command depends on the
  // previous command of the same queue.
  const Queue* queue = nullptr;
  bool barrier = false;  // later commands depend on it; without a wait list it depends on all
  std::vector<cl_sync_point_khr> waits;
  const cl_sync_point_khr* point = nullptr;  // where the driver stores its sync point, or nullptr
};

// An access of a recorded command.
struct RecordedAccess {
  uint32_t command = 0;    // index
  WeakRef<Resource> root;  // empty: host memory, whose region contains addresses
  Access access;           // the region is in bytes of the root
};

// The commands of one command buffer in the order in which they were recorded. A command buffer is
// out-of-order: only sync points, barriers and in-order queues make dependencies. Not thread-safe.
class CommandBufferOrder {
 public:
  // Appends a command that `call` has recorded, with its accesses. Sets RecordedAccess::command and
  // the origin of each access.
  void Add(ClCall& call, const CommandDependencies& dependencies,
           std::vector<RecordedAccess> accesses);
  // Returns whether a command of the buffer has this sync point, or true if that is not known.
  bool MayHave(cl_sync_point_khr point) const {
    return unknown_ || nodes_.size() >= kMaxCommands || points_.contains(point);
  }
  // Removes all accesses: gpusan no longer knows what the commands access.
  void ForgetAccesses();
  // Reports pairs of conflicting accesses that the dependencies leave unordered, one for each
  // memory object. Only the first call does so.
  void Check(ClCall& call);

 private:
  // Commands after this number are neither stored nor compared.
  static constexpr size_t kMaxCommands = 4096;

  struct Node {
    std::vector<uint32_t> before;
  };
  std::vector<Node> nodes_;
  std::vector<RecordedAccess> accesses_;
  absl::btree_map<cl_sync_point_khr, uint32_t> points_;
  absl::btree_map<const Queue*, uint32_t> last_of_queue_;
  uint32_t last_barrier_ = 0;  // index plus 1; 0: none
  bool unknown_ = false;       // the dependencies of a command are not known
  bool checked_ = false;
};

}  // namespace gpusan::opencl
#endif
