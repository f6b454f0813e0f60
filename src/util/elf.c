/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

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

/* The texts of a dynamic section's entries of two kinds. */
static void note_texts(const file *f, int kind, int other_kind, hs__elf_note *note, void *context)
{
    ElfW(Ehdr) header;
    ElfW(Shdr) table, texts;
    ElfW(Dyn) entry;
    if (!read_header(f, &header))
        return;
    for (size_t k = 0; k < header.e_shnum; k++) {
        if (!read_section(f, &header, k, &table) || table.sh_type != SHT_DYNAMIC || table.sh_offset > f->size ||
            !read_section(f, &header, table.sh_link, &texts))
            continue;
        for (size_t i = 0; i < table.sh_size / sizeof entry; i++) {
            if (!copy(f, table.sh_offset + i * sizeof entry, &entry, sizeof entry) || entry.d_tag == DT_NULL)
                break;
            const char *text = text_at(f, &texts, entry.d_un.d_val);
            if (text && (entry.d_tag == kind || entry.d_tag == other_kind))
                note(text, context);
        }
    }
}

void hs__elf_libraries(const void *bytes, size_t size, hs__elf_note *note, void *context)
{
    note_texts(&(file){bytes, size}, DT_NEEDED, DT_SONAME, note, context);
}

/* @return whether it could be read; then free it by munmap() */
static int map(const char *path, file *f)
{
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    f->size = fstat(descriptor, &about) == 0 && about.st_size > 0 ? (size_t)about.st_size : 0;
    f->bytes = f->size > 0 ? mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    return f->bytes != MAP_FAILED;
}

void hs__elf_find_own(const char *const *name, int n, unsigned char *found)
{
    file f;
    if (!map("/proc/self/exe", &f))
        return;
    hs__elf_find(f.bytes, f.size, name, n, found);
    munmap((void *)f.bytes, f.size);
}

static void note_texts_of(const char *path, int kind, int other_kind, hs__elf_note *note, void *context)
{
    file f;
    if (!map(path, &f))
        return;
    note_texts(&f, kind, other_kind, note, context);
    munmap((void *)f.bytes, f.size);
}

void hs__elf_libraries_of(const char *path, hs__elf_note *note, void *context)
{
    note_texts_of(path, DT_NEEDED, DT_SONAME, note, context);
}

void hs__elf_folders_of(const char *path, hs__elf_note *note, void *context)
{
    note_texts_of(path, DT_RUNPATH, DT_RPATH, note, context);
}

void *hs__elf_loaded(const char *object, const char *name)
{
    void *handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD), *found = handle ? dlsym(handle, name) : NULL;
    if (handle)
        dlclose(handle); /* it stays: it was loaded before */
    return found;
}

/* Loaders turn what a dynamic section points to into addresses in memory, but not for every object, and not on every
 * architecture. */
const void *hs__elf_dynamic(const struct dl_phdr_info *object, int tag)
{
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) {
            uintptr_t pointer = entry->d_un.d_ptr;
            return (const void *)(pointer < object->dlpi_addr ? object->dlpi_addr + pointer : pointer);
        }
    return NULL;
}

static const ElfW(Phdr) * find_segment(const struct dl_phdr_info *object, const void *address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (uintptr_t)address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return part;
    }
    return NULL;
}

int hs__elf_holds(const struct dl_phdr_info *object, const void *address)
{
    return find_segment(object, address) != NULL;
}

/* What the pages of an address may be used for: what their segment may, and more. */
static int protect(const struct dl_phdr_info *object, const void *first, size_t bytes, int also)
{
    uintptr_t address = (uintptr_t)first, start = address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    const ElfW(Phdr) *part = find_segment(object, first);
    if (!part)
        return -1;
    return mprotect((void *)start, address + bytes - start,
                    (part->p_flags & PF_R ? PROT_READ : 0) | (part->p_flags & PF_X ? PROT_EXEC : 0) | also);
}

/* A GNU hash table begins with four numbers, of which the third is the length of the Bloom filter that follows. A name is looked
 * for where both its bits are set; in the complement they are set for no name that the object defines. */
int hs__elf_toggle(const struct dl_phdr_info *object)
{
    const uint32_t *table = hs__elf_dynamic(object, DT_GNU_HASH);
    if (!table)
        return 0;
    ElfW(Addr) *filter = (ElfW(Addr) *)(table + 4);
    size_t bytes = table[2] * sizeof *filter;
    if (protect(object, filter, bytes, PROT_WRITE) != 0)
        return 0;
    for (size_t k = 0; k < table[2]; k++)
        filter[k] = ~filter[k];
    protect(object, filter, bytes, 0);
    return 1;
}
