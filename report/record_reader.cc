// JSON Lines back into structs.
#include "report/record_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace gpusan {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Severity SeverityNamed(const std::string& name) {
  if (name == "error") return Severity::kError;
  if (name == "warning") return Severity::kWarning;
  return Severity::kNote;
}

std::string Text(const Json& object, const char* key) { return object.value(key, std::string()); }

std::vector<RecordFrame> Frames(const Json& object) {
  std::vector<RecordFrame> frames;
  const auto site = object.find("site");
  if (site == object.end()) return frames;
  for (const Json& frame : *site) {
    frames.push_back({frame.at(0).get<uint32_t>(), frame.at(1).get<uint64_t>()});
  }
  return frames;
}

std::map<std::string, uint64_t> Counts(const Json& object, const char* key) {
  std::map<std::string, uint64_t> counts;
  const auto table = object.find(key);
  if (table == object.end()) return counts;
  for (const auto& [name, count] : table->items()) counts[name] = count.get<uint64_t>();
  return counts;
}

ReadFinding FindingFrom(const Json& record) {
  ReadFinding finding;
  TextFinding& text = finding.text;
  text.rule = record.at("rule").get<std::string>();
  text.severity = SeverityNamed(record.at("severity").get<std::string>());
  text.call = Text(record, "call");
  text.has_code = record.contains("code");
  if (text.has_code) text.code = record.at("code").get<int64_t>();
  text.code_name = Text(record, "code_name");
  text.what = Text(record, "what");
  text.why = Text(record, "why");
  text.fix = Text(record, "fix");
  finding.fingerprint = record.at("fingerprint").get<std::string>();
  finding.frames = Frames(record);
  for (const Json& party : record.value("parties", Json::array())) {
    text.parties.push_back({Text(party, "role"), Text(party, "text"), {}});
    finding.party_frames.push_back(Frames(party));
  }
  for (const Json& resource : record.value("resources", Json::array())) {
    FindingResource& read = text.resources.emplace_back();
    read.kind = Text(resource, "kind");
    read.handle = std::stoull(resource.value("handle", std::string("0x0")), nullptr, 16);
    read.bytes = resource.value("bytes", uint64_t{0});
    read.label = Text(resource, "label");
  }
  const Json facts = record.value("facts", Json::object());
  for (const auto& [key, value] : facts.items()) {
    text.facts.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return finding;
}

}  // namespace

RecordReader::RecordReader(std::string path, RecordVisitor* visitor) : visitor_(visitor) {
  process_.file = std::move(path);
}

bool RecordReader::Poll() {
  struct stat status;
  if (stat(process_.file.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) return errno = EISDIR, false;
  // Half a line is read again from its begin: the writer may take it back when the disk is full.
  rest_.clear();
  if (S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) == offset_) return true;
  const int fd = open(process_.file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return false;
  char chunk[64 * 1024];
  ssize_t count = 0;
  while ((count = pread(fd, chunk, sizeof(chunk), static_cast<off_t>(offset_ + rest_.size()))) !=
         0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    rest_.append(chunk, static_cast<size_t>(count));
    size_t begin = 0;
    for (size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      Line(std::string_view(rest_).substr(begin, end - begin));
    }
    rest_.erase(0, begin);
    offset_ += begin;
  }
  const int error = errno;
  close(fd);
  errno = error;
  return count >= 0;
}

void RecordReader::Finish() {
  const std::string place = process_.file + ":" + std::to_string(line_number_ + 1) + ": ";
  if (!rest_.empty()) {
    process_.ended = false;
    visitor_->OnTrouble(process_, place + "the last record is truncated; what it said is lost");
    rest_.clear();
  }
  if (!process_.seen && line_number_ == 0) {
    visitor_->OnTrouble(process_, process_.file + ": no record in it");
  }
}

void RecordReader::Line(std::string_view line) {
  ++line_number_;
  const std::string place = process_.file + ":" + std::to_string(line_number_) + ": ";
  const Json record = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!record.is_object() || !record.contains("type")) {
    visitor_->OnTrouble(process_, place + "not a gpusan record; skipped");
    return;
  }
  try {
    const std::string type = record.at("type").get<std::string>();
    if (type == "process") {
      process_.seen = true;
      process_.pid = record.at("pid").get<int>();
      process_.exe = Text(record, "exe");
      process_.host = Text(record, "host");
      if (record.value("version", 0) > kVersion) {
        visitor_->OnTrouble(process_, place + "written by a newer gpusan (" +
                                          Text(record, "gpusan") +
                                          "); some of it may not be understood");
      }
    } else if (type == "module") {
      process_.modules[record.at("id").get<uint32_t>()] = {Text(record, "path"),
                                                           Text(record, "build_id")};
    } else if (type == "finding") {
      ReadFinding finding = FindingFrom(record);
      process_.ended = false;
      ++process_.findings_written;
      ++process_.written[finding.fingerprint];
      visitor_->OnFinding(process_, std::move(finding));
    } else if (type == "warning") {
      process_.warnings.push_back(Text(record, "text"));
      visitor_->OnWarning(process_, process_.warnings.back());
    } else if (type == "end") {
      process_.ended = true;
      process_.reason = Text(record, "reason");
      process_.counts = Counts(record, "findings");
      process_.dropped = Counts(record, "dropped");
      process_.calls = Counts(record, "calls");
    }
  } catch (const std::exception& error) {
    visitor_->OnTrouble(process_, place + "a record that lacks something: " + error.what());
  }
}

}  // namespace gpusan
