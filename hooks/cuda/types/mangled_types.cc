// Types, and which of their properties are kept (mangled_reader.h).
#include "hooks/cuda/types/mangled_reader.h"

namespace gpusan::cuda {

bool MangledReader::FunctionType(bool templated, std::vector<int>* parameters) {
  if (templated && Type() == kNone) return false;  // the return type
  return Types(parameters, 'E');
}

bool MangledReader::Types(std::vector<int>* types, char end) {
  while (at_ < text_.size() && Peek() != end && Peek() != '.') {
    const int type = Type();
    if (type == kNone) return false;
    types->push_back(type);
  }
  if (types->empty()) return false;
  if (types->size() == 1 && nodes_[(*types)[0]].tag == Tag::kVoid) types->clear();
  return true;
}

int MangledReader::Scalar(Tag tag, uint16_t bytes, bool is_signed) {
  ++at_;
  Node node;
  node.tag = tag;
  node.bytes = bytes;
  node.is_signed = is_signed;
  return New(node);
}

// The codes of <builtin-type> that have one letter (Itanium C++ ABI §5.1.5.2).
int MangledReader::Builtin() {
  static constexpr struct {
    std::string_view codes;
    Tag tag;
    uint16_t bytes;
    bool is_signed = false;
  } kTypes[] = {
      {"v", Tag::kVoid, 0},           {"bh", Tag::kInteger, 1},      {"ca", Tag::kInteger, 1, true},
      {"t", Tag::kInteger, 2},        {"s", Tag::kInteger, 2, true}, {"j", Tag::kInteger, 4},
      {"iw", Tag::kInteger, 4, true}, {"my", Tag::kInteger, 8},      {"lx", Tag::kInteger, 8, true},
      {"no", Tag::kInteger, 16},      {"f", Tag::kFloat, 4},         {"d", Tag::kFloat, 8},
      {"eg", Tag::kFloat, 16},        {"z", Tag::kOther, 0}};
  for (const auto& type : kTypes) {
    if (type.codes.find(Peek()) != std::string_view::npos)
      return Scalar(type.tag, type.bytes, type.is_signed);
  }
  return kNone;
}

int MangledReader::Around(Node node) {
  node.child = Type();
  return node.child != kNone ? Remember(New(node)) : kNone;
}

bool MangledReader::ArrayExtent() {
  if (Take("_")) return true;
  uint64_t extent;
  return (IsDigit(Peek()) ? TakeNumber(&extent) : Expression()) && Take("_");
}

int MangledReader::Type() {
  Deeper deeper(*this);
  if (!deeper.ok) return kNone;
  const char code = Peek();
  switch (code) {
    case 'u':  // a vendor's type
      ++at_;
      return Identifier(nullptr) && SkipArguments() ? Remember(NewOther()) : kNone;
    case 'r':
    case 'V':
    case 'K': {
      Node node;
      node.tag = Tag::kQualified;
      for (; Peek() == 'r' || Peek() == 'V' || Peek() == 'K'; ++at_) node.constant |= Peek() == 'K';
      return Around(node);
    }
    case 'U': {  // a vendor's qualifier
      ++at_;
      Node node;
      node.tag = Tag::kQualified;
      return Identifier(nullptr) && SkipArguments() ? Around(node) : kNone;
    }
    case 'P': {
      ++at_;
      Node node;
      node.tag = Tag::kPointer;
      node.bytes = 8;
      return Around(node);
    }
    case 'R':
    case 'O':
    case 'C':
    case 'G':
      ++at_;
      return Around({});
    case 'F': {
      ++at_;
      Take("Y");
      std::vector<int> types;
      if (!FunctionTypes(&types)) return kNone;
      Node node;
      node.tag = Tag::kFunction;
      return Remember(New(node));
    }
    case 'A':
      ++at_;
      return ArrayExtent() ? Around({}) : kNone;
    case 'M':
      ++at_;
      return Type() != kNone && Type() != kNone ? Remember(NewOther()) : kNone;
    case 'T':
      if (Peek(1) != 's' && Peek(1) != 'u' && Peek(1) != 'e')
        return Templated(Remember(TemplateParameter()));
      at_ += 2;
      return NamedType();
    case 'S': {
      if (Peek(1) == 't') return NamedType();
      int node;
      bool is_std;
      return Substitution(&node, &is_std) ? Templated(node) : kNone;
    }
    case 'D':
      return DType();
    default:
      return IsLower(code) ? Builtin() : NamedType();
  }
}

bool MangledReader::FunctionTypes(std::vector<int>* types) {
  while (!Take("E")) {
    if (at_ >= text_.size()) return false;
    if ((Peek() == 'R' || Peek() == 'O') && Peek(1) == 'E') {
      ++at_;
      continue;
    }
    const int type = Type();
    if (type == kNone) return false;
    types->push_back(type);
  }
  return true;
}

int MangledReader::DType() {
  const char kind = Peek(1);
  Node node;
  switch (kind) {
    case 'd':
    case 'e':
    case 'f':
    case 'h':
      at_ += 1;
      return Scalar(Tag::kFloat, kind == 'h' ? 2 : kind == 'f' ? 4 : kind == 'd' ? 8 : 16);
    case 'F': {
      at_ += 2;
      uint64_t bits;
      if (!TakeNumber(&bits)) return kNone;
      if (!Take("_") && !Take("b") && !Take("x")) return kNone;
      node.tag = Tag::kFloat;
      node.bytes = static_cast<uint16_t>(bits / 8);
      return New(node);
    }
    case 'i':
    case 's':
    case 'u':
      at_ += 1;
      return Scalar(Tag::kInteger, kind == 'i' ? 4 : kind == 's' ? 2 : 1);
    case 'a':
    case 'c':
    case 'n':
      at_ += 1;
      return Scalar(Tag::kOther, 0);
    case 'p':
      at_ += 2;
      node.tag = Tag::kExpansion;
      return Around(node);
    case 't':
    case 'T':
      at_ += 2;
      if (!Expression() || !Take("E")) return kNone;
      return Remember(NewOther());
    case 'v': {
      at_ += 2;
      uint64_t count;
      if (IsDigit(Peek()) ? !TakeNumber(&count) : !(Take("_") && Expression())) return kNone;
      if (!Take("_") || Type() == kNone) return kNone;
      return Remember(NewOther());
    }
    case 'o':
    case 'O':
    case 'w':
    case 'x':
      // A function type with noexcept or transaction_safe.
      at_ += 2;
      if (kind == 'O' && (!Expression() || !Take("E"))) return kNone;
      return Peek() == 'F' ? Type() : kNone;
    default:
      return kNone;
  }
}

namespace {

// Returns the size of a type of the toolkit by its encoded name, such as 6float4 [bytes]; 0: the
// name is another one.
uint16_t BytesOfNamed(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    uint16_t bytes;
  } kScalars[] = {{"6__half", 2}, {"7__half2", 4}, {"13__nv_bfloat16", 2}, {"14__nv_bfloat162", 4}},
    kVectors[] = {{"char", 1}, {"uchar", 1},    {"short", 2},     {"ushort", 2}, {"int", 4},
                  {"uint", 4}, {"longlong", 8}, {"ulonglong", 8}, {"float", 4},  {"double", 8}};
  for (const auto& type : kScalars) {
    if (name == type.name) return type.bytes;
  }
  while (!name.empty() && name[0] >= '0' && name[0] <= '9') name.remove_prefix(1);
  if (name.empty() || name.back() < '1' || name.back() > '4') return 0;
  const auto count = static_cast<uint16_t>(name.back() - '0');
  name.remove_suffix(1);
  for (const auto& type : kVectors) {
    if (name == type.name) return static_cast<uint16_t>(count * type.bytes);
  }
  return 0;
}

}  // namespace

int MangledReader::NamedType() {
  if (Peek() == 'N') {
    bool templated;
    int node;
    const std::vector<int> outer = arguments_;
    const bool ok = Nested(&templated, nullptr, &node);
    arguments_ = outer;
    // N T_ E does not occur; the kind of a prefix is not the kind of the whole name.
    return ok ? Remember(NewOther()) : kNone;
  }
  if (!IsDigit(Peek()) && Peek() != 'Z' && Peek() != 'S' && Peek() != 'U' && Peek() != 'L')
    return kNone;
  const std::vector<int> outer = arguments_;
  bool templated;
  const size_t begin = at_;
  const bool ok = Name(&templated, nullptr);
  arguments_ = outer;
  if (!ok) return kNone;
  const int node = NewOther();
  if (node != kNone) nodes_[node].bytes = BytesOfNamed(text_.substr(begin, at_ - begin));
  return Remember(node);
}

// --- what is kept

// Returns the pack that the type is made from; kNone if there is none.
int MangledReader::PackIn(int type) const {
  for (int steps = 0; type != kNone && steps < kMaxDepth; ++steps) {
    if (nodes_[type].tag == Tag::kPack) return type;
    type = nodes_[type].child;
  }
  return kNone;
}

bool MangledReader::Describe(int type, std::vector<ParameterType>* out) const {
  if (nodes_[type].tag != Tag::kExpansion) {
    out->push_back(DescribeOne(type, 0));
    return true;
  }
  const int pack = PackIn(nodes_[type].child);
  if (pack == kNone) return false;
  for (int i = 0; i < nodes_[pack].count; ++i) out->push_back(DescribeOne(nodes_[type].child, i));
  return true;
}

int MangledReader::Unqualify(int type, int element, bool* constant) const {
  for (int steps = 0; steps < kMaxDepth; ++steps) {
    const Node& node = nodes_[type];
    if (node.tag == Tag::kQualified) {
      *constant |= node.constant;
      type = node.child;
    } else if (node.tag == Tag::kPack && element < node.count) {
      type = lists_[node.first + element];
    } else {
      break;
    }
  }
  return type;
}

ParameterType MangledReader::DescribeOne(int type, int element) const {
  bool ignored = false;
  const Node& node = nodes_[Unqualify(type, element, &ignored)];
  ParameterType out;
  if (node.tag != Tag::kOther) out.bytes = node.bytes;
  switch (node.tag) {
    case Tag::kInteger:
      out.kind = ParameterKind::kInteger;
      out.is_signed = node.is_signed;
      break;
    case Tag::kFloat:
      out.kind = ParameterKind::kFloat;
      break;
    case Tag::kPointer: {
      const Node& target = nodes_[Unqualify(node.child, element, &out.constant)];
      if (target.tag == Tag::kFunction) {
        out.kind = ParameterKind::kOther;
        break;
      }
      out.kind = ParameterKind::kPointer;
      out.element_bytes = target.bytes;
      out.may_hold_addresses =
          !(target.tag == Tag::kFloat || (target.tag == Tag::kInteger && target.bytes != 8));
      break;
    }
    case Tag::kPack:
    case Tag::kExpansion:
    case Tag::kNotAType:
    case Tag::kVoid:
      out.kind = ParameterKind::kUnknown;
      break;
    default:
      out.kind = ParameterKind::kOther;
      break;
  }
  return out;
}

}  // namespace gpusan::cuda
