// Finds the accesses of shaders and kernels in SPIR-V.
#include "hooks/common/spirv/spirv_accesses.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <optional>
#include <set>

#include "hooks/common/spirv/spirv_formulas.h"

namespace gpusan {
namespace {

using Kind = SummaryAccess::Kind;

constexpr size_t kMaxAccesses = 128;
constexpr size_t kMaxWords = size_t{1} << 18;
constexpr uint64_t kMaxAccessBytes = 1 << 20;
constexpr int kMaxDepth = 64;
constexpr int64_t kMostPushed = 4096;  // bytes: no device has more push constants
constexpr uint32_t kEverything = 0;    // no id: memory that is not known
constexpr size_t kMaxAddresses = 16;   // in push constants

// The buffers that one entry point reaches: by the id of a variable, of a parameter or of the first
// pointer that is made of an address.
class EntryReader {
 public:
  EntryReader(const SpirvCode& code, const SpirvCode::Entry& entry)
      : code_(code), entry_(entry), kernel_(entry.model == spv::ExecutionModelKernel) {}

  SpirvKernel Read() {
    SpirvKernel result;
    result.name = entry_.name;
    code_.LocalSize(entry_.function, result.local_size);
    if (entry_.model == spv::ExecutionModelVertex) result.stage = SpirvStage::kVertex;
    if (entry_.model == spv::ExecutionModelFragment) result.stage = SpirvStage::kFragment;
    if (result.stage != SpirvStage::kCompute) std::fill_n(result.local_size, 3, 1);
    const SpirvFunction* function = code_.Function(entry_.function);
    if (kernel_ && function != nullptr) {
      for (const uint32_t parameter : function->parameters) {
        if (IsBuffer(parameter)) buffers_[parameter];
      }
    } else {
      code_.ForEachVariable([&](uint32_t id, uint32_t storage, uint32_t) {
        if (storage == spv::StorageClassStorageBuffer || storage == spv::StorageClassUniform)
          buffers_[id];
      });
    }
    if (function == nullptr || !code_.complete()) gave_up_ = true;
    if (!gave_up_) Visit(*function, true);
    return kernel_ ? OfKernel(std::move(result), function) : OfShader(std::move(result));
  }

 private:
  struct Buffer {
    bool unknown = false;
    std::vector<SummaryAccess> accesses;
  };
  // An address in the push constants that the shader makes a pointer of one type of.
  struct Address {
    uint64_t offset = 0;  // [bytes]
    uint32_t type = 0;    // of the pointer
    uint32_t root = 0;    // the first such pointer
  };
  // The target of a pointer.
  struct Place {
    uint32_t buffer = kEverything;
    uint32_t pointee = 0;  // type
    bool is_known = false;
    SpirvFormula offset;
  };

  bool IsBuffer(uint32_t parameter) const {
    const SpirvInstruction& type = code_.Defined(code_.Defined(parameter)[0]);
    return type.op == spv::OpTypePointer && (type[1] == spv::StorageClassCrossWorkgroup ||
                                             type[1] == spv::StorageClassUniformConstant);
  }

  // --- Pointers

  std::optional<Place> PlaceOf(uint32_t pointer, int depth = 0) {
    const SpirvInstruction& defined = code_.Defined(pointer);
    if (buffers_.count(pointer) != 0) {
      Place place;
      place.buffer = pointer;
      place.pointee = code_.Defined(defined[0])[2];
      place.is_known = true;
      return place;
    }
    if (depth > kMaxDepth) return std::nullopt;
    if (const std::optional<uint32_t> root = RootOfAddress(defined)) {
      Place place;
      place.buffer = *root;
      place.pointee = code_.Defined(defined[0])[2];
      place.is_known = true;
      return place;
    }
    switch (defined.op) {
      case spv::OpLoad:
        if (const std::optional<uint32_t> stored = OnlyStored(defined[2]))
          return PlaceOf(*stored, depth + 1);
        return std::nullopt;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain: {
        std::optional<Place> place = PlaceOf(defined[2], depth + 1);
        if (place && place->is_known) place->is_known = Follow(defined, &*place);
        return place;
      }
      case spv::OpBitcast:
      case spv::OpCopyObject:
      case spv::OpPtrCastToGeneric:
      case spv::OpGenericCastToPtr: {
        std::optional<Place> place = PlaceOf(defined[2], depth + 1);
        if (place) place->pointee = code_.Defined(defined[0])[2];
        return place;
      }
      default:
        return std::nullopt;
    }
  }

  // The buffer of a pointer that the instruction makes of an address in the push constants.
  std::optional<uint32_t> RootOfAddress(const SpirvInstruction& made) {
    const SpirvInstruction& type = code_.Defined(made[0]);
    if (kernel_ || type.op != spv::OpTypePointer ||
        type[1] != spv::StorageClassPhysicalStorageBuffer)
      return std::nullopt;
    const bool converts = made.op == spv::OpConvertUToPtr || made.op == spv::OpBitcast;
    const SpirvInstruction& load = converts ? code_.Defined(made[2]) : made;
    if (load.op != spv::OpLoad) return std::nullopt;
    uint32_t loaded = 0;
    const std::optional<uint64_t> offset = PushOffsetOf(load[2], &loaded, 0);
    if (!offset || code_.Bytes(loaded, true) != sizeof(uint64_t)) return std::nullopt;
    for (const Address& address : addresses_) {
      if (address.offset == *offset && address.type == made[0]) return address.root;
    }
    if (addresses_.size() >= kMaxAddresses) return std::nullopt;
    addresses_.push_back({*offset, made[0], made[1]});
    buffers_[made[1]];
    return made[1];
  }

  // The only value that is stored to a local variable of the entry point.
  std::optional<uint32_t> OnlyStored(uint32_t variable) const {
    return formulas_.has_value() ? formulas_->OnlyStored(variable) : std::nullopt;
  }

  // Adds an index times a number of bytes.
  bool Step(uint32_t index, uint64_t bytes, Place* place) {
    if (!in_entry_) return false;
    std::optional<SpirvFormula> value = formulas_->Of(index);
    if (!value || bytes == 0 || bytes > kMaxAccessBytes) return false;
    const auto sum = Add(place->offset.value, value->value, static_cast<int64_t>(bytes));
    if (!sum) return false;
    std::vector<SummaryFit>& fits = place->offset.fits;
    fits.insert(fits.end(), value->fits.begin(), value->fits.end());
    // An index is a signed number.
    const uint32_t bits = code_.Bits(code_.Defined(index)[0]);
    if (!ConstantOf(value->value)) fits.push_back({value->value, static_cast<uint8_t>(bits), true});
    place->offset.value = *sum;
    return bits != 0;
  }

  bool Follow(const SpirvInstruction& chain, Place* place) {
    size_t next = 3;
    if (chain.op == spv::OpPtrAccessChain || chain.op == spv::OpInBoundsPtrAccessChain) {
      const uint32_t stride =
          code_.Decoration(code_.Defined(chain[2])[0], spv::DecorationArrayStride);
      const uint64_t bytes = kernel_                      ? code_.Bytes(place->pointee, false)
                             : stride != SpirvCode::kNone ? stride
                                                          : 0;
      if (!Step(chain[next++], bytes, place)) return false;
    }
    // The index into an array of buffers is not part of the offset.
    bool of_buffers = !kernel_ && place->buffer == chain[2] && IsArray(place->pointee);
    for (; next < chain.count; ++next) {
      const SpirvInstruction& type = code_.Defined(place->pointee);
      if (type.op == spv::OpTypeStruct) {
        const std::optional<int64_t> member = code_.Constant(chain[next]);
        if (!member || *member < 0 || *member + 1 >= type.count) return false;
        const auto offset =
            code_.MemberOffset(place->pointee, static_cast<uint32_t>(*member), !kernel_);
        const auto sum =
            offset ? Add(place->offset.value, ConstantFormula(static_cast<int64_t>(*offset)), 1)
                   : std::nullopt;
        if (!sum) return false;
        place->offset.value = *sum;
        const uint32_t outer = place->pointee;
        place->pointee = type[1 + static_cast<size_t>(*member)];
        // Matrices have strides of their own.
        if (code_.Has(outer, spv::DecorationMatrixStride, static_cast<uint32_t>(*member)))
          return false;
      } else if (type.op == spv::OpTypeArray || type.op == spv::OpTypeRuntimeArray) {
        if (!of_buffers) {
          const uint32_t stride = code_.Decoration(place->pointee, spv::DecorationArrayStride);
          const uint64_t bytes = kernel_                      ? code_.Bytes(type[1], false)
                                 : stride != SpirvCode::kNone ? stride
                                                              : 0;
          if (!Step(chain[next], bytes, place)) return false;
        }
        of_buffers = false;
        place->pointee = type[1];
      } else if (type.op == spv::OpTypeVector) {
        if (!Step(chain[next], code_.Bytes(type[1], !kernel_), place)) return false;
        place->pointee = type[1];
      } else {
        return false;
      }
    }
    return true;
  }

  bool IsArray(uint32_t type) const {
    const uint32_t op = code_.Defined(type).op;
    return op == spv::OpTypeArray || op == spv::OpTypeRuntimeArray;
  }

  // --- Accesses

  void AddAccess(uint32_t pointer, Kind kind, bool typed) {
    const std::optional<Place> place = PlaceOf(pointer);
    if (!place) {
      // A kernel can store to all memory by addresses that it loads.
      if (kernel_ && kind != Kind::kRead && MayBeShared(pointer)) gave_up_ = true;
      return;
    }
    SummaryAccess access;
    access.kind = IsVolatile(place->buffer) ? Kind::kAtomic : kind;
    if (formulas_.has_value() && in_entry_) {
      const SpirvFormulas::Conditions& conditions = formulas_->OfBlock(block_);
      access.guarded = conditions.known;
      access.guards = conditions.guards;
      access.fits = conditions.fits;
    }
    const uint64_t bytes = typed ? BytesOfAccess(place->pointee) : 0;
    if (place->is_known && in_entry_ && bytes != 0 && bytes <= kMaxAccessBytes) {
      access.ranged = true;
      access.bytes = static_cast<uint32_t>(bytes);
      access.offset = place->offset.value;
      access.offset_fits = place->offset.fits;
    }
    if (formulas_.has_value())
      NumberLoops([&](int loop) { return formulas_->IsInLoop(loop, block_); }, &access);
    Keep(place->buffer, std::move(access));
  }

  bool IsVolatile(uint32_t buffer) const {
    if (code_.Has(buffer, spv::DecorationVolatile)) return true;
    const uint32_t type = code_.Defined(code_.Defined(buffer)[0])[2];
    const SpirvInstruction& members = code_.Defined(type);
    for (uint32_t i = 0; members.op == spv::OpTypeStruct && i + 1 < members.count; ++i) {
      if (code_.Has(type, spv::DecorationVolatile, i)) return true;
    }
    return false;
  }

  // Scalars and vectors, of which an access touches each byte; 0 for other types.
  uint64_t BytesOfAccess(uint32_t type) const {
    const SpirvInstruction& defined = code_.Defined(type);
    if (defined.op == spv::OpTypeVector) return uint64_t{defined[2]} * code_.Bits(defined[1]) / 8;
    return code_.Bits(type) / 8;
  }

  bool MayBeShared(uint32_t pointer) const {
    const SpirvInstruction& type = code_.Defined(code_.Defined(pointer)[0]);
    return type.op != spv::OpTypePointer ||
           (type[1] != spv::StorageClassFunction && type[1] != spv::StorageClassWorkgroup &&
            type[1] != spv::StorageClassInput && type[1] != spv::StorageClassPrivate);
  }

  void Keep(uint32_t buffer, SummaryAccess access) {
    std::vector<SummaryAccess>& accesses = buffers_[buffer].accesses;
    const auto same_guard = [](const SummaryGuard& a, const SummaryGuard& b) {
      return a.kind == b.kind && a.value == b.value;
    };
    for (const SummaryAccess& one : accesses) {
      if (one.kind == access.kind && one.guarded == access.guarded && one.ranged == access.ranged &&
          one.bytes == access.bytes && one.offset == access.offset &&
          one.fits.size() == access.fits.size() &&
          one.offset_fits.size() == access.offset_fits.size() &&
          std::equal(one.guards.begin(), one.guards.end(), access.guards.begin(),
                     access.guards.end(), same_guard))
        return;
    }
    if (accesses.size() >= kMaxAccesses) {
      buffers_[buffer].unknown = true;
      return;
    }
    accesses.push_back(std::move(access));
  }

  // A pointer that is used in a way that is not followed.
  void Escape(uint32_t id) {
    if (const std::optional<Place> place = PlaceOf(id)) {
      buffers_[place->buffer].unknown = true;
    } else if (kernel_ && code_.Defined(code_.Defined(id)[0]).op == spv::OpTypePointer &&
               MayBeShared(id)) {
      gave_up_ = true;
    }
  }

  static bool IsSpecial(const SpirvInstruction& instruction, size_t operands) {
    constexpr uint32_t kSpecial = uint32_t{spv::MemoryAccessVolatileMask} |
                                  uint32_t{spv::MemoryAccessMakePointerAvailableMask} |
                                  uint32_t{spv::MemoryAccessMakePointerVisibleMask};
    return (instruction[operands] & kSpecial) != 0;
  }

  void Visit(const SpirvFunction& function, bool entry) {
    if (!visited_.insert(function.id).second || gave_up_) return;
    if (entry) {
      in_entry_ = true;
      formulas_.emplace(code_, function, [this](const SpirvInstruction& number, uint32_t element) {
        return NumberOf(number, element);
      });
      for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        block_ = b;
        for (const SpirvInstruction& instruction : function.blocks[b].instructions)
          VisitInstruction(instruction);
      }
      in_entry_ = false;
      formulas_.reset();
    } else {
      for (const SpirvBlock& block : function.blocks) {
        for (const SpirvInstruction& instruction : block.instructions)
          VisitInstruction(instruction);
      }
    }
    // The accesses of called functions have no ranges.
    const std::set<uint32_t> called = std::move(called_);
    called_.clear();
    for (const uint32_t id : called) {
      const SpirvFunction* other = code_.Function(id);
      if (other != nullptr) {
        // A kernel that calls a function without a body may do anything.
        gave_up_ |= kernel_ && other->blocks.empty();
        Visit(*other, false);
      }
    }
  }

  void VisitInstruction(const SpirvInstruction& instruction) {
    switch (instruction.op) {
      case spv::OpLoad:
        AddAccess(instruction[2], IsSpecial(instruction, 3) ? Kind::kAtomic : Kind::kRead, true);
        break;
      case spv::OpStore:
        AddAccess(instruction[0], IsSpecial(instruction, 2) ? Kind::kAtomic : Kind::kWrite, true);
        if (!OnlyStored(instruction[0])) Escape(instruction[1]);
        break;
      case spv::OpCopyMemory:
      case spv::OpCopyMemorySized:
        AddAccess(instruction[0], Kind::kWrite, false);
        AddAccess(instruction[1], Kind::kRead, false);
        break;
      case spv::OpAtomicStore:
      case spv::OpAtomicFlagClear:
        AddAccess(instruction[0], Kind::kAtomic, true);
        break;
      case spv::OpArrayLength:
      case spv::OpVariable:
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain:
      case spv::OpPtrCastToGeneric:
      case spv::OpGenericCastToPtr:
      case spv::OpConvertUToPtr:
      case spv::OpCopyObject:
      case spv::OpLifetimeStart:
      case spv::OpLifetimeStop:
        break;
      case spv::OpBitcast:
        // Into a number.
        if (code_.Defined(instruction[0]).op != spv::OpTypePointer) Escape(instruction[2]);
        break;
      case spv::OpFunctionCall:
        called_.insert(instruction[2]);
        [[fallthrough]];
      default:
        if ((instruction.op >= spv::OpAtomicLoad && instruction.op <= spv::OpAtomicXor) ||
            instruction.op == spv::OpAtomicFAddEXT || instruction.op == spv::OpAtomicFMinEXT ||
            instruction.op == spv::OpAtomicFMaxEXT ||
            instruction.op == spv::OpAtomicFlagTestAndSet) {
          AddAccess(instruction[2], Kind::kAtomic, true);
          break;
        }
        for (size_t i = 0; i < instruction.count; ++i) Escape(instruction[i]);
        break;
    }
  }

  // --- Numbers of the launch

  uint16_t NumberOf(const SpirvInstruction& instruction, uint32_t element) {
    constexpr size_t kMaxNumbers = 64;
    if (kernel_) {
      const std::vector<uint32_t>& parameters = code_.Function(entry_.function)->parameters;
      const auto found = std::find(parameters.begin(), parameters.end(), instruction[1]);
      if (instruction.op != spv::OpFunctionParameter || found == parameters.end() ||
          code_.Defined(instruction[0]).op != spv::OpTypeInt)
        return 0;
      return static_cast<uint16_t>(kArgument + (found - parameters.begin()));
    }
    const std::optional<SpirvNumber> number = instruction.op == spv::OpLoad
                                                  ? PushConstantOf(instruction, element)
                                                  : ArrayLengthOf(instruction);
    if (!number) return 0;
    const auto found = std::find(numbers_.begin(), numbers_.end(), *number);
    if (found != numbers_.end())
      return static_cast<uint16_t>(kArgument + (found - numbers_.begin()));
    if (numbers_.size() >= kMaxNumbers) return 0;
    numbers_.push_back(*number);
    return static_cast<uint16_t>(kArgument + numbers_.size() - 1);
  }

  std::optional<SpirvNumber> ArrayLengthOf(const SpirvInstruction& length) const {
    // The array is a member of the variable itself.
    if (length.op != spv::OpArrayLength || buffers_.count(length[2]) == 0) return std::nullopt;
    const uint32_t type = code_.Defined(code_.Defined(length[2])[0])[2];
    const SpirvInstruction& members = code_.Defined(type);
    const auto offset = code_.MemberOffset(type, length[3], true);
    if (!offset) return std::nullopt;
    SpirvNumber number;
    number.set = SetOf(length[2]);
    number.binding = code_.Decoration(length[2], spv::DecorationBinding);
    number.offset = *offset;
    number.bytes = code_.Decoration(members[1 + length[3]], spv::DecorationArrayStride);
    if (number.bytes == 0 || number.bytes == SpirvCode::kNone) return std::nullopt;
    return number;
  }

  // An integer, or an element of a vector of integers, that is loaded from the push constants.
  std::optional<SpirvNumber> PushConstantOf(const SpirvInstruction& load, uint32_t element) const {
    uint32_t type = 0;
    std::optional<uint64_t> offset = PushOffsetOf(load[2], &type, 0);
    const SpirvInstruction& loaded = code_.Defined(type);
    const uint32_t scalar = loaded.op == spv::OpTypeVector ? loaded[1] : type;
    if (!offset || code_.Defined(scalar).op != spv::OpTypeInt) return std::nullopt;
    SpirvNumber number;
    number.kind = SpirvNumber::Kind::kPushConstant;
    number.bytes = code_.Bits(scalar) / 8;
    number.offset = *offset + element * number.bytes;
    return number;
  }

  // The offset of a pointer in the push constants, if it is constant. `type`: what it points to.
  std::optional<uint64_t> PushOffsetOf(uint32_t pointer, uint32_t* type, int depth) const {
    const SpirvInstruction& defined = code_.Defined(pointer);
    if (defined.op == spv::OpVariable) {
      if (defined[2] != spv::StorageClassPushConstant) return std::nullopt;
      *type = code_.Defined(defined[0])[2];
      return 0;
    }
    if ((defined.op != spv::OpAccessChain && defined.op != spv::OpInBoundsAccessChain) ||
        depth > kMaxDepth)
      return std::nullopt;
    std::optional<uint64_t> offset = PushOffsetOf(defined[2], type, depth + 1);
    for (size_t i = 3; i < defined.count && offset; ++i) {
      const std::optional<int64_t> index = code_.Constant(defined[i]);
      const SpirvInstruction& outer = code_.Defined(*type);
      if (!index || *index < 0 || *index > kMostPushed) return std::nullopt;
      const auto at = static_cast<uint32_t>(*index);
      if (outer.op == spv::OpTypeStruct && at + 1 < outer.count &&
          !code_.Has(*type, spv::DecorationMatrixStride, at)) {
        const auto member = code_.MemberOffset(*type, at, true);
        if (!member) return std::nullopt;
        *offset += *member;
        *type = outer[1 + at];
      } else if (outer.op == spv::OpTypeArray &&
                 code_.Decoration(*type, spv::DecorationArrayStride) != SpirvCode::kNone) {
        *offset += uint64_t{at} * code_.Decoration(*type, spv::DecorationArrayStride);
        *type = outer[1];
      } else if (outer.op == spv::OpTypeVector) {
        *offset += at * code_.Bytes(outer[1], true);
        *type = outer[1];
      } else {
        return std::nullopt;
      }
    }
    return offset;
  }

  // --- Results

  uint32_t SetOf(uint32_t variable) const {
    const uint32_t set = code_.Decoration(variable, spv::DecorationDescriptorSet);
    return set == SpirvCode::kNone ? 0 : set;
  }

  SpirvKernel OfKernel(SpirvKernel result, const SpirvFunction* function) {
    result.summary.name = entry_.name;
    if (function == nullptr) return result;
    for (const uint32_t parameter : function->parameters) {
      ParameterSummary& summary = result.summary.parameters.emplace_back();
      const auto found = buffers_.find(parameter);
      if (found == buffers_.end() || found->second.unknown || gave_up_) continue;
      summary.known = true;
      summary.accesses = found->second.accesses;
    }
    return result;
  }

  SpirvKernel OfShader(SpirvKernel result) {
    for (const Address& address : addresses_) {
      Buffer& buffer = buffers_[address.root];
      SpirvBuffer& one = result.buffers.emplace_back();
      one.by_address = true;
      one.address_offset = address.offset;
      one.summary.known = !buffer.unknown && !gave_up_;
      one.summary.accesses = std::move(buffer.accesses);
    }
    for (auto& [id, buffer] : buffers_) {
      const uint32_t binding = code_.Decoration(id, spv::DecorationBinding);
      if (binding == SpirvCode::kNone) continue;
      const uint32_t set = SetOf(id);
      auto found =
          std::find_if(result.buffers.begin(), result.buffers.end(), [&](const SpirvBuffer& one) {
            return !one.by_address && one.set == set && one.binding == binding;
          });
      if (found == result.buffers.end()) {
        SpirvBuffer& one = result.buffers.emplace_back();
        one.set = set;
        one.binding = binding;
        found = result.buffers.end() - 1;
        found->summary.known = true;
      }
      found->array |= IsArray(code_.Defined(code_.Defined(id)[0])[2]);
      found->summary.known &= !buffer.unknown && !gave_up_;
      found->summary.accesses.insert(found->summary.accesses.end(), buffer.accesses.begin(),
                                     buffer.accesses.end());
    }
    result.numbers = std::move(numbers_);
    return result;
  }

  const SpirvCode& code_;
  const SpirvCode::Entry& entry_;
  const bool kernel_;
  std::map<uint32_t, Buffer> buffers_;
  std::vector<Address> addresses_;
  std::vector<SpirvNumber> numbers_;
  std::optional<SpirvFormulas> formulas_;  // of the entry point
  bool in_entry_ = false;
  uint32_t block_ = 0;
  std::set<uint32_t> visited_, called_;
  bool gave_up_ = false;  // all memory may be accessed
};

}  // namespace

std::vector<SpirvKernel> AnalyseSpirv(absl::Span<const uint32_t> words,
                                      absl::Span<const SpirvSpecialization> specialized) {
  std::vector<SpirvKernel> kernels;
  if (words.size() > kMaxWords) return kernels;
  const SpirvCode code(words, specialized);
  for (const SpirvCode::Entry& entry : code.entries()) {
    if (entry.model == spv::ExecutionModelGLCompute || entry.model == spv::ExecutionModelKernel ||
        entry.model == spv::ExecutionModelVertex || entry.model == spv::ExecutionModelFragment)
      kernels.push_back(EntryReader(code, entry).Read());
  }
  return kernels;
}

}  // namespace gpusan
