/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_LAB_SAVED_H
#define HS_TESTS_LAB_SAVED_H

/* A lab of which there is only the description: its platform file and its state file, as hs lab up saves them. Nothing of it is
 * limited or connected. */

#include "lab/lab.h"
#include "tests/unit.h"
#include "util/path.h"
#include <unistd.h>

/** Hosts a (2 Gf) and b (two cores of 1 Gf), joined by l; nothing crosses d and links that are called like halves of others. */
#define SAVED_PLATFORM                                                                  \
    "<?xml version='1.0'?>\n<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">" \
    "<host id=\"a\" speed=\"2Gf\"/><host id=\"b\" speed=\"1Gf\" core=\"2\"/>"           \
    "<link id=\"l\" bandwidth=\"1MBps\" latency=\"0\"/>"                                \
    "<link id=\"d\" bandwidth=\"2MBps\" latency=\"0\" sharing_policy=\"SPLITDUPLEX\"/>" \
    "<link id=\"l_UP\" bandwidth=\"1MBps\" latency=\"0\"/>"                             \
    "<link id=\"e_DOWN\" bandwidth=\"1MBps\" latency=\"0\"/>"                           \
    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>\n"

static char saved_file[] = "/tmp/hs-lab-XXXXXX";
static char saved_name[LAB_NAME_MAX + 1];

static inline void saved_write(const char *text)
{
    FILE *file = fopen(saved_file, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline lab_cluster *saved_read(void)
{
    lab_cluster *lab = NULL;
    hs_error error;
    if (lab_load(saved_name, &lab, &error) != HS_OK)
        fail_msg("%s", error.text);
    return lab;
}

/** Save a lab with or without network; both tests and clean-up know its name. */
static inline void saved_make(int network)
{
    hs_platform *platform;
    lab_cluster *lab;
    hs_error error;
    int lock;
    saved_write(SAVED_PLATFORM);
    assert_int_equal(hs_platform_read(saved_file, &platform, NULL), HS_OK);
    assert_int_equal(lab_create(platform, saved_name, 1, &lab, NULL), HS_OK);
    lab->platform = strdup(saved_file);
    lab->network = network;
    lab->ready = 1;
    assert_int_equal(lab_lock(&lock, &error), HS_OK);
    assert_int_equal(lab_save(lab, &error), HS_OK);
    lab_unlock(lock);
    lab_free(lab);
    hs_platform_free(platform);
}

static inline int saved_begin(void **state)
{
    int file = mkstemp(saved_file);
    snprintf(saved_name, sizeof saved_name, "unit-%ld", (long)getpid());
    return file < 0 || close(file) != 0;
}

static inline int saved_end(void **state)
{
    char path[LAB_PATH];
    hs_error error;
    int lock;
    unlink(saved_file);
    if (lab_lock(&lock, &error) != HS_OK)
        return -1;
    hs__path_remove(lab_directory(saved_name, path));
    lab_unlock(lock);
    return 0;
}

#endif
