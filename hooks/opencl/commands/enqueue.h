// Shared parts of the handlers of enqueue calls: the two sides of a transfer, and the steps of one
// command from the look-up of its objects to its commit.
#pragma once

#include <optional>

#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/commands/describe.h"
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

// The base of a handler that enqueues one command. Its Before calls Open, looks up the objects and
// calls Begin. A handler of a command that accesses no memory needs no After of its own.
class Enqueue {
 public:
  Enqueue();
  ~Enqueue();
  Enqueue(const Enqueue&) = delete;
  Enqueue& operator=(const Enqueue&) = delete;

  // Looks up the queue and the events of the wait list.
  void Open(ClCall& call, cl_command_queue queue, cl_uint count, const cl_event* list,
            cl_event* event) {
    OpenOn(call, UseQueue(call, queue), count, list, event);
  }
  // `queue` is nullptr if gpusan has not seen its creation.
  void OpenOn(ClCall& call, Queue* queue, cl_uint count, const cl_event* list, cl_event* event);

  Resource* Memory(ClCall& call, cl_mem memory, KindMask kinds, const char* argument) {
    return UseMemory(call, queue_, memory, kinds, argument);
  }
  Queue* queue() const { return queue_; }
  bool has_wait_list() const { return !waits_.empty(); }
  Command& command() { return command_; }

  // Gives the command its position in the queue. `after_all`: it is ordered after all earlier
  // commands of the queue; `barrier`: later commands are ordered after it.
  void Begin(ClCall& call, bool after_all = false, bool barrier = false);

  // Completes the command, or rolls it back if the call failed.
  void End(ClCall& call, cl_int code, bool blocking = false);

  void After(ClCall& call, cl_int code) { End(call, code); }

 private:
  Queue* queue_ = nullptr;
  cl_event* event_ = nullptr;
  Waits waits_;
  Command command_;
};

// A command that is a transfer. Its Before calls Open, then BeginTransfer.
class EnqueueTransfer : public Enqueue {
 public:
  // Checks and begins the transfer that `describe()` returns. If it is not known, only the order of
  // the command is kept, and the whole destination resource, if set, counts as written.
  template <typename Describe>
  void BeginTransfer(ClCall& call, Describe describe) {
    described_.emplace(InPlace<Describe>{describe});
    BeginDescribed(call);
  }

  void After(ClCall& call, cl_int code);

  // Requires BeginTransfer.
  const Transfer& transfer() const { return described_->transfer; }
  bool known() const { return described_->known; }

 private:
  // Constructs the description where it stays: it has some 500 bytes.
  template <typename Describe>
  struct InPlace {
    operator DescribedTransfer() const { return describe(); }
    const Describe& describe;
  };

  void BeginDescribed(ClCall& call);

  std::optional<DescribedTransfer> described_;
};

// The handler of clEnqueue<name> if `describe` is Describe<name>.
template <auto describe>
class DescribedEnqueue;
template <typename... Arguments,
          DescribedTransfer (*describe)(ClCall&, const Object*, Arguments...)>
class DescribedEnqueue<describe> : public EnqueueTransfer {
 public:
  void Before(ClCall& call, cl_command_queue queue, Arguments... arguments, cl_uint count,
              const cl_event* list, cl_event* event) {
    Open(call, queue, count, list, event);
    BeginTransfer(call, [&] { return describe(call, this->queue(), arguments...); });
  }
};

}  // namespace gpusan::opencl
