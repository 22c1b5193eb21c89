// Queries whose param_value is smaller than the value, or than the memory at param_value.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "hooks/opencl/call/call.h"
#include "tracker/memory/host_memory.h"

namespace gpusan::opencl {

// Adds the reason of a failed query if `size` is smaller than the `needed` bytes of a single value.
// Returns false for other failures, and for texts and lists, whose size a program may guess.
bool ExplainShortValue(ClCall& call, size_t size, size_t needed);

// Returns the size of the value of a query with these arguments, whose last ones are
// param_value_size, param_value and param_value_size_ret, as the driver states it; 0: unknown.
template <auto member, typename... Arguments>
size_t QueriedBytes(ClCall& call, Arguments... arguments) {
  constexpr size_t kOthers = sizeof...(Arguments) - 3;
  const auto all = std::tie(arguments...);
  const auto real = call.Next(member, call.info().name);
  size_t needed = 0;
  const auto ask = [&]<size_t... i>(std::index_sequence<i...>) {
    return real(std::get<i>(all)..., 0, nullptr, &needed);
  };
  return real != nullptr && ask(std::make_index_sequence<kOthers>()) == CL_SUCCESS ? needed : 0;
}

// The same for a query with these arguments, whose last ones are param_value_size, param_value and
// param_value_size_ret. Queries the driver for the size. Returns false if the program passed
// param_value_size_ret: it can read the size there and repeat the query.
template <auto member, typename... Arguments>
bool ExplainQuery(ClCall& call, cl_int code, Arguments... arguments) {
  constexpr size_t kOthers = sizeof...(Arguments) - 3;
  const auto all = std::tie(arguments...);
  if (code != CL_INVALID_VALUE || std::get<kOthers + 1>(all) == nullptr ||
      std::get<kOthers + 2>(all) != nullptr)
    return false;
  const size_t needed = QueriedBytes<member>(call, arguments...);
  return needed != 0 && ExplainShortValue(call, std::get<kOthers>(all), needed);
}

// Returns whether `size` bytes from `value` on reach past the end of the known host block that
// contains `value`, and stores that block.
bool FindShortBlock(ClCall& call, const void* value, size_t size, HostBlock* block);

// Reports that the query writes `needed` bytes to `value`, past the end of the block.
void ReportShortBlock(ClCall& call, const void* value, size_t needed, const HostBlock& block);

// Reports the host block at param_value if the value of a query with these arguments does not fit
// in it. Call it before the real call.
template <auto member, typename... Arguments>
void CheckQueryBlock(ClCall& call, Arguments... arguments) {
  constexpr size_t kOthers = sizeof...(Arguments) - 3;
  constexpr size_t kLongestNumber = 8;
  const auto all = std::tie(arguments...);
  const size_t size = std::get<kOthers>(all);
  const void* value = std::get<kOthers + 1>(all);
  HostBlock block;
  if (size <= kLongestNumber || !FindShortBlock(call, value, size, &block)) return;
  const size_t needed = QueriedBytes<member>(call, arguments...);
  if (needed <= size && needed > block.end() - reinterpret_cast<uintptr_t>(value))
    ReportShortBlock(call, value, needed, block);
}

}  // namespace gpusan::opencl
