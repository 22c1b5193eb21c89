// Messages between a process and the summary service of `gpusan run`.
#include "report/record/summary_service.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "report/base/safe_write.h"

namespace gpusan {
namespace {

constexpr char kMagic[8] = {'g', 'p', 's', 'a', 'n', 'K', 'S', '1'};
constexpr std::string_view kProgramHeader = "gpusan-opencl-program 1\n";

struct Frame {
  char magic[8];
  uint64_t bytes;
  uint8_t status;
  uint8_t unused[7];
};
static_assert(sizeof(Frame) == 24);

// Waits until the socket is ready. Returns false at the deadline.
bool WaitFor(int socket, short events, int64_t deadline_ms) {
  for (;;) {
    const int64_t left = deadline_ms - NowMs();
    if (left <= 0) return false;
    pollfd ready = {socket, events, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::min<int64_t>(left, 60000)));
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
}

// Calls `transfer`, which is send or recv, until it has transferred all bytes. `events`: the event
// of poll when the socket is ready for it.
template <typename Byte, typename Transfer>
bool TransferAll(int socket, int16_t events, Byte* bytes, size_t size, int64_t deadline_ms,
                 Transfer transfer) {
  while (size != 0) {
    const ssize_t count = transfer(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes += count;
      size -= static_cast<size_t>(count);
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!WaitFor(socket, events, deadline_ms)) return false;
    } else {
      return false;
    }
  }
  return true;
}

bool SendAll(int socket, const char* bytes, size_t size, int64_t deadline_ms) {
  return TransferAll(socket, POLLOUT, bytes, size, deadline_ms, send);
}
bool ReceiveAll(int socket, char* bytes, size_t size, int64_t deadline_ms) {
  return TransferAll(socket, POLLIN, bytes, size, deadline_ms, recv);
}

void AppendField(std::string_view name, std::string_view value, std::string* message) {
  message->append(name).append(" ").append(std::to_string(value.size())).append("\n");
  message->append(value).append("\n");
}

}  // namespace

int64_t NowMs() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

bool SendMessage(int socket, uint8_t status, std::string_view text, int64_t deadline_ms) {
  Frame frame = {};
  std::memcpy(frame.magic, kMagic, sizeof(kMagic));
  frame.bytes = text.size();
  frame.status = status;
  return SendAll(socket, reinterpret_cast<const char*>(&frame), sizeof(frame), deadline_ms) &&
         SendAll(socket, text.data(), text.size(), deadline_ms);
}

bool ReceiveMessage(int socket, size_t most, uint8_t* status, std::string* text,
                    int64_t deadline_ms) {
  Frame frame = {};
  if (!ReceiveAll(socket, reinterpret_cast<char*>(&frame), sizeof(frame), deadline_ms) ||
      std::memcmp(frame.magic, kMagic, sizeof(kMagic)) != 0 || frame.bytes > most)
    return false;
  // In pieces: a sender that announces much and sends little costs little memory.
  text->clear();
  while (text->size() < frame.bytes) {
    const size_t before = text->size();
    const size_t piece = std::min<size_t>(frame.bytes - before, size_t{1} << 20);
    text->resize(before + piece);
    if (!ReceiveAll(socket, text->data() + before, piece, deadline_ms)) return false;
  }
  *status = frame.status;
  return true;
}

SummaryStatus QuerySummaryService(const std::string& path, std::string_view request,
                                  int patience_ms, std::string* answer) {
  IoGuard guard;
  const int64_t deadline = NowMs() + patience_ms;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path) || request.size() > kMaxSummaryRequest)
    return SummaryStatus::kNoService;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return SummaryStatus::kNoService;
  bool ok = false;
  while (!(ok = connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0)) {
    // EAGAIN: too many connections wait to be accepted.
    if ((errno != EAGAIN && errno != EINTR) || NowMs() >= deadline) break;
    poll(nullptr, 0, 2);
  }
  uint8_t status = 0;
  ok = ok && SendMessage(fd, 0, request, deadline) &&
       ReceiveMessage(fd, kMaxSummaryAnswer, &status, answer, deadline) &&
       status < static_cast<uint8_t>(SummaryStatus::kNoService);
  close(fd);
  return ok ? static_cast<SummaryStatus>(status) : SummaryStatus::kNoService;
}

std::string EncodeProgram(const OpenClProgram& program, bool working_folder) {
  std::string message(kProgramHeader);
  AppendField("source", program.source, &message);
  AppendField("options", program.options, &message);
  AppendField("extensions", program.extensions, &message);
  AppendField("device_version", program.device_version, &message);
  AppendField("language", program.language, &message);
  if (working_folder) AppendField("working_folder", program.working_folder, &message);
  for (const auto& [name, text] : program.headers) {
    AppendField("header_name", name, &message);
    AppendField("header_text", text, &message);
  }
  return message;
}

bool DecodeProgram(std::string_view message, OpenClProgram* program) {
  *program = {};
  if (message.substr(0, kProgramHeader.size()) != kProgramHeader) return false;
  message.remove_prefix(kProgramHeader.size());
  while (!message.empty()) {
    const size_t blank = message.find(' ');
    const size_t line = message.find('\n');
    if (blank == std::string_view::npos || line == std::string_view::npos || blank > line)
      return false;
    const std::string_view name = message.substr(0, blank);
    uint64_t size = 0;
    const auto [end, error] =
        std::from_chars(message.data() + blank + 1, message.data() + line, size);
    if (error != std::errc() || end != message.data() + line) return false;
    message.remove_prefix(line + 1);
    if (size >= message.size() || message[size] != '\n') return false;
    const std::string value(message.substr(0, size));
    message.remove_prefix(size + 1);
    if (name == "source") {
      program->source = value;
    } else if (name == "options") {
      program->options = value;
    } else if (name == "extensions") {
      program->extensions = value;
    } else if (name == "device_version") {
      program->device_version = value;
    } else if (name == "language") {
      program->language = value;
    } else if (name == "working_folder") {
      program->working_folder = value;
    } else if (name == "header_name") {
      program->headers.emplace_back(value, "");
    } else if (name == "header_text" && !program->headers.empty()) {
      program->headers.back().second = value;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace gpusan
