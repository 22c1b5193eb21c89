// The built-in kernels that tests/programs/common/cuda_kernels.h has in PTX, executed by the host,
// and the look-up of all of them by name.
#include "kernels.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "common/cuda_kernels.h"
#include "memory.h"
#include "textures.h"

namespace fake {
namespace {

constexpr uintptr_t kPageBytes = uintptr_t{2} << 20;  // what the device maps at once

size_t AddCount(const Launch& launch) {
  return std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 3), 0));
}

}  // namespace

char* At(CUdeviceptr address, size_t bytes) {
  std::lock_guard<std::mutex> hold(lock);
  Region* region = FindRegion(address);
  if (region == nullptr || !region->accessible) {
    return nullptr;
  }
  const bool mapped = region->kind == Kind::kDevice;
  uintptr_t end =
      mapped ? (region->end() + kPageBytes - 1) / kPageBytes * kPageBytes : region->end();
  while (region->kind == Kind::kMapped && bytes > end - address) {
    const Region* next = FindRegion(end);
    if (next == nullptr || next->kind != Kind::kMapped || !next->accessible) {
      return nullptr;
    }
    end = next->end();
  }
  if (bytes > end - address) {
    return nullptr;
  }
  char* base = region->alias == nullptr ? reinterpret_cast<char*>(region->base) : region->alias;
  return base + (address - region->base);
}

CUresult Twice(const Launch& launch) {
  const auto data = Argument<CUdeviceptr>(launch, 0);
  return Map<float>(data, data, Threads(launch), [](float x) { return x * 2; });
}

CUresult TwiceFrom(const Launch& launch) {
  const CUdeviceptr data = Element(Argument<CUdeviceptr>(launch, 0), Argument<int>(launch, 1));
  return Map<float>(data, data, Threads(launch), [](float x) { return x * 2; });
}

CUresult FillKernel(const Launch& launch) {
  const auto out = Argument<CUdeviceptr>(launch, 0);
  const auto value = Argument<int32_t>(launch, 1);
  return Map<int32_t>(out, out, Threads(launch), [value](int32_t) { return value; });
}

CUresult Add(const Launch& launch) {
  const size_t count = AddCount(launch);
  const float* a = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  const float* b = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 1), count * 4));
  float* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 2), count * 4));
  if (count == 0) {
    return CUDA_SUCCESS;
  }
  if (a == nullptr || b == nullptr || out == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = a[i] + b[i];
  }
  return CUDA_SUCCESS;
}

Span SpanOfAdd(const Launch& launch, CUdeviceptr pointer) {
  return {pointer, pointer + AddCount(launch) * 4};
}

Span SpanOfTwiceFrom(const Launch& launch, CUdeviceptr pointer) {
  const CUdeviceptr begin = Element(pointer, Argument<int>(launch, 1));
  return {begin, begin + Threads(launch) * 4};
}

namespace {

CUresult Nothing(const Launch&) { return CUDA_SUCCESS; }

CUresult CopyKernel(const Launch& launch) {
  return Map<float>(Argument<CUdeviceptr>(launch, 0), Argument<CUdeviceptr>(launch, 1),
                    Threads(launch), [](float x) { return x; });
}

struct Pair {
  CUdeviceptr in;
  CUdeviceptr out;
};

CUresult CopyPair(const Launch& launch) {
  const auto pair = Argument<Pair>(launch, 0);
  return Map<float>(pair.in, pair.out, Threads(launch), [](float x) { return x; });
}

CUresult Scale(const Launch& launch) {
  const auto data = Argument<CUdeviceptr>(launch, 0);
  const auto factor = Argument<float>(launch, 1);
  return Map<float>(data, data, Threads(launch), [factor](float x) { return x * factor; });
}

CUresult Count(const Launch& launch) {
  auto* counter = reinterpret_cast<uint32_t*>(At(Argument<CUdeviceptr>(launch, 0), 4));
  if (counter == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  __atomic_fetch_add(counter, static_cast<uint32_t>(launch.threads()), __ATOMIC_ACQ_REL);
  return CUDA_SUCCESS;
}

CUresult Poke(const Launch& launch) {
  const CUdeviceptr target =
      Element(Argument<CUdeviceptr>(launch, 0), Argument<int64_t>(launch, 1));
  auto* to = reinterpret_cast<int32_t*>(At(target, 4));
  if (to == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  __atomic_store_n(to, 1, __ATOMIC_RELEASE);
  return CUDA_SUCCESS;
}

CUresult LookUp(const Launch& launch) {
  constexpr size_t kEntries = 256;
  const CUdeviceptr table_address = launch.function->globals.at("table");
  const auto* table = reinterpret_cast<const float*>(At(table_address, kEntries * 4));
  float* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 0), Threads(launch) * 4));
  if (table == nullptr || out == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < Threads(launch); ++i) {
    out[i] = table[i % kEntries];
  }
  return CUDA_SUCCESS;
}

CUresult ReadTexture(const Launch& launch) {
  const auto texture = Argument<CUtexObject>(launch, 0);
  const int width = Argument<int>(launch, 2);
  const size_t count = Threads(launch);
  float* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 1), count * 4));
  if (out == nullptr || width <= 0) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!Fetch(texture, i % width, i / width, &out[i])) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
  }
  return CUDA_SUCCESS;
}

CUresult WriteSurface(const Launch& launch) {
  const auto surface = Argument<CUsurfObject>(launch, 0);
  const auto value = Argument<float>(launch, 1);
  const int width = Argument<int>(launch, 2);
  for (size_t i = 0; i < Threads(launch); ++i) {
    if (width <= 0 || !Store(surface, i % width, i / width, value)) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
  }
  return CUDA_SUCCESS;
}

Span SpanOfCount(const Launch&, CUdeviceptr pointer) { return {pointer, pointer + 4}; }

Span SpanOfPoke(const Launch& launch, CUdeviceptr pointer) {
  const CUdeviceptr target = Element(pointer, Argument<int64_t>(launch, 1));
  return {target, target + 4};
}

constexpr BuiltIn kBuiltIns[] = {
    {KERNEL_COPY, CopyKernel, {{0, false}, {8, true}, kNone}},
    {KERNEL_SCALE, Scale, {{0, true}, kNone, kNone}},
    {KERNEL_TWICE, Twice, {{0, true}, kNone, kNone}},
    {KERNEL_ADD, Add, {{0, false}, {8, false}, {16, true}}, SpanOfAdd},
    {KERNEL_TWICE_FROM, TwiceFrom, {{0, true}, kNone, kNone}, SpanOfTwiceFrom},
    {KERNEL_FILL, FillKernel, {{0, true}, kNone, kNone}},
    {KERNEL_COUNT, Count, {{0, true}, kNone, kNone}, SpanOfCount},
    {KERNEL_COPY_PAIR, CopyPair, {{0, false}, {8, true}, kNone}},
    {KERNEL_POKE, Poke, {{0, true}, kNone, kNone}, SpanOfPoke},
    {KERNEL_LOOK_UP, LookUp, {{0, true}, kNone, kNone}},
    {KERNEL_NOTHING, Nothing, {kNone, kNone, kNone}},
    {"_Z12read_textureyPfi", ReadTexture, {{8, true}, kNone, kNone}},
    {"_Z13write_surfaceyfi", WriteSurface, {kNone, kNone, kNone}},
};

const BuiltIn* FindAmong(std::span<const BuiltIn> kernels, const std::string& name) {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const BuiltIn& kernel) { return name == kernel.name; });
  return found == kernels.end() ? nullptr : &*found;
}

const BuiltIn* Find(const std::string& name) {
  const BuiltIn* kernel = FindAmong(kBuiltIns, name);
  return kernel != nullptr ? kernel : FindAmong(CodeKernels(), name);
}

}  // namespace

KernelBody FindKernelBody(const std::string& name) {
  const BuiltIn* kernel = Find(name);
  return kernel == nullptr ? nullptr : kernel->body;
}

std::vector<Access> Accesses(const Launch& launch) {
  std::vector<Access> accesses;
  const BuiltIn* kernel = Find(launch.function->text.name);
  if (kernel == nullptr) {
    return accesses;
  }
  for (const Pointer& pointer : kernel->pointers) {
    if (pointer.offset < 0) {
      continue;
    }
    CUdeviceptr address = 0;
    std::memcpy(&address, launch.arguments.data() + pointer.offset, sizeof address);
    const Span span = kernel->span != nullptr ? kernel->span(launch, address)
                                              : Span{address, address + Threads(launch) * 4};
    accesses.push_back({span.begin, span.end, pointer.write});
  }
  return accesses;
}

}  // namespace fake
