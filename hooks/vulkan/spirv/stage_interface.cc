// The user-defined inputs and outputs of a shader, through which one stage passes values to the
// next.
#include "hooks/vulkan/spirv/stage_interface.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace gpusan::vulkan {
namespace {

constexpr uint32_t kMostLocations = 64;
constexpr int kMaxTypes = 8;  // inside of each other
constexpr uint32_t kAllMembers = ~uint32_t{0};
// The SPIR-V headers of Ubuntu 22.04 lack these names.
constexpr uint32_t kModelMesh = 5365;       // spv::ExecutionModelMeshEXT
constexpr uint32_t kPerVertexInput = 5285;  // spv::DecorationPerVertexKHR

class Reader {
 public:
  Reader(const SpirvCode& code, const SpirvCode::Entry& entry) : code_(code), entry_(entry) {}

  StageInterface Read() {
    StageInterface read;
    read.outputs_known = code_.complete();
    for (const uint32_t id : entry_.interface) reads_.try_emplace(id);
    FindReads();
    for (const uint32_t id : entry_.interface) {
      const SpirvInstruction& variable = code_.Defined(id);
      if (variable.op != spv::OpVariable || code_.Has(id, spv::DecorationBuiltIn)) continue;
      if (variable[2] == spv::StorageClassInput) {
        if (!reads_[id].empty()) AddInput(id, &read.inputs);
      } else if (variable[2] == spv::StorageClassOutput) {
        read.outputs_known &= AddOutput(id, &read.outputs);
      }
    }
    std::ranges::stable_sort(read.outputs, {}, &StageComponent::slot);
    return read;
  }

 private:
  // Finds the inputs that the entry point and the functions that it calls read; those that any
  // function reads if the code has no bodies.
  void FindReads() {
    if (!code_.has_bodies())
      return code_.ForEachInstruction([this](const SpirvInstruction& one) { FindReads(one); });
    std::set<uint32_t> seen;
    std::vector<uint32_t> open = {entry_.function};
    while (!open.empty()) {
      const SpirvFunction* function = code_.Function(open.back());
      open.pop_back();
      if (function == nullptr || !seen.insert(function->id).second) continue;
      for (const SpirvBlock& block : function->blocks) {
        for (const SpirvInstruction& instruction : block.instructions) {
          if (instruction.op == spv::OpFunctionCall) open.push_back(instruction[2]);
          FindReads(instruction);
        }
      }
    }
  }
  void FindReads(const SpirvInstruction& instruction) {
    switch (instruction.op) {
      case spv::OpLoad:
        NoteRead(instruction[2], kAllMembers);
        break;
      case spv::OpCopyMemory:
        NoteRead(instruction[1], kAllMembers);
        break;
      case spv::OpFunctionCall:
        for (size_t i = 3; i < instruction.count; ++i) NoteRead(instruction[i], kAllMembers);
        break;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain: {
        const uint32_t id = instruction[2];
        if (!reads_.contains(id)) break;
        const auto member = code_.Constant(instruction[IsArrayed(id) ? 4 : 3]);
        NoteRead(id, member ? static_cast<uint32_t>(*member) : kAllMembers);
        break;
      }
      default:
        break;
    }
  }

  void NoteRead(uint32_t id, uint32_t member) {
    if (const auto found = reads_.find(id); found != reads_.end()) found->second.insert(member);
  }

  // Whether the variable has an element for each vertex or primitive (Vulkan 1.3 §15.1.3).
  bool IsArrayed(uint32_t id) const {
    if (code_.Has(id, spv::DecorationPatch)) return false;
    const bool input = code_.Defined(id)[2] == spv::StorageClassInput;
    switch (entry_.model) {
      case spv::ExecutionModelTessellationControl:
        return true;
      case spv::ExecutionModelTessellationEvaluation:
      case spv::ExecutionModelGeometry:
        return input;
      case spv::ExecutionModelMeshNV:
      case kModelMesh:
        return !input;
      default:
        return false;
    }
  }

  // The type of a variable, or of its element for one vertex; 0: not known.
  uint32_t TypeOf(uint32_t id) const {
    const uint32_t type = code_.Defined(code_.Defined(id)[0])[2];
    if (!IsArrayed(id)) return type;
    return code_.Defined(type).op == spv::OpTypeArray ? code_.Defined(type)[1] : 0;
  }

  // Whether the locations of a variable or member have another meaning than those of others.
  bool IsOdd(uint32_t id, uint32_t member = SpirvCode::kNone) const {
    return code_.Has(id, spv::DecorationPassthroughNV, member) ||
           code_.Has(id, spv::DecorationPerViewNV, member) ||
           code_.Has(id, kPerVertexInput, member);
  }

  void AddInput(uint32_t id, std::vector<StageComponent>* inputs) {
    std::vector<StageComponent> added;
    if (code_.Has(id, spv::DecorationPatch) || !AddVariable(id, reads_[id], &added)) return;
    inputs->insert(inputs->end(), added.begin(), added.end());
  }
  bool AddOutput(uint32_t id, std::vector<StageComponent>* outputs) {
    const size_t before = outputs->size();
    if (!AddVariable(id, {kAllMembers}, outputs)) return false;
    // Whether patches have locations of their own is not agreed on.
    for (size_t i = before; i < outputs->size() && code_.Has(id, spv::DecorationPatch); ++i)
      (*outputs)[i].bits = 0;
    return true;
  }

  // Adds the components of the given members, or of all. Returns false if they are not known.
  bool AddVariable(uint32_t id, const std::set<uint32_t>& members,
                   std::vector<StageComponent>* added) {
    const uint32_t type = TypeOf(id);
    if (type == 0 || IsOdd(id)) return false;
    uint32_t location = code_.Decoration(id, spv::DecorationLocation);
    if (code_.Defined(type).op != spv::OpTypeStruct || !code_.Has(type, spv::DecorationBlock)) {
      const uint32_t component = code_.Decoration(id, spv::DecorationComponent);
      return location != SpirvCode::kNone &&
             Add(type, component == SpirvCode::kNone ? 0 : component, 0, &location, added);
    }
    const bool all = members.contains(kAllMembers);
    for (uint32_t i = 0; i + 1 < code_.Defined(type).count; ++i) {
      if (code_.Has(type, spv::DecorationBuiltIn, i)) return true;  // then all members are
      const uint32_t own = code_.Decoration(type, spv::DecorationLocation, i);
      if (own != SpirvCode::kNone) location = own;
      const uint32_t component = code_.Decoration(type, spv::DecorationComponent, i);
      std::vector<StageComponent> ignored;
      if (location == SpirvCode::kNone || IsOdd(type, i) ||
          !Add(code_.Defined(type)[1 + i], component == SpirvCode::kNone ? 0 : component, 0,
               &location, all || members.contains(i) ? added : &ignored))
        return false;
    }
    return true;
  }

  // Adds the components of a value, and moves the location behind it. Returns false if they are not
  // known.
  bool Add(uint32_t id, uint32_t component, int depth, uint32_t* location,
           std::vector<StageComponent>* added) const {
    const SpirvInstruction& type = code_.Defined(id);
    if (depth > kMaxTypes) return false;
    const auto repeat = [&](int64_t count, uint32_t element) {
      // Each element takes a location, so that the limit of locations ends the loop.
      for (int64_t i = 0; i < count; ++i) {
        if (!Add(element, component, depth + 1, location, added)) return false;
      }
      return count > 0;
    };
    switch (type.op) {
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
        return AddNumbers(id, 1, component, location, added);
      case spv::OpTypeVector:
        return AddNumbers(type[1], type[2], component, location, added);
      case spv::OpTypeMatrix:
        return repeat(type[2], type[1]);
      case spv::OpTypeArray: {
        const auto length = code_.Constant(type[2]);
        // A specialization constant may have another value.
        return length && code_.Defined(type[2]).op == spv::OpConstant && repeat(*length, type[1]);
      }
      case spv::OpTypeStruct:
        for (uint32_t i = 1; i < type.count; ++i) {
          if (!Add(type[i], 0, depth + 1, location, added)) return false;
        }
        return type.count > 1;
      default:
        return false;
    }
  }

  // Numbers of 64 bits take two components.
  bool AddNumbers(uint32_t number, uint32_t count, uint32_t component, uint32_t* location,
                  std::vector<StageComponent>* added) const {
    const uint32_t bits = code_.Bits(number), words = bits == 64 ? 2 : 1;
    const uint32_t end = component + count * words;
    if (bits == 0 || count > 4 || component > 3 || *location >= kMostLocations) return false;
    const bool integer = code_.Defined(number).op == spv::OpTypeInt;
    for (uint32_t i = component; i < end; ++i)
      added->push_back(
          {static_cast<uint16_t>(4 * *location + i), static_cast<uint8_t>(bits), integer});
    *location += (end + 3) / 4;
    return true;
  }

  const SpirvCode& code_;
  const SpirvCode::Entry& entry_;
  std::map<uint32_t, std::set<uint32_t>> reads_;  // members, by variable of the interface
};

// The type of the numbers in a scalar, a vector, or an array of these; OpNop: another type.
uint32_t NumbersOf(const SpirvCode& code, uint32_t id) {
  for (const uint32_t inner : {uint32_t{spv::OpTypeArray}, uint32_t{spv::OpTypeVector}}) {
    if (code.Defined(id).op == inner) id = code.Defined(id)[1];
  }
  const uint32_t op = code.Defined(id).op;
  return op == spv::OpTypeInt || op == spv::OpTypeFloat ? op : uint32_t{spv::OpNop};
}

}  // namespace

const StageComponent* StageInterface::FindOutput(uint16_t slot) const {
  const auto found = std::ranges::lower_bound(outputs, slot, {}, &StageComponent::slot);
  return found != outputs.end() && found->slot == slot ? &*found : nullptr;
}

StageInterface ReadStageInterface(const SpirvCode& code, const SpirvCode::Entry& entry) {
  return Reader(code, entry).Read();
}

InputLocations ReadInputLocations(const SpirvCode& code, const SpirvCode::Entry& entry) {
  InputLocations found;
  for (const uint32_t id : entry.interface) {
    const SpirvInstruction& variable = code.Defined(id);
    const uint32_t location = code.Decoration(id, spv::DecorationLocation);
    if (variable.op != spv::OpVariable || variable[2] != spv::StorageClassInput ||
        location >= kMostLocations)
      continue;
    const uint64_t bit = uint64_t{1} << location;
    const uint32_t numbers = NumbersOf(code, code.Defined(variable[0])[2]);
    // Two variables may have components of one location.
    if ((found.all & bit) != 0 || numbers == spv::OpNop) {
      found.integers &= ~bit;
      found.floats &= ~bit;
    } else {
      (numbers == spv::OpTypeInt ? found.integers : found.floats) |= bit;
    }
    found.all |= bit;
  }
  return found;
}

}  // namespace gpusan::vulkan
