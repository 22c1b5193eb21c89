// The text form of kernel summaries: a header, one line of numbers a kernel, and an end mark.
#include "tracker/model/kernel_summary.h"

#include <algorithm>
#include <charconv>

#include "tracker/model/summary_formulas.h"

namespace gpusan {
namespace {

constexpr std::string_view kHeader = "gpusan-kernel-summaries ";
constexpr std::string_view kEnd = "end\n";
// Limits of a text; a producer that has more gives a parameter up as unknown.
constexpr uint64_t kMaxKernels = 1 << 16;
constexpr uint64_t kMaxParameters = 1 << 12;
constexpr uint64_t kMaxList = 1 << 10;
constexpr uint64_t kMaxDerived = 1 << 6;

class Writer {
 public:
  explicit Writer(std::string* text) : text_(text) {}
  void Number(int64_t number) {
    text_->append(std::to_string(number));
    text_->push_back(' ');
  }
  void Formula(const SummaryFormula& formula) {
    Number(static_cast<int64_t>(formula.size()));
    for (const SummaryTerm& term : formula) {
      Number(term.factor);
      for (const uint16_t symbol : term.symbols) Number(symbol);
    }
  }
  void Access(const SummaryAccess& access) {
    Number(static_cast<int64_t>(access.kind));
    Number(access.guarded);
    Number(access.ranged);
    Number(access.bytes);
    Formula(access.offset);
    Number(static_cast<int64_t>(access.guards.size()));
    for (const SummaryGuard& guard : access.guards) {
      Number(static_cast<int64_t>(guard.kind));
      Formula(guard.value);
    }
    Fits(access.fits);
    Fits(access.offset_fits);
    Number(static_cast<int64_t>(access.parts.size()));
    for (const SummaryPart& part : access.parts) {
      Number(static_cast<int64_t>(part.kind));
      if (part.kind == SummaryPart::Kind::kBits) {
        Number(part.dimension);
        Number(part.shift);
        Number(part.bits);
      } else {
        Formula(part.of);
        Formula(part.by);
      }
    }
  }

  void Derived(const DerivedNumber& number) {
    Number(static_cast<int64_t>(number.kind));
    Number(number.bits);
    Number(number.is_signed);
    Formula(number.left);
    Formula(number.right);
  }

 private:
  void Fits(const std::vector<SummaryFit>& fits) {
    Number(static_cast<int64_t>(fits.size()));
    for (const SummaryFit& fit : fits) {
      Number(fit.bits);
      Number(fit.is_signed);
      Formula(fit.value);
    }
  }

  std::string* text_;
};

// Reads numbers; after an error all reads return 0 and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool ok() const { return ok_; }
  bool AtEnd() const { return text_.empty(); }

  int64_t Number(int64_t least, int64_t most) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    if (error != std::errc() || end == text_.data() + text_.size() || *end != ' ' ||
        number < least || number > most) {
      return Fail();
    }
    text_.remove_prefix(static_cast<size_t>(end - text_.data()) + 1);
    return number;
  }
  size_t Count(uint64_t most) { return static_cast<size_t>(Number(0, static_cast<int64_t>(most))); }
  bool Flag() { return Number(0, 1) != 0; }
  std::string Word() {
    const size_t end = text_.find(' ');
    if (end == 0 || end == std::string_view::npos) {
      Fail();
      return {};
    }
    std::string word(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return word;
  }

  void Formula(SummaryFormula* formula) {
    const size_t count = Count(kMaxList);
    for (size_t i = 0; i < count && ok_; ++i) {
      SummaryTerm& term = formula->emplace_back();
      term.factor = Number(INT64_MIN, INT64_MAX);
      for (uint16_t& symbol : term.symbols)
        symbol = static_cast<uint16_t>(Number(0, kArgument + static_cast<int64_t>(kMaxParameters)));
    }
  }

  void Accesses(std::vector<SummaryAccess>* accesses) {
    const size_t count = Count(kMaxList);
    for (size_t i = 0; i < count && ok_; ++i) Access(&accesses->emplace_back());
  }

  void Access(SummaryAccess* access) {
    access->kind = static_cast<SummaryAccess::Kind>(Number(0, 2));
    access->guarded = Flag();
    access->ranged = Flag();
    access->bytes = static_cast<uint32_t>(Number(0, UINT32_MAX));
    Formula(&access->offset);
    const size_t guards = Count(kMaxList);
    for (size_t i = 0; i < guards && ok_; ++i) {
      SummaryGuard& guard = access->guards.emplace_back();
      guard.kind = static_cast<SummaryGuard::Kind>(Number(0, 5));
      Formula(&guard.value);
    }
    Fits(&access->fits);
    Fits(&access->offset_fits);
    const size_t parts = Count(kMaxLoops);
    for (size_t i = 0; i < parts && ok_; ++i) {
      SummaryPart& part = access->parts.emplace_back();
      part.kind =
          static_cast<SummaryPart::Kind>(Number(0, static_cast<int64_t>(SummaryPart::Kind::kXor)));
      if (part.kind != SummaryPart::Kind::kBits) {
        Formula(&part.of);
        Formula(&part.by);
        continue;
      }
      part.dimension = static_cast<uint8_t>(Number(0, 2));
      part.shift = static_cast<uint8_t>(Number(0, 31));
      part.bits = static_cast<uint8_t>(Number(1, SummaryPart::kAllBits));
      ok_ &= part.bits < 32 || part.bits == SummaryPart::kAllBits;
    }
  }

  void Derived(DerivedNumber* number) {
    number->kind =
        static_cast<DerivedNumber::Kind>(Number(0, static_cast<int64_t>(DerivedNumber::kLastKind)));
    number->bits = static_cast<uint8_t>(Number(1, 64));
    number->is_signed = Flag();
    Formula(&number->left);
    Formula(&number->right);
  }

 private:
  void Fits(std::vector<SummaryFit>* fits) {
    const size_t count = Count(kMaxList);
    for (size_t i = 0; i < count && ok_; ++i) {
      SummaryFit& fit = fits->emplace_back();
      fit.bits = static_cast<uint8_t>(Number(1, 64));
      fit.is_signed = Flag();
      Formula(&fit.value);
    }
  }

  int64_t Fail() {
    ok_ = false;
    text_ = {};
    return 0;
  }

  std::string_view text_;
  bool ok_ = true;
};

bool ReadKernel(std::string_view line, KernelSummary* kernel) {
  const size_t name_end = line.find(' ');
  if (name_end == 0 || name_end == std::string_view::npos) return false;
  kernel->name = line.substr(0, name_end);
  Reader reader(line.substr(name_end + 1));
  const size_t parameters = reader.Count(kMaxParameters);
  for (size_t i = 0; i < parameters && reader.ok(); ++i) {
    ParameterSummary& parameter = kernel->parameters.emplace_back();
    parameter.known = reader.Flag();
    parameter.value_bytes = static_cast<uint32_t>(reader.Number(0, UINT32_MAX));
    reader.Accesses(&parameter.accesses);
  }
  const size_t arrays = reader.Count(kMaxParameters);
  for (size_t i = 0; i < arrays && reader.ok(); ++i) {
    LocalArraySummary& array = kernel->local_arrays.emplace_back();
    array.name = reader.Word();
    array.bytes = static_cast<uint64_t>(reader.Number(0, INT64_MAX));
    reader.Accesses(&array.accesses);
  }
  const size_t derived = reader.Count(kMaxDerived);
  for (size_t i = 0; i < derived && reader.ok(); ++i)
    reader.Derived(&kernel->derived.emplace_back());
  return reader.ok() && reader.AtEnd();
}

bool IsWord(std::string_view name) {
  return !name.empty() && name.find_first_of(" \n") == std::string_view::npos;
}

}  // namespace

std::optional<ArgumentField> FieldOf(const DerivedNumber& number) {
  if (number.kind != DerivedNumber::Kind::kField || number.left.size() != 1 ||
      number.left[0].factor != 1 || number.right.size() > 1)
    return std::nullopt;
  const auto& symbols = number.left[0].symbols;
  if (symbols[0] < kArgument || symbols[1] != kNoSymbol || symbols[2] != kNoSymbol)
    return std::nullopt;
  int64_t begin = 0;
  if (!number.right.empty()) {
    if (number.right[0].symbols[0] != kNoSymbol) return std::nullopt;
    begin = number.right[0].factor;
  }
  const int64_t bytes = number.bits / 8;
  if (begin < 0 || begin > kMaxFieldEnd - bytes) return std::nullopt;
  return ArgumentField{static_cast<uint32_t>(symbols[0] - kArgument), static_cast<uint32_t>(begin),
                       static_cast<uint32_t>(begin + bytes)};
}

std::string EncodeSummaries(const std::vector<KernelSummary>& kernels) {
  std::string text(kHeader);
  text += std::to_string(kSummaryVersion) + "\n";
  for (const KernelSummary& kernel : kernels) {
    if (!IsWord(kernel.name) || kernel.parameters.size() > kMaxParameters) continue;
    text += kernel.name + " ";
    Writer writer(&text);
    writer.Number(static_cast<int64_t>(kernel.parameters.size()));
    for (const ParameterSummary& parameter : kernel.parameters) {
      const bool fits = parameter.accesses.size() <= kMaxList;
      writer.Number(parameter.known && fits);
      writer.Number(parameter.value_bytes);
      writer.Number(fits ? static_cast<int64_t>(parameter.accesses.size()) : 0);
      for (size_t i = 0; fits && i < parameter.accesses.size(); ++i)
        writer.Access(parameter.accesses[i]);
    }
    std::vector<const LocalArraySummary*> arrays;
    for (const LocalArraySummary& array : kernel.local_arrays) {
      if (IsWord(array.name) && array.bytes <= INT64_MAX && array.accesses.size() <= kMaxList &&
          arrays.size() < kMaxParameters)
        arrays.push_back(&array);
    }
    writer.Number(static_cast<int64_t>(arrays.size()));
    for (const LocalArraySummary* array : arrays) {
      text += array->name + " ";
      writer.Number(static_cast<int64_t>(array->bytes));
      writer.Number(static_cast<int64_t>(array->accesses.size()));
      for (const SummaryAccess& access : array->accesses) writer.Access(access);
    }
    // Without the rest, formulas that name the rest are not known.
    const size_t derived = std::min(kernel.derived.size(), size_t{kMaxDerived});
    writer.Number(static_cast<int64_t>(derived));
    for (size_t i = 0; i < derived; ++i) writer.Derived(kernel.derived[i]);
    text.push_back('\n');
  }
  return text.append(kEnd);
}

bool DecodeSummaries(std::string_view text, std::vector<KernelSummary>* kernels) {
  kernels->clear();
  std::string header(kHeader);
  header += std::to_string(kSummaryVersion) + "\n";
  if (text.substr(0, header.size()) != header) return false;
  text.remove_prefix(header.size());
  while (text != kEnd) {
    const size_t line_end = text.find('\n');
    KernelSummary kernel;
    if (line_end == std::string_view::npos || kernels->size() >= kMaxKernels ||
        !ReadKernel(text.substr(0, line_end), &kernel)) {
      kernels->clear();
      return false;
    }
    kernels->push_back(std::move(kernel));
    text.remove_prefix(line_end + 1);
  }
  return true;
}

}  // namespace gpusan
