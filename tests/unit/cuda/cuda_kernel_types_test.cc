// Parameters of kernels, read off mangled names.
#include <catch2/catch.hpp>

#include "hooks/cuda/types/kernel_types.h"

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

}  // namespace
}  // namespace gpusan::cuda
