// The names that the program gives to objects through gpusan.h and NVTX. Vocabularies return them
// (Vocabulary::ObjectName).
#pragma once

#include <string>
#include <string_view>

#include "tracker/objects/object.h"

namespace gpusan {

// Names the object until a new object has its handle. Thread-safe.
void GiveName(const Object& object, std::string_view name);
// Returns the name; "" if the object has none. Thread-safe.
std::string GivenName(const Object& object);
// Forgets all names in the child of a fork: they are about objects of the parent.
void ForgetGivenNamesAfterFork();

}  // namespace gpusan
