// Calls of functions that read or write texels, in LLVM IR.
#include "report/ir/ir_texels.h"

#include <algorithm>

namespace gpusan {
namespace {

using Kind = SummaryAccess::Kind;
using Elements = std::vector<std::optional<IrFormula>>;

constexpr uint32_t kBits = 32;  // of a coordinate
constexpr size_t kMaxElements = 4;
constexpr int kMaxDepth = 16;

struct Function {
  std::string_view name;
  Kind kind;
  TexelType type;
};
constexpr Function kFunctions[] = {{"read_imagef", Kind::kRead, TexelType::kFloat},
                                   {"read_imagei", Kind::kRead, TexelType::kSigned},
                                   {"read_imageui", Kind::kRead, TexelType::kUnsigned},
                                   {"write_imagef", Kind::kWrite, TexelType::kFloat},
                                   {"write_imagei", Kind::kWrite, TexelType::kSigned},
                                   {"write_imageui", Kind::kWrite, TexelType::kUnsigned}};

bool IsInteger(const IrType& type) {
  return type.kind == IrType::Kind::kInteger && type.bits == kBits;
}
bool IsVectorOfIntegers(const IrType& type) {
  return type.kind == IrType::Kind::kVector && type.elements.size() == 1 &&
         IsInteger(*type.elements[0]) && type.count <= kMaxElements;
}

// The number of leading coordinates that must be inside of the image. The layer of a read is
// clamped.
size_t CheckedCoordinates(std::string_view types, Kind kind) {
  constexpr std::string_view kImage = "ocl_image";
  const size_t at = types.find(kImage);
  if (at == std::string_view::npos || at + kImage.size() >= types.size()) return 0;
  const char digit = types[at + kImage.size()];
  if (digit < '1' || digit > '3') return 0;
  const auto dimensions = static_cast<size_t>(digit - '0');
  const bool array = types.find("_array", at) != std::string_view::npos;
  return dimensions + (array && kind == Kind::kWrite ? 1 : 0);
}

// Reads vectors of integers in the forms in which LLVM builds coordinates.
class Reader {
 public:
  Reader(IrModule& module, IrFormulas& formulas) : module_(module), formulas_(formulas) {}

  Elements Of(const IrOperand& operand) {
    if (IsInteger(*operand.type)) return {formulas_.Of(operand.value, kBits)};
    if (!IsVectorOfIntegers(*operand.type)) return {};
    return Vector(operand.value, operand.type->count, kBits, 0);
  }

 private:
  Elements Vector(std::string_view value, size_t count, uint32_t bits, int depth) {
    Elements elements(count);
    if (value == "zeroinitializer") {
      std::fill(elements.begin(), elements.end(), IrFormula{{}, {}, bits});
      return elements;
    }
    if (value.starts_with("<")) {
      Constants(value.substr(1), bits, &elements);
      return elements;
    }
    const IrInstruction* definition = formulas_.Definition(value);
    if (definition == nullptr || depth >= kMaxDepth) return elements;
    const std::string_view op = definition->op;
    IrCursor cursor(definition->rest);
    while (cursor.Take("nuw") || cursor.Take("nsw") || cursor.Take("nneg")) {
    }
    const IrType* type = module_.Type(cursor);
    const std::string_view first = cursor.Value();
    if (cursor.failed() || type->kind != IrType::Kind::kVector || type->elements.size() != 1 ||
        type->elements[0]->kind != IrType::Kind::kInteger || type->count > kMaxElements)
      return elements;
    const Elements from = Vector(first, type->count, type->elements[0]->bits, depth + 1);
    if (op == "insertelement") {
      elements = from;
      Insert(cursor, bits, &elements);
    } else if (op == "trunc" || op == "sext" || op == "zext") {
      elements = from;
      for (std::optional<IrFormula>& element : elements) Cast(op, bits, element);
    } else if (op == "add" || op == "sub") {
      const std::string_view second = cursor.Take(",") ? cursor.Value() : std::string_view();
      const Elements other = Vector(second, count, bits, depth + 1);
      for (size_t i = 0; i < count; ++i)
        elements[i] = Sum(from[i], other[i], op == "add" ? 1 : -1, bits);
    } else if (op == "shufflevector" && cursor.Take(",")) {
      module_.Type(cursor);
      const Elements other =
          Vector(cursor.Value(), type->count, type->elements[0]->bits, depth + 1);
      Shuffle(cursor, from, other, &elements);
    }
    elements.resize(count);
    return elements;
  }

  void Constants(std::string_view text, uint32_t bits, Elements* elements) {
    IrCursor cursor(text);
    for (std::optional<IrFormula>& element : *elements) {
      const IrType* type = module_.Type(cursor);
      const std::string_view value = cursor.Value();
      if (cursor.failed() || type->kind != IrType::Kind::kInteger) return;
      element = formulas_.Of(value, bits);
      if (!cursor.Take(",")) return;
    }
  }

  // Behind the vector: `, i32 %element, i64 index`.
  void Insert(IrCursor& cursor, uint32_t bits, Elements* elements) {
    if (!cursor.Take(",")) cursor.Fail();
    module_.Type(cursor);
    const std::string_view element = cursor.Value();
    if (!cursor.Take(",")) cursor.Fail();
    module_.Type(cursor);
    const int64_t index = cursor.Number();
    if (cursor.failed() || index < 0 || static_cast<size_t>(index) >= elements->size()) {
      elements->assign(elements->size(), std::nullopt);
      return;
    }
    (*elements)[static_cast<size_t>(index)] = formulas_.Of(element, bits);
  }

  static void Cast(std::string_view op, uint32_t bits, std::optional<IrFormula>& element) {
    if (!element) return;
    if (op != "trunc")
      element->fits.push_back({element->value, static_cast<uint8_t>(element->bits), op == "sext"});
    element->bits = bits;
  }

  static std::optional<IrFormula> Sum(const std::optional<IrFormula>& a,
                                      const std::optional<IrFormula>& b, int64_t factor,
                                      uint32_t bits) {
    if (!a || !b) return std::nullopt;
    const std::optional<SummaryFormula> value = Add(a->value, b->value, factor);
    if (!value) return std::nullopt;
    IrFormula sum{*value, a->fits, bits};
    sum.fits.insert(sum.fits.end(), b->fits.begin(), b->fits.end());
    return sum;
  }

  // Behind the second vector: `, <4 x i32> <i32 0, i32 1, i32 undef, i32 undef>`.
  void Shuffle(IrCursor& cursor, const Elements& first, const Elements& second,
               Elements* elements) {
    if (!cursor.Take(",")) cursor.Fail();
    const IrType* type = module_.Type(cursor);
    const std::string_view mask = cursor.Value();
    if (cursor.failed() || type->count > kMaxElements) return;
    const Elements indices = Vector(mask, type->count, kBits, kMaxDepth);
    for (size_t i = 0; i < indices.size() && i < elements->size(); ++i) {
      const std::optional<int64_t> index =
          indices[i] ? ConstantOf(indices[i]->value) : std::nullopt;
      if (!index || *index < 0) continue;
      const auto at = static_cast<size_t>(*index);
      if (at < first.size()) {
        (*elements)[i] = first[at];
      } else if (at - first.size() < second.size()) {
        (*elements)[i] = second[at - first.size()];
      }
    }
  }

  IrModule& module_;
  IrFormulas& formulas_;
};

void SetSampler(const IrFunction& function, const IrFormulas& formulas, std::string_view value,
                TexelAccess* texel) {
  const std::vector<IrParameter>& parameters = function.parameters;
  const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                      [&](const IrParameter& one) { return one.name == value; });
  if (parameter != parameters.end()) {
    texel->sampler_parameter = static_cast<uint32_t>(parameter - parameters.begin());
    return;
  }
  constexpr std::string_view kConstant = "@__translate_sampler_initializer(i32 ";
  const IrInstruction* definition = formulas.Definition(value);
  if (definition == nullptr || definition->op != "call") return;
  const size_t at = definition->rest.find(kConstant);
  if (at == std::string_view::npos) return;
  IrCursor cursor(definition->rest.substr(at + kConstant.size()));
  const int64_t number = cursor.Number();
  if (!cursor.failed() && number >= 0 && number < 255)
    texel->sampler_constant = static_cast<uint32_t>(number);
}

}  // namespace

std::optional<IrTexelCall> TexelCallOf(IrModule& module, const IrFunction& function,
                                       IrFormulas& formulas, std::string_view name,
                                       std::string_view types,
                                       const std::vector<IrOperand>& operands) {
  const auto* known = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const Function& one) { return one.name == name; });
  if (known == std::end(kFunctions) || operands.empty()) return std::nullopt;
  IrTexelCall call;
  call.kind = known->kind;
  call.texel.type = known->type;
  const size_t count = operands.size();
  if (call.kind == Kind::kRead && count >= 3 && types.find("ocl_sampler") != types.npos) {
    const IrType& type = *operands[2].type;
    call.texel.sampled = true;
    call.texel.integer_coordinates = IsInteger(type) || IsVectorOfIntegers(type);
    SetSampler(function, formulas, operands[1].value, &call.texel);
  } else if (count == (call.kind == Kind::kRead ? 2 : 3)) {
    call.coordinates = Reader(module, formulas).Of(operands[1]);
    const size_t checked = CheckedCoordinates(types, call.kind);
    if (call.coordinates.size() > checked) call.coordinates.resize(checked);
  }
  return call;
}

}  // namespace gpusan
