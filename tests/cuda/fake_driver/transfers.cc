// How a copy or a set is validated and executed.
#include "transfers.h"

#include <algorithm>
#include <cstring>

#include "arrays.h"
#include "memory.h"
#include "state.h"

namespace fake {
namespace {

constexpr size_t kBounce = 1 << 20;  // bytes copied at once between two places of the program

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

size_t Pitch(const Side& side, const Copy& copy) {
  return side.pitch == 0 ? side.x + copy.width : side.pitch;
}

size_t RowOffset(const Side& side, const Copy& copy, size_t row, size_t slice) {
  if (side.array != nullptr) {
    const Array& array = *side.array;
    return ((side.z + slice) * array.rows() + side.y + row) * array.row_bytes() + side.x;
  }
  const size_t height = side.height == 0 ? side.y + copy.height : side.height;
  return ((side.z + slice) * height + side.y + row) * Pitch(side, copy) + side.x;
}

// From the first byte that the copy touches on this side to the last.
Range RangeOf(const Side& side, const Copy& copy) {
  const uintptr_t base = side.array != nullptr ? side.array->storage : side.address;
  return {base + RowOffset(side, copy, 0, 0),
          base + RowOffset(side, copy, copy.height - 1, copy.depth - 1) + copy.width};
}

bool Empty(const Copy& copy) { return copy.width == 0 || copy.height == 0 || copy.depth == 0; }

CUresult CheckArraySide(const Side& side, const Copy& copy) {
  if (side.array == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  const Array& array = *side.array;
  const bool inside = side.x + copy.width <= array.row_bytes() &&
                      side.y + copy.height <= array.rows() && side.z + copy.depth <= array.slices();
  return inside ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CheckSide(const Side& side, const Copy& copy) {
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    return CheckArraySide(side, copy);
  }
  if (side.address == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (side.pitch != 0 && side.pitch < side.x + copy.width) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const Range range = RangeOf(side, copy);
  Region* region = FindRegion(range.begin);
  if (side.type ==
      CU_MEMORYTYPE_HOST) {  // with unified addresses it may be any memory that is there
    if (region == nullptr && !InArena(range.begin)) {
      return CUDA_SUCCESS;
    }
    return region != nullptr && range.end <= region->end() ? CUDA_SUCCESS
                                                           : CUDA_ERROR_INVALID_VALUE;
  }
  if (region == nullptr && side.type == CU_MEMORYTYPE_UNIFIED) {
    return InArena(range.begin) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  }
  return Resolve(range.begin, range.end - range.begin) != nullptr ? CUDA_SUCCESS
                                                                  : CUDA_ERROR_INVALID_VALUE;
}

// One contiguous piece. A null alias is memory of the program at the address.
bool Move(char* to_alias, uintptr_t to, const char* from_alias, uintptr_t from, size_t bytes) {
  if (to_alias != nullptr && from_alias != nullptr) {
    std::memmove(to_alias, from_alias, bytes);
    return true;
  }
  if (to_alias != nullptr) {
    return ReadProgram(to_alias, from, bytes);
  }
  if (from_alias != nullptr) {
    return WriteProgram(to, from_alias, bytes);
  }
  std::vector<char> bounce(std::min(bytes, kBounce));
  for (size_t done = 0; done < bytes; done += bounce.size()) {
    const size_t part = std::min(bounce.size(), bytes - done);
    if (!ReadProgram(bounce.data(), from + done, part) ||
        !WriteProgram(to + done, bounce.data(), part)) {
      return false;
    }
  }
  return true;
}

// The alias of the side's first byte, or null for memory of the program; false when it is gone.
bool Locate(const Side& side, const Copy& copy, char** alias) {
  const Range range = RangeOf(side, copy);
  if (side.array != nullptr) {
    *alias = AliasOf(range.begin);
    return true;
  }
  return ResolveForTask(range.begin, range.end - range.begin, alias);
}

bool Contiguous(const Side& side, const Copy& copy) {
  const Range range = RangeOf(side, copy);
  return range.end - range.begin == copy.width * copy.height * copy.depth;
}

}  // namespace

Place PlaceOf(const Side& side) {
  if (side.array != nullptr) {
    return Place::kDevice;
  }
  Region* region = FindRegion(side.address);
  if (region == nullptr) {
    return Place::kPageable;
  }
  switch (region->kind) {
    case Kind::kManaged:
      return Place::kManaged;
    case Kind::kPinned:
    case Kind::kRegistered:
      return Place::kPinned;
    default:
      return Place::kDevice;
  }
}

CUresult Check(const Copy& copy) {
  if (Empty(copy)) {
    return CUDA_SUCCESS;
  }
  CUresult error = CheckSide(copy.source, copy);
  return error != CUDA_SUCCESS ? error : CheckSide(copy.target, copy);
}

CUresult Check(const Fill& fill) {
  const size_t row = fill.width * fill.element;
  if (row == 0 || fill.height == 0) {
    return CUDA_SUCCESS;
  }
  const size_t pitch = fill.height == 1 ? row : fill.pitch;
  if (pitch < row || fill.address % fill.element != 0 || pitch % fill.element != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return Resolve(fill.address, pitch * (fill.height - 1) + row) != nullptr
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

CUresult Run(const Copy& copy) {
  if (Empty(copy)) {
    return CUDA_SUCCESS;
  }
  char* from = nullptr;
  char* to = nullptr;
  if (!Locate(copy.source, copy, &from) || !Locate(copy.target, copy, &to)) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  const uintptr_t from_address = copy.source.address;
  const uintptr_t to_address = copy.target.address;
  const size_t from_first = RowOffset(copy.source, copy, 0, 0);
  const size_t to_first = RowOffset(copy.target, copy, 0, 0);
  const bool whole = Contiguous(copy.source, copy) && Contiguous(copy.target, copy);
  const size_t slices = whole ? 1 : copy.depth;
  const size_t rows = whole ? 1 : copy.height;
  const size_t bytes = whole ? copy.width * copy.height * copy.depth : copy.width;
  for (size_t slice = 0; slice < slices; ++slice) {
    for (size_t row = 0; row < rows; ++row) {
      const size_t from_offset = RowOffset(copy.source, copy, row, slice);
      const size_t to_offset = RowOffset(copy.target, copy, row, slice);
      if (!Move(to == nullptr ? nullptr : to + (to_offset - to_first), to_address + to_offset,
                from == nullptr ? nullptr : from + (from_offset - from_first),
                from_address + from_offset, bytes)) {
        return CUDA_ERROR_ILLEGAL_ADDRESS;
      }
    }
  }
  return CUDA_SUCCESS;
}

CUresult Run(const Fill& fill) {
  const size_t row = fill.width * fill.element;
  if (row == 0 || fill.height == 0) {
    return CUDA_SUCCESS;
  }
  const size_t pitch = fill.height == 1 ? row : fill.pitch;
  const size_t bytes = pitch * (fill.height - 1) + row;
  char* alias = nullptr;
  if (!ResolveForTask(fill.address, bytes, &alias)) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  std::vector<char> pattern(row);
  for (size_t i = 0; i < row; i += fill.element) {
    std::memcpy(pattern.data() + i, &fill.value, fill.element);
  }
  for (size_t i = 0; i < fill.height; ++i) {
    if (!Move(alias == nullptr ? nullptr : alias + i * pitch, fill.address + i * pitch,
              pattern.data(), 0, row)) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
  }
  return CUDA_SUCCESS;
}

std::vector<Access> Accesses(const Copy& copy) {
  if (Empty(copy)) {
    return {};
  }
  const Range from = RangeOf(copy.source, copy);
  const Range to = RangeOf(copy.target, copy);
  return {{from.begin, from.end, false}, {to.begin, to.end, true}};
}

std::vector<Access> Accesses(const Fill& fill) {
  const size_t row = fill.width * fill.element;
  if (row == 0 || fill.height == 0) {
    return {};
  }
  return {{fill.address, fill.address + (fill.height - 1) * fill.pitch + row, true}};
}

Side HostSide(const void* pointer) {
  Side side;
  side.address = reinterpret_cast<uintptr_t>(pointer);
  return side;
}

Side DeviceSide(CUdeviceptr pointer) {
  Side side;
  side.type = CU_MEMORYTYPE_DEVICE;
  side.address = pointer;
  return side;
}

Side UnifiedSide(CUdeviceptr pointer) {
  Side side;
  side.type = CU_MEMORYTYPE_UNIFIED;
  side.address = pointer;
  return side;
}

TaskPtr TaskOf(const Copy& copy, bool stage) {
  TaskPtr task = Marker();
  task->accesses = Accesses(copy);
  if (!stage || Empty(copy) || PlaceOf(copy.source) != Place::kPageable) {
    task->run = [copy] { return Run(copy); };
    return task;
  }
  // The source's bytes are taken now: the program may write them again once the call is back.
  const Range range = RangeOf(copy.source, copy);
  auto staged = std::make_shared<std::vector<char>>(range.end - range.begin);
  const bool read = ReadProgram(staged->data(), range.begin, staged->size());
  Copy later = copy;
  later.source.address =
      reinterpret_cast<uintptr_t>(staged->data()) - (range.begin - copy.source.address);
  task->accesses.erase(task->accesses.begin());
  task->run = [later, staged, read] { return read ? Run(later) : CUDA_ERROR_ILLEGAL_ADDRESS; };
  return task;
}

TaskPtr TaskOf(const Fill& fill) {
  TaskPtr task = Marker();
  task->accesses = Accesses(fill);
  task->run = [fill] { return Run(fill); };
  return task;
}

}  // namespace fake
