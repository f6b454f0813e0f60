/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/elf.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file {
    const char *bytes;
    size_t size;
} file;

/* Copy what lies at an offset; @return 0 where the file is not that long. */
static int copy(const file *f, size_t offset, void *to, size_t bytes)
{
    if (offset > f->size || bytes > f->size - offset)
        return 0;
    memcpy(to, f->bytes + offset, bytes);
    return 1;
}

static int read_header(const file *f, ElfW(Ehdr) * header)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    return copy(f, 0, header, sizeof *header) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == class && header->e_shentsize == sizeof(ElfW(Shdr));
}

static int read_section(const file *f, const ElfW(Ehdr) * header, size_t k, ElfW(Shdr) * section)
{
    return k < header->e_shnum && header->e_shoff <= f->size &&
           copy(f, header->e_shoff + k * sizeof *section, section, sizeof *section);
}

/* A text that ends within its table; NULL: there is none. */
static const char *text_at(const file *f, const ElfW(Shdr) * texts, size_t offset)
{
    if (texts->sh_offset > f->size || texts->sh_size > f->size - texts->sh_offset || offset >= texts->sh_size)
        return NULL;
    const char *text = f->bytes + texts->sh_offset + offset;
    return memchr(text, '\0', texts->sh_size - offset) ? text : NULL;
}

static void find_in_table(const file *f, const ElfW(Shdr) * table, const ElfW(Shdr) * texts, const char *const *name,
                          int n, unsigned char *found)
{
    ElfW(Sym) symbol;
    for (size_t k = 0; k < table->sh_size / sizeof symbol; k++) {
        if (table->sh_offset > f->size || !copy(f, table->sh_offset + k * sizeof symbol, &symbol, sizeof symbol))
            return;
        if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) /* the same in both classes */
            continue;
        const char *text = text_at(f, texts, symbol.st_name);
        for (int i = 0; text && i < n; i++)
            if (strcmp(text, name[i]) == 0)
                found[i] = 1;
    }
}

void hs__elf_find(const void *bytes, size_t size, const char *const *name, int n, unsigned char *found)
{
    const file f = {bytes, size};
    ElfW(Ehdr) header;
    ElfW(Shdr) table, texts;
    if (!read_header(&f, &header))
        return;
    for (size_t k = 0; k < header.e_shnum; k++)
        if (read_section(&f, &header, k, &table) && (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) &&
            table.sh_entsize == sizeof(ElfW(Sym)) && read_section(&f, &header, table.sh_link, &texts))
            find_in_table(&f, &table, &texts, name, n, found);
}

void hs__elf_find_own(const char *const *name, int n, unsigned char *found)
{
    struct stat about;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    size_t size = fstat(descriptor, &about) == 0 && about.st_size > 0 ? (size_t)about.st_size : 0;
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (bytes == MAP_FAILED)
        return;
    hs__elf_find(bytes, size, name, n, found);
    munmap(bytes, size);
}

void *hs__elf_loaded(const char *object, const char *name)
{
    void *handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD), *found = handle ? dlsym(handle, name) : NULL;
    if (handle)
        dlclose(handle); /* it stays: it was loaded before */
    return found;
}
