// The places that pointers of a kernel in LLVM IR name.
#include "report/ir/ir_places.h"

#include "report/ir/ir_pointers.h"

namespace gpusan {
namespace {

constexpr uint64_t kMaxAccessBytes = 1 << 20;

}  // namespace

std::optional<size_t> IrPlaces::LocalOf(std::string_view name) const {
  const std::vector<IrGlobal>& locals = module_.locals();
  for (size_t i = 0; i < locals.size(); ++i) {
    if (locals[i].name == name) return function_.parameters.size() + i;
  }
  return std::nullopt;
}

std::optional<IrPlaces::Place> IrPlaces::Of(std::string_view value, int depth) {
  value = formulas_.Assumed(value);
  for (size_t i = 0; i < function_.parameters.size(); ++i) {
    if (function_.parameters[i].name == value) return Place{i, {}};
  }
  if (const std::optional<size_t> local = LocalOf(value)) return Place{*local, {}};
  if (value.starts_with("getelementptr")) return OfConstant(value, depth);
  const IrInstruction* definition = formulas_.Definition(value);
  if (definition == nullptr || !PassesPointer(definition->op) || depth > 64) return std::nullopt;
  if (definition->op == "phi") return OfAdvancing(*definition, depth);
  bool failed = false;
  const std::vector<std::string_view> sources = PassedPointers(module_, *definition, &failed);
  if (failed || sources.size() != 1) return std::nullopt;
  std::optional<Place> place = Of(sources[0], depth + 1);
  if (!place || definition->op != "getelementptr") return place;
  return AddIndices(definition->rest, *place) ? place : std::nullopt;
}

// %p = phi [ %initial, ... ], [ %next, %latch ] with %next = getelementptr %p, STEP
std::optional<IrPlaces::Place> IrPlaces::OfAdvancing(const IrInstruction& phi, int depth) {
  const std::optional<IrFormulas::Advance> advance = formulas_.AdvanceOf(phi);
  if (!advance) return std::nullopt;
  const IrInstruction* next = formulas_.Definition(advance->next);
  bool failed = false;
  if (next == nullptr || next->op != "getelementptr") return std::nullopt;
  const std::vector<std::string_view> sources = PassedPointers(module_, *next, &failed);
  if (failed || sources.size() != 1 || sources[0] != phi.result) return std::nullopt;
  std::optional<Place> place = Of(advance->initial, depth + 1);
  Place step = {};
  const auto symbol = static_cast<uint16_t>(kLoop + advance->loop);
  if (!place || !AddIndices(next->rest, step) || Names(step.offset.value, symbol) ||
      Names(place->offset.value, symbol))
    return std::nullopt;
  const std::optional<SummaryFormula> advanced = Multiply(step.offset.value, SymbolFormula(symbol));
  if (!advanced || !AddTo(place->offset.value, *advanced, 1)) return std::nullopt;
  Append(step.offset.fits, &place->offset.fits);
  return place;
}

// getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @t, i64 0, i64 5)
std::optional<IrPlaces::Place> IrPlaces::OfConstant(std::string_view value, int depth) {
  const size_t open = value.find('(');
  if (open == std::string_view::npos || !value.ends_with(")") || depth > 64) return std::nullopt;
  const std::string_view inside = value.substr(open + 1, value.size() - open - 2);
  IrCursor cursor(inside);
  module_.Type(cursor);
  if (!cursor.Take(",")) return std::nullopt;
  module_.Type(cursor);
  const std::string_view base = cursor.Value();
  if (cursor.failed()) return std::nullopt;
  std::optional<Place> place = Of(base, depth + 1);
  return place && AddIndices(inside, *place) ? place : std::nullopt;
}

bool IrPlaces::AddIndices(std::string_view operands, Place& place) {
  IrCursor cursor(operands);
  SkipPointerFlags(cursor);
  const IrType* type = module_.Type(cursor);
  if (!cursor.Take(",")) return false;
  module_.Type(cursor);
  cursor.Value();
  for (int index = 0; cursor.Take(","); ++index) {
    const IrType* integer = module_.Type(cursor);
    const std::string_view value = cursor.Value();
    if (cursor.failed() || integer->kind != IrType::Kind::kInteger) return false;
    const std::optional<IrFormula> number = formulas_.Of(value, integer->bits);
    if (!number) return false;
    uint64_t scale = 0;
    if (index == 0) {
      scale = type->bytes;
    } else if (type->kind == IrType::Kind::kStruct) {
      const auto constant = number->value.empty() ? 0 : number->value[0].factor;
      if (constant < 0 || static_cast<uint64_t>(constant) >= type->elements.size()) return false;
      const auto field = static_cast<size_t>(constant);
      if (type->bytes == 0) return false;
      const uint64_t offset = type->offsets[field];
      SummaryTerm term;
      term.factor = static_cast<int64_t>(offset);
      if (offset != 0 && !AddTo(place.offset.value, {term}, 1)) return false;
      type = type->elements[field];
      continue;
    } else if ((type->kind == IrType::Kind::kArray || type->kind == IrType::Kind::kVector) &&
               !type->elements.empty()) {
      type = type->elements[0];
      scale = type->bytes;
    }
    if (scale == 0 || scale > kMaxAccessBytes) return false;
    if (!AddTo(place.offset.value, number->value, static_cast<int64_t>(scale))) return false;
    place.offset.fits.insert(place.offset.fits.end(), number->fits.begin(), number->fits.end());
    // An index is sign-extended to the size of a pointer.
    if (integer->bits < 64)
      place.offset.fits.push_back({number->value, static_cast<uint8_t>(integer->bits), true});
  }
  return cursor.AtEnd() && !cursor.failed();
}

bool AddTo(SummaryFormula& sum, const SummaryFormula& more, int64_t factor) {
  const std::optional<SummaryFormula> added = Add(sum, more, factor);
  if (added) sum = *added;
  return added.has_value();
}

}  // namespace gpusan
