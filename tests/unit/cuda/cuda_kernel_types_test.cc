// Parameters of kernels, read off mangled names.
#include <catch2/catch.hpp>

#include "hooks/cuda/types/kernel_types.h"
#include "hooks/cuda/types/numba_arguments.h"

namespace gpusan::cuda {
namespace {

// A letter a parameter: P pointer, C pointer to const, H pointer to what may hold addresses (h to
// const), i and u integers, f floats, o others, ? unknown; behind it the bytes of the scalar or
// element.
std::string Text(const KernelType& type) {
  std::string text;
  for (const ParameterType& parameter : type.parameters) {
    if (!text.empty()) text += ' ';
    switch (parameter.kind) {
      case ParameterKind::kPointer:
        text += parameter.may_hold_addresses ? (parameter.constant ? 'h' : 'H')
                                             : (parameter.constant ? 'C' : 'P');
        text += std::to_string(parameter.element_bytes);
        continue;
      case ParameterKind::kInteger:
        text += parameter.is_signed ? 'i' : 'u';
        break;
      case ParameterKind::kFloat:
        text += 'f';
        break;
      case ParameterKind::kOther:
        text += 'o';
        continue;
      case ParameterKind::kUnknown:
        text += '?';
        continue;
    }
    text += std::to_string(parameter.bytes);
  }
  return text;
}

struct Known {
  const char* symbol;
  const char* name;
  const char* parameters;
};

TEST_CASE("parameters of kernels are read off their names") {
  const Known known = GENERATE(values<Known>({
      {"_Z7nothingv", "nothing", ""},
      {"_Z3addPKfS0_Pfi", "add", "C4 C4 P4 i4"},
      {"_Z5scalePff", "scale", "P4 f4"},
      {"_Z9copy_pair4Pair", "copy_pair", "o"},
      {"_Z4pokePil", "poke", "P4 i8"},
      {"_Z12read_textureyPfi", "read_texture", "u8 P4 i4"},
      {"_Z1kPPfPKPKfPv", "k", "H8 h8 H0"},
      {"_Z1kPVKiPDhPDF16b", "k", "C4 P2 P2"},
      {"_Z1kPyPKmPc", "k", "H8 h8 P1"},
      {"_Z1kPFvPfEM1AiMS1_FvvE", "k", "o o o"},
      {"_Z1kPK6__halfP6float4S2_5uint3P5Point", "k", "h2 H16 o o H0"},
      // A template names what it returns first; T_ is its argument.
      {"_Z4fillIfEvPT_S0_i", "fill<>", "P4 f4 i4"},
      {"_Z4fillIKdEvPT_S1_", "fill<>", "C8 f8"},
      {"_Z2tkIfZ4mainEUlfE_EvPT_T0_", "tk<>", "P4 o"},
      {"_Z4manyIJPfPKiiEEvDpT_", "many<>", "P4 C4 i4"},
      {"_Z4manyIJfiEEvDpPKT_", "many<>", "C4 C4"},
      {"_Z4manyIJEEvDpT_", "many<>", ""},
      {"_Z3getILi4EEvPfNSt9enable_ifIXgtT_Li2EEiE4typeE", "get<>", "P4 o"},
      {"_ZN2at6native4fillIfLi4EEEvPT_RKSt6vectorIiSaIiEES3_", "at::native::fill<>", "P4 o P4"},
      {"_ZN12_GLOBAL__N_11kEPf", "(anonymous)::k", "P4"},
      {"_ZL1kPf", "k", "P4"},
      {"_ZN3foo1AIfE1kEPS1_PNS0_IiE1BE", "foo::A<>::k", "H0 H0"},
      {"_Z3addPKfS0_Pfi.kernel", "add", "C4 C4 P4 i4"},
  }));
  CAPTURE(known.symbol);
  const KernelType type = ReadKernelType(known.symbol);
  REQUIRE(type.known);
  CHECK(type.name == known.name);
  CHECK(Text(type) == known.parameters);
}

TEST_CASE("names that are not mangled give no parameters") {
  for (const char* symbol :
       {"", "add", "_Z", "_Z3add", "_Z9addPf", "_Z3addS_", "_Z3addS9999999_", "_Z3addPKfS0_Pf!",
        "_ZN3addPf", "_Z1kIfEvPT_X", "_Z99999999999999999k"}) {
    CAPTURE(symbol);
    const KernelType type = ReadKernelType(symbol);
    CHECK_FALSE(type.known);
    CHECK(type.parameters.empty());
    CHECK(type.name == symbol);
  }
}

TEST_CASE("a name that is cut or changed anywhere is not read past its end") {
  const std::string symbol =
      "_ZN2at6native4fillIfLi4EJPKiS2_EZ4mainEUlfE_EEvPT_RKSt6vectorIiSaIiEES2_DpT1_DTplfp_fp0_E";
  unsigned random = 1;
  for (size_t length = 0; length <= symbol.size(); ++length) {
    ReadKernelType(std::string_view(symbol).substr(0, length));
    for (int round = 0; round < 200; ++round) {
      std::string changed = symbol.substr(0, length);
      for (int change = 0; change < 3 && !changed.empty(); ++change) {
        random = random * 1103515245 + 12345;
        changed[random / 65536 % changed.size()] =
            "_ZNSTIEJLXDPKFAMUCv0129abcdefghijklmnopqrstuvwxyz"[random / 7 % 49];
      }
      ReadKernelType(changed);
    }
  }
  // Nesting without end.
  ReadKernelType("_Z1k" + std::string(100000, 'P') + "f");
  ReadKernelType("_Z1kI" + std::string(100000, 'J'));
  ReadKernelType("_Z1kIX" + std::string(100000, 'n') + std::string(100000, 't'));
  SUCCEED();
}

TEST_CASE("arrays of Numba have the place of their argument in Python") {
  const std::string array = "5ArrayIfLi1E1C7mutable7alignedE";
  const std::string image = "5ArrayI7complexLi2E1A8readonly7alignedE";
  const std::string function = "_ZN8__main__6doubleB2v1B9dUaKthqaNE";
  const auto names = [](const std::string& symbol, size_t parameters) {
    std::string text;
    for (const std::string& name : NumbaArgumentNames(symbol, parameters))
      text += name.empty() ? "-" : "(" + name + ")";
    return text;
  };
  CHECK(names(function + array + array, 14) ==
        "----(1st argument in Python)------(2nd argument in Python)--");
  CHECK(names(function + "x" + image + "Dhf" + array, 19) ==
        "-----(2nd argument in Python)----------(5th argument in Python)--");
  CHECK(names("_Z6double" + array, 7) == "----(1st argument in Python)--");
  std::string many = function;
  for (int i = 0; i < 22; ++i) many += "d";
  CHECK(NumbaArgumentNames(many + array, 29)[26] == "23rd argument in Python");
  // Another number of parameters, a type that is not known, no array, and names of C++ or damaged.
  CHECK(names(function + array, 6).empty());
  CHECK(names(function + array, 8).empty());
  CHECK(names(function + "8UniTupleIxLi2EE" + array, 9).empty());
  CHECK(names(function + "f", 1).empty());
  CHECK(names("_Z3addPfS_", 2).empty());
  CHECK(names("add", 7).empty());
  CHECK(names("", 0).empty());
  for (size_t cut = 0; cut < function.size() + array.size(); ++cut)
    CHECK(names((function + array).substr(0, cut), 7).empty());
  CHECK(names("_Z99999999999999999999999f", 7).empty());
  CHECK(names(function + "5ArrayIfLi33E1C7mutable7alignedE", 71).empty());
}

}  // namespace
}  // namespace gpusan::cuda
