// Expressions (mangled_reader.h).
#include "hooks/cuda/types/mangled_reader.h"

namespace gpusan::cuda {

bool MangledReader::Expressions(int count) {
  for (int i = 0; i < count; ++i) {
    if (!Expression()) return false;
  }
  return true;
}

bool MangledReader::ExpressionsUntilEnd() {
  while (!Take("E")) {
    if (at_ >= text_.size() || !Expression()) return false;
  }
  return true;
}

bool MangledReader::SimpleId() {
  if (!Identifier(nullptr)) return false;
  return SkipArguments();
}

bool MangledReader::UnresolvedType() {
  if (Peek() == 'T') {
    return Templated(Remember(TemplateParameter())) != kNone;
  }
  if (Peek() == 'D' && (Peek(1) == 't' || Peek(1) == 'T')) return Type() != kNone;
  int node;
  bool is_std;
  if (!Substitution(&node, &is_std)) return false;
  if (is_std) return Unqualified(nullptr) && Remember(NewOther()) != kNone;
  return Templated(node) != kNone;
}

bool MangledReader::UnresolvedName() {
  Take("gs");
  if (Take("srN")) {
    if (!UnresolvedType()) return false;
    if (!SkipArguments()) return false;
    while (!Take("E")) {
      if (!SimpleId()) return false;
    }
    return BaseUnresolvedName();
  }
  if (Take("sr")) {
    if (IsDigit(Peek())) {
      while (!Take("E")) {
        if (!SimpleId()) return false;
      }
      return BaseUnresolvedName();
    }
    // What compilers emit: a type, then a name.
    if (Peek() == 'T' || Peek() == 'S' || Peek() == 'D') {
      if (!UnresolvedType()) return false;
    } else if (Type() == kNone) {
      return false;
    }
    return BaseUnresolvedName();
  }
  return BaseUnresolvedName();
}

bool MangledReader::BaseUnresolvedName() {
  if (IsDigit(Peek())) return SimpleId();
  if (Take("on")) {
    if (!Operator()) return false;
    return SkipArguments();
  }
  return false;
}

bool MangledReader::Expression() {
  Deeper deeper(*this);
  if (!deeper.ok) return false;
  const char a = Peek(), b = Peek(1);
  if (a == 'L') return Literal();
  if (a == 'T') return TemplateParameter() != kNone;
  if (IsDigit(a) || (a == 's' && b == 'r') || (a == 'o' && b == 'n') ||
      (a == 'g' && b == 's' && Peek(2) == 's')) {
    return UnresolvedName();
  }
  if (a == 'f' && (b == 'p' || b == 'L')) {
    at_ += 2;
    if (b == 'L') {
      uint64_t level;
      if (!TakeNumber(&level) || !Take("p")) return false;
    }
    while (Peek() == 'r' || Peek() == 'V' || Peek() == 'K') ++at_;
    if (Take("T")) return true;
    uint64_t index;
    return TakeIndex(&index);
  }
  const std::string_view two = text_.substr(at_, 2);
  auto is = [two](std::string_view list) {
    for (size_t i = 0; i + 2 <= list.size(); i += 3) {
      if (list.substr(i, 2) == two) return true;
    }
    return false;
  };
  if (is("ng ps ad de co nt sz az nx sp te")) {
    at_ += 2;
    return Expression();
  }
  if (two == "pp" || two == "mm") {
    at_ += 2;
    Take("_");
    return Expression();
  }
  if (is("pl mi ml dv rm an or eo aS pL mI mL dV rM aN oR eO ls rs lS rS eq ne lt gt le ge ss "
         "aa oo cm pm ix ds")) {
    at_ += 2;
    return Expressions(2);
  }
  if (two == "qu") {
    at_ += 2;
    return Expressions(3);
  }
  if (is("st at ti")) {
    at_ += 2;
    return Type() != kNone;
  }
  if (two == "sZ") {
    at_ += 2;
    return Expression();
  }
  if (two == "cl") {
    at_ += 2;
    return ExpressionsUntilEnd();
  }
  if (is("dc sc rc cc")) {
    at_ += 2;
    return Type() != kNone && Expression();
  }
  if (two == "cv") {
    at_ += 2;
    if (Type() == kNone) return false;
    return Take("_") ? ExpressionsUntilEnd() : Expression();
  }
  if (two == "tl") {
    at_ += 2;
    return Type() != kNone && ExpressionsUntilEnd();
  }
  if (two == "il") {
    at_ += 2;
    return ExpressionsUntilEnd();
  }
  if (two == "dt" || two == "pt") {
    at_ += 2;
    return Expression() && UnresolvedName();
  }
  return false;
}

}  // namespace gpusan::cuda
