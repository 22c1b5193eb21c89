// What the handlers of enqueue calls have in common: objects looked up, place in the order,
// accesses, completion.
#pragma once

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {

// Region of an image in its canonical layout (object.h); box.extent counts texels.
Region ImageRegion(const ImageInfo& image, const ImageBox& box);
ImageBox Box(const size_t* origin, const size_t* region);
// One side of a transfer that is an image.
Side ImageSide(Resource* image, const size_t* origin, const size_t* region);
// ... that is a buffer, or a rectangle of one; pitches of 0 mean tight.
Side BufferSide(Resource* buffer, size_t offset, size_t size);
Side RectSide(Resource* buffer, const size_t* origin, const size_t* region, size_t row_pitch,
              size_t slice_pitch);
// ... that is host memory behind `pointer`. An SVM pointer becomes its resource.
Side HostSide(ClCall& call, const void* pointer, const Region& region);
Side HostRectSide(ClCall& call, const void* pointer, const size_t* origin, const size_t* region,
                  size_t row_pitch, size_t slice_pitch);
// ... host memory that holds a region (texels) of `image`.
Side HostImageSide(ClCall& call, const void* pointer, const Resource* image, const size_t* region,
                   size_t row_pitch, size_t slice_pitch);

// One command on its way into a queue. Use: construct, look objects up, then Run.
class Enqueue {
 public:
  Enqueue(ClCall& call, cl_command_queue queue, cl_uint count, const cl_event* list,
          cl_event* event)
      : Enqueue(call, UseQueue(call, queue), count, list, event) {}
  // nullptr: a queue that is not known.
  Enqueue(ClCall& call, Queue* queue, cl_uint count, const cl_event* list, cl_event* event);

  Resource* Memory(cl_mem memory, KindMask kinds, const char* argument) {
    return UseMemory(call_, queue_, memory, kinds, argument);
  }
  Queue* queue() const { return queue_; }
  Command& command() { return command_; }
  const Waits& waits() const { return waits_; }

  // A transfer whose every byte is known. `known`: all its objects are tracked; otherwise only the
  // order is kept, and the destination's resource counts as written if it is set.
  template <typename Real>
  cl_int Run(Transfer& transfer, bool known, Real real) {
    BeginTransfer(transfer, known);
    const cl_int code = real();
    EndTransfer(transfer, known, code);
    return call_.Done(code);
  }

  // A command without accesses of its own: markers, barriers, migrations, acquisitions.
  template <typename Real>
  cl_int RunOrderOnly(bool after_all, bool barrier, Real real) {
    Begin(after_all, barrier);
    const cl_int code = real();
    End(code, false);
    return call_.Done(code);
  }

  // The pieces, for handlers that need more in between.
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
