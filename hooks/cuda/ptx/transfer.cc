// The effect of each PTX instruction on the registers (PtxDataFlow::Execute).
#include <array>
#include <charconv>
#include <optional>

#include "hooks/cuda/analysis/bitwise.h"
#include "hooks/cuda/ptx/data_flow.h"
#include "hooks/cuda/ptx/truncation.h"

namespace gpusan::cuda {
namespace {

using Kind = PtxOperand::Kind;

constexpr int64_t kPowers = 62;  // the largest shift of a coefficient

// Whole numbers of 32 or 64 bits.
bool IsWhole(std::string_view type) {
  return type == "u32" || type == "s32" || type == "b32" || type == "u64" || type == "s64" ||
         type == "b64";
}

bool IsFloatName(std::string_view type) {
  return !type.empty() &&
         (type[0] == 'f' || type.substr(0, 2) == "bf" || type == "tf32" || type[0] == 'e');
}

// A result and `count` operands.
bool Has(const PtxInstruction& instruction, size_t count) {
  return instruction.operands.size() > count;
}

// The number of a register %envreg0 to %envreg31.
std::optional<uint16_t> NumberOfEnvironment(std::string_view name) {
  constexpr std::string_view kPrefix = "%envreg";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  uint16_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

void PtxDataFlow::Execute(uint32_t index) {
  const PtxInstruction& instruction = kernel_.instructions[index];
  const PtxOpcode& opcode = opcodes_[index];
  if (instruction.operands.empty()) return;
  const PtxOperand& to = instruction.operands[0];
  const bool whole = IsWhole(opcode.type);
  const auto opaque = [&] {
    if (opcode.head == "shr" && whole && Has(instruction, 2) && IsZero(instruction.operands[1]))
      return Write(instruction, to, opcode.bits == 64 ? Value::High({}) : Value::Constant(0));
    const bool number = opcode.is_float;
    Write(instruction, to, Value::Unknown(number ? Sources() : SourcesOf(instruction, 1)));
  };
  switch (opcode.operation) {
    case PtxOperation::kNumber:
      return Write(instruction, to, Value::Unknown({}));
    case PtxOperation::kOpaque:
      return opaque();
    case PtxOperation::kFetch:
    case PtxOperation::kReadTexels:
      return Write(instruction, to, Value::UnknownFrom(Sources::kMemory));
    case PtxOperation::kMove:
      return Move(instruction, opcode);
    case PtxOperation::kAdd:
    case PtxOperation::kSubtract:
      if (!whole || opcode.Has("sat") || !Has(instruction, 2)) return opaque();
      return Add(instruction, opcode, opcode.operation == PtxOperation::kSubtract);
    case PtxOperation::kNegate:
      if (!whole || !Has(instruction, 1)) return opaque();
      if (opcode.bits == 64)
        return WriteWide(instruction, to, Scaled(WideOf(instruction.operands[1]), -1));
      return Write(instruction, to,
                   gpusan::cuda::Add(std::array{Addend{Value::Constant(0), false},
                                                Addend{ValueOf(instruction.operands[1]), true}},
                                     &extensions_));
    case PtxOperation::kMultiply:
      if (opcode.is_float || opcode.Has("hi") || !whole || !Has(instruction, 2)) return opaque();
      return Multiply(instruction, opcode);
    case PtxOperation::kMultiplyAdd:
      if (opcode.is_float || opcode.Has("hi") || opcode.Has("sat") || !whole ||
          !Has(instruction, 3))
        return opaque();
      return Multiply(instruction, opcode);
    case PtxOperation::kShiftLeft:
      if (!whole || !Has(instruction, 2)) return opaque();
      return Multiply(instruction, opcode);
    case PtxOperation::kShiftRight:
      if (!whole || !Has(instruction, 2)) return opaque();
      if (opcode.bits == 32) {
        const std::optional<Expression> bits = BitsOfWord(instruction, opcode);
        return bits ? Write(instruction, to, Value::Word(*bits)) : opaque();
      }
      if (const std::optional<Expression> shifted = ShiftRight(instruction, opcode))
        return WriteWide(instruction, to, *shifted);
      return opaque();
    case PtxOperation::kBitField: {
      const std::optional<Expression> bits = BitsOfWord(instruction, opcode);
      return bits ? Write(instruction, to, Value::Word(*bits)) : opaque();
    }
    case PtxOperation::kLogic:
      return Logic(instruction, opcode);
    case PtxOperation::kMinMax:
    case PtxOperation::kSelect:
      if (opcode.is_float || !whole || !Has(instruction, 2)) return opaque();
      return Select(instruction, instruction.operands[1], instruction.operands[2]);
    case PtxOperation::kConvert:
      return Convert(instruction, opcode);
    case PtxOperation::kConvertAddress:
      return ConvertAddress(instruction, opcode);
    case PtxOperation::kCompare:
      return Compare(instruction, opcode);
    case PtxOperation::kLoad:
      return Load(instruction, opcode);
    case PtxOperation::kAtomic:
      return Write(instruction, to, Value::UnknownFrom(Sources::kMemory));
    case PtxOperation::kUnknown:
    case PtxOperation::kNothing:
    case PtxOperation::kStore:
    case PtxOperation::kReduction:
    case PtxOperation::kCopyToShared:
    case PtxOperation::kWriteTexels:
    case PtxOperation::kBranch:
    case PtxOperation::kEnd:
      return;
  }
}

Value PtxDataFlow::ValueOfSpecial(std::string_view name, bool wide) {
  static constexpr struct {
    std::string_view name;
    Atom::Kind kind;
  } kVectors[] = {{"%tid.", Atom::Kind::kThread},
                  {"%ctaid.", Atom::Kind::kBlock},
                  {"%ntid.", Atom::Kind::kBlockSize},
                  {"%nctaid.", Atom::Kind::kGridSize}};
  if (wide) return Value::Unknown({});
  for (const auto& vector : kVectors) {
    if (name.size() != vector.name.size() + 1 ||
        name.substr(0, vector.name.size()) != vector.name || name.back() < 'x' || name.back() > 'z')
      continue;
    const Atom atom = {vector.kind, static_cast<uint16_t>(name.back() - 'x')};
    const bool size = atom.kind == Atom::Kind::kBlockSize || atom.kind == Atom::Kind::kGridSize;
    return Value::Word(size ? Expression::Of(atom) : first_thread_.ValueOf(atom));
  }
  if (const std::optional<uint16_t> number = NumberOfEnvironment(name))
    return Value::Word(Expression::Of({Atom::Kind::kEnvironment, *number}));
  if (name == "%laneid") return Value::Word(first_thread_.ValueOf({Atom::Kind::kLane, 0}));
  return Value::Unknown({});
}

// Of 32 bits, or of 64 bits in the shape of registers of that size.
Value PtxDataFlow::ValueOf(const PtxOperand& operand) {
  switch (operand.kind) {
    case Kind::kRegister:
      return ValueOfRegister(operand.reg);
    case Kind::kImmediate:
      return Value::Constant(static_cast<uint32_t>(operand.immediate));
    case Kind::kSpecial:
      return ValueOfSpecial(operand.name, false);
    case Kind::kName:
      return Value::High(WideOf(operand));
    case Kind::kOther:  // a floating-point number
    case Kind::kSink:
      return Value::Unknown({});
    default:
      return Value::UnknownFrom(Sources::kMemory);
  }
}

Expression PtxDataFlow::WideOf(const PtxOperand& operand) {
  switch (operand.kind) {
    case Kind::kRegister: {
      const Value value = ValueOfRegister(operand.reg);
      if (value.shape == Value::Shape::kUndefined) return Expression::UnknownFrom(Sources::kMemory);
      if (BitsOf(operand.reg) == 64) return value.expression;
      return extensions_.Extend(value, false);
    }
    case Kind::kImmediate:
      return Expression::Constant(operand.immediate);
    case Kind::kSpecial:
    case Kind::kOther:
      return Expression::Unknown({});
    case Kind::kName:
      switch (SpaceOfName(operand.name)) {
        case PtxSpace::kGlobal:
        case PtxSpace::kConst:
          return AddressOfVariable(operand.name);
        case PtxSpace::kParameter:
          takes_parameter_addresses_ = true;
          return Expression::UnknownFrom(Sources::kDriver);
        case PtxSpace::kShared:
        case PtxSpace::kLocal:
          return Expression::UnknownFrom(Sources::kDriver);
        case PtxSpace::kUnknown:
          break;
      }
      break;
    default:
      break;
  }
  return Expression::UnknownFrom(Sources::kMemory);
}

bool PtxDataFlow::IsZero(const PtxOperand& operand) {
  return WideOf(operand).IsConstant(int64_t{0});
}

Sources PtxDataFlow::SourcesOf(const PtxInstruction& instruction, size_t first) {
  Sources sources;
  const auto add = [&](const PtxOperand& operand) {
    if (operand.kind == Kind::kRegister && BitsOf(operand.reg) == 1) return;
    const Value value = ValueOf(operand);
    if (value.shape == Value::Shape::kUndefined) sources.flags |= Sources::kMemory;
    sources.Add(value.AllSources());
  };
  for (size_t i = first; i < instruction.operands.size(); ++i) {
    const PtxOperand& operand = instruction.operands[i];
    if (operand.kind != Kind::kParts) add(operand);
    for (const PtxOperand& part : operand.parts) add(part);
  }
  return sources;
}

void PtxDataFlow::Move(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  if (!Has(instruction, 1)) return;
  const PtxOperand& to = instruction.operands[0];
  const PtxOperand& from = instruction.operands[1];
  if (opcode.type == "pred" && to.kind == Kind::kRegister)
    return WriteCondition(instruction, to.reg, ConditionOf(from));
  if (opcode.bits == 64 && to.parts.size() == 2 && from.parts.empty()) {
    const Expression wide = WideOf(from);
    const bool words = BitsOf(to.parts[0].reg) == 32;
    Write(instruction, to.parts[0], words ? LowHalf(wide) : Value::Unknown({}));
    Write(instruction, to.parts[1], words ? Value::High(wide) : Value::Unknown({}));
    return;
  }
  if (opcode.bits == 64 && from.parts.size() == 2 && to.parts.empty()) {
    return WriteWide(instruction, to,
                     Combine(ValueOf(from.parts[0]), ValueOf(from.parts[1]), &extensions_));
  }
  if (!from.parts.empty() || !to.parts.empty())
    return Write(instruction, to, Value::Unknown(SourcesOf(instruction, 1)));
  if (opcode.bits == 64) return WriteWide(instruction, to, WideOf(from));
  Write(instruction, to, ValueOf(from));
}

void PtxDataFlow::Add(const PtxInstruction& instruction, const PtxOpcode& opcode, bool minus) {
  const PtxOperand& a = instruction.operands[1];
  const PtxOperand& b = instruction.operands[2];
  const PtxOperand& to = instruction.operands[0];
  if (opcode.bits == 64)
    return WriteWide(instruction, to, Sum(WideOf(a), WideOf(b), minus ? -1 : 1));
  Write(instruction, to,
        gpusan::cuda::Add(std::array{Addend{ValueOf(a), false}, Addend{ValueOf(b), minus}},
                          &extensions_));
}

// mul, mad and shl.
void PtxDataFlow::Multiply(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  const PtxOperand& to = instruction.operands[0];
  const PtxOperand& a = instruction.operands[1];
  const PtxOperand& b = instruction.operands[2];
  const bool adds = opcode.operation == PtxOperation::kMultiplyAdd;
  const bool widens = opcode.Has("wide");
  const bool shifts = opcode.operation == PtxOperation::kShiftLeft;
  if (widens && opcode.bits != 32)
    return Write(instruction, to, Value::Unknown(SourcesOf(instruction, 3)));
  if (widens || opcode.bits == 64) {
    Expression x, y;
    if (widens) {
      x = extensions_.Extend(ValueOf(a), opcode.is_signed);
      y = extensions_.Extend(ValueOf(b), opcode.is_signed);
    } else {
      x = WideOf(a);
      if (!shifts) y = WideOf(b);
    }
    if (shifts) {
      int64_t amount;
      const bool known = b.kind == Kind::kImmediate ? (amount = b.immediate, true)
                                                    : ValueOf(b).shape == Value::Shape::kWord &&
                                                          ValueOf(b).expression.IsConstant(&amount);
      y = known && amount >= 0 && amount <= kPowers ? Expression::Constant(int64_t{1} << amount)
                                                    : Expression::Unknown({});
      // An unknown shift may be one by 0.
      if (!known) {
        return WriteWide(instruction, to, Expression::Unknown(SourcesOf(instruction, 1)));
      }
    }
    Expression product = Product(x, y);
    if (adds) product = Sum(product, WideOf(instruction.operands[3]));
    return WriteWide(instruction, to, std::move(product));
  }
  const Value x = ValueOf(a);
  Value y = ValueOf(b);
  if (shifts) {
    int64_t amount;
    const bool known = y.shape == Value::Shape::kWord && y.expression.IsConstant(&amount) &&
                       amount >= 0 && amount < 32;
    if (!known) return Write(instruction, to, Value::Unknown(SourcesOf(instruction, 1)));
    y = Value::Constant(uint32_t{1} << amount);
  }
  Value product = Value::Unknown({});
  if (y.IsConstant(1)) {
    product = x;
  } else if (x.IsConstant(1)) {
    product = y;
  } else if (x.shape == Value::Shape::kWord && y.shape == Value::Shape::kWord) {
    product = Value::Word(LowWord(Product(x.expression, y.expression)));
  }
  if (adds) {
    product = gpusan::cuda::Add(
        std::array{Addend{product, false}, Addend{ValueOf(instruction.operands[3]), false}},
        &extensions_);
  }
  Write(instruction, to, product);
}

std::optional<Expression> PtxDataFlow::ShiftRight(const PtxInstruction& instruction,
                                                  const PtxOpcode& opcode) {
  const PtxOperand& amount = instruction.operands[2];
  if (amount.kind != Kind::kImmediate) return std::nullopt;
  return ShiftedRight(WideOf(instruction.operands[1]), amount.immediate, opcode.is_signed,
                      &extensions_);
}

// The bits of a word that shr, or bfe without a sign, takes out of it.
std::optional<Expression> PtxDataFlow::BitsOfWord(const PtxInstruction& instruction,
                                                  const PtxOpcode& opcode) {
  const bool field = opcode.operation == PtxOperation::kBitField;
  if (!IsWhole(opcode.type) || opcode.bits != 32 || !Has(instruction, field ? 3 : 2))
    return std::nullopt;
  const PtxOperand& amount = instruction.operands[2];
  if (amount.kind != Kind::kImmediate || amount.immediate < 0 || amount.immediate > 31)
    return std::nullopt;
  std::optional<Expression> bits =
      BitsFrom(ValueOf(instruction.operands[1]), static_cast<unsigned>(amount.immediate),
               opcode.is_signed, kernel_.block);
  if (!field || !bits) return bits;
  const PtxOperand& count = instruction.operands[3];
  if (opcode.is_signed || count.kind != Kind::kImmediate || count.immediate < 1 ||
      count.immediate > 31)
    return std::nullopt;
  const Value word = Value::Word(*std::move(bits)), none = Value::Constant(0);
  const Value mask = Value::Constant((uint32_t{1} << count.immediate) - 1);
  return Bitwise(kTableA & kTableB, {&word, &mask, &none}, kernel_.block);
}

// The result of an operation on words that is a sum (Bitwise).
std::optional<Expression> PtxDataFlow::BitwiseSum(const PtxInstruction& instruction,
                                                  const PtxOpcode& opcode) {
  const uint8_t table = opcode.head == "and"   ? kTableA & kTableB
                        : opcode.head == "or"  ? kTableA | kTableB
                        : opcode.head == "xor" ? kTableA ^ kTableB
                                               : 0;
  if (table == 0 || opcode.bits != 32 || !IsWhole(opcode.type) || !Has(instruction, 2))
    return std::nullopt;
  const Value a = ValueOf(instruction.operands[1]), b = ValueOf(instruction.operands[2]);
  const Value none = Value::Constant(0);
  return Bitwise(table, {&a, &b, &none}, kernel_.block);
}

void PtxDataFlow::Logic(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  if (!Has(instruction, 1)) return;
  const PtxOperand& to = instruction.operands[0];
  if (opcode.type != "pred" || to.kind != Kind::kRegister) {
    Expression result = Expression::Unknown(SourcesOf(instruction, 1));
    if (opcode.head == "and" && IsWhole(opcode.type) && Has(instruction, 2) &&
        (IsZero(instruction.operands[1]) || IsZero(instruction.operands[2])))
      result = {};
    if (opcode.bits == 64 && result.inexact && opcode.head == "and" && Has(instruction, 2)) {
      // An operand that is 0 where its conditions hold.
      for (const PtxOperand* one : {&instruction.operands[1], &instruction.operands[2]}) {
        Expression zero = WideOf(*one);
        if (!zero.IsAssumedZero()) continue;
        zero.sources = std::move(result.sources);
        result = std::move(zero);
        break;
      }
    }
    if (opcode.bits == 64 && result.inexact && opcode.head == "and" && Has(instruction, 2) &&
        instruction.operands[2].kind == Kind::kImmediate) {
      if (std::optional<Expression> masked = Masked(
              WideOf(instruction.operands[1]), instruction.operands[2].immediate, &extensions_))
        result = *std::move(masked);
    }
    if (opcode.bits == 64 && result.inexact && opcode.head == "or" && Has(instruction, 2) &&
        instruction.operands[2].kind == Kind::kImmediate) {
      if (std::optional<Expression> both =
              WithLowBits(WideOf(instruction.operands[1]), instruction.operands[2].immediate))
        result = *std::move(both);
    }
    if (std::optional<Expression> sum = BitwiseSum(instruction, opcode)) result = *std::move(sum);
    if (on_path_ && result.inexact && opcode.head == "and" && IsWhole(opcode.type) &&
        Has(instruction, 2) && instruction.operands[2].kind == Kind::kImmediate &&
        (opcode.bits == 32 || instruction.operands[2].immediate >> 32 == 0)) {
      const Expression word = LowWord(WideOf(instruction.operands[1]));
      const auto mask = static_cast<uint32_t>(instruction.operands[2].immediate);
      if (!word.inexact) result = opaque_.Add(result.sources, {word, mask});
    }
    return opcode.bits == 64 ? WriteWide(instruction, to, std::move(result))
                             : Write(instruction, to, Value::Word(std::move(result)));
  }
  const Condition a = ConditionOf(instruction.operands[1]);
  Condition result;
  if (opcode.head == "not") {
    result = a.Negated();
  } else if (opcode.head == "and" && Has(instruction, 2)) {
    result = Both(a, ConditionOf(instruction.operands[2]));
  } else if (opcode.head == "or" && Has(instruction, 2)) {
    result = Either(a, ConditionOf(instruction.operands[2]));
  }
  WriteCondition(instruction, to.reg, std::move(result));
}

void PtxDataFlow::Select(const PtxInstruction& instruction, const PtxOperand& a,
                         const PtxOperand& b) {
  const PtxOperand& to = instruction.operands[0];
  if (to.kind == Kind::kRegister && BitsOf(to.reg) == 64)
    return WriteWide(instruction, to, JoinWide(WideOf(a), WideOf(b)));
  const Value first = ValueOf(a), second = ValueOf(b);
  Write(instruction, to,
        first.shape == Value::Shape::kUndefined || second.shape == Value::Shape::kUndefined
            ? Value::UnknownFrom(Sources::kMemory)
            : Join(first, second));
}

void PtxDataFlow::Convert(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  if (!Has(instruction, 1)) return;
  const PtxOperand& to = instruction.operands[0];
  const PtxOperand& from = instruction.operands[1];
  if (opcode.is_float || IsFloatName(opcode.other))
    return Write(instruction, to, Value::Unknown({}));
  if (!IsWhole(opcode.type) || !IsWhole(opcode.other) || opcode.Has("sat") ||
      instruction.operands.size() != 2 || from.kind != Kind::kRegister)
    return Write(instruction, to, Value::Unknown(SourcesOf(instruction, 1)));
  const bool to_wide = opcode.other.substr(1) == "64";
  if (opcode.bits == 64) {
    const Expression wide = WideOf(from);
    return to_wide ? WriteWide(instruction, to, wide) : Write(instruction, to, LowHalf(wide));
  }
  const Value word = BitsOf(from.reg) == 64 ? LowHalf(WideOf(from)) : ValueOf(from);
  if (!to_wide) return Write(instruction, to, word);
  WriteWide(instruction, to, extensions_.Extend(word, opcode.is_signed));
}

void PtxDataFlow::ConvertAddress(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  if (!Has(instruction, 1)) return;
  const PtxOperand& to = instruction.operands[0];
  Expression address = WideOf(instruction.operands[1]);
  if (opcode.space != PtxSpace::kGlobal && opcode.space != PtxSpace::kConst) {
    if (opcode.space == PtxSpace::kParameter) takes_parameter_addresses_ = true;
    Sources sources = address.AllSources();
    sources.flags |= Sources::kDriver;
    address = Expression::Unknown(std::move(sources));
  }
  WriteWide(instruction, to, std::move(address));
}

void PtxDataFlow::Compare(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  const PtxOperand& to = instruction.operands[0];
  const bool two = to.kind == Kind::kParts && to.parts.size() == 2;
  const PtxOperand& first = two ? to.parts[0] : to;
  Condition result;
  static constexpr struct {
    std::string_view name;
    AccessGuard::Relation relation;
  } kRelations[] = {{"lt", AccessGuard::Relation::kLess},
                    {"lo", AccessGuard::Relation::kLess},
                    {"eq", AccessGuard::Relation::kEqual},
                    {"le", AccessGuard::Relation::kLessOrEqual},
                    {"ls", AccessGuard::Relation::kLessOrEqual},
                    {"gt", AccessGuard::Relation::kGreater},
                    {"hi", AccessGuard::Relation::kGreater},
                    {"ne", AccessGuard::Relation::kNotEqual},
                    {"ge", AccessGuard::Relation::kGreaterOrEqual},
                    {"hs", AccessGuard::Relation::kGreaterOrEqual}};
  if (with_conditions_ && IsWhole(opcode.type) && Has(instruction, 2)) {
    AccessGuard guard;
    guard.is_signed = opcode.is_signed;
    guard.wide = opcode.bits == 64;
    bool known = true;
    if (guard.wide) {
      guard.left = WideOf(instruction.operands[1]);
      guard.right = WideOf(instruction.operands[2]);
    } else {
      const Value a = ValueOf(instruction.operands[1]), b = ValueOf(instruction.operands[2]);
      known = a.shape == Value::Shape::kWord && b.shape == Value::Shape::kWord;
      guard.left = a.expression;
      guard.right = b.expression;
    }
    known = known && !guard.left.inexact && !guard.right.inexact;
    bool found = false;
    for (const auto& one : kRelations) {
      if (!opcode.Has(one.name)) continue;
      guard.relation = one.relation;
      found = true;
    }
    if (known && found) {
      result = Condition::Always();
      result.guards.push_back(std::move(guard));
      if (Has(instruction, 3)) {
        const Condition other = ConditionOf(instruction.operands[3]);
        result = opcode.Has("and")  ? Both(result, other)
                 : opcode.Has("or") ? Either(result, other)
                                    : Condition();
      }
    }
  }
  if (first.kind == Kind::kRegister) {
    Condition own = two && Has(instruction, 3) ? Condition() : result;
    WriteCondition(instruction, first.reg, std::move(own));
  }
  if (two && to.parts[1].kind == Kind::kRegister) {
    WriteCondition(instruction, to.parts[1].reg,
                   Has(instruction, 3) ? Condition() : result.Negated());
  }
}

void PtxDataFlow::LoadParameter(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  const PtxOperand& to = instruction.operands[0];
  const PtxOperand& address = instruction.operands[1];
  const Value any = Value::Unknown({Sources::kMemory | Sources::kParameters, {}});
  int64_t at = -1;
  for (const PtxKernel::Parameter& parameter : kernel_.parameters) {
    if (parameter.name == address.name && !address.has_register)
      at = parameter.offset + address.immediate;
  }
  const auto load = [&](const PtxOperand& part, int64_t offset) {
    if (at < 0 || offset < 0 || offset + opcode.bits / 8 > kernel_.parameter_bytes)
      return Write(instruction, part, any);
    const auto slot = static_cast<uint16_t>(offset);
    if (opcode.is_float || opcode.bits < 32) return Write(instruction, part, Value::Unknown({}));
    if (opcode.bits == 64 && offset % 8 == 0)
      return WriteWide(instruction, part, Expression::Of({Atom::Kind::kParameter64, slot}));
    if (opcode.bits == 32 && offset % 4 == 0) {
      const Value word = Value::Word(Expression::Of({Atom::Kind::kParameter32, slot}));
      // A load into a larger register extends the word.
      if (part.kind == Kind::kRegister && BitsOf(part.reg) == 64)
        return WriteWide(instruction, part, extensions_.Extend(word, opcode.is_signed));
      return Write(instruction, part, word);
    }
    Write(instruction, part, any);
  };
  if (to.kind != Kind::kParts) return load(to, at);
  for (size_t i = 0; i < to.parts.size(); ++i)
    load(to.parts[i], at + static_cast<int64_t>(i * opcode.bits / 8));
}

void PtxDataFlow::Load(const PtxInstruction& instruction, const PtxOpcode& opcode) {
  if (!Has(instruction, 1)) return;
  const PtxOperand& address = instruction.operands[1];
  if (address.kind == Kind::kAddress && SpaceOfAccess(opcode, address) == PtxSpace::kParameter)
    return LoadParameter(instruction, opcode);
  uint8_t flags = Sources::kMemory;
  // A generic address may be one of a parameter.
  if (takes_parameter_addresses_ && opcode.generic) flags |= Sources::kParameters;
  Write(instruction, instruction.operands[0], Value::Unknown({flags, {}}));
}

}  // namespace gpusan::cuda
