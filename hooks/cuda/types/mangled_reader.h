// A reader of Itanium mangled names (C++ ABI §5.1) for kernel_types.cc. It keeps only those
// properties of a type that a launch needs.
//
// It does not build the text of a type. Its cost is therefore linear in the length of the name even
// for names that expand to megabytes. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hooks/cuda/types/kernel_types.h"

namespace gpusan::cuda {

class MangledReader {
 public:
  explicit MangledReader(std::string_view text) : text_(text) {}

  // Reads `_Z <name> <parameters>`. Returns false if the name is not mangled or not understood;
  // `*out` is then unspecified.
  bool ReadAll(KernelType* out);

 private:
  static constexpr int kNone = -1;
  static constexpr int kMaxDepth = 128;
  static constexpr size_t kMaxNodes = 1 << 16;

  enum class Tag : uint8_t {
    kInteger,
    kFloat,
    kVoid,
    kPointer,    // to `child`
    kQualified,  // `child`, const if `constant`
    kFunction,
    kPack,       // `first` to `first + count` of the lists
    kExpansion,  // of the pack `child`
    kOther,
    kNotAType,
  };

  // A type, or a placeholder for one.
  struct Node {
    Tag tag = Tag::kOther;
    bool constant = false;
    bool is_signed = false;
    uint16_t bytes = 0;
    int child = kNone;
    int first = 0, count = 0;
  };

  // --- characters
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  static bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
  static bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
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
    explicit Deeper(MangledReader& reader) : reader(reader), ok(++reader.depth_ < kMaxDepth) {}
    ~Deeper() { --reader.depth_; }
    MangledReader& reader;
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

  // --- names (mangled_reader.cc)
  bool Identifier(std::string* path);
  bool Discriminator();
  bool Unqualified(std::string* path);
  bool Operator();
  // Reads S_, S0_, St, Sa, ... into `node`: kNone with `is_std` set for St.
  bool Substitution(int* node, bool* is_std);
  // Reads N ... E. Each prefix becomes a substitution candidate; the whole name does not.
  bool Nested(bool* templated, std::string* path, int* node);
  // Z <encoding> E <entity>
  bool Local(bool* templated, std::string* path);
  // Reads the name of a function or of an entity in a function. `templated`: it ends with template
  // arguments.
  bool Name(bool* templated, std::string* path);

  // --- template arguments (mangled_reader.cc)
  bool TemplateArguments();
  bool ArgumentList(char open, std::vector<int>* arguments);
  int NewNotAType();
  int TemplateParameter();
  // L <type> <value> E, L _Z <encoding> E
  bool Literal();
  // Skips template arguments if there are any.
  bool SkipArguments();
  // Returns the type, or its specialization if template arguments follow. kNone stays kNone.
  int Templated(int type);

  // --- expressions that occur in names of kernels (mangled_expressions.cc)
  bool Expressions(int count);
  bool ExpressionsUntilEnd();
  bool SimpleId();
  bool UnresolvedType();
  bool UnresolvedName();
  bool BaseUnresolvedName();
  bool Expression();

  // --- types (mangled_types.cc)
  bool FunctionType(bool templated, std::vector<int>* parameters);
  // Reads types up to the end of the name or up to `end`, which is not consumed.
  bool Types(std::vector<int>* types, char end);
  int Scalar(Tag tag, uint16_t bytes, bool is_signed = false);
  int Type();
  int Builtin();
  // Reads a type, and returns `node` with that type as its child.
  int Around(Node node);
  // Reads [<number or expression>] _
  bool ArrayExtent();
  bool FunctionTypes(std::vector<int>* types);
  int DType();
  // Reads a class or enumeration name.
  int NamedType();

  // --- what is kept (mangled_types.cc)
  // The pack that the type is made from, kNone if it is made from none.
  int PackIn(int type) const;
  bool Describe(int type, std::vector<ParameterType>* out) const;
  // Returns the type without qualifiers; sets `constant` if one of them is const.
  int Unqualify(int type, int element, bool* constant) const;
  ParameterType DescribeOne(int type, int element) const;

  const std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<int> lists_;
  std::vector<int> substitutions_;
  std::vector<int> arguments_;  // of the template that T_ refers to
};

}  // namespace gpusan::cuda
