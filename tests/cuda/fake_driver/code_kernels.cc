// The bodies of the built-in kernels that tests/programs/common/cuda_code.h has in machine code.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

#include "common/cuda_code.h"
#include "kernels.h"

namespace fake {
namespace {

CUresult CodeSet(const Launch& launch) {
  const auto value = Argument<int32_t>(launch, 1);
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 2), 0));
  const auto out = Argument<CUdeviceptr>(launch, 0);
  return count == 0 ? CUDA_SUCCESS
                    : Map<int32_t>(out, out, count, [value](int32_t) { return value; });
}

CUresult CodeCopy(const Launch& launch) {
  return Map<int32_t>(Argument<CUdeviceptr>(launch, 0), Argument<CUdeviceptr>(launch, 1),
                      Threads(launch), [](int32_t x) { return x; });
}

CUresult CodeChoose(const Launch& launch) {
  const auto out = Argument<CUdeviceptr>(launch, Argument<int>(launch, 2) != 0 ? 0 : 1);
  return Map<float>(out, out, Threads(launch), [](float) { return 1.f; });
}

CUresult CodeTable(const Launch& launch) {
  const auto table = Argument<CUdeviceptr>(launch, 0) + 8 * Argument<int>(launch, 1);
  const auto* row = reinterpret_cast<const CUdeviceptr*>(At(table, 8));
  if (row == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  return Map<float>(*row, *row, Threads(launch), [](float) { return 1.f; });
}

CUresult CodeCount(const Launch& launch) {
  constexpr size_t kCounters = 64;
  auto* counters = reinterpret_cast<uint32_t*>(At(Argument<CUdeviceptr>(launch, 0), kCounters * 4));
  const auto* keys =
      reinterpret_cast<const uint32_t*>(At(Argument<CUdeviceptr>(launch, 1), Threads(launch) * 4));
  if (counters == nullptr || keys == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < Threads(launch); ++i) {
    __atomic_fetch_add(&counters[keys[i] % kCounters], 1, __ATOMIC_ACQ_REL);
  }
  return CUDA_SUCCESS;
}

struct CodePairArgument {
  int count;
  CUdeviceptr in;
  float gain;
  CUdeviceptr out;
};

CUresult CodePair(const Launch& launch) {
  const auto pair = Argument<CodePairArgument>(launch, 0);
  return Map<float>(pair.in, pair.out, Threads(launch), [&](float x) { return x * pair.gain; });
}

CUresult CodeStride(const Launch& launch) {
  const auto count = static_cast<size_t>(std::max(Argument<int>(launch, 2), 0));
  return Map<float>(Argument<CUdeviceptr>(launch, 0), Argument<CUdeviceptr>(launch, 1), count,
                    [](float x) { return x + 1; });
}

CUresult CodeUnused(const Launch& launch) {
  return Map<float>(Argument<CUdeviceptr>(launch, 0), Argument<CUdeviceptr>(launch, 2),
                    Threads(launch), [](float x) { return x + 1; });
}

CUresult CodeProduce(const Launch& launch) {
  const auto data = Argument<CUdeviceptr>(launch, 0);
  auto* flag = reinterpret_cast<int32_t*>(At(Argument<CUdeviceptr>(launch, 1), 4));
  if (flag == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  const CUresult result = Map<float>(data, data, Threads(launch), [](float) { return 1.f; });
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  return result;
}

// It does not wait: in one order of the fake, the producer runs later.
CUresult CodeConsume(const Launch& launch) {
  return Map<float>(Argument<CUdeviceptr>(launch, 0), Argument<CUdeviceptr>(launch, 2),
                    Threads(launch), [](float x) { return x + 1; });
}

CUresult CodeRotate(const Launch& launch) {
  const size_t count = Threads(launch);
  auto* data = reinterpret_cast<int32_t*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  if (data == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  std::rotate(data, data + 1, data + count);
  return CUDA_SUCCESS;
}

CUresult CodeRows(const Launch& launch) {
  const int width = Argument<int>(launch, 1), height = Argument<int>(launch, 2);
  const int pitch = Argument<int>(launch, 3);
  for (int y = 0; y < height; ++y) {
    const CUdeviceptr row = Element(Argument<CUdeviceptr>(launch, 0), int64_t{y} * pitch);
    const CUresult result =
        Map<float>(row, row, static_cast<size_t>(width), [](float) { return 1.f; });
    if (result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}

CUresult CodeWarpRows(const Launch& launch) {
  const size_t rows = Threads(launch) / 32;
  for (size_t y = 0; y < rows; ++y) {
    const int64_t start = static_cast<int64_t>(y) * Argument<int>(launch, 1);
    const CUdeviceptr row = Element(Argument<CUdeviceptr>(launch, 0), start);
    const CUresult result = Map<float>(row, row, 32, [](float) { return 1.f; });
    if (result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}

struct CodeTilesArgument {
  CUdeviceptr out, in;
};

CUresult CodeTiles(const Launch& launch) {
  constexpr size_t kEach = 4;
  const auto tiles = Argument<CodeTilesArgument>(launch, 1);
  const size_t count =
      std::min<int64_t>(Threads(launch) * kEach, std::max(Argument<int>(launch, 0), 0));
  return count == 0 ? CUDA_SUCCESS
                    : Map<float>(tiles.in, tiles.out, count, [](float x) { return x + 1; });
}

CUresult CodeSetLong(const Launch& launch) {
  const auto value = Argument<int32_t>(launch, 1);
  const auto wanted = std::max<int64_t>(Argument<int64_t>(launch, 2), 0);
  const size_t count = std::min<int64_t>(Threads(launch), wanted);
  const auto out = Argument<CUdeviceptr>(launch, 0);
  return count == 0 ? CUDA_SUCCESS
                    : Map<int32_t>(out, out, count, [value](int32_t) { return value; });
}

CUresult CodeFromEnd(const Launch& launch) {
  const auto size = Argument<int64_t>(launch, 1), first = Argument<int64_t>(launch, 2);
  const int64_t end = first + std::min<int64_t>(Threads(launch), Argument<int64_t>(launch, 3));
  const auto out = Argument<CUdeviceptr>(launch, 0);
  const auto set = [out](int64_t from, int64_t to) {
    const CUdeviceptr begin = out + static_cast<CUdeviceptr>(from) * sizeof(int32_t);
    return from >= to ? CUDA_SUCCESS
                      : Map<int32_t>(begin, begin, static_cast<size_t>(to - from),
                                     [](int32_t) { return 1; });
  };
  const CUresult code = set(first + size, std::min<int64_t>(end, 0) + size);
  return code != CUDA_SUCCESS ? code : set(std::max<int64_t>(first, 0), end);
}

CUresult CodeImage(const Launch& launch) {
  const auto width = Argument<int32_t>(launch, 1), pitch = Argument<int32_t>(launch, 2);
  const int64_t count = std::min<int64_t>(Threads(launch), Argument<int32_t>(launch, 3));
  if (width <= 0 || pitch < width) return CUDA_ERROR_ILLEGAL_ADDRESS;
  for (int64_t first = 0; first < count; first += width) {
    const size_t row = static_cast<size_t>(std::min<int64_t>(width, count - first));
    const CUdeviceptr out = Argument<CUdeviceptr>(launch, 0) +
                            static_cast<CUdeviceptr>(first / width * pitch) * sizeof(float);
    const CUresult code = Map<float>(out, out, row, [](float) { return 1.0F; });
    if (code != CUDA_SUCCESS) return code;
  }
  return CUDA_SUCCESS;
}

CUresult CodeMasked(const Launch& launch) {
  const size_t count = Threads(launch);
  const auto* in = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  const char* mask = At(Argument<CUdeviceptr>(launch, 1), count);
  float* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 2), count * 4));
  if (in == nullptr || mask == nullptr || out == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    if (mask[i] != 0) {
      out[i] = in[i];
    }
  }
  return CUDA_SUCCESS;
}

CUresult CodeMaskedFrom(const Launch& launch) {
  const size_t count = Threads(launch);
  const char* mask = At(Argument<CUdeviceptr>(launch, 0), count);
  const CUdeviceptr out =
      Argument<CUdeviceptr>(launch, 1) + static_cast<uint64_t>(Argument<int64_t>(launch, 2)) * 4;
  if (mask == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    if (mask[i] == 0) {
      continue;
    }
    auto* element = reinterpret_cast<float*>(At(out + i * 4, 4));
    if (element == nullptr) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    *element = 1;
  }
  return CUDA_SUCCESS;
}

CUresult CodeDoubled(const Launch& launch) {
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 2), 0));
  if (count == 0) {
    return CUDA_SUCCESS;
  }
  const size_t read = (count + 1) / 2 * 4;
  const auto* in = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), read));
  float* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 1), count * 4));
  if (in == nullptr || out == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = in[i / 2];
  }
  return CUDA_SUCCESS;
}

CUresult CodeBackwards(const Launch& launch) {
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 1), 0));
  const CUdeviceptr begin = Argument<CUdeviceptr>(launch, 0) - count * 4;
  return count == 0 ? CUDA_SUCCESS : Map<float>(begin, begin, count, [](float) { return 1.f; });
}

Span SpanOfBackwards(const Launch& launch, CUdeviceptr pointer) {
  return {pointer - Threads(launch) * 4, pointer};
}

// The address of the first element that CodeEveryThird writes. Requires threads.
CUdeviceptr FirstThird(CUdeviceptr end, size_t count) { return end - (3 * (count - 1) + 1) * 4; }

Span SpanOfEveryThird(const Launch& launch, CUdeviceptr pointer) {
  return {FirstThird(pointer, Threads(launch)), pointer};
}

CUresult CodeEveryThird(const Launch& launch) {
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 1), 0));
  if (count == 0) {
    return CUDA_SUCCESS;
  }
  const size_t elements = 3 * (count - 1) + 1;
  auto* data = reinterpret_cast<float*>(
      At(FirstThird(Argument<CUdeviceptr>(launch, 0), count), elements * 4));
  if (data == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < elements; i += 3) {
    data[i] = 1;
  }
  return CUDA_SUCCESS;
}

CUresult CodeSum(const Launch& launch) {
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 2), 0));
  const auto* in = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  auto* sum = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 1), 4));
  if (count == 0) {
    return CUDA_SUCCESS;
  }
  if (in == nullptr || sum == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  static std::mutex atomic;  // kernels of two streams add to one sum
  std::lock_guard<std::mutex> hold(atomic);
  for (size_t i = 0; i < count; ++i) {
    *sum += in[i];
  }
  return CUDA_SUCCESS;
}

CUresult CodeHalves(const Launch& launch) {
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 1), 0));
  auto* data = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 0), 2 * count * 4));
  if (data == nullptr) {
    return count == 0 ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    data[i] += data[i + count];
  }
  return CUDA_SUCCESS;
}

CUresult CodeBlockRows(const Launch& launch) {
  const size_t count = size_t{launch.grid[0]} * std::max(Argument<int>(launch, 1), 0);
  const auto out = Argument<CUdeviceptr>(launch, 0);
  return count == 0 ? CUDA_SUCCESS : Map<float>(out, out, count, [](float) { return 1.f; });
}

CUresult CodePick(const Launch& launch) {
  const size_t count = Threads(launch);
  const auto* a = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  const auto* b = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 1), count * 4));
  const auto* which =
      reinterpret_cast<const int32_t*>(At(Argument<CUdeviceptr>(launch, 2), count * 4));
  auto* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 3), count * 4));
  if (a == nullptr || b == nullptr || which == nullptr || out == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = (which[i] != 0 ? a : b)[i];
  }
  return CUDA_SUCCESS;
}

struct CodeArray {
  CUdeviceptr data;
  int64_t bytes;
  int32_t elements, stride;  // the stride in bytes
};

CUresult CodeEach(const Launch& launch) {
  const auto in = Argument<CodeArray>(launch, 0), out = Argument<CodeArray>(launch, 1);
  for (int64_t i = 0; i < Argument<int64_t>(launch, 2); ++i) {
    const char* from = At(in.data + i * in.stride, 4);
    char* to = At(out.data + i * out.stride, 4);
    float value;
    if (from == nullptr || to == nullptr) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    std::memcpy(&value, from, 4);
    value *= 2;
    std::memcpy(to, &value, 4);
  }
  return CUDA_SUCCESS;
}

CUresult CodeEachPositive(const Launch& launch) {
  const auto count = static_cast<size_t>(std::max<int64_t>(Argument<int64_t>(launch, 2), 0));
  const auto* in = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  auto* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 1), count * 4));
  if (in == nullptr || out == nullptr) {
    return count == 0 ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  for (size_t i = 0; i < count; ++i) {
    if (in[i] > 0) {
      out[i] = in[i];
    }
  }
  return CUDA_SUCCESS;
}

CUresult CodeReduce(const Launch& launch) {
  const auto count = static_cast<size_t>(std::max<int64_t>(Argument<int64_t>(launch, 2), 0));
  const auto each = static_cast<size_t>(std::max(Argument<int>(launch, 3), 1));
  const auto* in = reinterpret_cast<const float*>(At(Argument<CUdeviceptr>(launch, 0), count * 4));
  auto* out = reinterpret_cast<float*>(At(Argument<CUdeviceptr>(launch, 1), each * 4));
  if (in == nullptr || out == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  std::fill_n(out, each, 0.f);
  for (size_t i = 0; i < count; ++i) {
    out[i % each] += in[i];
  }
  return CUDA_SUCCESS;
}

struct CodeLayoutArgument {
  int dimensions;
  struct {
    unsigned size, factor, shift;
  } divisors[2];
  int strides[2];
};

CUresult CodeLayout(const Launch& launch) {
  const auto layout = Argument<CodeLayoutArgument>(launch, 1);
  const auto out = Argument<CUdeviceptr>(launch, 2);
  const auto count =
      std::min<int64_t>(Argument<int>(launch, 0), static_cast<int64_t>(Threads(launch)));
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = i, offset = 0;
    for (int d = 0; d < layout.dimensions; ++d) {
      offset += left % layout.divisors[d].size * layout.strides[d];
      left /= layout.divisors[d].size;
    }
    auto* to = reinterpret_cast<float*>(At(out + offset, 4));
    if (to == nullptr) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    *to = 1;
  }
  return CUDA_SUCCESS;
}

struct CodeInputs {
  CUdeviceptr data[2];
  unsigned offsets[2], sizes[2];
};

CUresult CodeJoin(const Launch& launch) {
  const auto inputs = Argument<CodeInputs>(launch, 1);
  const auto width = Argument<unsigned>(launch, 2);
  for (unsigned i = 0; i < 2 && i < launch.grid[1]; ++i) {
    const CUresult result =
        Map<float>(inputs.data[i],
                   Element(Argument<CUdeviceptr>(launch, 0), int64_t{inputs.offsets[i]} * width),
                   inputs.sizes[i] / 4 * 4, [](float x) { return x; });
    if (result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}

CUresult CodePublish(const Launch& launch) {
  const auto data = Argument<CUdeviceptr>(launch, 0);
  if (Argument<CUdeviceptr>(launch, 1) != 0) {
    return CodeProduce(launch);
  }
  return Map<float>(data, data, Threads(launch), [](float) { return 1.f; });
}

CUresult CodeTotal(const Launch& launch) {
  struct Total {
    CUdeviceptr in, sum, partial, arrived;
    int n;
  };
  const auto total = Argument<Total>(launch, 0);
  const auto count = static_cast<size_t>(std::max(total.n, 0));
  const auto* in = reinterpret_cast<const float*>(At(total.in, count * 4));
  auto* sum = reinterpret_cast<float*>(At(total.sum, 4));
  auto* arrived = reinterpret_cast<unsigned*>(At(total.arrived, 4));
  if (in == nullptr || sum == nullptr || arrived == nullptr) {
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  *sum = std::accumulate(in, in + count, 0.f);
  ++*arrived;
  return CUDA_SUCCESS;
}

CUresult CodePitched(const Launch& launch) {
  const auto pitch = Argument<uint64_t>(launch, 1);
  const auto width = static_cast<size_t>(std::max(Argument<int>(launch, 2), 0));
  const int height = Argument<int>(launch, 3);
  for (int y = 0; y < height; ++y) {
    const CUdeviceptr row = Argument<CUdeviceptr>(launch, 0) + static_cast<uint64_t>(y) * pitch;
    const CUresult result = Map<float>(row, row, width, [](float) { return 1.f; });
    if (result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}

CUresult CodeDelayed(const Launch& launch) {
  const size_t count = std::min<int64_t>(Threads(launch), std::max(Argument<int>(launch, 1), 0));
  const auto out = Argument<CUdeviceptr>(launch, 0);
  return count == 0 ? CUDA_SUCCESS : Map<int32_t>(out, out, count, [](int32_t) { return 1; });
}

constexpr BuiltIn kCodeKernels[] = {
    {CODE_FILL, FillKernel, {{0, true}, kNone, kNone}},
    {CODE_COPY, CodeCopy, {{0, false}, {8, true}, kNone}},
    {CODE_PLAIN_COPY, CodeCopy, {{0, false}, {8, true}, kNone}},
    {CODE_SET, CodeSet, {{0, true}, kNone, kNone}},
    {CODE_ADD, Add, {{0, false}, {8, false}, {16, true}}, SpanOfAdd},
    {CODE_TWICE, Twice, {{0, true}, kNone, kNone}},
    {CODE_TWICE_FROM, TwiceFrom, {{0, true}, kNone, kNone}, SpanOfTwiceFrom},
    {CODE_CHOOSE, CodeChoose, {{0, true}, {8, true}, kNone}},
    {CODE_TABLE, CodeTable, {kNone, kNone, kNone}},
    {CODE_COUNT, CodeCount, {{0, true}, {8, false}, kNone}},
    {CODE_PAIR, CodePair, {{8, false}, {24, true}, kNone}},
    {CODE_STRIDE, CodeStride, {{0, false}, {8, true}, kNone}},
    {CODE_UNUSED, CodeUnused, {{0, false}, {16, true}, kNone}},
    {CODE_PRODUCE, CodeProduce, {{0, true}, {8, true}, kNone}},
    {CODE_CONSUME, CodeConsume, {{0, false}, {16, true}, kNone}},
    {CODE_ROTATE, CodeRotate, {{0, true}, kNone, kNone}},
    {CODE_TILES, CodeTiles, {{8, true}, {16, false}, kNone}},
    {CODE_SET_LONG, CodeSetLong, {{0, true}, kNone, kNone}},
    {CODE_FROM_END, CodeFromEnd, {{0, true}, kNone, kNone}},
    {CODE_ROWS, CodeRows, {{0, true}, kNone, kNone}},
    {CODE_WARP_ROWS, CodeWarpRows, {{0, true}, kNone, kNone}},
    {CODE_IMAGE, CodeImage, {{0, true}, kNone, kNone}},
    {CODE_MASKED, CodeMasked, {{0, false}, {16, true}, kNone}},
    {CODE_MASKED_FROM, CodeMaskedFrom, {{0, false}, kNone, kNone}},
    {CODE_DOUBLED, CodeDoubled, {{0, false}, {8, true}, kNone}},
    {CODE_BACKWARDS, CodeBackwards, {{0, true}, kNone, kNone}, SpanOfBackwards},
    {CODE_EVERY_THIRD, CodeEveryThird, {{0, true}, kNone, kNone}, SpanOfEveryThird},
    {CODE_SUM, CodeSum, {{0, false}, kNone, kNone}},
    {CODE_HALVES, CodeHalves, {{0, true}, kNone, kNone}},
    {CODE_BLOCK_ROWS, CodeBlockRows, {{0, true}, kNone, kNone}},
    {CODE_PICK, CodePick, {{0, false}, {8, false}, {24, true}}},
    {CODE_EACH, CodeEach, {kNone, kNone, kNone}},
    {CODE_EACH_POSITIVE, CodeEachPositive, {kNone, kNone, kNone}},
    {CODE_REDUCE, CodeReduce, {kNone, kNone, kNone}},
    {CODE_LAYOUT, CodeLayout, {kNone, kNone, kNone}},
    {CODE_JOIN, CodeJoin, {kNone, kNone, kNone}},
    {CODE_TOTAL, CodeTotal, {kNone, kNone, kNone}},
    {CODE_PUBLISH, CodePublish, {{0, true}, kNone, kNone}},
    {CODE_PITCHED, CodePitched, {{0, true}, kNone, kNone}},
    {CODE_DELAYED, CodeDelayed, {{0, true}, kNone, kNone}},
};

}  // namespace

std::span<const BuiltIn> CodeKernels() { return kCodeKernels; }

}  // namespace fake
