// Prints what gpusan derives from the machine code of cubins and from PTX: decoded instructions,
// summaries of kernels, or how many kernels have a summary.
//
// usage: kernel_access_dump decode|summary FILE
//        kernel_access_dump execute|execute-unwaited FILE KERNEL GRID BLOCK ARGUMENT...
//        kernel_access_dump count FILE...
//        kernel_access_dump ends FILE...
//        kernel_access_dump count-library|count-library-ptx CAPABILITY LIBRARY...
//        kernel_access_dump extract|extract-ptx CAPABILITY LIBRARY FOLDER
// A capability is 90 for 9.0: it chooses the parts of fat binaries. The grid has as many blocks in
// x, each with as many threads in x. An argument is an integer, p for a pointer, or p+N for a
// pointer N bytes behind a multiple of 256.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hooks/cuda/analysis/thread_fields.h"
#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/machine_code/first_thread.h"
#include "hooks/cuda/machine_code/instruction.h"
#include "hooks/cuda/ptx/ptx_access.h"
#include "library_parts.h"

namespace gpusan::cuda {
namespace {

std::vector<unsigned char> ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool IsPtx(const std::vector<unsigned char>& image) {
  return image.size() < 4 || std::memcmp(image.data(),
                                         "\x7f"
                                         "ELF",
                                         4) != 0;
}

std::string_view TextOf(std::span<const unsigned char> image) {
  return {reinterpret_cast<const char*>(image.data()), image.size()};
}

std::string RegisterText(Register reg) {
  return (reg.uniform ? "UR" : "R") + std::to_string(reg.number);
}

// The first register of each group of results.
std::string ResultText(const Instruction& instruction) {
  if (instruction.result_count == 0) return "none";
  const std::string first = RegisterText(instruction.result);
  if (instruction.first_results == 0) return first;
  return first + "+" + RegisterText({instruction.result.uniform, instruction.other_result});
}

std::string Hex(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string OperandText(const Operand& operand) {
  const std::string sign = operand.negated ? "-" : "";
  switch (operand.kind) {
    case Operand::Kind::kNone:
      return "none";
    case Operand::Kind::kZero:
      return sign + "RZ";
    case Operand::Kind::kRegister:
      return sign + RegisterText(operand.reg);
    case Operand::Kind::kImmediate:
      return Hex(operand.immediate);
    case Operand::Kind::kConstant:
      break;
  }
  const std::string index = operand.indexed ? RegisterText(operand.reg) + "+" : "";
  return sign + (operand.unknown ? "?" : "") + "c[" + Hex(operand.bank) + "][" + index +
         Hex(operand.offset) + "]";
}

std::string MemoryText(const MemoryOperand& memory) {
  if (!memory.known) return "unknown";
  return OperandText(memory.base) + (memory.base_is_32_bit ? ".U32" : "") + "+" +
         OperandText(memory.uniform) + "+" + std::to_string(memory.offset) + ":" +
         std::to_string(memory.width);
}

void PrintInstruction(const CubinKernel& kernel, uint64_t offset) {
  const Instruction i = Decode(kernel.code, offset, kernel.architecture);
  std::printf("%.*s\t%llx\t%s\t%d\t%s\t%u\t%x%s\t%s\t%s\t%s\t%s\t%llx\t%d\n",
              static_cast<int>(kernel.name.size()), kernel.name.data(),
              static_cast<unsigned long long>(offset), i.mnemonic, static_cast<int>(i.operation),
              ResultText(i).c_str(), i.result_count, i.predicates,
              i.writes_uniform_predicates ? "U" : "", OperandText(i.a).c_str(),
              OperandText(i.b).c_str(), OperandText(i.c).c_str(), MemoryText(i.memory).c_str(),
              static_cast<unsigned long long>(i.target), i.conditional);
}

int DumpInstructions(const char* path) {
  const std::vector<unsigned char> image = ReadFile(path);
  const Cubin cubin = ReadCubin(image);
  if (!cubin.damage.empty()) std::fprintf(stderr, "%s: %s\n", path, cubin.damage.c_str());
  for (const CubinKernel& kernel : cubin.kernels) {
    for (uint64_t at = 0; at + kInstructionBytes <= kernel.code.size(); at += kInstructionBytes) {
      PrintInstruction(kernel, at);
    }
  }
  return cubin.damage.empty() ? 0 : 1;
}

std::string KindsText(uint8_t kinds) {
  return std::string(kinds & kReads ? "r" : "") + (kinds & kWrites ? "w" : "") +
         (kinds & kAtomics ? "a" : "");
}

std::string AtomText(const Atom& atom) {
  static constexpr const char* kNames[] = {"",       "tid",   "ctaid", "ntid",   "nctaid", "lane",
                                           "envreg", "field", "loop",  "opaque", "word",   "param"};
  const std::string name = kNames[static_cast<int>(atom.kind)];
  if (atom.kind == Atom::Kind::kThreadField) {
    const ThreadField field = FieldOf(atom);
    const unsigned last = field.bits == ThreadField::kAllBits ? 31 : field.shift + field.bits - 1;
    return std::string("tid.") + "xyz"[field.dimension % 3] + "[" + std::to_string(last) + ":" +
           std::to_string(field.shift) + "]";
  }
  if (atom.kind >= Atom::Kind::kEnvironment) return name + "@" + std::to_string(atom.index);
  return name + "." + "xyz"[atom.index % 3];
}

std::string ExpressionText(const Expression& expression) {
  std::string text;
  for (const Term& term : expression.terms) {
    if (!text.empty()) text += " + ";
    std::string product;
    for (const Atom& atom : term.atoms) {
      if (atom.kind != Atom::Kind::kNone) product += (product.empty() ? "" : "*") + AtomText(atom);
    }
    if (term.coefficient != 1 || product.empty()) {
      text += std::to_string(term.coefficient) + (product.empty() ? "" : "*");
    }
    text += product;
  }
  if (!expression.inexact) return text.empty() ? "0" : text;
  text += text.empty() ? "?" : " + ?";
  for (const uint16_t slot : expression.sources.slots)
    text += " from param@" + std::to_string(slot);
  if (expression.sources.flags != 0) text += " flags " + std::to_string(expression.sources.flags);
  return text;
}

std::string GuardsText(const KernelMemoryAccess& access) {
  static constexpr const char* kRelations[] = {"<", "==", "<=", ">", "!=", ">="};
  std::string text;
  for (const LoopBound& loop : access.loops) {
    const AccessGuard& guard = loop.condition;
    text += " while " + ExpressionText(guard.left) + " " +
            kRelations[static_cast<int>(guard.relation)] + " " + ExpressionText(guard.right);
  }
  for (const AccessGuard& guard : access.guards) {
    text += (&guard == access.guards.data() ? " if " : " and ") + ExpressionText(guard.left) + " " +
            kRelations[static_cast<int>(guard.relation)] + " " + ExpressionText(guard.right);
  }
  if (!access.guards_complete) text += " and ?";
  return text;
}

void PrintSummary(std::string_view name, unsigned parameter_bytes, const KernelAccess& access) {
  std::printf("%.*s (%u bytes of parameters)\n", static_cast<int>(name.size()), name.data(),
              parameter_bytes);
  if (!access.known()) {
    std::printf("  unknown: %s at %x\n", access.failure, access.failure_offset);
    return;
  }
  if (access.unknown != 0)
    std::printf("  unknown addresses: %s\n", KindsText(access.unknown).c_str());
  if (access.globals != 0) std::printf("  globals: %s\n", KindsText(access.globals).c_str());
  for (const VariableUse& use : access.variables)
    std::printf("  every thread, %s: %s\n", use.name.c_str(), KindsText(use.kinds).c_str());
  for (const PointerUse& use : access.pointers)
    std::printf("  param@%u: %s\n", use.offset, KindsText(use.kinds).c_str());
  for (const KernelMemoryAccess& one : access.accesses) {
    std::printf("    %x: %s%u%s [%s]%s\n", one.code_offset, KindsText(one.kind).c_str(), one.width,
                one.always ? " always" : "", ExpressionText(one.address).c_str(),
                GuardsText(one).c_str());
  }
}

int DumpSummaries(const char* path) {
  const std::vector<unsigned char> image = ReadFile(path);
  if (IsPtx(image)) {
    const PtxModule module = ReadPtxModule(TextOf(image));
    for (const PtxModule::Kernel& one : module.kernels) {
      const PtxKernel kernel = ReadPtxKernel(module, one);
      PrintSummary(kernel.name, kernel.parameter_bytes, Summarize(module, kernel));
    }
    return 0;
  }
  for (const CubinKernel& kernel : ReadCubin(image).kernels)
    PrintSummary(kernel.name, kernel.parameter_bytes, Summarize(kernel));
  return 0;
}

struct Counts {
  unsigned kernels = 0, all_known = 0, writes_known = 0, some_known = 0, none_known = 0, failed = 0;
  unsigned accesses = 0, exact = 0;
  // Pointers of kernels that do not wait: read or written; surely; at known bytes.
  struct Pointers {
    unsigned all = 0, sure = 0, exact = 0;
  };
  Pointers read, written;
  std::map<std::string, unsigned> failures;
  // By bytes of code.
  std::vector<std::pair<size_t, double>> micros;
  size_t bytes = 0;

  void Add(size_t code_bytes, double time, const KernelAccess& access, const std::string& failure) {
    micros.emplace_back(code_bytes, time);
    bytes += code_bytes;
    ++kernels;
    if (!access.known()) {
      ++failed;
      ++failures[failure];
      return;
    }
    accesses += static_cast<unsigned>(access.accesses.size());
    exact += static_cast<unsigned>(
        std::count_if(access.accesses.begin(), access.accesses.end(),
                      [](const KernelMemoryAccess& one) { return !one.address.inexact; }));
    if (!access.may_wait) {
      CountPointers(access, kReads, &read);
      CountPointers(access, kWrites, &written);
    }
    if (access.unknown == 0) {
      ++all_known;
    } else if ((access.unknown & (kWrites | kAtomics)) == 0) {
      ++writes_known;
    } else if (!access.pointers.empty()) {
      ++some_known;
    } else {
      ++none_known;
    }
  }

  static void CountPointers(const KernelAccess& access, uint8_t kind, Pointers* pointers) {
    for (const PointerUse& use : access.pointers) {
      if ((use.kinds & kind) == 0) continue;
      bool sure = false, known = false;
      for (const KernelMemoryAccess& one : access.accesses) {
        const Sources bases = one.address.Bases();
        if (one.kind != kind || !one.guards_complete || bases.flags != 0 ||
            bases.slots != std::vector<uint16_t>{use.offset})
          continue;
        sure = true;
        known |= !one.address.inexact && !one.to_shared;
      }
      ++pointers->all;
      pointers->sure += sure;
      pointers->exact += known;
    }
  }

  void Add(const CubinKernel& kernel) {
    const double start = ThreadMicros();
    const KernelAccess access = Summarize(kernel);
    std::string reason = access.known() ? "" : access.failure;
    if (reason == "an unknown instruction") {
      uint16_t opcode = 0;
      std::memcpy(&opcode, kernel.code.data() + access.failure_offset, 2);
      reason += " " + Hex(opcode & 0xfff);
    }
    Add(kernel.code.size(), ThreadMicros() - start, access, reason);
  }

  void Add(const PtxModule& module) {
    for (const PtxModule::Kernel& one : module.kernels) {
      const double start = ThreadMicros();
      const PtxKernel kernel = ReadPtxKernel(module, one);
      const KernelAccess access = Summarize(module, kernel);
      std::string reason = access.known() ? "" : access.failure;
      if (!access.known() && access.failure_offset != 0) {
        const std::string_view at = module.text.substr(access.failure_offset, 60);
        reason += " " + std::string(at.substr(0, at.find_first_of(" \t;")));
      }
      size_t bytes_of_kernel = 0;
      if (!kernel.instructions.empty())
        bytes_of_kernel = kernel.instructions.back().offset - one.offset;
      Add(bytes_of_kernel, ThreadMicros() - start, access, reason);
    }
  }

  // The processor time of the thread.
  static double ThreadMicros() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
  }

  void Print() {
    std::printf(
        "%u kernels, %zu bytes: all pointers known %u, all writes known %u, some pointers known "
        "%u, "
        "none known %u (not analysed %u)\n",
        kernels, bytes, all_known, writes_known, some_known, none_known + failed, failed);
    std::printf("accesses through parameters %u, exact addresses %u\n", accesses, exact);
    std::printf("read pointers %u, surely %u, at known bytes %u\n", read.all, read.sure,
                read.exact);
    std::printf("written pointers %u, surely %u, at known bytes %u\n", written.all, written.sure,
                written.exact);
    for (const auto& [reason, count] : failures) std::printf("  %u: %s\n", count, reason.c_str());
    // The time by size of the code.
    std::sort(micros.begin(), micros.end());
    size_t begin = 0;
    for (size_t limit = 1024; begin < micros.size(); limit *= 4) {
      std::vector<double> times;
      size_t code = 0;
      for (; begin < micros.size() && micros[begin].first <= limit; ++begin) {
        times.push_back(micros[begin].second);
        code += micros[begin].first;
      }
      if (times.empty()) continue;
      std::sort(times.begin(), times.end());
      double sum = 0;
      for (const double one : times) sum += one;
      std::printf(
          "up to %zu B: %zu kernels, us: mean %.0f, median %.0f, p99 %.0f, max %.0f; %.1f ns a "
          "byte\n",
          limit, times.size(), sum / static_cast<double>(times.size()), times[times.size() / 2],
          times[times.size() * 99 / 100], times.back(), sum * 1000 / static_cast<double>(code + 1));
    }
  }
};

int CountKernels(char** paths, int count, unsigned device, bool ptx) {
  Counts counts;
  for (int i = 0; i < count; ++i) {
    const std::vector<unsigned char> image = ReadFile(paths[i]);
    const auto add = [&](std::span<const unsigned char> code) {
      if (ptx) return counts.Add(ReadPtxModule(TextOf(code)));
      for (const CubinKernel& kernel : ReadCubin(code).kernels) counts.Add(kernel);
    };
    const bool library = !ReadCubin(image).damage.empty() && !IsPtx(image);
    if (library || device != 0) {
      ForEachPart(image, device, ptx, add);
    } else {
      add(image);
    }
  }
  counts.Print();
  return 0;
}

// Prints why executions of the first thread end. Each pointer is a pointer, and each other word of
// the parameters is 4.
int CountEnds(char** paths, int count) {
  std::map<std::string, unsigned> ends;
  for (int i = 0; i < count; ++i) {
    const std::vector<unsigned char> image = ReadFile(paths[i]);
    const Cubin cubin = ReadCubin(image);
    for (const CubinKernel& kernel : cubin.kernels) {
      const KernelAccess access = Summarize(kernel);
      if (!access.known()) {
        ++ends[access.failure];
        continue;
      }
      std::vector<uint32_t> words((kernel.parameter_bytes + 7) / 8 * 2), pointers;
      for (const KernelParameter& parameter : kernel.parameters) {
        for (unsigned at = 0; at + 4 <= parameter.size; at += 4)
          words[(parameter.offset + at) / 4] = parameter.size == 8 && at == 4 ? 0 : 4;
      }
      for (const PointerUse& use : access.pointers) {
        const bool fits = use.offset % 4 == 0 && use.offset + 8u <= kernel.parameter_bytes &&
                          (pointers.empty() || use.offset >= pointers.back() + 8);
        if (!fits) continue;
        pointers.push_back(use.offset);
        words[use.offset / 4] = 0;
        words[use.offset / 4 + 1] = static_cast<uint32_t>(pointers.size()) << 8;
      }
      ThreadInput input;
      input.parameters = {reinterpret_cast<const unsigned char*>(words.data()), words.size() * 4};
      input.pointers = pointers;
      input.block_size[0] = 128;
      input.before_waits = access.may_wait;
      ++ends[(access.may_wait ? "may wait; " : "") +
             std::string(ThreadCode(kernel).Execute(input).end)];
    }
  }
  for (const auto& [end, kernels] : ends) std::printf("%u: %s\n", kernels, end.c_str());
  return 0;
}

// Writes each part into a file of its own.
int ExtractParts(const char* path, unsigned device, bool ptx, const std::string& folder) {
  const std::vector<unsigned char> image = ReadFile(path);
  unsigned number = 0;
  ForEachPart(image, device, ptx, [&](std::span<const unsigned char> code) {
    std::ofstream file(folder + "/" + std::to_string(number++) + (ptx ? ".ptx" : ".cubin"),
                       std::ios::binary);
    file.write(reinterpret_cast<const char*>(code.data()),
               static_cast<std::streamsize>(code.size()));
  });
  std::printf("%u parts\n", number);
  return 0;
}

// Prints what the first thread of a launch accesses: a line an access, with the index of the
// parameter.
int ExecuteKernel(const char* path, std::string_view name, char** sizes,
                  std::span<char* const> arguments, bool before_waits) {
  const std::vector<unsigned char> image = ReadFile(path);
  const Cubin cubin = ReadCubin(image);
  for (const CubinKernel& kernel : cubin.kernels) {
    if (kernel.name != name || kernel.parameters.size() != arguments.size()) continue;
    std::vector<unsigned char> block((kernel.parameter_bytes + 7) / 8 * 8);
    std::vector<uint32_t> pointers;
    std::vector<size_t> indices;
    for (size_t i = 0; i < arguments.size(); ++i) {
      uint64_t value = std::strtoull(arguments[i], nullptr, 0);
      if (arguments[i][0] == 'p') {
        value = (uint64_t{i} + 1) << 40 | std::strtoull(arguments[i] + 1, nullptr, 0);
        pointers.push_back(kernel.parameters[i].offset);
        indices.push_back(i);
      }
      std::memcpy(block.data() + kernel.parameters[i].offset, &value,
                  std::min<size_t>(kernel.parameters[i].size, sizeof(value)));
    }
    ThreadInput input;
    input.parameters = block;
    input.pointers = pointers;
    input.before_waits = before_waits;
    input.grid_size[0] = static_cast<uint32_t>(std::strtoul(sizes[0], nullptr, 0));
    input.block_size[0] = static_cast<uint32_t>(std::strtoul(sizes[1], nullptr, 0));
    const ThreadTrace trace = ThreadCode(kernel).Execute(input);
    for (const ThreadAccess& access : trace.accesses) {
      std::printf("%c%d %zu%+lld\n", access.write ? 'w' : 'r', access.bytes,
                  indices[access.pointer], static_cast<long long>(access.offset));
    }
    std::fprintf(stderr, "ends at %s\n", trace.end);
    return 0;
  }
  std::fprintf(stderr, "%s has no kernel %.*s with %zu parameters\n", path,
               static_cast<int>(name.size()), name.data(), arguments.size());
  return 1;
}

}  // namespace
}  // namespace gpusan::cuda

int main(int argc, char** argv) {
  const std::string mode = argc >= 3 ? argv[1] : "";
  const auto device = [argv] { return static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)); };
  if (mode == "decode" && argc == 3) return gpusan::cuda::DumpInstructions(argv[2]);
  if (mode == "summary" && argc == 3) return gpusan::cuda::DumpSummaries(argv[2]);
  if ((mode == "execute" || mode == "execute-unwaited") && argc > 5) {
    return gpusan::cuda::ExecuteKernel(argv[2], argv[3], argv + 4,
                                       {argv + 6, static_cast<size_t>(argc - 6)},
                                       mode == "execute-unwaited");
  }
  if (mode == "count") return gpusan::cuda::CountKernels(argv + 2, argc - 2, 0, false);
  if (mode == "ends") return gpusan::cuda::CountEnds(argv + 2, argc - 2);
  if (mode == "count-library" && argc > 3)
    return gpusan::cuda::CountKernels(argv + 3, argc - 3, device(), false);
  if (mode == "count-library-ptx" && argc > 3)
    return gpusan::cuda::CountKernels(argv + 3, argc - 3, device(), true);
  if ((mode == "extract" || mode == "extract-ptx") && argc == 5)
    return gpusan::cuda::ExtractParts(argv[3], device(), mode == "extract-ptx", argv[4]);
  std::fprintf(
      stderr,
      "usage: kernel_access_dump decode|summary FILE | count|ends FILE...\n"
      "       kernel_access_dump execute|execute-unwaited FILE KERNEL GRID BLOCK ARGUMENT...\n"
      "       kernel_access_dump count-library|count-library-ptx CAPABILITY LIBRARY...\n"
      "       kernel_access_dump extract|extract-ptx CAPABILITY LIBRARY FOLDER\n");
  return 2;
}
