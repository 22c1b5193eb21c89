// One call of a library above the driver.
#include "hooks/cuda/libraries/library_call.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>

#include "hooks/cuda/kernels/library_scope.h"
#include "hooks/cuda/libraries/captured_uses.h"
#include "hooks/cuda/libraries/requests.h"
#include "hooks/cuda/streams/stream_deferral.h"
#include "tracker/rules/events/group_overlap.h"
#include "tracker/rules/events/kernel_overrun.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

// Returns the resource of the access and sets `*in_root`; nullptr: the access is not recorded.
// Memory that the host or other devices may access at any time is shared deliberately; a host
// access to page-locked memory (`from_host`) is not.
Resource* ResourceOf(Tracker& tracker, const LibraryAccess& access, Region* in_root,
                     bool from_host = false) {
  uint64_t offset = 0;
  Resource* resource = tracker.objects().FindAddress(access.address, &offset);
  if (resource == nullptr || resource->image != nullptr || resource->has(kHostVisible) ||
      resource->has(kImported) || (resource->has(kMappedHost) && !from_host) ||
      access.region.end() > resource->bytes - offset)
    return nullptr;
  *in_root = access.region.Shifted(resource->root_offset + offset);
  return resource;
}

// Reports memory that the program has freed.
void CheckFreed(CuCall& call, const LibraryAccess& access) {
  uint64_t offset = 0;
  if (access.sure && call.tracker().objects().FindAddress(access.address, &offset) == nullptr)
    call.tracker().pointers().CheckFreedPointer(call, access.address, NameOf(access.operand));
}

// Reports an access past the end of an allocation. Blocks and mapped memory may continue in the
// memory beside them.
void CheckEnd(CuCall& call, const LibraryAccess& access) {
  uint64_t offset = 0;
  const Resource* resource = call.tracker().objects().FindAddress(access.address, &offset);
  if (!access.sure || resource == nullptr || resource->kind != ObjectKind::kDeviceMemory ||
      resource->image != nullptr || resource->adopted || resource->is_block() ||
      resource->has(kImported) || access.region.end() <= resource->bytes - offset ||
      access.region.end() > uint64_t{INT64_MAX})
    return;
  rules::KernelOverrun overrun;
  overrun.resource = resource;
  overrun.offset = offset;
  overrun.first = static_cast<int64_t>(access.region.offset);
  overrun.last = static_cast<int64_t>(access.region.end());
  overrun.gaps = !access.region.linear();
  overrun.verb = access.write ? "writes" : "reads";
  overrun.operand = NameOf(access.operand);
  rules::OnKernelOverrun(overrun, call);
}

// Reports a read of memory that nothing has written, if a result depends on it.
void CheckContent(CuCall& call, Resource& resource, const LibraryAccess& access) {
  constexpr uint64_t kFewestBytes = 64;  // smaller memory may hold a flag or a scalar
  if (!access.content || resource.root->init.all() || access.region.bytes() < kFewestBytes ||
      resource.failed_write_call() != nullptr || call.has_findings() ||
      call.shadow().MayHoldUnseenWrites(resource))
    return;
  rules::ContentUse use;
  use.resource = &resource;
  use.region = access.region.Shifted(access.address - resource.handle);
  rules::OnContentUse(use, call);
  // The kernels of the library read the same bytes.
  if (call.has_findings())
    call.tracker().accesses().MarkWritten(&resource, use.region.Shifted(resource.root_offset));
}

void Record(CuCall& call, Stream& stream, absl::Span<const LibraryAccess> accesses,
            Command* command) {
  Tracker& tracker = call.tracker();
  Queue& queue = *stream.queue;
  if (queue.group != nullptr) queue.group->Join(queue);
  tracker.ordering().Begin(call, *command, &queue, {});
  if (queue.group != nullptr) queue.group->Began(queue);
  stream.recent.Note(*command, {}, stream.order.Next());
  for (const LibraryAccess& one : accesses) {
    Access access;
    Resource* resource = ResourceOf(tracker, one, &access.region);
    if (resource == nullptr) {
      CheckFreed(call, one);
      CheckEnd(call, one);
      continue;
    }
    access.read = one.read;
    access.write = one.write;
    access.sureness = Sureness::kDerived;
    access.argument = static_cast<uint8_t>(one.operand);
    tracker.accesses().Record(call, *command, resource, access);
    CheckContent(call, *resource, one);
  }
}

void MarkWritten(Tracker& tracker, absl::Span<const LibraryAccess> accesses) {
  for (const LibraryAccess& one : accesses) {
    Region in_root;
    Resource* resource = one.write ? ResourceOf(tracker, one, &in_root) : nullptr;
    if (resource != nullptr) tracker.accesses().MarkWritten(resource, in_root);
  }
}

void Rollback(Tracker& tracker, Stream& stream, const Command& command) {
  tracker.accesses().Rollback(command);
  stream.recent.Forget(command.epoch);
}

// Its accesses follow the struct.
struct DeferredLibraryCall : DeferredCommand {
  uint64_t count;

  LibraryAccess* accesses() { return reinterpret_cast<LibraryAccess*>(this + 1); }
  const LibraryAccess* accesses() const { return reinterpret_cast<const LibraryAccess*>(this + 1); }
};
static_assert(alignof(LibraryAccess) <= alignof(DeferredLibraryCall));

bool Process(DeferredCommand& command, const DeferredCommand*, ProcessedCommand* processed) {
  const auto& one = static_cast<const DeferredLibraryCall&>(command);
  const absl::Span<const LibraryAccess> accesses(one.accesses(), one.count);
  DeferredCall call(one);
  Command recorded;
  Record(call, *one.stream, accesses, &recorded);
  MarkWritten(call.tracker(), accesses);
  processed->epoch = recorded.epoch;
  call.End(processed);
  return false;
}
constexpr DeferredKind kLibraryCall = {&Process};

}  // namespace

constinit thread_local const std::shared_ptr<CapturedUses>* captured_uses = nullptr;

void LibraryCall::Add(Operand operand, const void* pointer, const Region& region, bool reads,
                      bool writes, bool sure) {
  if (pointer == nullptr || region.empty() || count_ == kMostAccesses) return;
  // One operand may be passed twice.
  for (LibraryAccess& known : absl::MakeSpan(accesses_, count_)) {
    if (known.address != reinterpret_cast<uintptr_t>(pointer) || known.region != region) continue;
    known.read |= reads;
    known.write |= writes;
    known.sure |= sure;
    return;
  }
  // Member by member: a copy of a whole new access waits for the stores of its members.
  LibraryAccess& access = accesses_[count_++];
  access.address = reinterpret_cast<uintptr_t>(pointer);
  access.region = region;
  access.read = reads;
  access.write = writes;
  access.sure = sure;
  access.content = false;
  access.operand = operand;
}

void LibraryCall::PostponeTo(std::vector<std::unique_ptr<LibraryCall>>& group) {
  if (count_ == 0) return;
  fast_.site();  // captured while its frames exist
  auto later = std::make_unique<LibraryCall>(fast_, real_);
  later->stream_ = stream_;
  later->beside_group_ = beside_group_;
  later->count_ = std::exchange(count_, 0);
  std::copy_n(accesses_, later->count_, later->accesses_);
  group.push_back(std::move(later));
}

LibraryCall& LibraryCall::AddRequest(uintptr_t handle) {
  fast_.site();  // captured while its frames exist
  LibraryCall& one = *group_.emplace_back(std::make_unique<LibraryCall>(fast_, real_));
  one.request_ = handle;
  return one;
}

bool LibraryCall::Defer(Stream* stream) {
  if (!MayDefer(fast_, stream)) return false;
  const auto bytes =
      static_cast<uint32_t>(sizeof(DeferredLibraryCall) + count_ * sizeof(LibraryAccess));
  DeferredRoom room(bytes);
  if (room.get() == nullptr) [[unlikely]]
    return false;
  auto& one = *new (room.get()) DeferredLibraryCall;
  one.count = count_;
  std::uninitialized_copy_n(accesses_, count_, one.accesses());
  room.Enqueue(fast_, stream, kLibraryCall, false, bytes);
  used_ = stream;
  deferred_ = true;
  return true;
}

void LibraryCall::CheckHost() {
  Tracker& tracker = fast_.tracker();
  const auto known = [&](const LibraryAccess& access) {
    return tracker.objects().addresses().span().Holds(access.address);
  };
  const absl::Span<const LibraryAccess> accesses(accesses_, std::exchange(count_, 0));
  if (std::none_of(accesses.begin(), accesses.end(), known)) return;
  CuCall call(fast_);
  ProcessDeferred();
  Command command;
  command.call = &call.info();
  command.site = call.site();
  command.blocking = true;  // the accesses are not kept
  for (const LibraryAccess& one : accesses) {
    Access access;
    Resource* resource = ResourceOf(tracker, one, &access.region, true);
    if (resource == nullptr) {
      CheckFreed(call, one);
      continue;
    }
    access.read = one.read;
    access.write = one.write;
    access.argument = static_cast<uint8_t>(one.operand);
    const bool kept = is_request_ && (!one.write || keeps_writes_);
    if (kept && command_.queue == nullptr) {
      if (Queue* queue = RequestQueue(call); queue != nullptr)
        tracker.ordering().Begin(call, command_, queue, {});
    }
    if (!kept || command_.queue == nullptr) {
      tracker.accesses().RecordAccess(call, command, resource, access);
    } else {
      if (one.write) access.role = AccessRole::kMessage;
      tracker.accesses().Record(call, command_, resource, access);
    }
  }
  call.Done(CUDA_SUCCESS);
}

// Calls that the library makes of another library are part of the outer call.
void LibraryCall::KeepCaptured() {
  if (captured_uses != nullptr) return;
  captured_ = std::make_shared<CapturedUses>();
  captured_->call = &call_->info();
  captured_->site = call_->site();
  captured_->accesses.assign(accesses_, accesses_ + count_);
  captured_uses = &captured_;
}

void LibraryCall::BeginOne() {
  if (from_host_) return CheckHost();
  if (count_ == 0 || Defer(KnownStream(fast_, stream_))) return;
  call_.emplace(fast_);
  ProcessDeferred();
  used_ = StreamOf(*call_, stream_);
  if (used_ == nullptr || used_->capture.load(std::memory_order_relaxed) != nullptr) {
    if (used_ != nullptr && group_.empty()) KeepCaptured();
    // The launches of the library explain an unusable stream.
    call_->Discard();
    call_.reset();
    count_ = 0;
    return;
  }
  LearnToDefer(*call_, used_);
  Record(*call_, *used_, {accesses_, count_}, &command_);
}

// Orders all later work of each stream of the group after what all of them have. Returns false if
// the streams are being captured, or are not known.
bool LibraryCall::JoinStreams() {
  CuCall call(fast_);
  ProcessDeferred();
  Ordering& ordering = call.tracker().ordering();
  std::vector<Queue*> queues;
  for (const void* handle : joined_) {
    Stream* stream = StreamOf(call, static_cast<CUstream>(const_cast<void*>(handle)));
    if (stream == nullptr || stream->capture.load(std::memory_order_relaxed) != nullptr) {
      call.Discard();
      return false;
    }
    queues.push_back(stream->queue);
  }
  Snapshot all;
  for (Queue* queue : queues) {
    if (queue->group != nullptr) queue->group->Join(*queue);
    ordering.JoinPoint(&all, ordering.Snap(*queue));
  }
  for (Queue* queue : queues) {
    ordering.OrderBehind(*queue, all);
    if (queue->group != nullptr) queue->group->Began(*queue);
  }
  call.Done(CUDA_SUCCESS);
  return true;
}

void LibraryCall::CheckGroup() {
  struct Use {
    LibraryCall* call;
    const LibraryAccess* access;
    uintptr_t end() const { return access->address + access->region.end(); }
  };
  std::vector<Use> uses;
  for (const auto& one : group_) {
    if (one->beside_group_ == nullptr) continue;
    for (uint32_t i = 0; i < one->count_; ++i) uses.push_back({one.get(), &one->accesses_[i]});
  }
  std::stable_sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.call->beside_group_, a.access->address) <
           std::tie(b.call->beside_group_, b.access->address);
  });
  // Of the earlier uses with the same communicator: the write and the use that reach farthest.
  const Use *write = nullptr, *any = nullptr;
  for (const Use& use : uses) {
    if (any != nullptr && any->call->beside_group_ != use.call->beside_group_)
      write = any = nullptr;
    const Use* const before = use.access->write ? any : write;
    if (before != nullptr && before->call != use.call && before->end() > use.access->address)
      return ReportPair(*before->call, *before->access, *use.call, *use.access);
    if (any == nullptr || use.end() > any->end()) any = &use;
    if (use.access->write && (write == nullptr || use.end() > write->end())) write = &use;
  }
}

void LibraryCall::ReportPair(LibraryCall& one, const LibraryAccess& first, LibraryCall& other,
                             const LibraryAccess& second) {
  CuCall call(fast_);
  ProcessDeferred();
  const auto access_of = [](LibraryCall& of, const LibraryAccess& from, Access* access) {
    access->call = &of.fast_.cu_info().call;
    access->site = of.fast_.site();
    access->read = from.read;
    access->write = from.write;
    return ResourceOf(of.fast_.tracker(), from, &access->region);
  };
  Access of_one, of_other;
  const Resource* const resource = access_of(one, first, &of_one);
  if (resource != nullptr && resource == access_of(other, second, &of_other))
    rules::OnGroupOverlap({resource, &of_one, &of_other}, call);
  call.Done(CUDA_SUCCESS);
}

void LibraryCall::Begin() {
  if (group_.size() > 1) CheckGroup();
  if (joined_.size() > 1 && !JoinStreams()) {
    group_.clear();
    joined_.clear();
  }
  BeginOne();
  LibraryRange ranges[kMostRanges];
  uint32_t count = 0;
  const auto add = [&](const LibraryCall& call) {
    for (uint32_t i = 0; i < call.count_ && count < kMostRanges; ++i) {
      const LibraryAccess& access = call.accesses_[i];
      ranges[count++] = {access.address, access.address + access.region.end()};
    }
  };
  add(*this);
  for (const auto& one : group_) {
    one->BeginOne();
    add(*one);
  }
  if (count == 0) return;
  outermost_ = true;
  BeginLibraryScope({ranges, count});
  HoldPythonFrames(fast_.site());
}

// Also after an exception of the library's error handler.
void LibraryCall::LeaveScope() {
  if (captured_uses == &captured_) captured_uses = nullptr;
  if (!std::exchange(outermost_, false)) return;
  EndLibraryScope();
  ReleasePythonFrames();
}

void LibraryCall::EndOne(bool succeeded) {
  if (count_ == 0) return;
  Tracker& tracker = fast_.tracker();
  if (!deferred_) {
    if (succeeded) {
      MarkWritten(tracker, {accesses_, count_});
    } else {
      call_->Discard();
      Rollback(tracker, *used_, command_);
    }
    call_->Done(CUDA_SUCCESS);
    return;
  }
  if (succeeded) return DeferredReturned(fast_.ticket);
  CuCall call(fast_);
  ProcessedCommand processed;
  if (TakeBackDeferred(call, fast_.ticket, &processed) || !processed.epoch.valid()) return;
  Command command;
  command.queue = used_->queue;
  command.epoch = processed.epoch;
  for (uint32_t i = 0; i < count_; ++i) {
    Region in_root;
    Resource* resource = ResourceOf(tracker, accesses_[i], &in_root);
    if (resource != nullptr) command.touched.push_back(resource->root);
  }
  Rollback(tracker, *used_, command);
}

void LibraryCall::End(bool succeeded) {
  if (captured_ != nullptr) {
    captured_->complete.store(succeeded, std::memory_order_release);
    LeaveScope();
  }
  if (!outermost_) return;
  LeaveScope();
  EndOne(succeeded);
  for (const auto& one : group_) one->EndOne(succeeded);
  if (succeeded && joined_.size() > 1) JoinStreams();
}

void LibraryCall::EndRequest(bool succeeded, const void* request) {
  for (const auto& one : group_) one->EndRequest(succeeded, &one->request_);
  if (command_.queue == nullptr && !prepared_) return;
  uintptr_t handle = 0;
  if (succeeded) {
    std::memcpy(&handle, request, sizeof(handle));
    return prepared_ ? KeepPersistent(handle, *prepared_) : KeepRequest(handle, command_);
  }
  if (prepared_) return;
  Tracker& tracker = fast_.tracker();
  tracker.accesses().Rollback(command_);
  tracker.ordering().CommitBlocking(command_);
}

bool LibraryCall::EnqueuesToStreamOf(void* handle, Sibling& get_stream) {
  auto* get = get_stream.Of<int(void*, void**)>(real_);
  void* stream = nullptr;
  if (handle == nullptr || get == nullptr || get(handle, &stream) != 0) return false;
  EnqueuesTo(stream);
  return true;
}

void* Sibling::Find(const void* real) {
  const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
  const auto caller = reinterpret_cast<uintptr_t>(real);
  BoundFunction& of_caller = of_callers_[caller / 16 % kCallers];
  void* known = nullptr;
  if (epoch_.load(std::memory_order_acquire) == epoch && of_caller.Read(caller, &known))
    return known;
  // A child of fork may find the lock taken.
  if (!lock_.try_lock()) return CurrentHooks().symbol_beside(name_, real);
  std::unique_lock lock(lock_, std::adopt_lock);
  if (epoch_.load(std::memory_order_relaxed) != epoch) {
    for (BoundFunction& one : of_callers_) one.Clear();
    std::fill(std::begin(of_libraries_), std::end(of_libraries_), Found());
    epoch_.store(epoch, std::memory_order_release);
  }
  const uintptr_t library = LibraryOf(real);
  for (const Found& one : of_libraries_) {
    if (one.key != library || library == 0) continue;
    of_caller.Set(caller, one.function);
    return one.function;
  }
  // The look-up takes the lock of the loader.
  lock.unlock();
  void* const found = CurrentHooks().symbol_beside(name_, real);
  lock.lock();
  const auto free = std::find_if(std::begin(of_libraries_), std::end(of_libraries_),
                                 [](const Found& one) { return one.key == 0; });
  if (free != std::end(of_libraries_) && epoch_ == epoch) *free = {library, found};
  return found;
}

}  // namespace gpusan::cuda
