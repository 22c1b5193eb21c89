// JSON as in RFC 8259, UTF-8 as in RFC 3629.
#include "report/text/json_writer.h"

#include <utility>

#include "report/base/printable.h"

namespace gpusan {

void AppendJsonString(std::string_view text, std::string* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out->push_back('"');
  while (!text.empty()) {
    const char c = text.front();
    size_t taken = 1;
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (c == '\n') {
      out->append("\\n");
    } else if (c == '\t') {
      out->append("\\t");
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out->append("\\u00");
      out->push_back(kHex[static_cast<unsigned char>(c) >> 4]);
      out->push_back(kHex[c & 15]);
    } else if (const int length = Utf8Length(text); length > 0) {
      taken = static_cast<size_t>(length);
      out->append(text.substr(0, taken));
    } else {
      out->append("\xEF\xBF\xBD");
    }
    text.remove_prefix(taken);
  }
  out->push_back('"');
}

void JsonWriter::Separate() {
  if (need_comma_) text_.push_back(',');
  need_comma_ = true;
}

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  text_.push_back(bracket);
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  text_.push_back(bracket);
  need_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  AppendJsonString(key, &text_);
  text_.push_back(':');
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view value) {
  Separate();
  AppendJsonString(value, &text_);
  return *this;
}

JsonWriter& JsonWriter::Int(int64_t value) {
  Separate();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Uint(uint64_t value) {
  Separate();
  text_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  Separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  text_ += json;
  return *this;
}

std::string JsonWriter::TakePart() { return std::exchange(text_, std::string()); }

std::string JsonWriter::TakeLine() {
  text_.push_back('\n');
  need_comma_ = false;
  return std::exchange(text_, std::string());
}

}  // namespace gpusan
