// A small API with the shapes of a GPU API: memory, streams, asynchronous commands. Handles count
// from 1 for each kind of object, so that a stream and a buffer have the same number.
#pragma once

#include <cstddef>
#include <cstdint>

enum ToyResult : int { kToySuccess = 0, kToyInvalidValue = 1 };
using ToyBuffer = uintptr_t;
using ToyStream = uintptr_t;

// What the program calls: the wrappers of wrappers.cc.
#define TOY_ENTRY(name, handler, parameters, arguments) ToyResult name parameters;
#include "tests/unit/fourth_api/entry_points.def"
#undef TOY_ENTRY

// The driver, which is called by the wrappers.
namespace toy_driver {
#define TOY_ENTRY(name, handler, parameters, arguments) ToyResult name parameters;
#include "tests/unit/fourth_api/entry_points.def"
#undef TOY_ENTRY
}  // namespace toy_driver
