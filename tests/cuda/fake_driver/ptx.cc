// Reads the names, parameters and variables out of a PTX text.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <set>

#include "launches.h"

namespace fake {
namespace {

constexpr int kNewestMajor = 9;  // the PTX ISA of the driver's version
constexpr int kNewestMinor = 0;
constexpr int kComputeCapability = 90;

// Words, numbers and single punctuation marks; comments are skipped.
class Tokens {
 public:
  explicit Tokens(const std::string& text) : text_(text) { Next(); }

  const std::string& now() const { return now_; }
  bool at_end() const { return now_.empty(); }

  void Next() {
    SkipBlank();
    now_.clear();
    if (at_ >= text_.size()) {
      return;
    }
    if (text_[at_] == '"') {
      const size_t end = text_.find('"', at_ + 1);
      const size_t stop = end == std::string::npos ? text_.size() : end + 1;
      now_ = text_.substr(at_, stop - at_);
      at_ = stop;
      return;
    }
    if (!Word(text_[at_])) {
      now_ = text_[at_++];
      return;
    }
    while (at_ < text_.size() && Word(text_[at_])) {
      now_ += text_[at_++];
    }
  }

  std::string Take() {
    std::string taken = now_;
    Next();
    return taken;
  }

  bool Accept(const char* text) {
    if (now_ != text) {
      return false;
    }
    Next();
    return true;
  }

 private:
  static bool Word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.' ||
           c == '%';
  }
  void SkipBlank() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const size_t end = text_.find("*/", at_);
        at_ = end == std::string::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  const std::string& text_;
  size_t at_ = 0;
  std::string now_;
};

size_t TypeBytes(const std::string& type) {
  static const std::map<std::string, size_t> bytes = {
      {".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2}, {".u16", 2}, {".s16", 2},
      {".f16", 2}, {".b32", 4}, {".u32", 4}, {".s32", 4}, {".f32", 4}, {".b64", 8},
      {".u64", 8}, {".s64", 8}, {".f64", 8}, {".pred", 1}};
  auto found = bytes.find(type);
  return found == bytes.end() ? 0 : found->second;
}

// A variable or parameter after its state space: `.align N .type name[count] = {...}`. False when
// it is none.
struct Variable {
  std::string name;
  size_t element = 0;
  size_t count = 1;
  size_t alignment = 0;
  std::vector<unsigned char> value;
};

void ReadInitializer(Tokens& tokens, const std::string& type, Variable* variable) {
  const bool braces = tokens.Accept("{");
  while (!tokens.at_end() && tokens.now() != "}" && tokens.now() != ";") {
    std::string word = tokens.Take();
    if (word == ",") {
      continue;
    }
    if (word == "-") {
      word += tokens.Take();
    }
    unsigned char raw[8] = {};
    if (word.rfind("0f", 0) == 0 || word.rfind("0F", 0) == 0) {
      const auto bits = static_cast<uint32_t>(std::strtoull(word.c_str() + 2, nullptr, 16));
      std::memcpy(raw, &bits, sizeof bits);
    } else if (type == ".f32") {
      const float number = std::strtof(word.c_str(), nullptr);
      std::memcpy(raw, &number, sizeof number);
    } else {
      const long long number = std::strtoll(word.c_str(), nullptr, 0);
      std::memcpy(raw, &number, sizeof number);
    }
    variable->value.insert(variable->value.end(), raw, raw + variable->element);
    if (!braces) {
      return;
    }
  }
  tokens.Accept("}");
}

bool ReadVariable(Tokens& tokens, Variable* variable) {
  std::string type;
  while (!tokens.at_end()) {
    if (tokens.Accept(".align")) {
      const size_t alignment = std::strtoull(tokens.Take().c_str(), nullptr, 10);
      if (type.empty()) {
        variable->alignment = alignment;  // the one after .ptr speaks of what it points to
      }
    } else if (TypeBytes(tokens.now()) != 0) {
      type = tokens.Take();
      variable->element = TypeBytes(type);
    } else if (tokens.now()[0] == '.') {
      tokens.Next();  // .ptr, .global and kin
    } else {
      break;
    }
  }
  if (type.empty() || tokens.at_end() ||
      !(std::isalpha(static_cast<unsigned char>(tokens.now()[0])) != 0 ||
        std::strchr("_$%", tokens.now()[0]) != nullptr)) {
    return false;
  }
  variable->name = tokens.Take();
  while (tokens.Accept("[")) {
    variable->count *= std::strtoull(tokens.now().c_str(), nullptr, 0);
    tokens.Next();
    if (!tokens.Accept("]")) {
      return false;
    }
  }
  if (variable->alignment == 0) {
    variable->alignment = variable->element;
  }
  if (tokens.Accept("=")) {
    ReadInitializer(tokens, type, variable);
  }
  return true;
}

// The first words of instructions, up to their first dot. One that is not here is no PTX.
bool KnownInstruction(const std::string& word) {
  static const std::set<std::string> known = {"abs",
                                              "activemask",
                                              "add",
                                              "addc",
                                              "alloca",
                                              "and",
                                              "applypriority",
                                              "atom",
                                              "bar",
                                              "barrier",
                                              "bfe",
                                              "bfi",
                                              "bfind",
                                              "bmsk",
                                              "bra",
                                              "brev",
                                              "brkpt",
                                              "brx",
                                              "call",
                                              "clz",
                                              "cnot",
                                              "copysign",
                                              "cos",
                                              "cp",
                                              "createpolicy",
                                              "cvt",
                                              "cvta",
                                              "discard",
                                              "div",
                                              "dp2a",
                                              "dp4a",
                                              "elect",
                                              "ex2",
                                              "exit",
                                              "fence",
                                              "fma",
                                              "fns",
                                              "griddepcontrol",
                                              "isspacep",
                                              "istypep",
                                              "ld",
                                              "ldmatrix",
                                              "ldu",
                                              "lg2",
                                              "lop3",
                                              "mad",
                                              "mad24",
                                              "madc",
                                              "mapa",
                                              "match",
                                              "max",
                                              "mbarrier",
                                              "membar",
                                              "min",
                                              "mma",
                                              "mov",
                                              "mul",
                                              "mul24",
                                              "nanosleep",
                                              "neg",
                                              "not",
                                              "or",
                                              "pmevent",
                                              "popc",
                                              "prefetch",
                                              "prefetchu",
                                              "prmt",
                                              "rcp",
                                              "red",
                                              "redux",
                                              "rem",
                                              "ret",
                                              "rsqrt",
                                              "sad",
                                              "selp",
                                              "set",
                                              "setp",
                                              "shf",
                                              "shfl",
                                              "shl",
                                              "shr",
                                              "sin",
                                              "slct",
                                              "sqrt",
                                              "st",
                                              "stackrestore",
                                              "stacksave",
                                              "stmatrix",
                                              "sub",
                                              "subc",
                                              "suld",
                                              "suq",
                                              "sured",
                                              "sust",
                                              "szext",
                                              "tanh",
                                              "testp",
                                              "tex",
                                              "tld4",
                                              "trap",
                                              "txq",
                                              "vadd",
                                              "vote",
                                              "wgmma",
                                              "wmma",
                                              "xor"};
  return known.count(word.substr(0, word.find('.'))) != 0;
}

// From the opening brace past the closing one. False when it does not end, or holds an instruction
// that does not exist.
bool SkipBody(Tokens& tokens) {
  int depth = 0;
  bool begins = false;  // a statement does
  do {
    if (tokens.at_end()) {
      return false;
    }
    const std::string word = tokens.Take();
    if (word == "{" || word == "}") {
      depth += word == "{" ? 1 : -1;
      begins = true;
    } else if (word == ";" || word == ":") {
      begins = true;
    } else if (begins && word == "@") {
      tokens.Accept("!");
      tokens.Next();  // the predicate
    } else if (begins) {
      begins = false;
      const bool directive = word[0] == '.';
      // The name of an instruction may have two colons behind a dot (.shared::cluster).
      const bool label = tokens.now() == ":" && word.find('.') == std::string::npos;
      if (!directive && !label && !KnownInstruction(word)) {
        return false;
      }
      if (!label) {  // operands may stand in braces
        while (!tokens.at_end() && tokens.now() != ";") {
          tokens.Next();
        }
      }
    }
  } while (depth > 0);
  return true;
}

bool ReadEntry(Tokens& tokens, EntryText* entry) {
  entry->name = tokens.Take();
  size_t offset = 0;
  if (tokens.Accept("(")) {
    while (!tokens.Accept(")")) {
      Variable parameter;
      if (!tokens.Accept(".param") || !ReadVariable(tokens, &parameter)) {
        return false;
      }
      tokens.Accept(",");
      offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
      entry->parameters.push_back({offset, parameter.element * parameter.count});
      offset += parameter.element * parameter.count;
    }
  }
  while (!tokens.at_end() && tokens.now() != "{") {
    tokens.Next();  // .maxntid and kin
  }
  return SkipBody(tokens);
}

CUresult CheckVersion(const std::string& version) {
  char* rest = nullptr;
  const long major = std::strtol(version.c_str(), &rest, 10);
  if (rest == version.c_str() || *rest != '.') {
    return CUDA_ERROR_INVALID_PTX;
  }
  const long minor = std::strtol(rest + 1, nullptr, 10);
  const bool newer = major > kNewestMajor || (major == kNewestMajor && minor > kNewestMinor);
  return newer ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_SUCCESS;
}

CUresult CheckTarget(const std::string& target) {
  if (target.rfind("sm_", 0) != 0) {
    return CUDA_ERROR_INVALID_PTX;
  }
  char* rest = nullptr;
  const long capability = std::strtol(target.c_str() + 3, &rest, 10);
  const bool exact = *rest == 'a';  // an architecture's own features run nowhere else
  const bool runs = exact ? capability == kComputeCapability : capability <= kComputeCapability;
  return runs ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

}  // namespace

CUresult ParsePtx(const std::string& text, ImageText* image) {
  Tokens tokens(text);
  if (!tokens.Accept(".version")) {
    return CUDA_ERROR_INVALID_IMAGE;  // not taken for PTX at all
  }
  if (CUresult error = CheckVersion(tokens.Take()); error != CUDA_SUCCESS) {
    return error;
  }
  if (!tokens.Accept(".target")) {
    return CUDA_ERROR_INVALID_PTX;
  }
  if (CUresult error = CheckTarget(tokens.Take()); error != CUDA_SUCCESS) {
    return error;
  }
  while (!tokens.at_end()) {
    if (tokens.Accept(".entry")) {
      EntryText entry;
      if (!ReadEntry(tokens, &entry)) {
        return CUDA_ERROR_INVALID_PTX;
      }
      image->entries.push_back(std::move(entry));
    } else if (tokens.now() == ".global" || tokens.now() == ".const") {
      tokens.Next();
      Variable variable;
      if (!ReadVariable(tokens, &variable) || !tokens.Accept(";")) {
        return CUDA_ERROR_INVALID_PTX;
      }
      image->globals.push_back(
          {variable.name, variable.element * variable.count, std::move(variable.value)});
    } else if (tokens.now() == "{") {  // the body of a .func
      if (!SkipBody(tokens)) {
        return CUDA_ERROR_INVALID_PTX;
      }
    } else {
      static const char* const known[] = {".visible", ".extern", ".weak", ".func",  ".address_size",
                                          ".param",   ".file",   ".loc",  ".pragma"};
      const bool directive = tokens.now()[0] == '.';
      bool ok = !directive || TypeBytes(tokens.now()) != 0;
      for (const char* name : known) {
        ok = ok || tokens.now() == name;
      }
      if (!ok) {
        return CUDA_ERROR_INVALID_PTX;
      }
      tokens.Next();
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace fake
