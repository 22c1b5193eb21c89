// The effect of each instruction on the registers (DataFlow::Execute).
#include <optional>
#include <tuple>

#include "hooks/cuda/analysis/bitwise.h"
#include "hooks/cuda/machine_code/data_flow.h"

namespace gpusan::cuda {
namespace {

// Numbers of special registers.
constexpr uint8_t kLaneId = 0x00;
constexpr uint8_t kThreadX = 0x21;
constexpr uint8_t kBlockX = 0x25;
constexpr uint8_t kZeroRegister = 0xff;

constexpr int64_t kPowers = 62;  // the largest shift of a coefficient

Expression Shifted(const Expression& wide, unsigned shift) {
  return shift <= kPowers ? Scaled(wide, int64_t{1} << shift) : Expression::Unknown({});
}

// Restricts a table of LOP3 to the rows in which the operand with `mask` has the value of a
// constant.
uint8_t Restrict(uint8_t table, uint8_t mask, unsigned distance, const Value& operand) {
  if (operand.IsConstant(0)) {
    const uint8_t zeros = table & static_cast<uint8_t>(~mask);
    return static_cast<uint8_t>(zeros | zeros << distance);
  }
  if (operand.IsConstant(-1)) {
    const uint8_t ones = table & mask;
    return static_cast<uint8_t>(ones | ones >> distance);
  }
  return table;
}

}  // namespace

// On a path, a guard that compares constants is known to hold or not.
void DataFlow::Execute(uint32_t index) {
  const Instruction& instruction = flow_.instructions[index];
  std::optional<bool> executes;
  if (on_path_ && instruction.Guarded() && !instruction.writes_uniform_predicates)
    executes = Decide(PredicateAt(instruction.guard, instruction.guard_negated));
  if (!executes) return ExecuteOn(index, instruction);
  if (!*executes) return;
  Instruction always = instruction;
  always.guard = kTruePredicate;
  always.guard_negated = false;
  current_ = &always;
  ExecuteOn(index, always);
  current_ = &instruction;
}

void DataFlow::ExecuteOn(uint32_t index, const Instruction& instruction) {
  if (relocated_[index]) {
    WriteAll(instruction, Value::UnknownFrom(Sources::kGlobals));
    KillPredicates(instruction);
    return;
  }
  switch (instruction.operation) {
    case Operation::kNumber:
      WriteAll(instruction, Value::Unknown({}));
      break;
    case Operation::kOpaque:
    case Operation::kAbsolute:
    case Operation::kAddMinMax:
      WriteAll(instruction, Value::Unknown(SourcesOf(instruction)));
      break;
    case Operation::kLoad:
    case Operation::kAtomic:
    case Operation::kMulticastLoad:
    case Operation::kReadTexels:
    case Operation::kLoadLocal:
    case Operation::kFetch:
      WriteAll(instruction, Value::UnknownFrom(Sources::kMemory));
      break;
    case Operation::kMove:
    case Operation::kSelect:
      Select(instruction);
      break;
    case Operation::kMinMax:
      MinMax(instruction);
      break;
    case Operation::kHalfMove:
      if (instruction.c.kind == Operand::Kind::kImmediate &&
          instruction.a.kind == Operand::Kind::kZero &&
          instruction.b.kind == Operand::Kind::kZero) {
        Write(instruction, 0, ValueOf(instruction.c));
      } else {
        WriteAll(instruction, Value::Unknown({}));
      }
      break;
    case Operation::kCodeAddress:
      if (instruction.target != kNoTarget) {
        WritePair(instruction, Expression::Constant(static_cast<int64_t>(instruction.target)));
      } else {
        WriteAll(instruction, Value::Unknown({}));
      }
      break;
    case Operation::kToUniform:
      ToUniform(instruction);
      break;
    case Operation::kClear:
    case Operation::kSpecial:
      Special(instruction);
      break;
    case Operation::kConstant:
      LoadConstant(instruction);
      break;
    case Operation::kAdd3:
      AddWords(instruction);
      return;  // it writes carries
    case Operation::kAdd:
      if (instruction.result_count > 1) {
        AddPairs(instruction);
      } else {
        AddWords(instruction);
      }
      break;
    case Operation::kAdd64:
      AddPairs(instruction);
      break;
    case Operation::kLea:
      Lea(instruction);
      return;  // it writes carries
    case Operation::kLogic:
      Logic(instruction);
      break;
    case Operation::kLowBits:
      LowBits(instruction);
      break;
    case Operation::kPermute:
      Permute(instruction);
      break;
    case Operation::kShift:
      Shift(instruction);
      break;
    case Operation::kMultiplyAdd:
      MultiplyAdd(instruction);
      break;
    case Operation::kMultiplyAddWide:
      MultiplyAddWide(instruction);
      break;
    case Operation::kMultiplyAddHigh:
      MultiplyAddHigh(instruction);
      break;
    default:
      break;
  }
  KillPredicates(instruction);
}

void DataFlow::LoadConstant(const Instruction& instruction) {
  const bool whole_words = instruction.width >= 4;
  // The first result may be the register of the index.
  std::vector<Value> words;
  for (unsigned i = 0; i < instruction.result_count; ++i)
    words.push_back(whole_words ? ValueOfConstant(instruction.b, i) : Value::Unknown({}));
  for (unsigned i = 0; i < instruction.result_count; ++i)
    Write(instruction, i, std::move(words[i]));
}

void DataFlow::Select(const Instruction& instruction) {
  const bool move = instruction.operation == Operation::kMove;
  // The immediate of a move of 64 bits is not decoded.
  if (move && instruction.result_count > 1 && instruction.b.kind == Operand::Kind::kImmediate) {
    WriteAll(instruction, Value::Unknown({}));
    return;
  }
  std::optional<bool> first;  // whether it is A
  if (on_path_ && instruction.operation == Operation::kSelect && instruction.result_count == 1 &&
      !instruction.writes_uniform_predicates)
    first = Decide(PredicateAt(instruction.source, instruction.source_negated));
  if (move) first = false;
  const auto either = [&](const Value& a, const Value& b) {
    return !first ? Join(a, b) : *first ? a : b;
  };
  const Value low = either(ValueOf(instruction.a), ValueOf(instruction.b));
  const Value high = either(UpperValueOf(instruction.a), UpperValueOf(instruction.b));
  Write(instruction, 0, low);
  Write(instruction, 1, high);
}

void DataFlow::MinMax(const Instruction& instruction) {
  const Value a = ValueOf(instruction.a), b = ValueOf(instruction.b);
  const bool words = a.shape == Value::Shape::kWord && b.shape == Value::Shape::kWord;
  if (on_path_ && instruction.whole && instruction.source == kTruePredicate && words) {
    const bool smaller = !instruction.source_negated;
    if (std::optional<OpaqueWords::Masked> known =
            OpaqueWords::Limited(a.expression, b.expression, smaller, instruction.is_signed))
      return Write(instruction, 0, NewOpaque(SourcesOf(instruction), *std::move(known)));
  }
  Select(instruction);
}

void DataFlow::ToUniform(const Instruction& instruction) {
  Value value = ValueOf(instruction.a);
  value.expression = InSomeThread(value.expression);
  Write(instruction, 0, std::move(value));
}

void DataFlow::Special(const Instruction& instruction) {
  const uint8_t number = instruction.special;
  Value value = Value::UnknownFrom(Sources::kDriver);
  const auto atom = [this](Atom::Kind kind, unsigned i) {
    return Value::Word(first_thread_.ValueOf({kind, static_cast<uint16_t>(i)}));
  };
  if (number == kZeroRegister) {
    value = Value::Constant(0);
  } else if (number == kLaneId && instruction.operation == Operation::kSpecial) {
    value = atom(Atom::Kind::kLane, 0);
  } else if (number >= kThreadX && number < kThreadX + 3) {
    value = atom(Atom::Kind::kThread, number - kThreadX);
  } else if (number >= kBlockX && number < kBlockX + 3) {
    value = atom(Atom::Kind::kBlock, number - kBlockX);
  }
  // Two results: the special register of 64 bits, or two zeros.
  if (instruction.result_count > 1 && number != kZeroRegister)
    value = Value::UnknownFrom(Sources::kDriver);
  WriteAll(instruction, value);
}

void DataFlow::AddWords(const Instruction& instruction) {
  const std::vector<Addend> addends{{ValueOf(instruction.a), instruction.a.negated},
                                    {ValueOf(instruction.b), instruction.b.negated},
                                    {ValueOf(instruction.c), instruction.c.negated}};
  Value sum;
  if (!instruction.with_carry) {
    sum = Add(addends, &extensions_);
  } else {
    const Carry* carry = CarryOf(instruction, instruction.carry);
    const bool known = carry != nullptr && !carry->lows.empty() && carry->shift == 0;
    sum = AddWithCarry(known ? carry->lows : std::vector<Addend>{}, addends, &extensions_);
    if (!known) sum.expression = Sum(sum.expression, Expression::Unknown({}));
  }
  Write(instruction, 0, std::move(sum));
  KillPredicates(instruction);
  if (instruction.with_carry || instruction.operation != Operation::kAdd3) return;
  SetCarry(instruction, {addends, 0, GuardOf(instruction)});
}

void DataFlow::AddPairs(const Instruction& instruction) {
  Expression sum;
  for (const Operand* operand : {&instruction.a, &instruction.b, &instruction.c}) {
    sum = Sum(sum, PairOf(*operand), operand->negated ? -1 : 1);
  }
  WritePair(instruction, sum);
}

void DataFlow::Lea(const Instruction& instruction) {
  const Addend index{ValueOf(instruction.a), instruction.a.negated},
      base{ValueOf(instruction.b), instruction.b.negated};
  if (!instruction.high) {
    Value shifted = Value::Unknown({});
    if (index.value.shape == Value::Shape::kWord) {
      shifted = Value::Word(LowWord(Shifted(index.value.expression, instruction.shift)));
    }
    Write(instruction, 0, Add(std::vector<Addend>{{shifted, index.negated}, base}, &extensions_));
    KillPredicates(instruction);
    SetCarry(instruction, {{index, base}, instruction.shift, GuardOf(instruction)});
    return;
  }
  const Value upper_index =
      instruction.sign_extends ? Value::Sign(index.value) : ValueOf(instruction.c);
  const Carry* carry = instruction.with_carry ? CarryOf(instruction, instruction.carry) : nullptr;
  // The upper half of the extended index times 2 is the index's sign: the upper word of an addition
  // whose lower words were added without a shift.
  if (instruction.sign_extends && instruction.shift == 1 && !index.negated && carry != nullptr &&
      !carry->lows.empty() && carry->shift == 0) {
    const std::vector<Addend> highs{{upper_index, false}, base};
    Write(instruction, 0, AddWithCarry(carry->lows, highs, &extensions_));
    return KillPredicates(instruction);
  }
  // The upper word of a shifted word is the word, shifted to the right.
  const unsigned right = 32u - instruction.shift;
  std::optional<Value> upper;
  if (upper_index.IsConstant(0) && instruction.shift != 0 && !index.negated &&
      !instruction.with_carry) {
    if (std::optional<Expression> bits = BitsFrom(index.value, right, false, kernel_.block)) {
      upper = Value::Word(*std::move(bits));
    } else if (on_path_) {
      upper = ShiftedRight(index.value, right, false);
    }
  }
  if (upper) {
    const Addend shifted{*std::move(upper), false};
    Write(instruction, 0, Add(std::vector<Addend>{shifted, base}, &extensions_));
    KillPredicates(instruction);
    return SetCarry(instruction, {{shifted, base}, 0, GuardOf(instruction)});
  }
  Expression sum =
      Scaled(Shifted(Combine(index.value, upper_index, &extensions_), instruction.shift),
             index.negated ? -1 : 1);
  const bool known = carry != nullptr && carry->lows.size() == 2 &&
                     carry->shift == instruction.shift && carry->lows[0].value == index.value;
  const std::vector<Addend> lows =
      known ? std::vector<Addend>{carry->lows[1]} : std::vector<Addend>{};
  const Value rest = AddWithCarry(lows, std::vector<Addend>{base}, &extensions_);
  sum = Sum(sum, rest.expression);
  if (instruction.with_carry && !known) sum = Sum(sum, Expression::Unknown({}));
  Write(instruction, 0, Value::High(std::move(sum)));
  KillPredicates(instruction);
}

void DataFlow::Logic(const Instruction& instruction) {
  const Value a = ValueOf(instruction.a), b = ValueOf(instruction.b), c = ValueOf(instruction.c);
  uint8_t table = Restrict(instruction.table, kTableA, 4, a);
  table = Restrict(table, kTableB, 2, b);
  table = Restrict(table, kTableC, 1, c);
  const auto complement = [this](const Value& value) {
    return Add(std::vector<Addend>{{value, true}, {Value::Constant(UINT32_MAX), false}},
               &extensions_);
  };
  Value result = Value::Unknown(SourcesOf(instruction));
  int64_t mask;
  if (std::optional<Expression> sum = Bitwise(instruction.table, {&a, &b, &c}, kernel_.block))
    result = Value::Word(*std::move(sum));
  else if (on_path_ && table == (kTableA & kTableB) && a.shape == Value::Shape::kWord &&
           !a.expression.inexact && b.expression.IsConstant(&mask))
    result = NewOpaque(SourcesOf(instruction), {a.expression, static_cast<uint32_t>(mask)});
  // An operand that is 0 where its conditions hold, and makes the result 0.
  for (const auto& [own, distance, value] :
       {std::tuple{kTableA, 4u, &a}, std::tuple{kTableB, 2u, &b}, std::tuple{kTableC, 1u, &c}}) {
    if (value->shape != Value::Shape::kWord || !value->expression.IsAssumedZero() ||
        Restrict(table, own, distance, Value::Constant(0)) != 0)
      continue;
    Expression zero = value->expression;
    zero.sources = SourcesOf(instruction);
    result = Value::Word(std::move(zero));
  }
  if (table == 0) result = Value::Constant(0);
  if (table == kTableA) result = a;
  if (table == kTableB) result = b;
  if (table == kTableC) result = c;
  // The complement of an upper word is not the upper word of a difference.
  for (const auto& [own, value] :
       {std::pair{kTableA, &a}, std::pair{kTableB, &b}, std::pair{kTableC, &c}}) {
    if (table == static_cast<uint8_t>(~own) && value->shape == Value::Shape::kWord)
      result = complement(*value);
  }
  Write(instruction, 0, std::move(result));
}

void DataFlow::LowBits(const Instruction& instruction) {
  const Value word = ValueOf(instruction.a), none = Value::Constant(0);
  int64_t bits;
  Value result = Value::Unknown(SourcesOf(instruction));
  if (ValueOf(instruction.b).expression.IsConstant(&bits) && bits > 0 && bits < 32) {
    const auto mask = (uint32_t{1} << bits) - 1;
    const Value low = Value::Constant(mask);
    const std::optional<Expression> sum =
        Bitwise(kTableA & kTableB, {&word, &low, &none}, kernel_.block);
    // The sign is the highest of the bits.
    const bool positive = (PossibleBits(word, kernel_.block) & mask & ~(mask >> 1)) == 0;
    if (sum && (!instruction.is_signed || positive)) result = Value::Word(*sum);
  }
  Write(instruction, 0, std::move(result));
}

void DataFlow::Permute(const Instruction& instruction) {
  const Value selector = ValueOf(instruction.b);
  if (selector.IsConstant(0x3210)) return Write(instruction, 0, ValueOf(instruction.a));
  if (selector.IsConstant(0x7654)) return Write(instruction, 0, ValueOf(instruction.c));
  Write(instruction, 0, Value::Unknown(SourcesOf(instruction)));
}

void DataFlow::Shift(const Instruction& instruction) {
  const Value low = ValueOf(instruction.a), high = ValueOf(instruction.c);
  const Expression amount = ValueOf(instruction.b).expression;
  int64_t shift;
  Value result = Value::Unknown(SourcesOf(instruction));
  if (low.IsConstant(0) && high.IsConstant(0)) {
    result = Value::Constant(0);
  } else if (amount.IsConstant(&shift) && shift >= 0 && shift < 32) {
    if (!instruction.right && instruction.high) {
      result = Value::High(Shifted(Combine(low, high, &extensions_), static_cast<unsigned>(shift)));
    } else if (!instruction.right && low.shape == Value::Shape::kWord) {
      result = Value::Word(LowWord(Shifted(low.expression, static_cast<unsigned>(shift))));
    } else if (instruction.right && instruction.high && instruction.is_signed && shift == 31 &&
               instruction.a.kind == Operand::Kind::kZero) {
      result = high.shape == Value::Shape::kHigh && !high.expression.inexact
                   ? LowHalf(extensions_.SignOf(high.expression))
                   : Value::Sign(high);
    } else if (on_path_ && instruction.right && instruction.high && shift != 0 &&
               instruction.a.kind == Operand::Kind::kZero) {
      result = ShiftedRight(high, static_cast<unsigned>(shift), instruction.is_signed);
    }
    if (instruction.right &&
        (instruction.high ? instruction.a : instruction.c).kind == Operand::Kind::kZero) {
      if (std::optional<Expression> bits =
              BitsFrom(instruction.high ? high : low, static_cast<unsigned>(shift),
                       instruction.high && instruction.is_signed, kernel_.block))
        result = Value::Word(*std::move(bits));
    }
  }
  Write(instruction, 0, std::move(result));
}

// On a path.
Value DataFlow::ShiftedRight(const Value& value, unsigned shift, bool is_signed) {
  using Relation = AccessGuard::Relation;
  int64_t constant;
  if (value.shape == Value::Shape::kWord && value.expression.IsConstant(&constant)) {
    const auto word = static_cast<int32_t>(constant);
    return Value::Constant(is_signed ? static_cast<uint32_t>(word >> shift)
                                     : static_cast<uint32_t>(word) >> shift);
  }
  if (value.expression.inexact) return Value::Unknown(value.AllSources());
  if (value.shape == Value::Shape::kWord)
    return NewOpaque(
        value.AllSources(),
        OpaqueWords::Shifted(value.expression, static_cast<uint8_t>(shift), is_signed));
  if (value.shape != Value::Shape::kSign) return Value::Unknown(value.AllSources());
  // The sign of a number that is not negative.
  OpaqueWords::Masked sign;
  sign.zero_if.push_back({Relation::kGreaterOrEqual, true, false, value.expression, {}});
  return NewOpaque({}, std::move(sign));
}

// The upper word of a factor is part of a product of 64 bits. The factor may be a word that is
// extended with its sign, such as the number of a row that is multiplied by a pitch.
Value DataFlow::ProductOfWords(const Value& a, const Value& b) {
  Expression product = Expression::Constant(1);
  for (const Value* factor : {&a, &b}) {
    if (factor->shape == Value::Shape::kWord) {
      product = Product(product, factor->expression);
    } else if (factor->shape == Value::Shape::kHigh || factor->shape == Value::Shape::kSign) {
      product = Product(product, LowWord(extensions_.UpperWordOf(factor->expression)));
    } else {
      return Value::Unknown({});
    }
  }
  return Value::Word(LowWord(product));
}

void DataFlow::MultiplyAdd(const Instruction& instruction) {
  const Value a = ValueOf(instruction.a), b = ValueOf(instruction.b);
  const bool negated = instruction.a.negated != instruction.b.negated;
  Addend product{Value::Unknown({}), negated};
  if (a.IsConstant(0) || b.IsConstant(0)) {
    product.value = Value::Constant(0);
  } else if (b.IsConstant(1)) {
    product.value = a;
  } else if (a.IsConstant(1)) {
    product.value = b;
  } else {
    product.value = ProductOfWords(a, b);
  }
  const std::vector<Addend> addends{product, {ValueOf(instruction.c), instruction.c.negated}};
  Value sum;
  if (instruction.with_carry) {
    const Carry* carry = CarryOf(instruction, instruction.carry);
    const bool known = carry != nullptr && !carry->lows.empty() && carry->shift == 0;
    sum = AddWithCarry(known ? carry->lows : std::vector<Addend>{}, addends, &extensions_);
    if (!known) sum.expression = Sum(sum.expression, Expression::Unknown({}));
  } else {
    sum = Add(addends, &extensions_);
  }
  Write(instruction, 0, std::move(sum));
}

// Compilers divide by a multiplication: 0 stays 0.
void DataFlow::MultiplyAddHigh(const Instruction& instruction) {
  const bool zero = ValueOf(instruction.a).IsConstant(0) || ValueOf(instruction.b).IsConstant(0);
  const bool plain = !instruction.with_carry && !instruction.c.negated &&
                     instruction.c.kind != Operand::Kind::kImmediate;
  Write(instruction, 0,
        zero && plain ? UpperValueOf(instruction.c) : Value::Unknown(SourcesOf(instruction)));
}

void DataFlow::MultiplyAddWide(const Instruction& instruction) {
  if (instruction.with_carry || instruction.c.kind == Operand::Kind::kImmediate) {
    WriteAll(instruction, Value::Unknown(SourcesOf(instruction)));
    return;
  }
  const Expression a = extensions_.Extend(ValueOf(instruction.a), instruction.is_signed);
  const Expression b = extensions_.Extend(ValueOf(instruction.b), instruction.is_signed);
  const Expression product =
      Scaled(Product(a, b), instruction.a.negated != instruction.b.negated ? -1 : 1);
  WritePair(instruction, Sum(product, PairOf(instruction.c), instruction.c.negated ? -1 : 1));
}

}  // namespace gpusan::cuda
