// The reader of LLVM IR's text form.
#include "report/ir/ir_text.h"

#include <algorithm>
#include <charconv>

namespace gpusan {
namespace {

constexpr int kMaxDepth = 32;
constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == '+' || c == '$';
}

char CloseOf(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    default:
      return 0;
  }
}

// Length of the group at the start of `text`; 0 if it does not end.
size_t GroupLength(std::string_view text) {
  std::string closes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      i = text.find('"', i + 1);
      if (i == std::string_view::npos) return 0;
    } else if (const char close = CloseOf(text[i]); close != 0) {
      closes.push_back(close);
    } else if (!closes.empty() && text[i] == closes.back()) {
      closes.pop_back();
      if (closes.empty()) return i + 1;
    }
  }
  return 0;
}

// Length of a %name, @name or label at the start of `text`; the sigil counts.
size_t NameLength(std::string_view text) {
  size_t i = text.empty() || (text[0] != '%' && text[0] != '@') ? 0 : 1;
  if (i < text.size() && text[i] == '"') {
    const size_t end = text.find('"', i + 1);
    return end == std::string_view::npos ? 0 : end + 1;
  }
  while (i < text.size() && IsWord(text[i])) ++i;
  return i;
}

std::string_view Trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const size_t end = line.find_last_not_of(" \t\r");
  return line.substr(begin, end - begin + 1);
}

// A line without comment and metadata attachments.
std::string_view WithoutExtras(std::string_view line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[i] == ';') return Trimmed(line.substr(0, i));
    if (line.substr(i, 3) == ", !") return Trimmed(line.substr(0, i));
  }
  return Trimmed(line);
}

uint64_t RoundUp(uint64_t bytes, uint64_t align) { return (bytes + align - 1) / align * align; }

uint64_t PowerAbove(uint64_t bytes) {
  uint64_t power = 1;
  while (power < bytes) power *= 2;
  return power;
}

// The words that stand for values; other words before a value are attributes.
bool IsConstantWord(std::string_view word) {
  static constexpr std::string_view kWords[] = {"true",         "false",
                                                "null",         "undef",
                                                "poison",       "zeroinitializer",
                                                "none",         "getelementptr",
                                                "bitcast",      "splat",
                                                "ptrtoint",     "inttoptr",
                                                "blockaddress", "addrspacecast",
                                                "trunc",        "sub",
                                                "add",          "xor",
                                                "asm",          "dso_local_equivalent",
                                                "no_cfi",       "c"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool IsTypeWord(std::string_view word) {
  if (word.size() > 1 && word[0] == 'i' &&
      word.find_first_not_of("0123456789", 1) == std::string_view::npos)
    return true;
  for (const std::string_view type : {"void", "half", "bfloat", "float", "double", "fp128", "ptr",
                                      "metadata", "label", "token", "target", "opaque"}) {
    if (word == type) return true;
  }
  return false;
}

}  // namespace

// --- IrCursor

void IrCursor::SkipBlanks() {
  while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t')) text_.remove_prefix(1);
}

std::string_view IrCursor::Cut(size_t length) {
  const std::string_view cut = text_.substr(0, length);
  text_.remove_prefix(length);
  return cut;
}

bool IrCursor::AtEnd() {
  SkipBlanks();
  return text_.empty() || failed_;
}

bool IrCursor::Peek(char c) {
  SkipBlanks();
  return !failed_ && !text_.empty() && text_[0] == c;
}

bool IrCursor::Take(std::string_view token) {
  SkipBlanks();
  if (failed_ || text_.substr(0, token.size()) != token) return false;
  if (IsWord(token.back()) && text_.size() > token.size() && IsWord(text_[token.size()]))
    return false;
  text_.remove_prefix(token.size());
  return true;
}

std::string_view IrCursor::Word() {
  SkipBlanks();
  size_t length = 0;
  while (!failed_ && length < text_.size() && IsWord(text_[length])) ++length;
  return Cut(length);
}

std::string_view IrCursor::Group() {
  SkipBlanks();
  const size_t length = failed_ || text_.empty() || CloseOf(text_[0]) == 0 ? 0 : GroupLength(text_);
  if (length == 0) failed_ = true;
  return Cut(length);
}

std::string_view IrCursor::Value() {
  SkipBlanks();
  if (failed_ || text_.empty()) {
    failed_ = true;
    return {};
  }
  const char* begin = text_.data();
  const char first = text_[0];
  if (first == '%' || first == '@') {
    const size_t length = NameLength(text_);
    if (length < 2) failed_ = true;
    return Cut(failed_ ? 0 : length);
  }
  if (CloseOf(first) != 0) return Group();
  const std::string_view word = Word();
  if (word.empty()) {
    failed_ = true;
    return {};
  }
  // A constant expression: its words up to the parentheses, and those.
  while (IsConstantWord(word) && !AtEnd() && !Peek(',') && !Peek(')')) {
    if (Peek('(')) {
      Group();
      break;
    }
    if (Peek('"')) {  // c"..."
      const size_t end = text_.find('"', 1);
      if (end == std::string_view::npos) {
        failed_ = true;
        break;
      }
      Cut(end + 1);
      break;
    }
    if (Word().empty()) {
      failed_ = true;
      break;
    }
  }
  if (failed_) return {};
  return {begin, static_cast<size_t>(text_.data() - begin)};
}

std::string_view IrCursor::Attributes() {
  SkipBlanks();
  const char* begin = text_.data();
  for (;;) {
    SkipBlanks();
    const IrCursor before = *this;
    if (text_.empty() || failed_) break;
    if (text_[0] == '"') {  // "key"="value"
      const size_t end = text_.find('"', 1);
      if (end == std::string_view::npos) break;
      Cut(end + 1);
      continue;
    }
    if (text_[0] == '=' && text_.size() > 1 && text_[1] == '"') {
      Cut(1);
      continue;
    }
    const std::string_view word = Word();
    if (word.empty() || IsConstantWord(word) || IsTypeWord(word) || word[0] == '-' ||
        (word[0] >= '0' && word[0] <= '9')) {
      *this = before;
      break;
    }
    if (word == "align" && !Peek('(')) {
      Word();
    } else if (!text_.empty() && text_[0] == '(') {
      Group();
    }
  }
  return {begin, static_cast<size_t>(text_.data() - begin)};
}

void IrCursor::SkipAttributes() { Attributes(); }

int64_t IrCursor::Number() {
  const std::string_view word = Word();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) failed_ = true;
  return failed_ ? 0 : number;
}

// --- Types

const IrType* IrModule::NewType(IrType type) {
  if (type.bytes > kMaxBytes) type.bytes = type.stored = 0;
  types_.push_back(std::move(type));
  return &types_.back();
}

// The fields of a struct, after its opening brace.
const IrType* IrModule::Aggregate(IrCursor& cursor, std::string_view close, bool packed) {
  IrType type;
  type.kind = IrType::Kind::kStruct;
  uint64_t at = 0;
  bool known = true;
  while (!cursor.failed() && !cursor.Take(close)) {
    if (!type.elements.empty() && !cursor.Take(",")) cursor.Fail();
    const IrType* field = Type(cursor);
    known &= field->bytes != 0;
    const uint64_t align = packed ? 1 : field->align;
    at = RoundUp(at, align);
    type.align = std::max(type.align, align);
    type.elements.push_back(field);
    type.offsets.push_back(at);
    at += field->bytes;
  }
  if (known && at <= kMaxBytes) type.bytes = type.stored = RoundUp(at, type.align);
  return NewType(std::move(type));
}

const IrType* IrModule::Named(std::string_view name) {
  if (const auto it = named_.find(name); it != named_.end()) return it->second;
  const auto text = type_texts_.find(name);
  const IrType* type = nullptr;
  if (text == type_texts_.end() || depth_ >= kMaxDepth) {
    type = NewType({});
  } else {
    named_[name] = NewType({});  // a type that contains itself has no size
    IrCursor cursor(text->second);
    type = Type(cursor);
    if (cursor.failed()) type = NewType({});
  }
  named_[name] = type;
  return type;
}

const IrType* IrModule::List(IrCursor& cursor) {
  const bool vector = cursor.Peek('<');
  cursor.Take(vector ? "<" : "[");
  if (vector && cursor.Take("{")) {
    const IrType* packed = Aggregate(cursor, "}", true);
    if (!cursor.Take(">")) cursor.Fail();
    return packed;
  }
  IrType list;
  const int64_t count = cursor.Number();
  if (count < 0 || !cursor.Take("x")) cursor.Fail();
  const IrType* element = Type(cursor);
  if (!cursor.Take(vector ? ">" : "]")) cursor.Fail();
  list.kind = vector ? IrType::Kind::kVector : IrType::Kind::kArray;
  list.count = static_cast<uint64_t>(count);
  list.elements.push_back(element);
  uint64_t bytes = 0;
  if (!__builtin_mul_overflow(element->bytes, list.count, &bytes) && bytes <= kMaxBytes &&
      !(vector && element->bits % 8 != 0)) {
    list.stored = bytes;
    list.bytes = vector && bytes != 0 ? PowerAbove(bytes) : bytes;
    list.align = vector && bytes != 0 ? list.bytes : element->align;
  }
  return NewType(std::move(list));
}

const IrType* IrModule::Simple(IrCursor& cursor) {
  IrType simple;
  const std::string_view word = cursor.Word();
  const auto scalar = [&](IrType::Kind kind, uint64_t bytes) {
    simple.kind = kind;
    simple.bytes = simple.stored = simple.align = bytes;
  };
  if (!IsTypeWord(word)) {
    cursor.Fail();
  } else if (word[0] == 'i') {
    uint32_t bits = 0;
    std::from_chars(word.data() + 1, word.data() + word.size(), bits);
    simple.kind = IrType::Kind::kInteger;
    if (bits <= 64 && bits != 0) scalar(IrType::Kind::kInteger, PowerAbove((bits + 7) / 8));
    simple.bits = bits;
  } else if (word == "half" || word == "bfloat") {
    scalar(IrType::Kind::kFloat, 2);
  } else if (word == "float") {
    scalar(IrType::Kind::kFloat, 4);
  } else if (word == "double") {
    scalar(IrType::Kind::kFloat, 8);
  } else if (word == "ptr") {
    scalar(IrType::Kind::kPointer, 8);
    if (cursor.Take("addrspace")) {
      if (!cursor.Take("(")) cursor.Fail();
      simple.space = static_cast<uint32_t>(cursor.Number());
      if (!cursor.Take(")")) cursor.Fail();
    }
  } else if (word == "void") {
    simple.kind = IrType::Kind::kVoid;
  } else if (word == "target") {
    simple.kind = IrType::Kind::kTarget;
    cursor.Group();
  }
  return NewType(std::move(simple));
}

const IrType* IrModule::WithSuffixes(IrCursor& cursor, const IrType* type) {
  while (!cursor.failed()) {
    uint32_t space = 0;
    IrCursor ahead = cursor;
    if (ahead.Take("addrspace")) {
      if (!ahead.Take("(")) break;
      space = static_cast<uint32_t>(ahead.Number());
      if (!ahead.Take(")")) break;
    }
    if (ahead.Take("*")) {
      IrType pointer;
      pointer.kind = IrType::Kind::kPointer;
      pointer.space = space;
      pointer.bytes = pointer.stored = pointer.align = 8;
      pointer.elements.push_back(type);
      type = NewType(std::move(pointer));
      cursor = ahead;
    } else if (cursor.Peek('(')) {
      cursor.Group();
      type = NewType({});
    } else {
      break;
    }
  }
  return type;
}

const IrType* IrModule::Type(IrCursor& cursor) {
  if (++depth_ > kMaxDepth) cursor.Fail();
  const IrType* type = nullptr;
  if (cursor.failed()) {
    type = NewType({});
  } else if (cursor.Peek('%')) {
    type = Named(cursor.Value());
  } else if (cursor.Peek('<') || cursor.Peek('[')) {
    type = List(cursor);
  } else if (cursor.Take("{")) {
    type = Aggregate(cursor, "}", false);
  } else {
    type = Simple(cursor);
  }
  type = WithSuffixes(cursor, type);
  --depth_;
  return type;
}

// --- Functions

namespace {

// The label that a line begins a block with; empty if it does not.
std::string_view LabelOf(std::string_view line) {
  const size_t length = NameLength(line);
  if (length == 0 || line[0] == '%' || line[0] == '@' || line.size() <= length ||
      line[length] != ':')
    return {};
  std::string_view label = line.substr(0, length);
  if (label[0] == '"') label = label.substr(1, label.size() - 2);
  return label;
}

std::string_view WithoutSigil(std::string_view name) {
  if (!name.empty() && (name[0] == '%' || name[0] == '@')) name.remove_prefix(1);
  if (name.size() >= 2 && name[0] == '"') name = name.substr(1, name.size() - 2);
  return name;
}

// All `label %name` in a text.
std::vector<std::string_view> LabelsIn(std::string_view text) {
  std::vector<std::string_view> labels;
  constexpr std::string_view kLabel = "label %";
  for (size_t at = text.find(kLabel); at != std::string_view::npos; at = text.find(kLabel, at)) {
    at += kLabel.size() - 1;
    labels.push_back(WithoutSigil(text.substr(at, NameLength(text.substr(at)))));
  }
  return labels;
}

}  // namespace

void IrModule::ReadFunction(std::string_view head, const std::vector<std::string_view>& body) {
  IrFunction function;
  const size_t at = head.find(" @");
  if (at == std::string_view::npos) return;
  IrCursor cursor(head.substr(at + 1));
  function.is_kernel = head.substr(0, at).find("spir_kernel") != std::string_view::npos;
  function.name = WithoutSigil(cursor.Value());
  if (cursor.failed() || !cursor.Take("(")) return;
  while (!cursor.Take(")")) {
    if (!function.parameters.empty() && !cursor.Take(",")) return;
    if (cursor.Take("...")) continue;
    IrParameter parameter;
    parameter.type = Type(cursor);
    parameter.attributes = cursor.Attributes();
    parameter.name = cursor.Value();
    if (cursor.failed()) return;
    function.parameters.push_back(parameter);
  }
  std::map<std::string_view, uint32_t> labels;
  function.blocks.emplace_back();
  bool fresh = true;  // the current block has no instruction yet
  for (const std::string_view line : body) {
    if (const std::string_view label = LabelOf(line); !label.empty()) {
      if (!(fresh && function.blocks.size() == 1)) function.blocks.emplace_back();
      function.blocks.back().label = label;
      labels[label] = static_cast<uint32_t>(function.blocks.size() - 1);
      fresh = false;
      continue;
    }
    fresh = false;
    IrInstruction instruction;
    instruction.block = static_cast<uint32_t>(function.blocks.size() - 1);
    IrCursor reader(line);
    if (reader.Peek('%')) {
      instruction.result = reader.Value();
      if (!reader.Take("=")) return;
    }
    for (const std::string_view mark : {"tail", "musttail", "notail"}) {
      if (reader.Take(mark)) break;
    }
    instruction.op = reader.Word();
    if (reader.failed() || instruction.op.empty()) return;
    instruction.rest = Trimmed(reader.rest());
    function.instructions.push_back(instruction);
  }
  for (const IrInstruction& instruction : function.instructions) {
    IrBlock& block = function.blocks[instruction.block];
    const std::string_view op = instruction.op;
    if (op == "br" || op == "switch") {
      for (const std::string_view label : LabelsIn(instruction.rest)) {
        const auto it = labels.find(label);
        if (it == labels.end()) return;
        block.successors.push_back(it->second);
      }
      if (block.successors.empty()) return;
    } else if (op == "indirectbr" || op == "invoke" || op == "callbr" || op == "resume" ||
               op == "catchswitch" || op == "cleanupret" || op == "catchret") {
      block.ends_oddly = true;
    }
  }
  functions_.push_back(std::move(function));
}

void IrModule::ReadGlobal(std::string_view line) {
  constexpr std::string_view kLocal = " addrspace(3) global ";
  constexpr size_t kMost = 256;
  const size_t space = line.find(kLocal);
  if (space == std::string_view::npos || locals_.size() >= kMost) return;
  IrCursor name(line);
  IrCursor type(line.substr(space + kLocal.size()));
  IrGlobal global{name.Value(), Type(type)};
  if (!name.failed() && !type.failed() && global.type->bytes != 0) locals_.push_back(global);
}

IrModule::IrModule(std::string_view text) {
  struct Body {
    std::string_view head;
    std::vector<std::string_view> lines;
  };
  std::vector<Body> bodies;
  std::vector<std::string_view> globals;
  bool inside = false;
  std::string* open = nullptr;  // an instruction that continues on the next line
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, length);
    text.remove_prefix(length);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    if (!inside) {
      if (line.substr(0, 7) == "define ") {
        bodies.push_back({line, {}});
        inside = true;
      } else if (line.substr(0, 1) == "@") {
        globals.push_back(line);
      } else if (line.substr(0, 1) == "%") {
        const size_t name = NameLength(line);
        constexpr std::string_view kType = " = type ";
        if (line.substr(name, kType.size()) == kType)
          type_texts_[line.substr(0, name)] = line.substr(name + kType.size());
      }
      continue;
    }
    if (line == "}") {
      inside = false;
      open = nullptr;
      continue;
    }
    line = WithoutExtras(line);
    if (line.empty() || line[0] == '#') continue;
    if (open != nullptr) {
      open->append(" ").append(line);
      if (line == "]") {
        bodies.back().lines.push_back(*open);
        open = nullptr;
      }
    } else if (line.substr(0, 7) == "switch " && line.back() == '[') {
      open = &joined_.emplace_back(line);
    } else {
      bodies.back().lines.push_back(line);
    }
  }
  // A text that ends inside of a function was cut off.
  if (inside) bodies.pop_back();
  // Behind the loop, because types may be defined after their use.
  for (const std::string_view line : globals) ReadGlobal(line);
  for (const Body& body : bodies) ReadFunction(body.head, body.lines);
}

namespace {

constexpr uint64_t kMaxValueBytes = 1 << 20;

// Whether the type has the same size on all devices. Pointers have not.
bool HasFixedSize(const IrType& type) {
  using TypeKind = IrType::Kind;
  const auto is_fixed = [](const IrType* element) { return HasFixedSize(*element); };
  switch (type.kind) {
    case TypeKind::kInteger:
    case TypeKind::kFloat:
      return type.bytes != 0;
    case TypeKind::kVector:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return type.bytes != 0 && std::all_of(type.elements.begin(), type.elements.end(), is_fixed);
    default:
      return false;
  }
}

}  // namespace

uint32_t ValueBytes(IrModule& module, const IrParameter& parameter) {
  const IrType* type = parameter.type;
  if (type->kind == IrType::Kind::kPointer) {
    constexpr std::string_view kByValue = "byval(";
    const size_t at = parameter.attributes.find(kByValue);
    if (at == std::string_view::npos) return 0;
    IrCursor cursor(parameter.attributes.substr(at + kByValue.size()));
    type = module.Type(cursor);
    if (cursor.failed()) return 0;
  }
  return HasFixedSize(*type) && type->bytes <= kMaxValueBytes ? static_cast<uint32_t>(type->bytes)
                                                              : 0;
}

std::optional<IrPhi> PhiOf(IrModule& module, const IrInstruction& instruction) {
  IrCursor cursor(instruction.rest);
  while (cursor.Take("fast") || cursor.Take("nnan") || cursor.Take("ninf") || cursor.Take("nsz") ||
         cursor.Take("contract") || cursor.Take("arcp") || cursor.Take("afn") ||
         cursor.Take("reassoc")) {
  }
  IrPhi phi;
  phi.type = module.Type(cursor);
  do {
    if (!cursor.Take("[")) return std::nullopt;
    const std::string_view value = cursor.Value();
    if (!cursor.Take(",")) return std::nullopt;
    const std::string_view label = cursor.Value();
    if (cursor.failed() || !cursor.Take("]")) return std::nullopt;
    phi.edges.push_back({value, label.substr(1)});
  } while (cursor.Take(","));
  if (!cursor.AtEnd()) return std::nullopt;
  return phi;
}

std::vector<std::string_view> LocalNames(std::string_view text) {
  std::vector<std::string_view> names;
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    names.push_back(IrCursor(text.substr(at)).Value());
  }
  return names;
}

}  // namespace gpusan
