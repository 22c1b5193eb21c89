// Names and template arguments (mangled_reader.h).
#include "hooks/cuda/types/mangled_reader.h"

#include <utility>

namespace gpusan::cuda {

bool MangledReader::ReadAll(KernelType* out) {
  if (!Take("_Z")) return false;
  bool templated = false;
  if (!Name(&templated, &out->name)) return false;
  std::vector<int> parameters;
  if (!FunctionType(templated, &parameters)) return false;
  // A suffix of the compiler may follow, for example ".kernel".
  if (at_ < text_.size() && text_[at_] != '.') return false;
  for (int type : parameters) {
    if (!Describe(type, &out->parameters)) return false;
  }
  return out->parameters.size() <= 4096;
}

// --- names

bool MangledReader::Identifier(std::string* path) {
  uint64_t length;
  if (!TakeNumber(&length) || length == 0 || length > text_.size() - at_) return false;
  if (path != nullptr) {
    const std::string_view word = text_.substr(at_, length);
    if (!path->empty()) path->append("::");
    path->append(word.substr(0, 10) == "_GLOBAL__N" ? std::string_view("(anonymous)") : word);
  }
  at_ += length;
  return true;
}

bool MangledReader::Discriminator() {
  if (Peek() != '_') return true;
  if (Take("__")) {
    uint64_t number;
    return TakeNumber(&number) && Take("_");
  }
  if (!IsDigit(Peek(1))) return true;
  at_ += 2;
  return true;
}

bool MangledReader::Unqualified(std::string* path) {
  while (Take("L")) {
  }
  if (IsDigit(Peek())) {
    if (!Identifier(path)) return false;
  } else if (Peek() == 'U' && Peek(1) == 't') {
    at_ += 2;
    uint64_t index;
    if (!TakeIndex(&index)) return false;
  } else if (Peek() == 'U' && Peek(1) == 'l') {
    at_ += 2;
    std::vector<int> parameters;
    const std::vector<int> outer = arguments_;
    const bool ok = Types(&parameters, 'E');
    arguments_ = outer;
    uint64_t index;
    if (!ok || !Take("E") || !TakeIndex(&index)) return false;
    if (path != nullptr) path->append(path->empty() ? "lambda" : "::lambda");
  } else if (Peek() == 'C' && (IsDigit(Peek(1)) || (Peek(1) == 'I' && IsDigit(Peek(2))))) {
    at_ += Peek(1) == 'I' ? 3 : 2;
    if (text_[at_ - 2] == 'I' && Type() == kNone) return false;
  } else if (Peek() == 'D' && IsDigit(Peek(1))) {
    at_ += 2;
  } else if (Peek() == 'D' && Peek(1) == 'C') {
    at_ += 2;
    while (IsDigit(Peek())) {
      if (!Identifier(nullptr)) return false;
    }
    if (!Take("E")) return false;
  } else if (IsLower(Peek())) {
    if (!Operator()) return false;
    if (path != nullptr) path->append(path->empty() ? "operator" : "::operator");
  } else {
    return false;
  }
  while (Take("B")) {
    if (!Identifier(nullptr)) return false;
  }
  return true;
}

bool MangledReader::Operator() {
  if (Take("cv")) return Type() != kNone;
  if (Take("li")) return Identifier(nullptr);
  if (!IsLower(Peek()) || !(IsLower(Peek(1)) || IsUpper(Peek(1)))) return false;
  at_ += 2;
  return true;
}

bool MangledReader::Substitution(int* node, bool* is_std) {
  *is_std = false;
  if (!Take("S")) return false;
  switch (Peek()) {
    case 't':
      ++at_;
      *is_std = true;
      *node = kNone;
      return true;
    case 'a':
    case 'b':
    case 's':
    case 'i':
    case 'o':
    case 'd':
      ++at_;
      *node = NewOther();
      return *node != kNone;
    default:
      break;
  }
  uint64_t index = 0;
  if (!Take("_")) {
    while (IsDigit(Peek()) || IsUpper(Peek())) {
      const char c = text_[at_++];
      index = index * 36 + static_cast<uint64_t>(IsDigit(c) ? c - '0' : c - 'A' + 10);
      if (index > kMaxNodes) return false;
    }
    ++index;
    if (!Take("_")) return false;
  }
  if (index >= substitutions_.size()) return false;
  *node = substitutions_[index];
  return true;
}

bool MangledReader::Nested(bool* templated, std::string* path, int* node) {
  if (!Take("N")) return false;
  while (Peek() == 'r' || Peek() == 'V' || Peek() == 'K') ++at_;
  if (Peek() == 'R' || Peek() == 'O') ++at_;
  *templated = false;
  *node = kNone;
  bool any = false;
  while (!Take("E")) {
    if (at_ >= text_.size()) return false;
    if (Peek() == 'S' && Peek(1) != 'C') {
      bool is_std;
      if (any || !Substitution(node, &is_std)) return false;
      any = true;
      *templated = false;
      if (is_std && path != nullptr) path->append(path->empty() ? "std" : "::std");
      continue;
    }
    if (Peek() == 'I') {
      if (!any || !TemplateArguments()) return false;
      if (path != nullptr) path->append("<>");
      *templated = true;
      *node = NewOther();
    } else if (Peek() == 'T') {
      if (any) return false;
      *node = TemplateParameter();
      *templated = false;
    } else if (Peek() == 'D' && (Peek(1) == 't' || Peek(1) == 'T')) {
      at_ += 2;
      if (any || !Expression() || !Take("E")) return false;
      *node = NewOther();
      *templated = false;
    } else if (Take("M")) {
      continue;
    } else if (Peek() == 'Z') {
      if (any || !Local(templated, path)) return false;
      *node = NewOther();
    } else {
      if (!Unqualified(path)) return false;
      *templated = false;
      *node = NewOther();
    }
    if (*node == kNone) return false;
    any = true;
    if (Peek() != 'E') Remember(*node);
  }
  return any;
}

// Z <encoding> E <entity>
bool MangledReader::Local(bool* templated, std::string* path) {
  if (!Take("Z")) return false;
  const std::vector<int> outer = arguments_;
  bool inner_templated = false;
  if (!Name(&inner_templated, path)) return false;
  if (Peek() != 'E') {
    std::vector<int> parameters;
    if (!FunctionType(inner_templated, &parameters)) return false;
  }
  arguments_ = outer;
  if (!Take("E")) return false;
  if (Take("s")) return Discriminator();
  if (Take("d")) {
    uint64_t index;
    if (!TakeIndex(&index)) return false;
  }
  return Name(templated, path) && Discriminator();
}

bool MangledReader::Name(bool* templated, std::string* path) {
  Deeper deeper(*this);
  if (!deeper.ok) return false;
  *templated = false;
  if (Peek() == 'N') {
    int node;
    return Nested(templated, path, &node);
  }
  if (Peek() == 'Z') return Local(templated, path);
  bool substituted = false;
  if (Peek() == 'S') {
    int node;
    bool is_std;
    if (!Substitution(&node, &is_std)) return false;
    if (is_std) {
      if (path != nullptr) path->append(path->empty() ? "std" : "::std");
      if (!Unqualified(path)) return false;
    } else {
      substituted = true;
    }
  } else if (!Unqualified(path)) {
    return false;
  }
  if (Peek() != 'I') return !substituted;
  if (!substituted && Remember(NewOther()) == kNone) return false;
  if (path != nullptr) path->append("<>");
  *templated = true;
  return TemplateArguments();
}

// --- template arguments

bool MangledReader::TemplateArguments() {
  std::vector<int> arguments;
  if (!ArgumentList('I', &arguments)) return false;
  arguments_ = std::move(arguments);
  return true;
}

bool MangledReader::ArgumentList(char open, std::vector<int>* arguments) {
  Deeper deeper(*this);
  if (!deeper.ok || Peek() != open) return false;
  ++at_;
  while (!Take("E")) {
    if (at_ >= text_.size()) return false;
    int argument;
    if (Peek() == 'L') {
      if (!Literal()) return false;
      argument = NewNotAType();
    } else if (Take("X")) {
      if (!Expression() || !Take("E")) return false;
      argument = NewNotAType();
    } else if (Peek() == 'J') {
      std::vector<int> elements;
      if (!ArgumentList('J', &elements)) return false;
      Node pack;
      pack.tag = Tag::kPack;
      pack.first = static_cast<int>(lists_.size());
      pack.count = static_cast<int>(elements.size());
      lists_.insert(lists_.end(), elements.begin(), elements.end());
      argument = New(pack);
    } else {
      argument = Type();
    }
    if (argument == kNone) return false;
    arguments->push_back(argument);
  }
  return true;
}

int MangledReader::NewNotAType() {
  Node node;
  node.tag = Tag::kNotAType;
  return New(node);
}

int MangledReader::TemplateParameter() {
  if (!Take("T")) return kNone;
  if (Take("L")) return kNone;  // an outer level: only in names of generic lambdas
  uint64_t index;
  if (!TakeIndex(&index)) return kNone;
  return index < arguments_.size() ? arguments_[index] : NewOther();
}

// L <type> <value> E, L _Z <encoding> E
bool MangledReader::Literal() {
  Deeper deeper(*this);
  if (!deeper.ok || !Take("L")) return false;
  if (Peek() == '_' && Peek(1) == 'Z') {
    at_ += 2;
    const std::vector<int> outer = arguments_;
    bool templated = false;
    if (!Name(&templated, nullptr)) return false;
    if (Peek() != 'E') {
      std::vector<int> parameters;
      if (!FunctionType(templated, &parameters)) return false;
    }
    arguments_ = outer;
    return Take("E");
  }
  if (Type() == kNone) return false;
  while (IsDigit(Peek()) || (IsLower(Peek()) && Peek() <= 'n') || Peek() == '_') ++at_;
  return Take("E");
}

bool MangledReader::SkipArguments() {
  std::vector<int> ignored;
  return Peek() != 'I' || ArgumentList('I', &ignored);
}

int MangledReader::Templated(int type) {
  if (type == kNone || Peek() != 'I') return type;
  return SkipArguments() ? Remember(NewOther()) : kNone;
}

}  // namespace gpusan::cuda
