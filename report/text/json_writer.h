// Writes one line of JSON into a string, with keys in the order of the calls. Builds no tree and
// throws nothing for malformed text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusan {

// Appends `text` as a JSON string. Invalid UTF-8 becomes U+FFFD. Thread-safe.
void AppendJsonString(std::string_view text, std::string* out);

// Usage: Begin*, Key before each value in an object, End*. The writer adds the commas. Not
// thread-safe.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view value);
  JsonWriter& Int(int64_t value);
  JsonWriter& Uint(uint64_t value);
  JsonWriter& Bool(bool value);
  JsonWriter& Raw(std::string_view json);  // `json` is a JSON value

  // Key and value in one call.
  JsonWriter& Field(std::string_view key, std::string_view value) { return Key(key).String(value); }
  JsonWriter& Field(std::string_view key, const char* value) { return Key(key).String(value); }
  JsonWriter& Field(std::string_view key, int64_t value) { return Key(key).Int(value); }
  JsonWriter& Field(std::string_view key, int value) { return Key(key).Int(value); }
  JsonWriter& Field(std::string_view key, uint64_t value) { return Key(key).Uint(value); }
  JsonWriter& Field(std::string_view key, bool value) { return Key(key).Bool(value); }

  const std::string& text() const { return text_; }
  std::string TakeLine();  // returns the text with a newline and clears the writer
  std::string TakePart();  // returns the text so far; later calls continue it

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();

  std::string text_;
  bool need_comma_ = false;
};

}  // namespace gpusan
