/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of launchers that a caller wrote himself. */
#include "config.h"

#include "launch/launch.h"
#include <string.h>

/* "NAME=VALUE" or "NAME": the value, NULL when it has none or is another's. */
static const char *value_of(const char *setting, const char *name, int *is_ours)
{
    size_t length = strlen(name);
    *is_ours = strncmp(setting, name, length) == 0 && (setting[length] == '=' || setting[length] == '\0');
    return *is_ours && setting[length] ? setting + length + 1 : NULL;
}

/* Launchers take one dash or two, and the value as a word of its own or behind "=". */
static int names_hosts(const char *option)
{
    static const char *const names[] = {"hostfile", "machinefile", "host", "hosts", "H", "f"};
    int found = 0, is_one;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        value_of(option + strspn(option, "-"), names[k], &is_one);
        found |= is_one;
    }
    return found && option[0] == '-';
}

int hs__launch_brings_hosts(const hs__words *options)
{
    int found = 0;
    for (size_t i = 0; options && i < options->count; i++)
        found |= names_hosts(options->item[i]);
    return found;
}

static char *next_word(char **rest)
{
    return strtok_r(NULL, " \t\n", rest);
}

/* After "-x" or "-genv": takes the setting when it is of `name`, else adds all its words. */
static void take_setting(const char *option, int own_word, char **rest, const char *name, hs__words *options,
                         const char **value)
{
    int is_ours;
    const char *setting = next_word(rest), *text = setting ? value_of(setting, name, &is_ours) : NULL;
    const char *next = setting && own_word ? next_word(rest) : NULL;
    if (setting && is_ours && (own_word || text)) {
        *value = own_word ? next : text;
        return;
    }
    if (setting && is_ours) /* -x NAME: the value is in the environment, where the caller reads it */
        return;
    const char *const words[] = {option, setting, next};
    for (size_t i = 0; i < sizeof words / sizeof *words && words[i]; i++)
        hs__words_add(options, words[i]);
}

void hs__launch_split(char *text, const char *name, hs__words *options, const char **value)
{
    char *rest = NULL;
    if (value)
        *value = NULL;
    for (char *word = strtok_r(text, " \t\n", &rest); word; word = next_word(&rest)) {
        int own_word = strcmp(word, "-genv") == 0 || strcmp(word, "-env") == 0;
        if (value && (own_word || strcmp(word, "-x") == 0))
            take_setting(word, own_word, &rest, name, options, value);
        else
            hs__words_add(options, word);
    }
}
