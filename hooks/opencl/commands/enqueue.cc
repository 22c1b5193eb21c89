// The sides of transfers, and the steps of an enqueued command.
#include "hooks/opencl/commands/enqueue.h"

#include <functional>

#include "hooks/opencl/objects/delays.h"
#include "hooks/opencl/objects/events.h"
#include "hooks/opencl/objects/flushes.h"
#include "hooks/opencl/objects/host_storage.h"
#include "hooks/opencl/objects/map_guards.h"
#include "tracker/memory/protected_memory.h"
#include "tracker/memory/read_only_memory.h"
#include "tracker/memory/unmapped_memory.h"
#include "tracker/rules/events/protected_pointer.h"
#include "tracker/rules/events/unmapped_pointer.h"
#include "tracker/rules/rules.h"
#include "tracker/state/transfer_checks.h"

namespace gpusan::opencl {

ImageBox Box(const size_t* origin, const size_t* region) {
  ImageBox box;
  for (int i = 0; i < 3; ++i) {
    box.origin[i] = origin != nullptr ? origin[i] : 0;
    box.extent[i] = region != nullptr ? region[i] : 0;
  }
  return box;
}

Region ImageRegion(const ImageInfo& image, const ImageBox& box) {
  // The layers of an array are its last dimension: the rows of a one-dimensional array.
  const uint64_t offset = box.origin[2] * image.slice_pitch + box.origin[1] * image.row_pitch +
                          box.origin[0] * image.texel_bytes;
  return Region::Strided(offset, SaturatingMultiply(box.extent[0], image.texel_bytes),
                         box.extent[1], image.row_pitch, box.extent[2], image.slice_pitch);
}

Side ImageSide(Resource* image, const size_t* origin, const size_t* region) {
  Side side;
  side.resource = image;
  side.box = Box(origin, region);
  if (image != nullptr && image->image != nullptr)
    side.region = ImageRegion(*image->image, side.box);
  return side;
}

Side BufferSide(Resource* buffer, size_t offset, size_t size) {
  Side side;
  side.resource = buffer;
  side.region = Region::Linear(offset, size);
  return side;
}

namespace {

Region RectRegion(const size_t* origin, const size_t* region, size_t row_pitch,
                  size_t slice_pitch) {
  if (origin == nullptr || region == nullptr) return Region();
  if (row_pitch == 0) row_pitch = region[0];
  if (slice_pitch == 0) slice_pitch = SaturatingMultiply(region[1], row_pitch);
  const uint64_t offset = SaturatingAdd(SaturatingAdd(SaturatingMultiply(origin[2], slice_pitch),
                                                      SaturatingMultiply(origin[1], row_pitch)),
                                        origin[0]);
  return Region::Strided(offset, region[0], region[1], row_pitch, region[2], slice_pitch);
}

void SetPitches(Side* side, size_t row_pitch, size_t slice_pitch, uint64_t row_bytes,
                uint64_t rows) {
  side->row_pitch = row_pitch;
  side->slice_pitch = slice_pitch;
  side->pitches_given = true;
  side->row_bytes = row_bytes;
  side->rows = rows;
}

}  // namespace

Side RectSide(Resource* buffer, const size_t* origin, const size_t* region, size_t row_pitch,
              size_t slice_pitch) {
  Side side;
  side.resource = buffer;
  side.region = RectRegion(origin, region, row_pitch, slice_pitch);
  SetPitches(&side, row_pitch, slice_pitch, region != nullptr ? region[0] : 0,
             region != nullptr ? region[1] : 0);
  return side;
}

Side HostSide(ClCall& call, const void* pointer, const Region& region) {
  Side side;
  side.pointer = pointer;
  side.region = region;
  if (pointer != nullptr && !call.tracker().objects().addresses().unused()) {
    uint64_t offset = 0;
    Resource* shared = call.tracker().objects().FindAddress(HandleOf(pointer), &offset);
    if (BlockPools& pools = call.tracker().block_pools();
        shared != nullptr && pools.MayUseParent(*shared, SaturatingAdd(offset, region.end())))
        [[unlikely]] {
      if (Resource* parent = pools.UseParent(HandleOf(pointer), region.end()); parent != nullptr) {
        shared = parent;
        offset = HandleOf(pointer) - parent->handle;
      }
    }
    if (shared != nullptr) {
      side.resource = shared;
      side.region = region.Shifted(offset);
    }
  }
  return side;
}

Side HostRectSide(ClCall& call, const void* pointer, const size_t* origin, const size_t* region,
                  size_t row_pitch, size_t slice_pitch) {
  Side side = HostSide(call, pointer, RectRegion(origin, region, row_pitch, slice_pitch));
  SetPitches(&side, row_pitch, slice_pitch, region != nullptr ? region[0] : 0,
             region != nullptr ? region[1] : 0);
  return side;
}

Side HostImageSide(ClCall& call, const void* pointer, const Resource* image, const size_t* texels,
                   size_t row_pitch, size_t slice_pitch) {
  const ImageInfo& info = *image->image;
  const uint64_t row = SaturatingMultiply(texels[0], info.texel_bytes);
  const uint64_t row_step = row_pitch != 0 ? row_pitch : row;
  // The slices of a one-dimensional array are its layers, one row each.
  const bool layers_are_rows = info.array && info.dimensions == 2;
  uint64_t slice_step = slice_pitch != 0 ? slice_pitch : SaturatingMultiply(texels[1], row_step);
  Region region;
  if (layers_are_rows) {
    slice_step = slice_pitch != 0 ? slice_pitch : row_step;
    region = Region::Strided(0, row, texels[1], slice_step, texels[2], slice_step);
  } else {
    region = Region::Strided(0, row, texels[1], row_step, texels[2], slice_step);
  }
  Side side = HostSide(call, pointer, region);
  SetPitches(&side, row_pitch, slice_pitch, row, layers_are_rows ? 1 : texels[1]);
  side.flat = !info.array && info.dimensions < 3;
  return side;
}

namespace {

[[gnu::noinline]] void ReportOwnEvent(ClCall& call, uint64_t index) {
  SyncMisuse misuse;
  misuse.fault = SyncMisuse::Fault::kEventInOwnWaitList;
  misuse.value = index;
  rules::OnSyncMisuse(misuse, call);
}

}  // namespace

Enqueue::Enqueue() = default;
Enqueue::~Enqueue() = default;

void Enqueue::OpenOn(ClCall& call, Queue* queue, cl_uint count, const cl_event* list,
                     cl_event* event) {
  queue_ = queue;
  event_ = event;
  if (count == 0) return;
  UseWaitList(call, queue, count, list, &waits_);
  if (event != nullptr && list != nullptr && !std::less<>()(event, list) &&
      std::less<>()(event, list + count)) [[unlikely]]
    ReportOwnEvent(call, static_cast<uint64_t>(event - list));
}

void Enqueue::Begin(ClCall& call, bool after_all, bool barrier) {
  call.tracker().ordering().Begin(call, command_, queue_, waits_, after_all, barrier);
}

void Enqueue::End(ClCall& call, cl_int code, bool blocking) {
  Tracker& tracker = call.tracker();
  if (code != CL_SUCCESS) {
    tracker.accesses().Rollback(command_);
    if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && queue_ != nullptr)
      ExplainFailedWait(call, *queue_);
    return;
  }
  if (blocking) {
    if (!waits_.empty()) CheckFlushed(call, command_, waits_);
    tracker.ordering().CommitBlocking(command_);
  }
  if (event_ != nullptr && *event_ != nullptr) {
    tracker.objects().NewEvent(call, HandleOf(*event_),
                               queue_ != nullptr ? queue_->context : nullptr, command_);
  }
}

namespace {

// Returns whether the program may change its memory after the call and before the command runs: the
// command may wait for an event of the program, a native kernel or another API. Without them, the
// driver may use the memory at once.
bool MayRunLater(const Ordering& ordering) {
  return ordering.MayHaveUnsetEvents() || AnyOutsideDelay();
}

// Reports a host pointer without memory behind it, at its first or last byte. For a command that is
// blocking or has no wait list.
void CheckMapped(ClCall& call, const Side& side) {
  if (side.resource != nullptr || side.pointer == nullptr || side.region.empty()) return;
  const uintptr_t pointer = HandleOf(side.pointer);
  const HostMemory& known = call.tracker().host_side().memory();
  for (const uint64_t at : {side.region.offset, side.region.end() - 1}) {
    HostBlock block;
    SiteId released;
    const uintptr_t address = pointer + at;
    if (address < pointer || known.Find(pointer, &block)) return;
    if (!MayBeUnmapped(address)) continue;
    // Memory of a freed block is use-after-free.
    if (known.FindReleased(pointer, &block, &released) || MayRunLater(call.tracker().ordering()) ||
        !IsUnmapped(address))
      return;
    rules::OnUnmappedPointer({&side, at}, call);
    return;
  }
}

// Reports host memory to which the program has taken itself the access that the command needs. For
// a command without a wait list.
void CheckProtected(ClCall& call, const Side& side, bool write) {
  if (side.resource != nullptr || side.pointer == nullptr || side.region.empty()) return;
  const uintptr_t pointer = HandleOf(side.pointer);
  const uintptr_t begin = pointer + side.region.offset;
  uintptr_t found = FindProtected(begin, side.region.width, write);
  if (found == 0) found = FindProtected(pointer + side.region.end() - 1, 1, write);
  // Constants of the main program have a finding of their own.
  if (found == 0 || MayBeReadOnly(begin) || MayRunLater(call.tracker().ordering()) ||
      !IsProtected(found, write))
    return;
  HostBlock block;  // what is past its end is host-buffer-overrun
  if (call.tracker().host_side().memory().FindSpan(pointer, side.region.end(), &block) &&
      found >= block.end())
    return;
  rules::OnProtectedPointer({&side, found - pointer, write}, call);
}

// The host side of a read or write, or nullptr.
const Side* HostSideOf(const Transfer& transfer) {
  if (transfer.kind == TransferKind::kRead) return &transfer.destination;
  return transfer.kind == TransferKind::kWrite ? &transfer.source : nullptr;
}

}  // namespace

void EnqueueTransfer::BeginDescribed(ClCall& call) {
  auto& [transfer, known] = *described_;
  if (known) {
    Tracker& tracker = call.tracker();
    const Side* host = HostSideOf(transfer);
    if (host != nullptr && (transfer.blocking || !has_wait_list())) CheckMapped(call, *host);
    if (host != nullptr && !has_wait_list())
      CheckProtected(call, *host, transfer.kind == TransferKind::kRead);
    CheckTransferArguments(tracker.host_side(), tracker.pointers(), call, transfer,
                           CheckTime::kBeforeReturn);
    if (transfer.kind == TransferKind::kCopy)
      CheckHostStorage(call, transfer.source.resource, transfer.destination.resource);
  }
  Begin(call);
  // A call with an error has no defined accesses; recording them would add findings that only
  // follow from the first one.
  if (known && !call.has_error())
    call.tracker().accesses().RecordTransfer(call, command(), transfer);
}

void EnqueueTransfer::After(ClCall& call, cl_int code) {
  const auto& [transfer, known] = *described_;
  if (code == CL_SUCCESS) {
    if (known) {
      call.tracker().accesses().CommitTransfer(transfer);
      GuardShared(call, command(), transfer);
    } else if (Resource* written = transfer.destination.resource; written != nullptr) {
      // The written bytes are not known: any byte may be written.
      Transfer all;
      all.kind = TransferKind::kFill;
      all.destination = BufferSide(written, 0, written->bytes);
      call.tracker().accesses().CommitTransfer(all);
    }
  } else if (known) {
    call.tracker().accesses().NoteFailedWrite(call, transfer, code);
  }
  End(call, code, transfer.blocking);
}

}  // namespace gpusan::opencl
