// Finds addresses in texts.
#include "report/text/handle_numbers.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr std::string_view kHex = "0123456789abcdefABCDEF";
// Shorter numbers are flags, sizes or offsets, unless a resource has them as its handle.
constexpr size_t kLeastDigits = 9;
// Behind the word for an object. Heaps of programs with fixed addresses, such as Python of Ubuntu,
// begin within the first 4 GiB.
constexpr size_t kLeastDigitsOfObject = 6;

bool IsObject(std::string_view word) {
  constexpr std::string_view kWords[] = {"stream", "queue",   "event", "kernel", "context",
                                         "module", "library", "graph", "pool"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool IsPreposition(std::string_view word) {
  constexpr std::string_view kWords[] = {"at", "of", "to", "from", "in", "is", "and", "or", "with"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

class Numbers {
 public:
  explicit Numbers(TextFinding* finding) : finding_(*finding) {
    for (const FindingResource& resource : finding_.resources) {
      if (resource.handle == 0) continue;
      const std::string address = Hex(resource.handle);
      Name(resource.kind, address);
      if (!resource.label.empty()) labels_.emplace(address, resource.label);
    }
  }

  void Replace(std::string* text) {
    std::string shown;
    size_t begin = 0;
    for (size_t at = text->find("0x"); at != std::string::npos; at = text->find("0x", begin)) {
      size_t end = text->find_first_not_of(kHex, at + 2);
      if (end == std::string::npos) end = text->size();
      shown.append(*text, begin, at - begin);
      const std::string address = Lower(std::string_view(*text).substr(at, end - at));
      std::string word = WordBefore(*text, at);
      const bool is_named = !IsPreposition(word);
      if (!is_named) word = "address";
      const auto known = by_address_.find(address);
      if (known != by_address_.end()) {
        NameKind(address, word);
        shown += known->second;
        // The first mention has the name that the program gave.
        if (const auto label = labels_.find(address); label != labels_.end()) {
          const std::string name = " \"" + label->second + "\"";
          if (text->compare(end, name.size(), name) == 0) end += name.size();
          shown += name;
          labels_.erase(label);
        }
      } else if (!word.empty() &&
                 end - at - 2 >= (IsObject(word) ? kLeastDigitsOfObject : kLeastDigits)) {
        shown += (is_named ? "" : "address ") + Name(word, address);
      } else {
        shown.append(*text, at, end - at);
      }
      begin = end;
    }
    shown.append(*text, begin);
    *text = std::move(shown);
  }

 private:
  // The number of that address, after it was added to the handles of the finding.
  const std::string& Name(const std::string& kind, const std::string& address) {
    const auto [known, is_new] = by_address_.try_emplace(address);
    if (is_new) {
      // "command queue" and "queue" are counted together.
      const size_t word = kind.rfind(' ');
      const std::string noun = word == std::string::npos ? kind : kind.substr(word + 1);
      known->second = "#" + std::to_string(++last_[CountedAs(noun)]);
      finding_.handles.push_back({kind, known->second, address});
    }
    return known->second;
  }

  // Words of an API for a kind of object are counted together with the kind.
  static std::string CountedAs(const std::string& noun) {
    if (noun == "stream") return "queue";
    if (noun == "array") return "image";
    return noun == "module" || noun == "library" || noun == "linker" ? "program" : noun;
  }

  // The word of the API for a kind of object, which the text has.
  void NameKind(const std::string& address, const std::string& word) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"context", "device"}, {"queue", "stream"},    {"command queue", "stream"},
        {"program", "module"}, {"program", "library"}, {"program", "linker"},
        {"image", "array"}};
    for (NumberedHandle& one : finding_.handles) {
      if (one.address == address && std::find(std::begin(kWords), std::end(kWords),
                                              std::pair<std::string_view, std::string_view>(
                                                  one.kind, word)) != std::end(kWords))
        one.kind = word;
    }
  }

  // "queue" of "on queue 0x55": a lower-case word with one blank between it and the address.
  static std::string WordBefore(const std::string& text, size_t at) {
    if (at < 2 || text[at - 1] != ' ') return "";
    size_t begin = at - 1;
    while (begin > 0 && (std::islower(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                         text[begin - 1] == '-'))
      --begin;
    return text.substr(begin, at - 1 - begin);
  }

  TextFinding& finding_;
  std::map<std::string, std::string> by_address_;
  std::map<std::string, std::string> labels_;  // by address; of resources not mentioned yet
  std::map<std::string, int> last_;            // by CountedAs of the last word of the kind
};

}  // namespace

void NumberHandles(TextFinding* finding) {
  Numbers numbers(finding);
  for (std::string* text : {&finding->what, &finding->why, &finding->fix}) numbers.Replace(text);
  for (TextParty& party : finding->parties) numbers.Replace(&party.text);
}

}  // namespace gpusan
