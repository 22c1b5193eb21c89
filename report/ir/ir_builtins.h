// Names of the built-in functions of OpenCL C, mangled as in LLVM IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusan {

// Returns the name in a mangled name, and stores what follows in `*rest`: "_Z10atomic_incPU3AS1Vi"
// is atomic_inc with the rest "PU3AS1Vi". Returns an empty name, and leaves `*rest` unchanged, if
// the name is not mangled.
std::string_view BuiltinName(std::string_view mangled, std::string_view* rest);

// Returns the size [B] of the element type at the end of a mangled name; 0: another type.
uint64_t MangledBytes(std::string_view rest);

// Returns the size [B] of the object to which an atomic function with this rest of a mangled name
// points; 0: not known.
uint64_t AtomicBytes(std::string_view rest);

// Whether an atomic function of this name reads a value and writes one that depends on it. An
// exchange does not, and a comparison may not.
bool IsUpdate(std::string_view name);

// A function that returns the smaller or the greater one of two integers.
struct Extreme {
  bool is_min = false;
  bool is_signed = false;
};
// `function`: with its '@'. Returns nullopt for other functions.
std::optional<Extreme> ExtremeOf(std::string_view function);
// Whether the function limits an integer to a range. *is_signed is unchanged if not.
bool IsClamp(std::string_view function, bool* is_signed);

}  // namespace gpusan
