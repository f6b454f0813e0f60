/* SPDX-License-Identifier: BSD-3-Clause */
/* What loaded objects import is in their dynamic symbol tables. */
#include "config.h"

#include "interpose/forward.h"
#include "interpose/unwrapped_symbols.h"
#include "util/assert.h"
#include "util/elf.h"
#include <ctype.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Functions, and families of them that end in '*', without a communicator to send or ask over. */
static const char *const harmless[] = {
    "abi_*",
    "add_error_*",
    "address",
    "aint_*",
    "alloc_mem*",
    "*_c2f",
    "*_f2c",
    "*_c2f08",
    "*_f082c",
    "*_f082f",
    "*_f2f08",
    "*_fn",
    "*_fromint",
    "*_toint",
    "comm_create_errhandler",
    "comm_create_keyval",
    "comm_free_keyval",
    "conversion_fn_null*",
    "delete_error_*",
    "dims_create",
    "errhandler_create",
    "errhandler_free",
    "error_*",
    "f_sync_reg*",
    "file_create_errhandler",
    "finalized",
    "free_mem",
    "get_*",
    "grequest_start",
    "group_*",
    "info_*",
    "initialized",
    "is_thread_main",
    "keyval_*",
    "op_*",
    "pack_external*",
    "pcontrol",
    "query_thread",
    "reduce_local*",
    "register_datarep*",
    "remove_error_*",
    "session_create_errhandler",
    "session_get_*",
    "session_set_*",
    "sizeof*",
    "status_*",
    "t_*",
    "test_cancelled",
    "type_*",
    "unpack_external*",
    "win_create_errhandler",
    "win_create_keyval",
    "win_free_keyval",
    "wtick*",
    "wtime*",
    NULL,
};

static int fits(const char *pattern, const char *name)
{
    size_t length = strlen(pattern), given = strlen(name);
    if (pattern[0] == '*')
        return given >= length - 1 && strcmp(name + given - (length - 1), pattern + 1) == 0;
    if (pattern[length - 1] == '*')
        return strncmp(name, pattern, length - 1) == 0;
    return strcmp(name, pattern) == 0;
}

static int is_wrapped(const char *stem)
{
    for (int n = 0; n < hs__c_count; n++)
        if (strcasecmp(hs__c_name[n] + strlen("MPI_"), stem) == 0)
            return 1;
    return 0;
}

/* Cuts what compilers and interfaces add: mpi_send_f08ts_ becomes send. */
static void find_stem(const char *name, char *stem, size_t size)
{
    static const char *const tails[] = {"_", "_", "_cptr", "_large", "_f08ts", "_f08"};
    snprintf(stem, size, "%s", strchr(name, '_') + 1);
    for (char *c = stem; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        size_t length = strlen(stem), tail = strlen(tails[i]);
        if (length > tail && strcmp(stem + length - tail, tails[i]) == 0)
            stem[length - tail] = '\0';
    }
}

static int is_of_mpi(const char *name)
{
    return strncasecmp(name, "mpi_", 4) == 0 || strncasecmp(name, "mpix_", 5) == 0 ||
           strncasecmp(name, "pmpi_", 5) == 0;
}

static int is_unwrapped(const char *name)
{
    char stem[80];
    int second = strncasecmp(name, "pmpi_", 5) == 0;
    if (!is_of_mpi(name))
        return 0;
    if (strncasecmp(name, "mpix_", 5) == 0)
        return 1;
    find_stem(name, stem, sizeof stem);
    for (const char *const *pattern = harmless; *pattern; pattern++)
        if (fits(*pattern, stem))
            return 0;
    return second || !is_wrapped(stem);
}

/* The MPI library and its parts, and this library. */
static int is_mpi_itself(const struct dl_phdr_info *object)
{
    static const char *const names[] = {"libmpi", "libopen-", "libopen_mpi", "libmca_",
                                        "mca_",   "libompi",  "libpmi",      "libmpifort"};
    const char *name = strrchr(object->dlpi_name, '/');
    name = name ? name + 1 : object->dlpi_name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return 1;
    return hs__elf_holds(object, &hs__c_count);
}

/* The number of symbols is told by the hash tables only. */
static size_t count_symbols(const uint32_t *gnu)
{
    uint32_t buckets = gnu[0], offset = gnu[1], bloom = gnu[2], last = 0;
    const uint32_t *bucket = gnu + 4 + bloom * (sizeof(void *) / 4), *chain = bucket + buckets;
    for (uint32_t b = 0; b < buckets; b++)
        last = bucket[b] > last ? bucket[b] : last;
    if (last < offset)
        return offset;
    while (!(chain[last - offset] & 1))
        last++;
    return last + 1;
}

typedef struct tables {
    const ElfW(Sym) * symbol;
    const char *text;
    size_t count;
} tables;

static tables find_tables(const struct dl_phdr_info *object)
{
    const uint32_t *gnu = hs__elf_dynamic(object, DT_GNU_HASH), *hash = hs__elf_dynamic(object, DT_HASH);
    return (tables){hs__elf_dynamic(object, DT_SYMTAB), hs__elf_dynamic(object, DT_STRTAB),
                    gnu    ? count_symbols(gnu)
                    : hash ? hash[1]
                           : 0};
}

typedef struct search {
    int (*wanted)(const char *name);
    const char *found;
} search;

static int look(struct dl_phdr_info *object, size_t size, void *given)
{
    search *s = given;
    tables t = find_tables(object);
    if (!t.symbol || !t.text || is_mpi_itself(object))
        return 0;
    for (size_t i = 1; i < t.count; i++) {
        const ElfW(Sym) *symbol = &t.symbol[i];
        int type = ELF64_ST_TYPE(symbol->st_info);
        if (symbol->st_shndx == SHN_UNDEF && type != STT_OBJECT && s->wanted(t.text + symbol->st_name)) {
            s->found = t.text + symbol->st_name;
            return 1;
        }
    }
    return 0;
}

static const char *find_call(int (*wanted)(const char *name))
{
    search s = {wanted, NULL};
    dl_iterate_phdr(look, &s);
    return s.found;
}

const char *hs__unwrapped_call(void)
{
    HS_ASSERT(is_wrapped("send") && is_unwrapped("PMPI_Send") && !is_unwrapped("mpi_send_f08ts_"));
    return find_call(is_unwrapped);
}

int hs__calls_mpi(void)
{
    return find_call(is_of_mpi) != NULL;
}
