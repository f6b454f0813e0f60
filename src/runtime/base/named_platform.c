/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/named_platform.h"
#include "runtime/base/environment.h"
#include <pthread.h>

/* The process's. */
static struct {
    hs_platform *platform;
    hs_error error;
    int tried;
    pthread_mutex_t lock;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

hs_platform *hs__named_platform_to_correct(void)
{
    const char *path = hs__environment_platform();
    if (!path)
        return NULL;
    pthread_mutex_lock(&self.lock);
    if (!self.tried && hs_platform_read(path, &self.platform, &self.error) != HS_OK)
        self.platform = NULL;
    self.tried = 1;
    pthread_mutex_unlock(&self.lock);
    return self.platform;
}

const hs_platform *hs__named_platform(void)
{
    return hs__named_platform_to_correct();
}

void hs__named_platform_check(void)
{
    const char *path = hs__environment_platform();
    if (!path || hs__named_platform())
        return;
    if (self.error.line > 0)
        hs__environment_log(HS__LOG_WARN, "HS_PLATFORM: %s:%d: %s; doing without", path, self.error.line,
                            self.error.text);
    else
        hs__environment_log(HS__LOG_WARN, "HS_PLATFORM: %s: %s; doing without", path, self.error.text);
}
