// Builds the tracker's transfers from the arguments of calls. Commands that are enqueued and
// commands that are recorded into a command buffer use the same functions.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

struct DescribedTransfer {
  Transfer transfer;
  // True: gpusan tracks all objects of the transfer and every byte of its regions. False: only
  // transfer.destination.resource is valid. If it is not nullptr, any of its bytes may be written.
  bool known = false;
};

// Each function looks up the memory objects of the call. It adds a finding for each object that is
// not usable or belongs to another context than `owner`. `owner`: the queue or the command buffer;
// nullptr if it is unknown. The other parameters are those of clEnqueue<name>, without the queue,
// the wait list and the event.
DescribedTransfer DescribeCopyBuffer(ClCall& call, const Object* owner, cl_mem source,
                                     cl_mem destination, size_t source_offset,
                                     size_t destination_offset, size_t size);
DescribedTransfer DescribeCopyBufferRect(ClCall& call, const Object* owner, cl_mem source,
                                         cl_mem destination, const size_t* source_origin,
                                         const size_t* destination_origin, const size_t* region,
                                         size_t source_row_pitch, size_t source_slice_pitch,
                                         size_t destination_row_pitch,
                                         size_t destination_slice_pitch);
DescribedTransfer DescribeCopyImage(ClCall& call, const Object* owner, cl_mem source,
                                    cl_mem destination, const size_t* source_origin,
                                    const size_t* destination_origin, const size_t* region);
DescribedTransfer DescribeCopyImageToBuffer(ClCall& call, const Object* owner, cl_mem source,
                                            cl_mem destination, const size_t* origin,
                                            const size_t* region, size_t offset);
DescribedTransfer DescribeCopyBufferToImage(ClCall& call, const Object* owner, cl_mem source,
                                            cl_mem destination, size_t offset, const size_t* origin,
                                            const size_t* region);
DescribedTransfer DescribeFillBuffer(ClCall& call, const Object* owner, cl_mem buffer,
                                     const void* pattern, size_t pattern_size, size_t offset,
                                     size_t size);
DescribedTransfer DescribeFillImage(ClCall& call, const Object* owner, cl_mem image,
                                    const void* color, const size_t* origin, const size_t* region);

// Either side of a copy may be ordinary host memory (OpenCL 3.0 §5.6.1). These functions do not
// compare contexts.
DescribedTransfer DescribeSVMMemcpy(ClCall& call, const Object* owner, void* destination,
                                    const void* source, size_t size);
DescribedTransfer DescribeSVMMemFill(ClCall& call, const Object* owner, void* pointer,
                                     const void* pattern, size_t pattern_size, size_t size);

// If an element of `region` is 0, adds the reason to the finding about the failure of the call.
// Drivers reject such a region.
void NoteEmptyRegion(ClCall& call, const size_t* region);
// As above, for a size of 0.
void NoteEmptySize(ClCall& call, size_t size);

// Returns whether gpusan tracks the bytes of a buffer: it intercepted the creation, and no other
// API writes the buffer.
inline bool HasKnownBytes(const Resource* buffer) {
  return buffer != nullptr && !buffer->has(kImported);
}

// Returns whether the format of the image is known and the call names a region.
inline bool HasKnownTexels(const Resource* image, const void* origin, const void* region) {
  return image != nullptr && image->image != nullptr && image->image->texel_bytes != 0 &&
         origin != nullptr && region != nullptr;
}

// Returns a side with the resource alone.
inline Side WholeSide(Resource* resource) {
  Side side;
  side.resource = resource;
  return side;
}

}  // namespace gpusan::opencl
