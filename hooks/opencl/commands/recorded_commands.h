// Handlers of the functions that record commands into a command buffer (cl_khr_command_buffer).
// Recording checks handles and bounds as an enqueue does, and keeps the accesses of the command. It
// orders nothing, and checks no contents, which are known only at the enqueue.
#pragma once

#include <optional>
#include <vector>

#include "hooks/opencl/commands/describe.h"
#include "hooks/opencl/commands/pending_command_buffers.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

// The base of a handler that records a command.
class RecordedCommand {
 protected:
  // Looks up the queue and the command buffer, and copies the wait list. Returns the shadow object
  // of the buffer, nullptr if it is not usable.
  const Object* Open(ClCall& call, cl_command_buffer_khr handle, cl_command_queue queue,
                     cl_uint count, const cl_sync_point_khr* waits, const cl_sync_point_khr* point);
  // Returns the queue of the command: the given one, or the only one of the buffer; nullptr: not
  // known. Takes the lock of the buffer.
  const Queue* FindQueue();
  // Reports a sync point of the wait list that no command of the buffer has. Takes the lock of the
  // buffer.
  void CheckSyncPoints(ClCall& call) const;
  // Appends the command to those of the buffer. Requires the lock of the buffer.
  void Append(ClCall& call, std::vector<RecordedAccess> accesses);

  Target target_;
  CommandDependencies dependencies_;
};

// The base of a handler that records a transfer: its Before calls Open, then Record.
class RecordedTransfer : public RecordedCommand {
 public:
  void After(ClCall& call, cl_int code);

 protected:
  void Record(ClCall& call, const DescribedTransfer& described);

 private:
  bool kept_ = false;  // the accesses of the transfer are known
  Transfer transfer_;
};

// The handler of clCommand<name>KHR if `describe` is Describe<name>. Revision 0.9.5 of the
// extension added the list of properties.
template <auto describe>
class DescribedRecord;
template <typename... Arguments,
          DescribedTransfer (*describe)(ClCall&, const Object*, Arguments...)>
class DescribedRecord<describe> : public RecordedTransfer {
 public:
  void Before(ClCall& call, cl_command_buffer_khr handle, cl_command_queue queue,
              Arguments... arguments, cl_uint count, const cl_sync_point_khr* waits,
              cl_sync_point_khr* point, cl_mutable_command_khr*) {
    Record(call, describe(call, Open(call, handle, queue, count, waits, point), arguments...));
  }
  void Before(ClCall& call, cl_command_buffer_khr handle, cl_command_queue queue,
              const cl_properties*, Arguments... arguments, cl_uint count,
              const cl_sync_point_khr* waits, cl_sync_point_khr* point, cl_mutable_command_khr*) {
    Record(call, describe(call, Open(call, handle, queue, count, waits, point), arguments...));
  }
};

namespace handlers {

struct clCommandCopyBufferKHR : DescribedRecord<&DescribeCopyBuffer> {};
struct clCommandCopyBufferRectKHR : DescribedRecord<&DescribeCopyBufferRect> {};
struct clCommandCopyBufferToImageKHR : DescribedRecord<&DescribeCopyBufferToImage> {};
struct clCommandCopyImageKHR : DescribedRecord<&DescribeCopyImage> {};
struct clCommandCopyImageToBufferKHR : DescribedRecord<&DescribeCopyImageToBuffer> {};
struct clCommandFillBufferKHR : DescribedRecord<&DescribeFillBuffer> {};
struct clCommandFillImageKHR : DescribedRecord<&DescribeFillImage> {};
struct clCommandSVMMemcpyKHR : DescribedRecord<&DescribeSVMMemcpy> {};
struct clCommandSVMMemFillKHR : DescribedRecord<&DescribeSVMMemFill> {};

struct clCommandBarrierWithWaitListKHR : RecordedCommand {
  BeforeOf<command_buffer::clCommandBarrierWithWaitListKHR_090> Before;
  BeforeOf<command_buffer::clCommandBarrierWithWaitListKHR_095> Before;
  void After(ClCall& call, cl_int code);
};

struct clCommandNDRangeKernelKHR : RecordedCommand {
  BeforeOf<clCommandNDRangeKernelKHR_fn> Before;
  void After(ClCall& call, cl_int code);

 private:
  std::optional<RecordedLaunch> launch_;  // set: its accesses are known
};

}  // namespace handlers
}  // namespace gpusan::opencl
#endif
