// What the tests include of Catch2 2, for Catch2 3: Debian 13 has no other.
#pragma once

#include <catch2/catch_all.hpp>
#include <string>

namespace Catch::Matchers {

// A part of a string. For ranges version 3 has a function of this name, which takes anything else.
inline StringContainsMatcher Contains(const std::string& text) { return ContainsSubstring(text); }
inline StringContainsMatcher Contains(std::string& text) { return ContainsSubstring(text); }
inline StringContainsMatcher Contains(std::string&& text) { return ContainsSubstring(text); }
inline StringContainsMatcher Contains(const char* text) { return ContainsSubstring(text); }

}  // namespace Catch::Matchers

using Catch::Approx;
