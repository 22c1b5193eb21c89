// What the handlers of enqueue calls share: the two sides of a transfer, and the steps of one
// command from the look-up of its objects to its commit.
#pragma once

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {

// Returns the region of an image in its canonical layout (object.h). `box` counts texels.
Region ImageRegion(const ImageInfo& image, const ImageBox& box);
ImageBox Box(const size_t* origin, const size_t* region);
// One side of a transfer: an image; origin and region count texels.
Side ImageSide(Resource* image, const size_t* origin, const size_t* region);
// ... a buffer, or a rectangle of one; sizes and pitches in bytes, a pitch of 0 means tightly
// packed.
Side BufferSide(Resource* buffer, size_t offset, size_t size);
Side RectSide(Resource* buffer, const size_t* origin, const size_t* region, size_t row_pitch,
              size_t slice_pitch);
// ... host memory at `pointer`. For a pointer to shared virtual memory, the side is its resource.
Side HostSide(ClCall& call, const void* pointer, const Region& region);
Side HostRectSide(ClCall& call, const void* pointer, const size_t* origin, const size_t* region,
                  size_t row_pitch, size_t slice_pitch);
// ... host memory that holds a region (in texels) of `image`, whose format is known.
Side HostImageSide(ClCall& call, const void* pointer, const Resource* image, const size_t* region,
                   size_t row_pitch, size_t slice_pitch);

// One command on its way into a queue. Usage: construct, look up the objects, call Run. Lives on
// the stack of the calling thread.
class Enqueue {
 public:
  Enqueue(ClCall& call, cl_command_queue queue, cl_uint count, const cl_event* list,
          cl_event* event)
      : Enqueue(call, UseQueue(call, queue), count, list, event) {}
  // `queue` is nullptr if gpusan has not seen its creation.
  Enqueue(ClCall& call, Queue* queue, cl_uint count, const cl_event* list, cl_event* event);

  Resource* Memory(cl_mem memory, KindMask kinds, const char* argument) {
    return UseMemory(call_, queue_, memory, kinds, argument);
  }
  Queue* queue() const { return queue_; }
  Command& command() { return command_; }
  const Waits& waits() const { return waits_; }

  // Runs a transfer. `known`: gpusan tracks all its objects and every byte of its regions.
  // Otherwise only the order of the command is kept, and the whole destination resource, if set,
  // counts as written. Returns the result of `real`.
  template <typename Real>
  cl_int Run(Transfer& transfer, bool known, Real real) {
    BeginTransfer(transfer, known);
    const cl_int code = real();
    EndTransfer(transfer, known, code);
    return call_.Done(code);
  }

  // Runs a command without accesses: a marker, barrier, migration or acquisition. `after_all`: it
  // is ordered behind all earlier commands of the queue; `barrier`: later commands are ordered
  // behind it.
  template <typename Real>
  cl_int RunOrderOnly(bool after_all, bool barrier, Real real) {
    Begin(after_all, barrier);
    const cl_int code = real();
    End(code, false);
    return call_.Done(code);
  }

  // The steps of Run and RunOrderOnly, for handlers that do more between them: Begin or
  // BeginTransfer, the real call, then EndTransfer or End.
  void Begin(bool after_all = false, bool barrier = false);
  void BeginTransfer(Transfer& transfer, bool known);
  void EndTransfer(const Transfer& transfer, bool known, cl_int code);
  void End(cl_int code, bool blocking);

 private:
  ClCall& call_;
  Queue* queue_;
  cl_event* event_;
  Waits waits_;
  Command command_;
  bool recorded_ = false;
};

}  // namespace gpusan::opencl
