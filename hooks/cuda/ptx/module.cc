// The kernels of a PTX text, and the instructions of each.
#include "hooks/cuda/ptx/module.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "hooks/cuda/ptx/tokens.h"

namespace gpusan::cuda {
namespace {

// A text beyond these limits is not understood.
constexpr size_t kMaxKernels = 1 << 14;
constexpr size_t kMaxVariables = 1 << 16;
constexpr size_t kMaxInstructions = 1 << 17;
constexpr size_t kMaxRegisters = 1 << 18;
constexpr size_t kMaxParameters = 4096;
constexpr unsigned kMaxParameterBytes = 1 << 15;
constexpr size_t kMaxScopes = 64;

struct TypeName {
  std::string_view name;
  uint8_t bits;
};
constexpr TypeName kTypes[] = {{".b8", 8},      {".u8", 8},          {".s8", 8},      {".b16", 16},
                               {".u16", 16},    {".s16", 16},        {".f16", 16},    {".bf16", 16},
                               {".f16x2", 32},  {".b32", 32},        {".u32", 32},    {".s32", 32},
                               {".f32", 32},    {".b64", 64},        {".bf16x2", 32}, {".u64", 64},
                               {".s64", 64},    {".f64", 64},        {".b128", 128},  {".pred", 1},
                               {".texref", 64}, {".samplerref", 64}, {".surfref", 64}};

unsigned BitsOfType(std::string_view type) {
  for (const TypeName& one : kTypes) {
    if (one.name == type) return one.bits;
  }
  return 0;
}

bool IsName(std::string_view token) {
  if (token.empty()) return false;
  const char c = token[0];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

// Returns false for anything but a whole number.
bool Number(std::string_view token, int64_t* number) {
  int base = 10;
  if (token.size() > 2 && token[0] == '0' && (token[1] == 'x' || token[1] == 'X')) {
    base = 16;
    token.remove_prefix(2);
  } else if (token.size() > 2 && token[0] == '0' && (token[1] == 'b' || token[1] == 'B')) {
    base = 2;
    token.remove_prefix(2);
  } else if (token.size() > 1 && token[0] == '0') {
    base = 8;
  }
  if (!token.empty() && (token.back() == 'U' || token.back() == 'u')) token.remove_suffix(1);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value, base);
  if (error != std::errc() || end != token.data() + token.size() || token.empty()) return false;
  *number = static_cast<int64_t>(value);
  return true;
}

PtxSpace SpaceOf(std::string_view directive) {
  if (directive == ".global") return PtxSpace::kGlobal;
  if (directive == ".const") return PtxSpace::kConst;
  if (directive == ".shared" || directive.substr(0, 9) == ".shared::") return PtxSpace::kShared;
  if (directive == ".local") return PtxSpace::kLocal;
  if (directive == ".param") return PtxSpace::kParameter;
  return PtxSpace::kUnknown;
}

// A declaration after its state space: ".align 8 .b8 name[16]".
struct Declaration {
  std::string_view name;
  uint64_t bytes = 0;
  uint64_t alignment = 1;
};

// Returns false if the size is not understood. Stops after the brackets.
bool ReadDeclaration(PtxTokens* tokens, Declaration* declaration) {
  uint64_t element = 0, vector = 1;
  int64_t alignment = 0;
  while (!tokens->at_end() && tokens->now()[0] == '.') {
    const std::string_view word = tokens->Take();
    if (word == ".align") {
      int64_t number = 0;
      // An alignment after the type is that of the memory that the pointer refers to.
      if (!Number(tokens->Take(), &number) || number <= 0 || number > 4096) return false;
      if (element == 0) alignment = number;
    } else if (word == ".v2" || word == ".v4") {
      vector = word == ".v2" ? 2 : 4;
    } else if (const unsigned bits = BitsOfType(word); bits >= 8 && element == 0) {
      element = bits / 8;
    }
  }
  if (element == 0 || !IsName(tokens->now())) return false;
  declaration->name = tokens->Take();
  declaration->bytes = element * vector;
  while (tokens->Accept("[")) {
    int64_t count = 0;
    if (tokens->now() != "]" &&
        (!Number(tokens->Take(), &count) || count < 0 || count > (int64_t{1} << 30)))
      return false;
    declaration->bytes *= static_cast<uint64_t>(count);
    if (declaration->bytes > uint64_t{1} << 40 || !tokens->Accept("]")) return false;
  }
  declaration->alignment = alignment != 0 ? static_cast<uint64_t>(alignment) : element * vector;
  return true;
}

// Goes past the end of a declaration with its initial value.
void SkipStatement(PtxTokens* tokens) {
  while (!tokens->at_end() && tokens->now() != ";") {
    if (tokens->now() == "{" || tokens->now() == "[" || tokens->now() == "(") {
      tokens->SkipGroup();
    } else {
      tokens->Next();
    }
  }
  tokens->Next();
}

bool IsDebugLine(std::string_view token) { return token == ".loc" || token == ".file"; }

class KernelReader {
 public:
  KernelReader(const PtxModule& module, const PtxModule::Kernel& kernel, PtxKernel* out)
      : tokens_(module.text, kernel.offset), out_(*out) {
    out_.name = kernel.name;
  }

  void Read() {
    if (!ReadParameters()) return Fail("parameters that are not understood");
    while (!tokens_.at_end() && tokens_.now() != "{" && tokens_.now() != ";") {
      const std::string_view directive = tokens_.Take();
      if (directive == ".reqntid") out_.block.Require(ReadSizes(0));
      if (directive == ".maxntid") out_.block.LimitProduct(ReadSizes(1));
    }
    if (!tokens_.Accept("{")) return Fail("a kernel without code");
    scopes_.emplace_back();
    while (!scopes_.empty()) {
      if (tokens_.at_end()) return Fail("code that is cut off");
      if (!ReadStatement()) return;
    }
  }

 private:
  // Registers of a scope: single names, and ranges such as %r<10>.
  struct Scope {
    std::unordered_map<std::string_view, uint32_t> names;
    struct Range {
      uint32_t first, count;
    };
    std::unordered_map<std::string_view, Range> ranges;
  };

  void Fail(const char* reason) {
    if (out_.failure == nullptr) out_.failure = reason;
  }
  bool Refuse(const char* reason) {
    Fail(reason);
    return false;
  }

  // Up to three numbers with commas between them: the sizes x, y and z of a block.
  std::array<uint32_t, 3> ReadSizes(uint32_t missing) {
    std::array<uint32_t, 3> sizes = {missing, missing, missing};
    for (size_t i = 0; i < sizes.size() && (i == 0 || tokens_.Accept(",")); ++i) {
      const std::string_view size = tokens_.Take();
      if (std::from_chars(size.data(), size.data() + size.size(), sizes[i]).ec != std::errc())
        return {};
    }
    return sizes;
  }

  bool ReadParameters() {
    if (!tokens_.Accept("(")) return true;
    uint64_t end = 0;
    while (!tokens_.Accept(")")) {
      Declaration declaration;
      if (!tokens_.Accept(".param") || !ReadDeclaration(&tokens_, &declaration)) return false;
      tokens_.Accept(",");
      const uint64_t align = declaration.alignment;
      const uint64_t offset = (end + align - 1) / align * align;
      end = offset + declaration.bytes;
      if (end > kMaxParameterBytes || out_.parameters.size() >= kMaxParameters) return false;
      out_.parameters.push_back({declaration.name, static_cast<unsigned>(offset),
                                 static_cast<unsigned>(declaration.bytes)});
      out_.variables[declaration.name] = PtxSpace::kParameter;
    }
    out_.parameter_bytes = static_cast<unsigned>(end);
    return true;
  }

  // Returns false after a failure.
  bool ReadStatement() {
    const std::string_view token = tokens_.now();
    if (tokens_.Accept("{")) {
      if (scopes_.size() >= kMaxScopes) return Refuse("too many scopes");
      scopes_.emplace_back();
      return true;
    }
    if (tokens_.Accept("}")) {
      scopes_.pop_back();
      return true;
    }
    if (tokens_.Accept(";")) return true;
    if (IsDebugLine(token)) {
      tokens_.SkipLine();
      return true;
    }
    if (token[0] == '.') return ReadDirective();
    if (token == "@" || IsName(token)) return ReadInstructionOrLabel();
    return Refuse("a statement that is not understood");
  }

  bool ReadDirective() {
    const std::string_view directive = tokens_.Take();
    if (directive == ".reg") return ReadRegisters();
    const PtxSpace space = SpaceOf(directive);
    if (space != PtxSpace::kUnknown) {
      Declaration declaration;
      if (!ReadDeclaration(&tokens_, &declaration)) {
        return Refuse("a variable that is not understood");
      }
      // The parameters of calls are none of the kernel.
      out_.variables[declaration.name] = space == PtxSpace::kParameter ? PtxSpace::kUnknown : space;
      if (out_.variables.size() > kMaxVariables) return Refuse("too many variables");
      SkipStatement(&tokens_);
      return true;
    }
    if (directive == ".pragma") {
      SkipStatement(&tokens_);
      return true;
    }
    return Refuse("a directive that is not understood");
  }

  bool ReadRegisters() {
    unsigned bits = 0;
    while (!tokens_.at_end() && tokens_.now()[0] == '.') {
      const unsigned of = BitsOfType(tokens_.Take());
      if (of != 0) bits = of;
    }
    do {
      if (!IsName(tokens_.now())) return Refuse("registers that are not understood");
      const std::string_view name = tokens_.Take();
      int64_t count = 1;
      const bool range = tokens_.Accept("<");
      if (range && (!Number(tokens_.Take(), &count) || !tokens_.Accept(">"))) {
        return Refuse("registers that are not understood");
      }
      const size_t first = out_.register_bits.size();
      if (count < 0 || first + static_cast<uint64_t>(count) > kMaxRegisters) {
        return Refuse("too many registers");
      }
      out_.register_bits.resize(first + static_cast<size_t>(count), static_cast<uint8_t>(bits));
      if (range) {
        scopes_.back().ranges[name] = {static_cast<uint32_t>(first), static_cast<uint32_t>(count)};
      } else {
        scopes_.back().names[name] = static_cast<uint32_t>(first);
      }
    } while (tokens_.Accept(","));
    return tokens_.Accept(";") || Refuse("registers that are not understood");
  }

  // The register of that name; kNoPtxRegister: there is none.
  uint32_t RegisterOf(std::string_view name) const {
    size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    uint32_t index = 0;
    const auto [end, error] =
        std::from_chars(name.data() + digits, name.data() + name.size(), index);
    const bool indexed = error == std::errc() && end == name.data() + name.size();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->names.find(name); found != scope->names.end())
        return found->second;
      if (!indexed) continue;
      const auto range = scope->ranges.find(name.substr(0, digits));
      if (range != scope->ranges.end() && index < range->second.count)
        return range->second.first + index;
    }
    return kNoPtxRegister;
  }

  bool ReadInstructionOrLabel() {
    PtxInstruction instruction;
    if (tokens_.offset() > std::numeric_limits<uint32_t>::max()) return Refuse("too much code");
    instruction.offset = static_cast<uint32_t>(tokens_.offset());
    if (tokens_.Accept("@")) {
      instruction.guard_negated = tokens_.Accept("!");
      instruction.guard = RegisterOf(tokens_.Take());
      if (instruction.guard == kNoPtxRegister) return Refuse("a guard that is not understood");
    }
    if (!IsName(tokens_.now())) return Refuse("an instruction that is not understood");
    instruction.opcode = tokens_.Take();
    if (instruction.guard == kNoPtxRegister && tokens_.Accept(":")) {
      const auto index = static_cast<uint32_t>(out_.instructions.size());
      if (!out_.labels.try_emplace(instruction.opcode, index).second) {
        return Refuse("a label that stands twice");
      }
      // Tables of branches and prototypes of calls.
      if (tokens_.now() == ".branchtargets" || tokens_.now() == ".callprototype" ||
          tokens_.now() == ".calltargets")
        SkipStatement(&tokens_);
      return true;
    }
    while (!tokens_.at_end() && tokens_.now() != ";") {
      instruction.operands.push_back(ReadOperand());
      if (in_brackets_ && tokens_.Accept("]")) in_brackets_ = false;
      if (instruction.operands.back().kind == PtxOperand::Kind::kOther) {
        // The instruction may be one whose operands are of no interest.
        while (!tokens_.at_end() && tokens_.now() != "," && tokens_.now() != ";") tokens_.Next();
      }
      if (!tokens_.Accept(",") && tokens_.now() != ";") {
        return Refuse("an operand that is not understood");
      }
    }
    if (!tokens_.Accept(";") || in_brackets_) return Refuse("code that is cut off");
    if (out_.instructions.size() >= kMaxInstructions) return Refuse("too much code");
    out_.instructions.push_back(std::move(instruction));
    return true;
  }

  PtxOperand ReadOperand() {
    PtxOperand operand = ReadSimpleOperand();
    // Two results: %p|%q.
    if (tokens_.now() != "|") return operand;
    PtxOperand parts;
    parts.kind = PtxOperand::Kind::kParts;
    parts.parts.push_back(std::move(operand));
    while (tokens_.Accept("|")) parts.parts.push_back(ReadSimpleOperand());
    return parts;
  }

  PtxOperand ReadSimpleOperand() {
    using Kind = PtxOperand::Kind;
    PtxOperand operand;
    if (tokens_.Accept("[")) return ReadAddress();
    if (tokens_.now() == "(") {  // the parameters of a call
      tokens_.SkipGroup();
      return Other();
    }
    if (tokens_.Accept("{")) {
      operand.kind = Kind::kParts;
      while (!tokens_.at_end() && !tokens_.Accept("}")) {
        if (tokens_.now() == "{" || tokens_.now() == ";" || operand.parts.size() >= 256)
          return Other();
        operand.parts.push_back(ReadSimpleOperand());
        tokens_.Accept(",");
      }
      return operand;
    }
    operand.negated = tokens_.Accept("!");
    const bool minus = tokens_.Accept("-");
    const std::string_view token = tokens_.now();
    if (Number(token, &operand.immediate)) {
      operand.kind = Kind::kImmediate;
      if (minus)
        operand.immediate = static_cast<int64_t>(-static_cast<uint64_t>(operand.immediate));
    } else if (token == "_") {
      operand.kind = Kind::kSink;
    } else if (IsName(token)) {
      operand.reg = RegisterOf(token);
      operand.name = token;
      operand.kind = operand.reg != kNoPtxRegister ? Kind::kRegister
                     : token[0] == '%'             ? Kind::kSpecial
                                                   : Kind::kName;
      if (minus) operand.kind = Kind::kOther;
    } else {
      operand.kind = Kind::kOther;  // a number with a point, for example
      if (token == "," || token == ";" || token.empty()) return operand;
    }
    tokens_.Next();
    if (tokens_.now() == "+" && operand.kind == Kind::kName) operand.kind = Kind::kOther;
    return operand;
  }

  static PtxOperand Other() {
    PtxOperand operand;
    operand.kind = PtxOperand::Kind::kOther;
    return operand;
  }

  PtxOperand ReadAddress() {
    PtxOperand operand;
    operand.kind = PtxOperand::Kind::kAddress;
    if (IsName(tokens_.now())) {
      operand.reg = RegisterOf(tokens_.now());
      operand.has_register = operand.reg != kNoPtxRegister;
      if (!operand.has_register) operand.name = tokens_.now();
      tokens_.Next();
      if (tokens_.now() == "]") {
        tokens_.Next();
        return operand;
      }
      if (tokens_.now() == "," && !in_brackets_) {
        in_brackets_ = true;
        return operand;
      }
      if (!tokens_.Accept("+") && tokens_.now() != "-") return Other();
    }
    const bool minus = tokens_.Accept("-");
    if (!Number(tokens_.Take(), &operand.immediate)) return Other();
    if (minus) operand.immediate = static_cast<int64_t>(-static_cast<uint64_t>(operand.immediate));
    return tokens_.Accept("]") ? operand : Other();
  }

  PtxTokens tokens_;
  PtxKernel& out_;
  std::vector<Scope> scopes_;
  // Inside of [texture, {coordinates}], which is read as several operands.
  bool in_brackets_ = false;
};

}  // namespace

PtxModule ReadPtxModule(std::string_view text) {
  PtxModule module;
  // Texts in fat binaries end with zeros.
  module.text = text.substr(0, text.find('\0'));
  PtxTokens tokens(module.text);
  while (!tokens.at_end()) {
    const std::string_view token = tokens.now();
    if (IsDebugLine(token)) {
      tokens.SkipLine();
    } else if (token == ".address_size") {
      tokens.Next();
      if (tokens.Take() != "64") module.damage = "its addresses have no 64 bits";
    } else if (token == ".entry") {
      tokens.Next();
      const std::string_view name = tokens.Take();
      if (!IsName(name) || module.kernels.size() >= kMaxKernels) {
        module.damage = "a kernel without a name, or too many kernels";
        return module;
      }
      module.kernels.push_back({name, tokens.offset()});
      while (!tokens.at_end() && tokens.now() != "{" && tokens.now() != ";") tokens.Next();
      if (tokens.now() == "{") tokens.SkipGroup();
    } else if (token == "{" || token == "(" || token == "[") {
      tokens.SkipGroup();
    } else if (const PtxSpace space = SpaceOf(token);
               space == PtxSpace::kGlobal || space == PtxSpace::kConst ||
               space == PtxSpace::kShared || space == PtxSpace::kLocal) {
      tokens.Next();
      Declaration declaration;
      if (ReadDeclaration(&tokens, &declaration) && module.variables.size() < kMaxVariables)
        module.variables[declaration.name] = space;
      SkipStatement(&tokens);
    } else {
      tokens.Next();
    }
  }
  return module;
}

PtxKernel ReadPtxKernel(const PtxModule& module, const PtxModule::Kernel& kernel) {
  PtxKernel out;
  if (!module.damage.empty()) out.failure = "a damaged text";
  if (out.failure == nullptr) KernelReader(module, kernel, &out).Read();
  return out;
}

std::vector<KernelParameter> PtxKernel::Layout() const {
  std::vector<KernelParameter> layout;
  for (const Parameter& parameter : parameters) {
    layout.push_back({static_cast<unsigned>(layout.size()), parameter.offset, parameter.size});
  }
  return layout;
}

}  // namespace gpusan::cuda
