// Handlers that enqueue transfers: reads, writes, copies and fills of buffers, rectangles and
// images.
#include "hooks/opencl/commands/transfers.h"

#include <mutex>

#include "hooks/opencl/commands/describe.h"
#include "tracker/objects/discarded_content.h"

namespace gpusan::opencl {
namespace {

constexpr KindMask kBuffer = MaskOf(ObjectKind::kBuffer);
constexpr KindMask kImage = MaskOf(ObjectKind::kImage);

// --- the fast path: queue and resource are live and of one context, and the region is in bounds

bool FindBoth(ClCall& call, cl_command_queue queue, cl_mem memory, ObjectKind kind,
              HostCopy* copy) {
  gpusan::Objects& objects = call.tracker().objects();
  if (queue == nullptr || memory == nullptr) return false;
  Object* owner = objects.FindRecent(Recent::kQueue, Api::kOpenCL, HandleOf(queue));
  Object* object = objects.FindRecent(Recent::kMemory, Api::kOpenCL, HandleOf(memory));
  if (owner == nullptr || object == nullptr || owner->kind != ObjectKind::kQueue ||
      object->kind != kind || !owner->live() || !object->live() ||
      owner->context != object->context) {
    return false;
  }
  copy->queue = static_cast<Queue*>(owner);
  copy->resource = static_cast<Resource*>(object);
  return true;
}

bool BeginBufferCopy(ClCall& call, cl_command_queue queue, cl_mem buffer, size_t offset,
                     size_t size, const void* ptr, HostCopy* copy) {
  if (!FindBoth(call, queue, buffer, ObjectKind::kBuffer, copy)) return false;
  const uint64_t bytes = copy->resource->bytes;
  if (size > bytes || offset > bytes - size) return false;
  copy->region = Region::Linear(offset, size);
  copy->pointer = ptr;
  copy->bytes = size;
  return call.tracker().BeginHostCopy(call, *copy);
}

bool BeginImageCopy(ClCall& call, cl_command_queue queue, cl_mem memory, const size_t* origin,
                    const size_t* region, const void* ptr, HostCopy* copy) {
  if (!FindBoth(call, queue, memory, ObjectKind::kImage, copy)) return false;
  if (!HasKnownTexels(copy->resource, origin, region)) return false;
  const ImageInfo& image = *copy->resource->image;
  ImageBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t limit = axis < image.dimensions ? image.extent[axis] : 1;
    if (region[axis] == 0 || region[axis] > limit || origin[axis] > limit - region[axis])
      return false;
    box.origin[axis] = origin[axis];
    box.extent[axis] = region[axis];
  }
  copy->region = ImageRegion(image, box);
  copy->pointer = ptr;
  copy->bytes = region[0] * image.texel_bytes * region[1] * region[2];
  return call.tracker().BeginHostCopy(call, *copy);
}

// The command made the content of the object undefined (OpenCL 3.0 §5.5.4). Nothing changes if
// another command may still write the object after this one, or if writes are not seen.
void Discard(ClCall& call, const Command& command, Resource& resource) {
  constexpr uint16_t kUnseen = kHostVisible | kImported | kMappedHost | kUsesHostMemory;
  if (resource.root != &resource || resource.adopted || (resource.flags & kUnseen) != 0 ||
      !command.epoch.valid() || command.gates != 0)
    return;
  const HostClock& host = call.tracker().ordering().host();
  std::lock_guard lock(resource.lock);
  if (const ResourceExtra* extra = resource.more(); extra != nullptr && !extra->mappings.empty())
    return;
  for (const Access& access : resource.history) {
    const bool before = access.epoch.timeline() == command.epoch.timeline() ||
                        host.Completed(access.epoch) || command.before.Covers(access.epoch);
    if (access.gates != 0 || !before) return;
  }
  DiscardContent(resource, call.info(), call.site());
}

// A migration must not overlap with commands that write the object (OpenCL 3.0 §5.5.4).
void RecordMigration(ClCall& call, Command& command, Resource& resource) {
  if (resource.has(kHostVisible) || resource.has(kImported) || !resource.live()) return;
  Access access;
  access.region = Region::Linear(resource.root_offset, resource.bytes);
  access.read = true;
  call.tracker().accesses().Record(call, command, &resource, access);
}

}  // namespace

namespace handlers {

void HostCopyHandler::BeginBuffer(ClCall& call, bool write, cl_command_queue queue, cl_mem buffer,
                                  cl_bool blocking, size_t offset, size_t size, const void* pointer,
                                  cl_uint count, const cl_event* list, cl_event* event) {
  copy_.write = write;
  copy_.blocking = blocking != 0;
  event_ = event;
  if (blocking) CheckMayBlock(call);
  if (count == 0 && BeginBufferCopy(call, queue, buffer, offset, size, pointer, &copy_)) [[likely]]
    return;
  EnqueueTransfer& described = described_.emplace();
  described.Open(call, queue, count, list, event);
  NoteEmptySize(call, size);
  Resource* resource = described.Memory(call, buffer, kBuffer, "buffer");
  described.BeginTransfer(call, [&] {
    const Side device = BufferSide(resource, offset, size);
    const Side host = HostSide(call, pointer, Region::Linear(0, size));
    return DescribedTransfer{{write ? TransferKind::kWrite : TransferKind::kRead,
                              write ? host : device, write ? device : host, blocking != 0},
                             HasKnownBytes(resource)};
  });
}

void HostCopyHandler::BeginImage(ClCall& call, bool write, cl_command_queue queue, cl_mem image,
                                 cl_bool blocking, const size_t* origin, const size_t* region,
                                 size_t row_pitch, size_t slice_pitch, const void* pointer,
                                 cl_uint count, const cl_event* list, cl_event* event) {
  copy_.write = write;
  copy_.blocking = blocking != 0;
  event_ = event;
  if (blocking) CheckMayBlock(call);
  if (count == 0 && row_pitch == 0 && slice_pitch == 0 &&
      BeginImageCopy(call, queue, image, origin, region, pointer, &copy_)) [[likely]] {
    return;
  }
  EnqueueTransfer& described = described_.emplace();
  described.Open(call, queue, count, list, event);
  NoteEmptyRegion(call, region);
  Resource* resource = described.Memory(call, image, kImage, "image");
  const bool known = HasKnownTexels(resource, origin, region);
  described.BeginTransfer(call, [&] {
    const Side host =
        known ? HostImageSide(call, pointer, resource, region, row_pitch, slice_pitch) : Side();
    if (!write) {
      return DescribedTransfer{
          {TransferKind::kRead, known ? ImageSide(resource, origin, region) : Side(), host,
           blocking != 0},
          known};
    }
    return DescribedTransfer{
        {TransferKind::kWrite, host,
         known ? ImageSide(resource, origin, region) : WholeSide(resource), blocking != 0},
        known};
  });
}

void HostCopyHandler::After(ClCall& call, cl_int code) {
  if (described_.has_value()) [[unlikely]]
    return described_->After(call, code);
  Tracker& tracker = call.tracker();
  tracker.EndHostCopy(call, copy_, code);
  if (code == CL_SUCCESS && event_ != nullptr && *event_ != nullptr)
    tracker.objects().NewEvent(call, HandleOf(*event_), copy_.queue->context, copy_.epoch,
                               copy_.gates);
}

void clEnqueueReadBuffer::Before(ClCall& call, cl_command_queue queue, cl_mem buffer,
                                 cl_bool blocking, size_t offset, size_t size, void* pointer,
                                 cl_uint count, const cl_event* list, cl_event* event) {
  BeginBuffer(call, false, queue, buffer, blocking, offset, size, pointer, count, list, event);
}

void clEnqueueWriteBuffer::Before(ClCall& call, cl_command_queue queue, cl_mem buffer,
                                  cl_bool blocking, size_t offset, size_t size, const void* pointer,
                                  cl_uint count, const cl_event* list, cl_event* event) {
  BeginBuffer(call, true, queue, buffer, blocking, offset, size, pointer, count, list, event);
}

void clEnqueueReadImage::Before(ClCall& call, cl_command_queue queue, cl_mem image,
                                cl_bool blocking, const size_t* origin, const size_t* region,
                                size_t row_pitch, size_t slice_pitch, void* pointer, cl_uint count,
                                const cl_event* list, cl_event* event) {
  BeginImage(call, false, queue, image, blocking, origin, region, row_pitch, slice_pitch, pointer,
             count, list, event);
}

void clEnqueueWriteImage::Before(ClCall& call, cl_command_queue queue, cl_mem image,
                                 cl_bool blocking, const size_t* origin, const size_t* region,
                                 size_t row_pitch, size_t slice_pitch, const void* pointer,
                                 cl_uint count, const cl_event* list, cl_event* event) {
  BeginImage(call, true, queue, image, blocking, origin, region, row_pitch, slice_pitch, pointer,
             count, list, event);
}

template <TransferKind kKind>
void EnqueueRect<kKind>::Before(ClCall& call, cl_command_queue queue, cl_mem buffer,
                                cl_bool blocking, const size_t* buffer_origin,
                                const size_t* host_origin, const size_t* region,
                                size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                size_t host_row_pitch, size_t host_slice_pitch, const void* pointer,
                                cl_uint count, const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  if (blocking) CheckMayBlock(call);
  NoteEmptyRegion(call, region);
  Resource* resource = Memory(call, buffer, kBuffer, "buffer");
  BeginTransfer(call, [&] {
    const auto device = [&] {
      return RectSide(resource, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch);
    };
    const auto host = [&] {
      return HostRectSide(call, pointer, host_origin, region, host_row_pitch, host_slice_pitch);
    };
    const bool known = HasKnownBytes(resource) && buffer_origin && host_origin && region;
    if constexpr (kKind == TransferKind::kRead)
      return DescribedTransfer{{kKind, device(), host(), blocking != 0}, known};
    return DescribedTransfer{{kKind, host(), device(), blocking != 0}, known};
  });
}
template struct EnqueueRect<TransferKind::kRead>;
template struct EnqueueRect<TransferKind::kWrite>;

void clEnqueueMigrateMemObjects::Before(ClCall& call, cl_command_queue queue, cl_uint num_objects,
                                        const cl_mem* objects, cl_mem_migration_flags flags,
                                        cl_uint count, const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  if (num_objects == 0) call.FailureReason("num_mem_objects is 0 (OpenCL 3.0 §5.5.3)");
  for (cl_uint i = 0; objects != nullptr && i < num_objects; ++i) {
    Object* object = UseElement(call, this->queue(), objects[i], kAnyMemory, "mem_objects", i);
    if (object != nullptr) migrated_.push_back(static_cast<Resource*>(object));
  }
  discards_ = (flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) != 0;
  Begin(call);
  for (Resource* resource : migrated_) RecordMigration(call, command(), *resource);
}

void clEnqueueMigrateMemObjects::After(ClCall& call, cl_int code) {
  if (code == CL_SUCCESS && discards_) {
    for (Resource* resource : migrated_) Discard(call, command(), *resource);
  }
  End(call, code);
}

}  // namespace handlers
}  // namespace gpusan::opencl
