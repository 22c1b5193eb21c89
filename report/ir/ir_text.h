// Reads the text form of LLVM IR (LLVM 14 to 21, typed and opaque pointers) as far as the analysis
// of kernels needs it: functions, blocks, instructions and the sizes of types.
//
// All string_views point into the text given to IrModule, which must outlive it. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusan {

struct IrType {
  enum class Kind : uint8_t {
    kOther,
    kVoid,
    kInteger,
    kFloat,
    kPointer,
    kVector,
    kArray,
    kStruct,
    kTarget,  // from LLVM 16 on: images, samplers, events
  };
  Kind kind = Kind::kOther;
  uint32_t bits = 0;    // integers
  uint32_t space = 0;   // pointers: the address space
  uint64_t bytes = 0;   // size in an array, with padding; 0: unknown
  uint64_t stored = 0;  // bytes that a load or store touches; 0: unknown
  uint64_t align = 1;
  uint64_t count = 0;                   // vectors and arrays
  std::vector<const IrType*> elements;  // vectors and arrays: one; structs: the fields
  std::vector<uint64_t> offsets;        // structs: of the fields [bytes]
};

// Reads tokens of one line from left to right. A read that does not find what it looks for sets
// `failed`, and the following reads return nothing.
class IrCursor {
 public:
  explicit IrCursor(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  void Fail() { failed_ = true; }
  std::string_view rest() const { return text_; }
  bool AtEnd();
  // Whether the next character is `c`; does not consume it.
  bool Peek(char c);
  // Consumes `token` if it is next. A word matches only as a whole.
  bool Take(std::string_view token);
  // Consumes a word of letters, digits, '.', '_' and '-'; empty if the next token is none.
  std::string_view Word();
  // Consumes a value: %name, @name, a constant, a constant expression with its parentheses.
  std::string_view Value();
  // Consumes the attributes before a value or a type, such as `noundef` and `align 4`.
  void SkipAttributes();
  // The same, and returns them.
  std::string_view Attributes();
  // Consumes a group that begins with `(`, `[`, `{` or `<`, with nested groups and strings.
  std::string_view Group();
  int64_t Number();

 private:
  void SkipBlanks();
  std::string_view Cut(size_t length);

  std::string_view text_;
  bool failed_ = false;
};

struct IrParameter {
  std::string_view name;  // with its '%'
  const IrType* type = nullptr;
  std::string_view attributes;
};

struct IrInstruction {
  std::string_view result;  // with its '%'; empty: none
  std::string_view op;      // for calls always "call"
  std::string_view rest;    // what follows the op, without metadata
  uint32_t block = 0;
};

struct IrBlock {
  std::string_view label;  // without '%' and quotes; empty: the entry
  std::vector<uint32_t> successors;
  bool ends_oddly = false;  // by an instruction whose successors are not known
};

struct IrFunction {
  std::string_view name;
  bool is_kernel = false;
  std::vector<IrParameter> parameters;
  std::vector<IrBlock> blocks;
  std::vector<IrInstruction> instructions;
};

// A variable of the module.
struct IrGlobal {
  std::string_view name;  // with its '@'
  const IrType* type = nullptr;
};

class IrModule {
 public:
  // Reads the module. Functions whose text is not understood are left out.
  explicit IrModule(std::string_view text);
  IrModule(const IrModule&) = delete;
  IrModule& operator=(const IrModule&) = delete;

  const std::vector<IrFunction>& functions() const { return functions_; }
  // The variables in local memory.
  const std::vector<IrGlobal>& locals() const { return locals_; }

  // Consumes a type. Never nullptr; sets `failed` if there is none.
  const IrType* Type(IrCursor& cursor);

 private:
  void ReadFunction(std::string_view head, const std::vector<std::string_view>& body);
  // `line` begins with '@'.
  void ReadGlobal(std::string_view line);
  const IrType* NewType(IrType type);
  // A vector, an array or a packed struct.
  const IrType* List(IrCursor& cursor);
  // A type of one word, such as `i32` and `ptr addrspace(1)`.
  const IrType* Simple(IrCursor& cursor);
  // Consumes the suffixes of typed pointers and function types behind `type`.
  const IrType* WithSuffixes(IrCursor& cursor, const IrType* type);
  const IrType* Aggregate(IrCursor& cursor, std::string_view close, bool packed);
  const IrType* Named(std::string_view name);

  std::deque<IrType> types_;
  std::map<std::string_view, std::string_view> type_texts_;
  std::map<std::string_view, const IrType*> named_;
  std::deque<std::string> joined_;  // instructions of several lines
  std::vector<IrFunction> functions_;
  std::vector<IrGlobal> locals_;
  int depth_ = 0;
};

// A phi, without its result.
struct IrPhi {
  struct Edge {
    std::string_view value;  // of the phi, if the edge was taken
    std::string_view from;   // the label of the edge's block, without '%'
  };
  const IrType* type = nullptr;
  std::vector<Edge> edges;  // at least one
};
// Reads an instruction whose op is "phi". nullopt: its text is not understood.
std::optional<IrPhi> PhiOf(IrModule& module, const IrInstruction& instruction);

// Returns the names with '%' in a text.
std::vector<std::string_view> LocalNames(std::string_view text);

// Returns the size of a parameter that is passed by value [bytes]; 0 if it is not certain. Clang
// rejects parameters whose types depend on the device: bool, size_t and structures of them.
uint32_t ValueBytes(IrModule& module, const IrParameter& parameter);

}  // namespace gpusan
