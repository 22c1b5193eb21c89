// The arguments of the Python function behind a kernel of Numba.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusan::cuda {

// Numba passes each array as several parameters of the kernel: owner, parent, number and size of
// the elements, data, and a shape and a stride for each dimension. Its mangled names contain the
// types of the Python function (numba/cuda/itanium_mangler.py).
//
// Returns a name for each of the `parameters` of the kernel, such as "2nd argument in Python" for
// the data of an array, and "" for other parameters. Returns nothing if the symbol is not one of
// Numba, has other types than arrays and numbers, or means another number of parameters.
std::vector<std::string> NumbaArgumentNames(std::string_view symbol, size_t parameters);

}  // namespace gpusan::cuda
