// Cubins of one kernel, made of given instructions and parameters.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace gpusan::cuda {

struct SmallCubin {
  unsigned architecture = 90;
  unsigned parameter_base = 0x210;
  std::string name = "kernel";
  std::vector<uint64_t> code;  // two words an instruction
  struct Parameter {
    uint16_t offset, size;
  };
  std::vector<Parameter> parameters;
  bool second_version = false;  // of the parameters' entries
  std::string function;         // of the driver, with its address at 0 of constant bank 4
  bool is_variable = false;     // `function` is a variable of the module instead

  std::vector<unsigned char> Bytes() const {
    std::string names("\0", 1);
    const auto name_at = [&names](const std::string& text) {
      const size_t at = names.size();
      names += text + '\0';
      return static_cast<Elf64_Word>(at);
    };
    const std::string info = Info();
    const Elf64_Word names_name = name_at(".shstrtab"), code_name = name_at(".text." + name),
                     info_name = name_at(".nv.info." + name),
                     words_name = name_at(".rela.nv.constant4");
    const std::string text(reinterpret_cast<const char*>(code.data()), code.size() * 8);

    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_ABIVERSION] = 8;
    header.e_machine = 190;
    header.e_flags = architecture << 8;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 7;
    header.e_shstrndx = 1;
    std::string image(sizeof(header), '\0');
    Elf64_Shdr sections[7]{};
    const auto add = [&image, &sections](unsigned number, Elf64_Word name, Elf64_Word type,
                                         const std::string& bytes) {
      sections[number].sh_name = name;
      sections[number].sh_type = type;
      sections[number].sh_offset = image.size();
      sections[number].sh_size = bytes.size();
      image += bytes;
    };
    add(1, names_name, SHT_STRTAB, names);
    add(2, code_name, SHT_PROGBITS, text);
    add(3, info_name, SHT_LOPROC, info);
    Elf64_Sym symbols[2]{};
    symbols[1].st_name = 1;
    symbols[1].st_shndx = is_variable ? 2 : SHN_UNDEF;
    const Elf64_Rela word{0, ELF64_R_INFO(1, 2), 0};
    const auto bytes_of = [](const auto& one) {
      return std::string(reinterpret_cast<const char*>(&one), sizeof(one));
    };
    add(4, 0, SHT_STRTAB, std::string(1, '\0') + function + '\0');
    add(5, 0, SHT_SYMTAB, bytes_of(symbols));
    sections[5].sh_link = 4;
    add(6, words_name, SHT_RELA, function.empty() ? std::string() : bytes_of(word));
    sections[6].sh_link = 5;
    header.e_shoff = image.size();
    image.append(reinterpret_cast<const char*>(sections), sizeof(sections));
    std::memcpy(image.data(), &header, sizeof(header));
    return {image.begin(), image.end()};
  }

 private:
  static void Append(std::string* to, std::initializer_list<unsigned> words) {
    for (const unsigned word : words) {
      *to += static_cast<char>(word & 0xff);
      *to += static_cast<char>(word >> 8);
    }
  }

  std::string Info() const {
    std::string info;
    uint16_t bytes = 0;
    for (uint16_t i = 0; i < parameters.size(); ++i) {
      const Parameter& one = parameters[i];
      bytes = static_cast<uint16_t>(one.offset + one.size);
      const uint32_t flags = second_version ? one.size : 0x1f000u | uint32_t{one.size} << 18;
      Append(&info, {second_version ? 0x4504u : 0x1704u, 12, 0, 0, i, one.offset, flags & 0xffff,
                     flags >> 16});
    }
    Append(&info, {0x1903, bytes});
    Append(&info, {0x0a04, 8, 0, 0, parameter_base, bytes});
    return info;
  }
};

}  // namespace gpusan::cuda
