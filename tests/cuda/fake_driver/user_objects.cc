// User objects: counted references, of programs and of graphs, and destructors that run later.
#include <cuda.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

#include "graphs.h"

namespace fake {

struct UserObject {
  void* pointer = nullptr;
  CUhostFn destroy = nullptr;
  unsigned long references = 0;
};

namespace {

// Its own: references go with graphs, whoever lets go of those last.
std::mutex& counting = *new std::mutex;
std::set<const UserObject*>& referenced = *new std::set<const UserObject*>;

void Retain(UserObject& object, unsigned count) {
  std::lock_guard<std::mutex> hold(counting);
  if (referenced.count(&object) != 0) {
    object.references += count;
  }
}

void Release(UserObject& object, unsigned count) {
  {
    std::lock_guard<std::mutex> hold(counting);
    // A program that released references of others has destroyed the object already.
    if (referenced.count(&object) == 0) {
      return;
    }
    object.references -= std::min<unsigned long>(object.references, count);
    if (object.references != 0) {
      return;
    }
    referenced.erase(&object);
  }
  // On a thread of the driver's, and no call waits for it.
  std::thread([&object] {
    InHostFunction inside;
    object.destroy(object.pointer);
    delete &object;
  }).detach();
}

// nullptr when nothing references the object.
UserObject* Of(CUuserObject handle) {
  auto* object = reinterpret_cast<UserObject*>(handle);
  std::lock_guard<std::mutex> hold(counting);
  return referenced.count(object) != 0 ? object : nullptr;
}

bool IsCount(unsigned count) { return count != 0 && count <= 0x7fffffff; }

}  // namespace

UserReferences::UserReferences(const UserReferences& other) : counts_(other.counts_) {
  for (const auto& [object, count] : counts_) {
    Retain(*object, count);
  }
}

UserReferences& UserReferences::operator=(UserReferences other) {
  counts_.swap(other.counts_);
  return *this;
}

UserReferences::~UserReferences() {
  for (const auto& [object, count] : counts_) {
    fake::Release(*object, count);
  }
}

void UserReferences::Take(UserObject& object, unsigned count) { counts_[&object] += count; }

bool UserReferences::Release(UserObject& object, unsigned count) {
  auto found = counts_.find(&object);
  if (found == counts_.end() || found->second < count) {
    return false;
  }
  found->second -= count;
  if (found->second == 0) {
    counts_.erase(found);
  }
  fake::Release(object, count);
  return true;
}

}  // namespace fake

using namespace fake;

extern "C" {

CUresult CUDAAPI cuUserObjectCreate(CUuserObject* out, void* pointer, CUhostFn destroy,
                                    unsigned int references, unsigned int flags) {
  return WithDriver([&] {
    if (out == nullptr || destroy == nullptr || !IsCount(references) ||
        flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto* object = new UserObject{pointer, destroy, references};
    std::lock_guard<std::mutex> hold(counting);
    referenced.insert(object);
    *out = reinterpret_cast<CUuserObject>(object);
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count) {
  return WithDriver([&] {
    if (Of(object) == nullptr || !IsCount(count)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    Retain(*Of(object), count);
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuUserObjectRelease(CUuserObject object, unsigned int count) {
  return WithDriver([&] {
    if (Of(object) == nullptr || !IsCount(count)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    fake::Release(*Of(object), count);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuGraphRetainUserObject(CUgraph handle, CUuserObject object, unsigned int count,
                                         unsigned int flags) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || Of(object) == nullptr || !IsCount(count) ||
        (flags & ~CU_GRAPH_USER_OBJECT_MOVE) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if ((flags & CU_GRAPH_USER_OBJECT_MOVE) == 0) {
      Retain(*Of(object), count);
    }
    graph->references.Take(*Of(object), count);
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph handle, CUuserObject object, unsigned int count) {
  return WithDriver([&] {
    std::shared_ptr<Graph> graph = graphs.Find(handle);
    if (graph == nullptr || Of(object) == nullptr || !IsCount(count) ||
        !graph->references.Release(*Of(object), count)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
