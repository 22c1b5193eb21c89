// Queries whose param_value is smaller than the value.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// States the reason of a failed query: `size` bytes are less than the `needed` ones of a single
// value. Returns false for other failures, and for texts and lists, whose size a program may guess.
bool ExplainShortValue(ClCall& call, size_t size, size_t needed);

// The same for a query with these arguments, whose last ones are param_value_size, param_value and
// param_value_size_ret. Asks the driver for the size. False if the program gets the size: it asks
// again.
template <auto member, typename... Arguments>
bool ExplainQuery(ClCall& call, cl_int code, Arguments... arguments) {
  constexpr size_t kOthers = sizeof...(Arguments) - 3;
  const auto all = std::tie(arguments...);
  if (code != CL_INVALID_VALUE || std::get<kOthers + 1>(all) == nullptr ||
      std::get<kOthers + 2>(all) != nullptr)
    return false;
  const auto real = call.Next(member, call.info().name);
  size_t needed = 0;
  const auto ask = [&]<size_t... i>(std::index_sequence<i...>) {
    return real(std::get<i>(all)..., 0, nullptr, &needed);
  };
  return real != nullptr && ask(std::make_index_sequence<kOthers>()) == CL_SUCCESS &&
         ExplainShortValue(call, std::get<kOthers>(all), needed);
}

}  // namespace gpusan::opencl
