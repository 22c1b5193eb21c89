// A reader of Itanium mangled names that keeps of each type only what a launch needs.
#include "hooks/cuda/kernel_types.h"

#include <cstddef>
#include <cstring>

namespace gpusan::cuda {
namespace {

constexpr int kNone = -1;
constexpr int kMaxDepth = 128;
constexpr size_t kMaxNodes = 1 << 16;

enum class Tag : uint8_t {
  kInteger,
  kFloat,
  kVoid,
  kPointer,    // to `child`
  kQualified,  // `child`, const if `constant`
  kFunction,
  kPack,      // `first` to `first + count` of the lists
  kExpansion,  // of the pack in `child`
  kOther,
  kNotAType,
};

struct Node {
  Tag tag = Tag::kOther;
  bool constant = false;
  bool is_signed = false;
  uint16_t bytes = 0;
  int child = kNone;
  int first = 0, count = 0;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool ReadAll(KernelType* out) {
    if (!Take("_Z")) return false;
    bool templated = false;
    if (!Name(&templated, &out->name)) return false;
    std::vector<int> parameters;
    if (!FunctionType(templated, &parameters)) return false;
    // A compiler's suffix, ".kernel" and the like, may follow.
    if (at_ < text_.size() && text_[at_] != '.') return false;
    for (int type : parameters) {
      if (!Describe(type, &out->parameters)) return false;
    }
    return out->parameters.size() <= 4096;
  }

 private:
  // --- characters
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool Take(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }
  bool TakeNumber(uint64_t* number) {
    if (!IsDigit(Peek())) return false;
    *number = 0;
    while (IsDigit(Peek())) {
      *number = *number * 10 + static_cast<uint64_t>(text_[at_++] - '0');
      if (*number > (1u << 30)) return false;
    }
    return true;
  }
  // [<number>] _
  bool TakeIndex(uint64_t* index) {
    *index = 0;
    if (Take("_")) return true;
    if (!TakeNumber(index)) return false;
    ++*index;
    return Take("_");
  }

  struct Deeper {
    explicit Deeper(Reader& reader) : reader(reader), ok(++reader.depth_ < kMaxDepth) {}
    ~Deeper() { --reader.depth_; }
    Reader& reader;
    const bool ok;
  };

  // --- nodes
  int New(const Node& node) {
    if (nodes_.size() >= kMaxNodes) return kNone;
    nodes_.push_back(node);
    return static_cast<int>(nodes_.size()) - 1;
  }
  int NewOther() { return New(Node()); }
  int Remember(int node) {
    if (node != kNone) substitutions_.push_back(node);
    return node;
  }

  // --- names
  bool Identifier(std::string* path) {
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

  bool Discriminator() {
    if (Peek() != '_') return true;
    if (Take("__")) {
      uint64_t number;
      return TakeNumber(&number) && Take("_");
    }
    if (!IsDigit(Peek(1))) return true;
    at_ += 2;
    return true;
  }

  bool Unqualified(std::string* path) {
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

  bool Operator() {
    if (Take("cv")) return Type() != kNone;
    if (Take("li")) return Identifier(nullptr);
    if (!IsLower(Peek()) || !(IsLower(Peek(1)) || IsUpper(Peek(1)))) return false;
    at_ += 2;
    return true;
  }

  // S_, S0_, St, Sa, ... into `node`: kNone with `is_std` for St.
  bool Substitution(int* node, bool* is_std) {
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

  // N ... E. Prefixes become substitutions; the whole does not.
  bool Nested(bool* templated, std::string* path, int* node) {
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
  bool Local(bool* templated, std::string* path) {
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

  // The name of a function or of an entity in one. `templated`: it ends with template arguments.
  bool Name(bool* templated, std::string* path) {
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
  bool TemplateArguments() {
    std::vector<int> arguments;
    if (!ArgumentList('I', &arguments)) return false;
    arguments_ = std::move(arguments);
    return true;
  }

  bool ArgumentList(char open, std::vector<int>* arguments) {
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
  int NewNotAType() {
    Node node;
    node.tag = Tag::kNotAType;
    return New(node);
  }

  int TemplateParameter() {
    if (!Take("T")) return kNone;
    if (Take("L")) return kNone;  // of an outer level: only in names of generic lambdas
    uint64_t index;
    if (!TakeIndex(&index)) return kNone;
    return index < arguments_.size() ? arguments_[index] : NewOther();
  }

  // L <type> <value> E, L _Z <encoding> E
  bool Literal() {
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

  // --- expressions: only as far as they stand in names of kernels
  bool Expressions(int count) {
    for (int i = 0; i < count; ++i) {
      if (!Expression()) return false;
    }
    return true;
  }
  bool ExpressionsUntilEnd() {
    while (!Take("E")) {
      if (at_ >= text_.size() || !Expression()) return false;
    }
    return true;
  }

  bool SimpleId() {
    if (!Identifier(nullptr)) return false;
    if (Peek() != 'I') return true;
    std::vector<int> ignored;
    return ArgumentList('I', &ignored);
  }

  bool UnresolvedType() {
    if (Peek() == 'T') {
      if (Remember(TemplateParameter()) == kNone) return false;
      if (Peek() != 'I') return true;
      std::vector<int> ignored;
      return ArgumentList('I', &ignored) && Remember(NewOther()) != kNone;
    }
    if (Peek() == 'D' && (Peek(1) == 't' || Peek(1) == 'T')) return Type() != kNone;
    int node;
    bool is_std;
    if (!Substitution(&node, &is_std)) return false;
    if (is_std) return Unqualified(nullptr) && Remember(NewOther()) != kNone;
    if (Peek() != 'I') return true;
    std::vector<int> ignored;
    return ArgumentList('I', &ignored) && Remember(NewOther()) != kNone;
  }

  bool UnresolvedName() {
    Take("gs");
    if (Take("srN")) {
      if (!UnresolvedType()) return false;
      if (Peek() == 'I') {
        std::vector<int> ignored;
        if (!ArgumentList('I', &ignored)) return false;
      }
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
      // What compilers write: any type, then a name.
      if (Peek() == 'T' || Peek() == 'S' || Peek() == 'D') {
        if (!UnresolvedType()) return false;
      } else if (Type() == kNone) {
        return false;
      }
      return BaseUnresolvedName();
    }
    return BaseUnresolvedName();
  }
  bool BaseUnresolvedName() {
    if (IsDigit(Peek())) return SimpleId();
    if (Take("on")) {
      if (!Operator()) return false;
      if (Peek() != 'I') return true;
      std::vector<int> ignored;
      return ArgumentList('I', &ignored);
    }
    return false;
  }

  bool Expression() {
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

  // --- types
  bool FunctionType(bool templated, std::vector<int>* parameters) {
    if (templated && Type() == kNone) return false;  // what it returns
    return Types(parameters, 'E');
  }

  // Types up to the end of the name or `end`, which stays.
  bool Types(std::vector<int>* types, char end) {
    while (at_ < text_.size() && Peek() != end && Peek() != '.') {
      const int type = Type();
      if (type == kNone) return false;
      types->push_back(type);
    }
    if (types->empty()) return false;
    if (types->size() == 1 && nodes_[(*types)[0]].tag == Tag::kVoid) types->clear();
    return true;
  }

  int Scalar(Tag tag, uint16_t bytes, bool is_signed = false) {
    ++at_;
    Node node;
    node.tag = tag;
    node.bytes = bytes;
    node.is_signed = is_signed;
    return New(node);
  }

  int Type() {
    Deeper deeper(*this);
    if (!deeper.ok) return kNone;
    switch (Peek()) {
      case 'v':
        return Scalar(Tag::kVoid, 0);
      case 'b':
      case 'h':
        return Scalar(Tag::kInteger, 1);
      case 'c':
      case 'a':
        return Scalar(Tag::kInteger, 1, true);
      case 's':
        return Scalar(Tag::kInteger, 2, true);
      case 't':
        return Scalar(Tag::kInteger, 2);
      case 'i':
      case 'w':
        return Scalar(Tag::kInteger, 4, true);
      case 'j':
        return Scalar(Tag::kInteger, 4);
      case 'l':
      case 'x':
        return Scalar(Tag::kInteger, 8, true);
      case 'm':
      case 'y':
        return Scalar(Tag::kInteger, 8);
      case 'n':
      case 'o':
        return Scalar(Tag::kInteger, 16);
      case 'f':
        return Scalar(Tag::kFloat, 4);
      case 'd':
        return Scalar(Tag::kFloat, 8);
      case 'e':
      case 'g':
        return Scalar(Tag::kFloat, 16);
      case 'z':
        return Scalar(Tag::kOther, 0);
      case 'u':
        ++at_;
        if (!Identifier(nullptr)) return kNone;
        if (Peek() == 'I') {
          std::vector<int> ignored;
          if (!ArgumentList('I', &ignored)) return kNone;
        }
        return Remember(NewOther());
      case 'r':
      case 'V':
      case 'K': {
        Node node;
        node.tag = Tag::kQualified;
        for (; Peek() == 'r' || Peek() == 'V' || Peek() == 'K'; ++at_)
          node.constant |= Peek() == 'K';
        node.child = Type();
        return node.child != kNone ? Remember(New(node)) : kNone;
      }
      case 'U': {
        ++at_;
        if (!Identifier(nullptr)) return kNone;
        if (Peek() == 'I') {
          std::vector<int> ignored;
          if (!ArgumentList('I', &ignored)) return kNone;
        }
        Node node;
        node.tag = Tag::kQualified;
        node.child = Type();
        return node.child != kNone ? Remember(New(node)) : kNone;
      }
      case 'P': {
        ++at_;
        Node node;
        node.tag = Tag::kPointer;
        node.bytes = 8;
        node.child = Type();
        return node.child != kNone ? Remember(New(node)) : kNone;
      }
      case 'R':
      case 'O':
      case 'C':
      case 'G': {
        ++at_;
        Node node;
        node.child = Type();
        return node.child != kNone ? Remember(New(node)) : kNone;
      }
      case 'F': {
        ++at_;
        Take("Y");
        std::vector<int> types;
        if (!FunctionTypes(&types)) return kNone;
        Node node;
        node.tag = Tag::kFunction;
        return Remember(New(node));
      }
      case 'A': {
        ++at_;
        if (!Take("_")) {
          uint64_t extent;
          if (IsDigit(Peek()) ? !TakeNumber(&extent) : !Expression()) return kNone;
          if (!Take("_")) return kNone;
        }
        Node node;
        node.child = Type();
        return node.child != kNone ? Remember(New(node)) : kNone;
      }
      case 'M': {
        ++at_;
        if (Type() == kNone || Type() == kNone) return kNone;
        return Remember(NewOther());
      }
      case 'T':
        if (Peek(1) == 's' || Peek(1) == 'u' || Peek(1) == 'e') {
          at_ += 2;
          return NamedType();
        } else {
          const int node = Remember(TemplateParameter());
          if (node == kNone || Peek() != 'I') return node;
          std::vector<int> ignored;
          return ArgumentList('I', &ignored) ? Remember(NewOther()) : kNone;
        }
      case 'S': {
        if (Peek(1) == 't') return NamedType();
        int node;
        bool is_std;
        if (!Substitution(&node, &is_std)) return kNone;
        if (Peek() != 'I') return node;
        std::vector<int> ignored;
        return ArgumentList('I', &ignored) ? Remember(NewOther()) : kNone;
      }
      case 'D':
        return DType();
      default:
        return NamedType();
    }
  }

  bool FunctionTypes(std::vector<int>* types) {
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

  int DType() {
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
        node.child = Type();
        return node.child != kNone ? Remember(New(node)) : kNone;
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
        // A function that throws nothing, or is transaction safe.
        at_ += 2;
        if (kind == 'O' && (!Expression() || !Take("E"))) return kNone;
        return Peek() == 'F' ? Type() : kNone;
      default:
        return kNone;
    }
  }

  // A class or an enumeration, by name.
  int NamedType() {
    if (Peek() == 'N') {
      bool templated;
      int node;
      const std::vector<int> outer = arguments_;
      const bool ok = Nested(&templated, nullptr, &node);
      arguments_ = outer;
      // N T_ E does not occur; what a prefix was is not what the whole is.
      return ok ? Remember(NewOther()) : kNone;
    }
    if (!IsDigit(Peek()) && Peek() != 'Z' && Peek() != 'S' && Peek() != 'U' && Peek() != 'L')
      return kNone;
    const std::vector<int> outer = arguments_;
    bool templated;
    const bool ok = Name(&templated, nullptr);
    arguments_ = outer;
    return ok ? Remember(NewOther()) : kNone;
  }

  // --- what is kept
  // The pack that the type is made from, kNone if it is made from none.
  int PackIn(int type) const {
    for (int steps = 0; type != kNone && steps < kMaxDepth; ++steps) {
      if (nodes_[type].tag == Tag::kPack) return type;
      type = nodes_[type].child;
    }
    return kNone;
  }

  bool Describe(int type, std::vector<ParameterType>* out) const {
    if (nodes_[type].tag != Tag::kExpansion) {
      out->push_back(DescribeOne(type, 0));
      return true;
    }
    const int pack = PackIn(nodes_[type].child);
    if (pack == kNone) return false;
    for (int i = 0; i < nodes_[pack].count; ++i)
      out->push_back(DescribeOne(nodes_[type].child, i));
    return true;
  }

  // The type behind qualifiers; `constant` gathers them.
  int Unqualify(int type, int element, bool* constant) const {
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

  ParameterType DescribeOne(int type, int element) const {
    bool ignored = false;
    const Node& node = nodes_[Unqualify(type, element, &ignored)];
    ParameterType out;
    out.bytes = node.bytes;
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
        out.may_hold_addresses = !(target.tag == Tag::kFloat ||
                                   (target.tag == Tag::kInteger && target.bytes != 8));
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

  const std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<int> lists_;
  std::vector<int> substitutions_;
  std::vector<int> arguments_;  // of the template that T_ speaks of
};

}  // namespace

KernelType ReadKernelType(std::string_view symbol) {
  KernelType type;
  type.known = Reader(symbol).ReadAll(&type);
  if (!type.known) {
    type.parameters.clear();
    type.name = std::string(symbol);
  }
  return type;
}

}  // namespace gpusan::cuda
