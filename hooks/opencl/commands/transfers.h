// Handlers that enqueue transfers: reads, writes, copies and fills of buffers, rectangles and
// images.
#pragma once

#include <optional>

#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl::handlers {

// The base of the handlers of copies between host memory and a whole resource. Most copies have no
// wait list, live objects of one context and a region within bounds: they need no description.
class HostCopyHandler {
 public:
  void After(ClCall& call, cl_int code);

 protected:
  // Begins a copy of a buffer. The parameters are those of the entry points, in their order.
  void BeginBuffer(ClCall& call, bool write, cl_command_queue queue, cl_mem buffer,
                   cl_bool blocking, size_t offset, size_t size, const void* pointer, cl_uint count,
                   const cl_event* list, cl_event* event);
  // The same for an image.
  void BeginImage(ClCall& call, bool write, cl_command_queue queue, cl_mem image, cl_bool blocking,
                  const size_t* origin, const size_t* region, size_t row_pitch, size_t slice_pitch,
                  const void* pointer, cl_uint count, const cl_event* list, cl_event* event);

 private:
  HostCopy copy_;
  cl_event* event_ = nullptr;
  std::optional<EnqueueTransfer> described_;  // set: instead of copy_
};

struct clEnqueueReadBuffer : HostCopyHandler {
  BeforeOf<cl_api_clEnqueueReadBuffer> Before;
};

struct clEnqueueWriteBuffer : HostCopyHandler {
  BeforeOf<cl_api_clEnqueueWriteBuffer> Before;
};

struct clEnqueueReadImage : HostCopyHandler {
  BeforeOf<cl_api_clEnqueueReadImage> Before;
};

struct clEnqueueWriteImage : HostCopyHandler {
  BeforeOf<cl_api_clEnqueueWriteImage> Before;
};

// Of a read or a write.
template <TransferKind kKind>
struct EnqueueRect : EnqueueTransfer {
  BeforeOf<cl_api_clEnqueueWriteBufferRect> Before;
};
struct clEnqueueReadBufferRect : EnqueueRect<TransferKind::kRead> {};
struct clEnqueueWriteBufferRect : EnqueueRect<TransferKind::kWrite> {};

struct clEnqueueCopyBuffer : DescribedEnqueue<&DescribeCopyBuffer> {};
struct clEnqueueCopyBufferRect : DescribedEnqueue<&DescribeCopyBufferRect> {};
struct clEnqueueCopyImage : DescribedEnqueue<&DescribeCopyImage> {};
struct clEnqueueCopyImageToBuffer : DescribedEnqueue<&DescribeCopyImageToBuffer> {};
struct clEnqueueCopyBufferToImage : DescribedEnqueue<&DescribeCopyBufferToImage> {};
struct clEnqueueFillBuffer : DescribedEnqueue<&DescribeFillBuffer> {};
struct clEnqueueFillImage : DescribedEnqueue<&DescribeFillImage> {};

struct clEnqueueMigrateMemObjects : Enqueue {
  BeforeOf<cl_api_clEnqueueMigrateMemObjects> Before;
  void After(ClCall& call, cl_int code);

 private:
  absl::InlinedVector<Resource*, 4> migrated_;
  bool discards_ = false;  // the content of the objects is undefined after the command
};

}  // namespace gpusan::opencl::handlers
