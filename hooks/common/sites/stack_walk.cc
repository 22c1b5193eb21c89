// The reader of unwind tables and the walk (stack_walk.h).
#include "hooks/common/sites/stack_walk.h"

#include <link.h>

#include <cstring>

#include "hooks/common/base/safe_read.h"
#include "hooks/glibc/elf_symbols.h"

namespace gpusan {

#if defined(__x86_64__)

namespace {

// The look-up functions of libgcc's unwinder, which no installed header declares.
struct Bases {
  void* text;
  void* data;
  void* function;
};
extern "C" const unsigned char* _Unwind_Find_FDE(void* pc, Bases* bases);

constexpr uint64_t kFramePointer = 6, kStackPointer = 7, kReturnAddress = 16;  // DWARF numbers
constexpr int kMaxRemembered = 8;

// Reads unwind tables. The linker wrote valid tables, so the reader only detects encodings that it
// does not support.
class Reader {
 public:
  Reader(const unsigned char* at, const unsigned char* end) : at_(at), end_(end) {}
  bool done() const { return at_ >= end_; }
  const unsigned char* at() const { return at_; }
  void Skip(uint64_t bytes) { at_ += bytes; }
  uint8_t Byte() { return *at_++; }
  template <typename T>
  T Fixed() {
    T value;
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  uint64_t Unsigned() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t byte = Byte();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  int64_t Signed() {
    uint64_t value = 0;
    for (int shift = 0;;) {
      const uint8_t byte = Byte();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }
  Reader Block() {
    const uint64_t bytes = Unsigned();
    const Reader block(at_, at_ + bytes);
    at_ += bytes;
    return block;
  }

 private:
  const unsigned char* at_;
  const unsigned char* end_;
};

struct CommonInformation {
  uint64_t code_alignment = 1;
  int64_t data_alignment = 1;
  uint8_t pointer_encoding = 0;  // DW_EH_PE_*
  bool augmented = false;
  bool understood = false;
  Reader instructions{nullptr, nullptr};
};

CommonInformation ReadCommon(const unsigned char* at) {
  CommonInformation common;
  uint32_t length;
  std::memcpy(&length, at, 4);
  if (length == 0xffffffff) return common;
  Reader reader(at + 4, at + 4 + length);
  if (reader.Fixed<uint32_t>() != 0) return common;
  const uint8_t version = reader.Byte();
  const char* augmentation = reinterpret_cast<const char*>(reader.at());
  reader.Skip(std::strlen(augmentation) + 1);
  if (version != 1 && version != 3) return common;
  common.code_alignment = reader.Unsigned();
  common.data_alignment = reader.Signed();
  if ((version == 1 ? reader.Byte() : reader.Unsigned()) != kReturnAddress) return common;
  if (augmentation[0] == 'z') {
    common.augmented = true;
    Reader data = reader.Block();
    for (const char* letter = augmentation + 1; *letter != 0; ++letter) {
      if (*letter == 'R') {
        common.pointer_encoding = data.Byte();
      } else if (*letter == 'L') {
        data.Skip(1);
      } else if (*letter == 'P') {
        // The value is not needed; the encodings that compilers use have these sizes.
        const uint8_t encoding = data.Byte() & 0x0f;
        if (encoding != 0x00 && encoding != 0x0b && encoding != 0x0c && encoding != 0x03 &&
            encoding != 0x04)
          return common;
        data.Skip(encoding == 0x0b || encoding == 0x03 ? 4 : 8);
      } else {
        return common;  // for example the frame of a signal handler
      }
    }
  } else if (augmentation[0] != 0) {
    return common;
  }
  common.instructions = reader;
  common.understood = true;
  return common;
}

// The location of a register of the caller. kOther: a location that a walk does not need.
struct Place {
  enum Kind : uint8_t { kSame, kAtCfa, kAtFrame, kUndefined, kOther };
  Kind kind = kSame;
  int64_t offset = 0;
};

// One row of the table that the instructions describe (DWARF 5 §6.4.1).
struct Row {
  uint64_t base = 0;
  int64_t offset = 0;
  bool through_slot = false;  // CFA = *(base + offset)
  bool understood = true;
  Place frame_pointer, return_address;

  Place* Of(uint64_t number) {
    if (number == kFramePointer) return &frame_pointer;
    return number == kReturnAddress ? &return_address : nullptr;
  }
  void Set(uint64_t number, Place place) {
    if (Place* of = Of(number); of != nullptr) *of = place;
  }
};

// DW_OP_breg6 n: rbp + n, and nothing else.
bool IsFramePlace(Reader expression, int64_t* offset) {
  if (expression.done() || expression.Byte() != 0x70 + kFramePointer) return false;
  *offset = expression.Signed();
  return expression.done();
}

// DW_OP_breg6 n, DW_OP_deref: what is at rbp + n.
bool IsFrameSlot(Reader expression, int64_t* offset) {
  if (expression.done() || expression.Byte() != 0x70 + kFramePointer) return false;
  *offset = expression.Signed();
  return !expression.done() && expression.Byte() == 0x06 && expression.done();
}

// Executes call frame instructions (DWARF 5 §6.4.2) on a row.
class RowProgram {
 public:
  RowProgram(Reader reader, const CommonInformation& common, const Row& initial, Row* row)
      : reader_(reader), common_(common), initial_(initial), row_(*row) {}

  // Executes the instructions that apply before `target` [bytes from the start of the function].
  void RunUntil(uint64_t target) {
    while (row_.understood && !reader_.done() && location_ < target) Step();
  }

 private:
  void Step() {
    const uint8_t instruction = reader_.Byte();
    const uint64_t low = instruction & 0x3f;
    switch (instruction & 0xc0) {
      case 0x40:
        return Advance(low);
      case 0x80:
        return Save(low, Unsigned());
      case 0xc0:
        return Restore(low);
    }
    switch (instruction) {
      case 0x00:  // nop
        break;
      case 0x02:
        return Advance(reader_.Byte());
      case 0x03:
        return Advance(reader_.Fixed<uint16_t>());
      case 0x04:
        return Advance(reader_.Fixed<uint32_t>());
      case 0x05: {  // offset_extended
        const uint64_t number = reader_.Unsigned();
        return Save(number, Unsigned());
      }
      case 0x06:  // restore_extended
        return Restore(reader_.Unsigned());
      case 0x07:
        return row_.Set(reader_.Unsigned(), {Place::kUndefined});
      case 0x08:
        return row_.Set(reader_.Unsigned(), {Place::kSame});
      case 0x09:  // register
        row_.Set(reader_.Unsigned(), {Place::kOther});
        reader_.Unsigned();
        break;
      case 0x0a:  // remember_state
        row_.understood = depth_ < kMaxRemembered;
        if (row_.understood) remembered_[depth_++] = row_;
        break;
      case 0x0b:  // restore_state
        row_.understood = depth_ > 0;
        if (row_.understood) row_ = remembered_[--depth_];
        break;
      case 0x0c:  // def_cfa
        row_.base = reader_.Unsigned();
        return SetOffset(Unsigned(), true);
      case 0x0d:  // def_cfa_register
        row_.base = reader_.Unsigned();
        return SetOffset(row_.offset, false);
      case 0x0e:  // def_cfa_offset
        return SetOffset(Unsigned(), false);
      case 0x0f:  // def_cfa_expression
        row_.base = kFramePointer;
        row_.through_slot = true;
        row_.understood &= IsFrameSlot(reader_.Block(), &row_.offset);
        break;
      case 0x10: {  // expression
        const uint64_t number = reader_.Unsigned();
        Place place{Place::kAtFrame};
        if (!IsFramePlace(reader_.Block(), &place.offset)) place.kind = Place::kOther;
        return row_.Set(number, place);
      }
      case 0x11: {  // offset_extended_sf
        const uint64_t number = reader_.Unsigned();
        return Save(number, reader_.Signed());
      }
      case 0x12:  // def_cfa_sf
        row_.base = reader_.Unsigned();
        return SetOffset(reader_.Signed() * common_.data_alignment, true);
      case 0x13:  // def_cfa_offset_sf
        return SetOffset(reader_.Signed() * common_.data_alignment, false);
      case 0x2e:  // GNU_args_size
        reader_.Unsigned();
        break;
      default:
        row_.understood = false;
        break;
    }
  }

  int64_t Unsigned() { return static_cast<int64_t>(reader_.Unsigned()); }
  void Advance(uint64_t units) { location_ += units * common_.code_alignment; }
  // The register is saved this many units from the CFA.
  void Save(uint64_t number, int64_t units) {
    row_.Set(number, {Place::kAtCfa, units * common_.data_alignment});
  }
  void Restore(uint64_t number) {
    if (Place* place = row_.Of(number); place != nullptr)
      *place = number == kFramePointer ? initial_.frame_pointer : initial_.return_address;
  }
  // The CFA is a register plus the offset [bytes]. `whole`: the instruction names the register too.
  void SetOffset(int64_t offset, bool whole) {
    row_.offset = offset;
    if (whole) row_.through_slot = false;
    row_.understood &= !row_.through_slot;
  }

  Reader reader_;
  const CommonInformation& common_;
  const Row& initial_;
  Row& row_;
  Row remembered_[kMaxRemembered];
  int depth_ = 0;
  uint64_t location_ = 0;  // [bytes]
};

FrameRule RuleOf(const Row& row) {
  FrameRule rule;
  rule.kind = FrameRule::kUnsupported;
  if (!row.understood) return rule;
  if (row.return_address.kind == Place::kUndefined) {
    rule.kind = FrameRule::kOutermost;
    return rule;
  }
  const Place& saved = row.frame_pointer;
  if (row.return_address.kind != Place::kAtCfa || row.return_address.offset != -8 ||
      row.offset != static_cast<int32_t>(row.offset) || saved.offset % 8 != 0 ||
      saved.offset / 8 != static_cast<int16_t>(saved.offset / 8))
    return rule;
  switch (saved.kind) {
    case Place::kSame:
      rule.frame_pointer = FrameRule::kKept;
      break;
    case Place::kAtCfa:
      rule.frame_pointer = FrameRule::kAtCfa;
      break;
    case Place::kAtFrame:
      rule.frame_pointer = FrameRule::kAtFrame;
      break;
    default:
      return rule;
  }
  rule.saved = static_cast<int16_t>(saved.offset / 8);
  rule.offset = static_cast<int32_t>(row.offset);
  if (row.base == kFramePointer) {
    rule.kind = row.through_slot ? FrameRule::kByFrameSlot : FrameRule::kByFramePointer;
  } else if (row.base == kStackPointer) {
    rule.kind = FrameRule::kByStackPointer;
  }
  return rule;
}

// The code to which a signal handler returns (mov $15, %rax; syscall), where it has no unwind
// table.
constexpr unsigned char kSignalReturn[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

// Whether a call instruction ends at `address`: E8 with an offset, or FF /2 with an operand of 1 to
// 6 bytes.
bool FollowsCall(uintptr_t address) {
  unsigned char code[8] = {};
  if (ReadOwnMemory(address - sizeof(code), code, sizeof(code)) != sizeof(code)) {
    // The page before that of the call may not be there.
    const size_t bytes = (address - 1) % 4096 + 1;
    if (bytes >= sizeof(code)) return false;
    std::memset(code, 0, sizeof(code));
    if (ReadOwnMemory(address - bytes, code + sizeof(code) - bytes, bytes) != bytes) return false;
  }
  if (code[3] == 0xe8) return true;
  for (int length = 2; length <= 7; ++length) {
    const unsigned char* const at = code + sizeof(code) - length;
    if (at[0] != 0xff || (at[1] & 0x38) != 0x10) continue;
    const int mode = at[1] >> 6, base = at[1] & 7;
    int operand = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    if (mode != 3 && base == 4) ++operand;
    if (mode == 0 && (base == 5 || (base == 4 && length > 2 && (at[2] & 7) == 5))) operand += 4;
    if (operand + 2 == length) return true;
  }
  return false;
}

// Whether the file is V8, whose built-in functions have no unwind tables and keep frame pointers.
bool IsV8(const dl_find_object& object) {
  const link_map* const file = object.dlfo_link_map;
  return file != nullptr &&
         LookUpSymbol(file->l_addr, file->l_ld, "_ZN2v87Isolate10GetCurrentEv") != nullptr;
}

// The rule for code without unwind information.
FrameRule RuleWithoutTables(uintptr_t return_address) {
  FrameRule rule;
  // Below generated code the address may be any word of the stack.
  unsigned char code[sizeof(kSignalReturn)] = {};
  ReadOwnMemory(return_address, code, sizeof(code));
  dl_find_object object;
  if (std::memcmp(code, kSignalReturn, sizeof(code)) == 0) {
    rule.kind = FrameRule::kUnsupported;
  } else if (_dl_find_object(reinterpret_cast<void*>(return_address - 1), &object) == 0) {
    rule.kind = IsV8(object) ? FrameRule::kGenerated : FrameRule::kOutermost;
  } else {
    rule.kind = FollowsCall(return_address) ? FrameRule::kGenerated : FrameRule::kNoCode;
  }
  if (rule.kind == FrameRule::kGenerated) {
    rule.offset = 16;
    rule.frame_pointer = FrameRule::kAtCfa;
    rule.saved = -2;
  }
  return rule;
}

}  // namespace

FrameRule ReadFrameRule(uintptr_t return_address) {
  FrameRule rule;
  Bases bases;
  // The call instruction precedes its return address.
  const unsigned char* entry =
      _Unwind_Find_FDE(reinterpret_cast<void*>(return_address - 1), &bases);
  if (entry == nullptr) return RuleWithoutTables(return_address);
  rule.kind = FrameRule::kUnsupported;
  uint32_t length;
  std::memcpy(&length, entry, 4);
  if (length == 0xffffffff) return rule;
  Reader reader(entry + 4, entry + 4 + length);
  const unsigned char* id = reader.at();
  const CommonInformation common = ReadCommon(id - reader.Fixed<int32_t>());
  if (!common.understood) return rule;
  switch (common.pointer_encoding & 0x0f) {  // the function's begin and size
    case 0x00:
    case 0x04:
    case 0x0c:
      reader.Skip(16);
      break;
    case 0x03:
    case 0x0b:
      reader.Skip(8);
      break;
    default:
      return rule;
  }
  if (common.augmented) reader.Block();
  Row row;
  RowProgram(common.instructions, common, Row(), &row).RunUntil(UINT64_MAX);
  const Row initial = row;
  RowProgram(reader, common, initial, &row)
      .RunUntil(return_address - reinterpret_cast<uintptr_t>(bases.function));
  return RuleOf(row);
}

__attribute__((no_sanitize("address", "thread"))) bool WalkStack(FrameRules* rules,
                                                                 uintptr_t return_address,
                                                                 uintptr_t frame_address,
                                                                 uintptr_t stack_end,
                                                                 int max_frames, StackWalk* walk) {
  const auto word_at = [](uintptr_t address) __attribute__((no_sanitize("address", "thread"))) {
    return *reinterpret_cast<const uintptr_t*>(address);
  };
  if ((frame_address & 7) != 0 || stack_end - frame_address < 16 ||
      word_at(frame_address + 8) != return_address)
    return false;
  uintptr_t address = return_address;
  uintptr_t frame_pointer = word_at(frame_address);
  uintptr_t stack_pointer = frame_address + 16;  // after the return
  int count = 0;
  walk->slots[0] = frame_address + 8;
  const auto rule_of = [rules](uintptr_t caller) {
    FrameRules::Entry& entry = rules->entries[(caller * 0x9e3779b97f4a7c15u) >> 52];
    static_assert(FrameRules::kEntries == 1u << (64 - 52));
    if (entry.return_address != caller) [[unlikely]] {
      entry.rule = ReadFrameRule(caller);
      entry.return_address = caller;
    }
    return entry.rule;
  };
  for (;;) {
    walk->frames[count++] = address;
    if (count >= max_frames) break;
    const FrameRule rule = rule_of(address);
    uintptr_t frame;  // CFA
    if (rule.kind == FrameRule::kByStackPointer) {
      frame = stack_pointer + static_cast<intptr_t>(rule.offset);
    } else if (rule.kind == FrameRule::kByFramePointer) {
      frame = frame_pointer + static_cast<intptr_t>(rule.offset);
    } else if (rule.kind == FrameRule::kByFrameSlot) {
      const uintptr_t slot = frame_pointer + static_cast<intptr_t>(rule.offset);
      if (slot < stack_pointer || slot > stack_end - 8 || (slot & 7) != 0) return false;
      frame = word_at(slot);
    } else if (rule.kind == FrameRule::kGenerated) {
      if (walk->generated < 0) walk->generated = count - 1;
      // The code may use rbp for something else.
      if ((frame_pointer & 7) != 0 || frame_pointer < stack_pointer ||
          frame_pointer > stack_end - 16)
        break;
      frame = frame_pointer + static_cast<intptr_t>(rule.offset);
      if (const uintptr_t caller = word_at(frame - 8);
          caller == 0 || rule_of(caller).kind == FrameRule::kNoCode)
        break;
    } else if (rule.kind == FrameRule::kOutermost || rule.kind == FrameRule::kNoCode) {
      break;
    } else {
      return false;
    }
    // On one stack, the addresses of the frames ascend.
    if (frame < stack_pointer + 8 || frame > stack_end || (frame & 7) != 0) return false;
    if (rule.frame_pointer != FrameRule::kKept) {
      const uintptr_t base = rule.frame_pointer == FrameRule::kAtCfa ? frame : frame_pointer;
      const uintptr_t slot = base + static_cast<intptr_t>(rule.saved) * 8;
      if (slot < stack_pointer || slot > stack_end - 8 || (slot & 7) != 0) return false;
      frame_pointer = word_at(slot);
    }
    address = word_at(frame - 8);
    if (address == 0) break;
    walk->slots[count] = frame - 8;
    stack_pointer = frame;
  }
  walk->count = count;
  return true;
}

#else

FrameRule ReadFrameRule(uintptr_t) { return {0, 0, FrameRule::kUnsupported}; }
bool WalkStack(FrameRules*, uintptr_t, uintptr_t, uintptr_t, int, StackWalk*) { return false; }

#endif

}  // namespace gpusan
