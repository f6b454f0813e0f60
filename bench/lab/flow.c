/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures one TCP flow, so that tests need no further package.
 *   flow receive PORT SECONDS    accepts one connection, prints the bytes/s it carried
 *   flow send HOST PORT          sends until the receiver closes the connection
 * The first quarter of a second is left out, because the sender's window is still opening. */
#include "config.h"

#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const double warm_up = 0.25;
static char block[1 << 16];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int address_of(const char *host, const char *port, struct sockaddr_in *address)
{
    struct addrinfo wanted = {.ai_family = AF_INET, .ai_flags = host ? 0 : AI_PASSIVE}, *found;
    int code = getaddrinfo(host, port, &wanted, &found);
    if (code) {
        fprintf(stderr, "flow: %s: %s\n", host, gai_strerror(code));
        return -1;
    }
    memcpy(address, found->ai_addr, sizeof *address);
    freeaddrinfo(found);
    return 0;
}

static int receive(const char *port, double seconds)
{
    struct sockaddr_in address;
    if (address_of(NULL, port, &address) != 0)
        return 1;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0) {
        perror("flow: listen");
        return 1;
    }
    int connection = accept(listener, NULL, NULL);
    double begin = now(), start = 0, end = begin, bytes = 0;
    for (ssize_t got; (got = read(connection, block, sizeof block)) > 0;) {
        end = now();
        if (end - begin > seconds)
            break;
        if (start > 0)
            bytes += (double)got;
        else if (end - begin >= warm_up)
            start = end;
    }
    if (!(end > start) || !(start > 0))
        return 1;
    printf("%.0f\n", bytes / (end - start));
    return 0;
}

static int send_to(const char *host, const char *port)
{
    struct sockaddr_in address;
    int connection = -1;
    if (address_of(host, port, &address) != 0)
        return 1;
    for (int tries = 0; tries < 500; tries++) {
        connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0)
            break;
        close(connection);
        connection = -1;
        usleep(10000);
    }
    if (connection < 0) {
        perror("flow: connect");
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    while (write(connection, block, sizeof block) > 0)
        ;
    close(connection);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "receive") == 0)
        return receive(argv[2], atof(argv[3]));
    if (argc == 4 && strcmp(argv[1], "send") == 0)
        return send_to(argv[2], argv[3]);
    fputs("usage: flow receive PORT SECONDS | flow send HOST PORT\n", stderr);
    return 2;
}
