// Virtual memory management: reserved addresses, physical allocations and what is mapped where.
#include <cuda.h>

#include <algorithm>
#include <map>

#include "memory.h"
#include "operations.h"
#include "state.h"

using namespace fake;

namespace {

constexpr size_t kGranularity = size_t{2} << 20;

// Its bytes lie in the arena, at addresses that the program is not told.
struct Physical {
  ~Physical() {
    TheDevice(device).used_bytes -= bytes;
    GiveArena(storage);
  }
  uintptr_t storage = 0;
  size_t bytes = 0;
  int device = 0;
  CUmemAllocationProp properties{};
};

struct Mapping {
  std::shared_ptr<Physical> physical;
  size_t bytes = 0;
};

struct Handle {
  std::shared_ptr<Physical> physical;
  int references = 1;
};

std::map<CUmemGenericAllocationHandle, Handle>& handles =
    *new std::map<CUmemGenericAllocationHandle, Handle>;
std::map<CUdeviceptr, size_t>& reservations = *new std::map<CUdeviceptr, size_t>;
std::map<CUdeviceptr, Mapping>& mappings = *new std::map<CUdeviceptr, Mapping>;

bool Granular(size_t bytes) { return bytes != 0 && bytes % kGranularity == 0; }

bool Reserved(CUdeviceptr address, size_t bytes) {
  auto after = reservations.upper_bound(address);
  if (after == reservations.begin()) {
    return false;
  }
  const auto& [base, length] = *std::prev(after);
  return address - base <= length && bytes <= length - (address - base);
}

// The mappings that fill the range exactly; empty when others lie across its ends or parts of it
// are not mapped.
std::vector<CUdeviceptr> MappedIn(CUdeviceptr address, size_t bytes) {
  std::vector<CUdeviceptr> found;
  CUdeviceptr at = address;
  while (at < address + bytes) {
    auto mapping = mappings.find(at);
    if (mapping == mappings.end()) {
      return {};
    }
    found.push_back(at);
    at += mapping->second.bytes;
  }
  return at == address + bytes ? found : std::vector<CUdeviceptr>{};
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemGetAllocationGranularity(size_t* granularity,
                                               const CUmemAllocationProp* properties,
                                               CUmemAllocationGranularity_flags) {
  return WithDriver([&] {
    if (granularity == nullptr || properties == nullptr) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *granularity = kGranularity;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment,
                                     CUdeviceptr, unsigned long long flags) {
  return WithDriver([&] {
    if (address == nullptr || !Granular(bytes) || flags != 0 ||
        (alignment & (alignment - 1)) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const uintptr_t base = TakeArena(bytes, std::max(alignment, kGranularity), false);
    if (base == 0) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    reservations[base] = bytes;
    *address = base;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return WithDriver([&] {
    auto reserved = reservations.find(address);
    if (reserved == reservations.end() || reserved->second != bytes) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto mapping = mappings.lower_bound(address);
    if (mapping != mappings.end() && mapping->first < address + bytes) {
      return CUDA_ERROR_INVALID_VALUE;  // something is mapped there still
    }
    reservations.erase(reserved);
    GiveArena(address);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                             const CUmemAllocationProp* properties, unsigned long long flags) {
  return WithDriver([&] {
    if (handle == nullptr || properties == nullptr || !Granular(bytes) || flags != 0 ||
        properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const bool on_device = properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
    const int ordinal = on_device ? properties->location.id : 0;
    if (ordinal < 0 || ordinal >= kDevices) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    Device& device = TheDevice(ordinal);
    if (bytes > device.total_bytes - device.used_bytes) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const uintptr_t storage = TakeArena(bytes, kGranularity, false);
    if (storage == 0) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    auto physical = std::make_shared<Physical>();
    physical->storage = storage;
    physical->bytes = bytes;
    physical->device = ordinal;
    physical->properties = *properties;
    device.used_bytes += bytes;
    *handle = NextId();
    handles[*handle] = {physical, 1};
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle) {
  return WithDriver([&] {
    auto found = handles.find(handle);
    if (found == handles.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (--found->second.references == 0) {
      handles.erase(found);  // mappings keep the memory
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                          CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return WithDriver([&] {
    auto found = handles.find(handle);
    if (found == handles.end() || flags != 0 || !Granular(bytes) || offset % kGranularity != 0 ||
        address % kGranularity != 0 || !Reserved(address, bytes)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const std::shared_ptr<Physical>& physical = found->second.physical;
    auto after = Regions().lower_bound(address);
    const bool taken = FindRegion(address) != nullptr ||
                       (after != Regions().end() && after->first < address + bytes);
    if (taken) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (offset != 0 || bytes != physical->bytes) {
      return CUDA_ERROR_NOT_SUPPORTED;  // only the whole of an allocation can be mapped
    }
    if (!MapAlias(address, bytes, ArenaFile(), ArenaOffset(physical->storage))) {
      return CUDA_ERROR_MAP_FAILED;
    }
    mappings[address] = {physical, bytes};
    Region& region = Regions()[address];
    region = Region{};
    region.base = address;
    region.bytes = bytes;
    region.kind = Kind::kMapped;
    region.alias = AliasOf(address);
    region.device = physical->device;
    region.id = NextId();
    region.accessible = false;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* access,
                                size_t count) {
  return WithDriver([&] {
    const std::vector<CUdeviceptr> mapped = MappedIn(address, bytes);
    if (access == nullptr || count == 0 || mapped.empty()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    for (CUdeviceptr base : mapped) {
      Regions()[base].accessible = access[0].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemGetAccess(unsigned long long* flags, const CUmemLocation*,
                                CUdeviceptr address) {
  return WithDriver([&] {
    Region* region = FindRegion(address);
    if (flags == nullptr || region == nullptr || region->kind != Kind::kMapped) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *flags =
        region->accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return WithDriver([&] {
    if (!Reserved(address, bytes)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    std::vector<CUdeviceptr> mapped;  // what is not mapped does not matter
    for (const auto& [base, mapping] : mappings) {
      const bool inside = base >= address && base + mapping.bytes <= address + bytes;
      if (!inside && base < address + bytes && address < base + mapping.bytes) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      if (inside) {
        mapped.push_back(base);
      }
    }
    WaitForContext(nullptr);
    for (CUdeviceptr base : mapped) {
      MapAlias(base, mappings[base].bytes, ArenaFile(), ArenaOffset(base));
      mappings.erase(base);
      ReleaseRegion(base);
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return WithDriver([&] {
    Region* region = FindRegion(reinterpret_cast<uintptr_t>(address));
    auto mapping = region == nullptr ? mappings.end() : mappings.find(region->base);
    if (handle == nullptr || mapping == mappings.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    for (auto& [known, entry] : handles) {
      if (entry.physical == mapping->second.physical) {
        entry.references += 1;
        *handle = known;
        return CUDA_SUCCESS;
      }
    }
    *handle = NextId();
    handles[*handle] = {mapping->second.physical, 1};
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                        CUmemGenericAllocationHandle handle) {
  return WithDriver([&] {
    auto found = handles.find(handle);
    if (properties == nullptr || found == handles.end()) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *properties = found->second.physical->properties;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
