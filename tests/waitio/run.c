/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "waitio/joining/job_collectives.h"
#include "waitio/message/instance.h"

/* What tests wait for comes soon; a slow machine, valgrind on it, may need so many times what they name. */
enum { SLOW = 5 };

enum { FIRST_PORT = 12000, PORTS = 20000 };

/* Returns whether no other test has the port: each locks the byte of that number in a file (tests/lib/jobs.py, too)
 * until it ends. Where the file is another user's, nobody knows. */
static bool take_port(int port)
{
    static int fd = -1;
    struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = port, .l_len = 1};
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/h3ou-test-ports", folder && *folder ? folder : "/tmp");
    if (fd < 0)
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    return fd < 0 || fcntl(fd, F_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Below the range from which the system takes ports for outgoing connections, so that none takes it in between. Another
 * one each time: runs that a test plays side by side may not yet listen on theirs. */
int free_port(void)
{
    static bool given[PORTS];
    for (int tries = 0;; tries++) {
        unsigned dice;
        if (getrandom(&dice, sizeof dice, 0) != sizeof dice || tries > 1000)
            abort();
        int fd, place = (int)(dice % PORTS);
        if (given[place] || !take_port(FIRST_PORT + place) || (fd = listen_on(FIRST_PORT + place)) < 0)
            continue;
        close(fd);
        given[place] = true;
        return FIRST_PORT + place;
    }
}

static struct sockaddr_in loopback(int port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
}

int connect_to(int port)
{
    struct sockaddr_in a = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!connect(fd, (struct sockaddr *)&a, sizeof a))
        return fd;
    close(fd);
    return -1;
}

int bind_to(int port)
{
    struct sockaddr_in a = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!bind(fd, (struct sockaddr *)&a, sizeof a))
        return fd;
    close(fd);
    return -1;
}

int listen_on(int port)
{
    int fd = bind_to(port);
    if (fd < 0 || !listen(fd, 16))
        return fd;
    close(fd);
    return -1;
}

static int connections_to(int port)
{
    enum { ESTABLISHED = 1 }; /* in the kernel's table */
    FILE *table = fopen("/proc/net/tcp", "r");
    char line[512];
    int n = 0;
    while (table && fgets(line, sizeof line, table)) {
        unsigned to, state;
        n += sscanf(line, " %*d: %*x:%*x %*x:%x %x", &to, &state) == 2 && to == (unsigned)port && state == ESTABLISHED;
    }
    if (table)
        fclose(table);
    return n;
}

bool port_has(int port, int connections, double seconds)
{
    double end = h3ou__now() + SLOW * seconds;
    int n;
    while ((n = connections_to(port)) < connections && h3ou__now() < end)
        h3ou__sleep(0.01);
    if (n < connections)
        fprintf(stderr, "port %d has %d connections, not %d\n", port, n, connections);
    return n >= connections;
}

void run_begin(run *r, int npb, const int size[])
{
    memset(r, 0, sizeof *r);
    r->npb = npb;
    for (int i = 0; i < npb; i++)
        r->size[i] = size[i];
    r->port = free_port();
    r->seat = mmap(NULL, RUN_SEATS * sizeof(seat), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->seat == MAP_FAILED)
        abort();
}

static void set_number(const char *name, int value)
{
    char text[32];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

seat *run_start(run *r, int pb, int rank, role what)
{
    if (r->n == RUN_SEATS)
        abort();
    seat *s = &r->seat[r->n++];
    s->pb = pb;
    s->rank = rank;
    s->status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid) {
        s->pid = pid;
        return s;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* none outlives a test that failed */
    setenv("WAITIO_MASTER_HOST", "127.0.0.1", 1);
    set_number("WAITIO_MASTER_PORT", r->port);
    set_number("WAITIO_PBID", pb);
    set_number("WAITIO_NPB", r->npb);
    set_number("WAITIO_RANK", rank);
    set_number("WAITIO_SIZE", pb < r->npb && r->size[pb] > 0 ? r->size[pb] : 1);
    s->code = what(s);
    if (getenv("RUN_LEAKS")) /* for a leak checker that works at exit */
        exit(0);
    _exit(0);
}

void run_start_all(run *r, role what)
{
    for (int pb = 0; pb < r->npb; pb++)
        for (int rank = 0; rank < r->size[pb]; rank++)
            run_start(r, pb, rank, what);
}

static bool reap(run *r)
{
    bool all = true;
    for (int i = 0; i < r->n; i++) {
        int status;
        if (r->seat[i].status < 0 && waitpid(r->seat[i].pid, &status, WNOHANG) == r->seat[i].pid)
            r->seat[i].status = status;
        all = all && r->seat[i].status >= 0;
    }
    return all;
}

bool run_wait(run *r, double seconds)
{
    double end = h3ou__now() + SLOW * seconds;
    bool all;
    while (!(all = reap(r)) && h3ou__now() < end)
        h3ou__sleep(0.002);
    return all;
}

bool run_end(run *r, double seconds)
{
    bool all = run_wait(r, seconds);
    for (int i = 0; i < r->n; i++)
        if (r->seat[i].status < 0) {
            fprintf(stderr, "PB %d rank %d still runs (step %d)\n", r->seat[i].pb, r->seat[i].rank, r->seat[i].step);
            kill(r->seat[i].pid, SIGKILL);
            waitpid(r->seat[i].pid, &r->seat[i].status, 0);
        }
    for (int i = 0; i < r->n; i++)
        if (getenv("RUN_TELL") && r->seat[i].code)
            fprintf(stderr, "PB %d rank %d: %d %s\n", r->seat[i].pb, r->seat[i].rank, r->seat[i].code, r->seat[i].text);
    return all;
}

bool run_ends_well(run *r, double seconds)
{
    bool well = run_end(r, seconds);
    for (int i = 0; i < r->n; i++) {
        const seat *s = &r->seat[i];
        if (s->code || s->status)
            fprintf(stderr, "PB %d rank %d: code %d status %d: %s\n", s->pb, s->rank, s->code, s->status, s->text);
        well = well && !s->code && !s->status;
    }
    run_close(r);
    return well;
}

bool seat_says(const seat *s, int code, const char *part)
{
    bool says = s->status == 0 && s->code == code && strstr(s->text, part);
    if (!says)
        fprintf(stderr, "PB %d rank %d: status %d code %d: %s\nexpected %d: ...%s...\n", s->pb, s->rank, s->status, s->code, s->text, code, part);
    return says;
}

void run_close(run *r)
{
    munmap(r->seat, RUN_SEATS * sizeof(seat));
}

bool seat_reaches(const seat *s, int step, double seconds)
{
    double end = h3ou__now() + SLOW * seconds;
    while (s->step < step && h3ou__now() < end)
        h3ou__sleep(0.002);
    if (s->step < step)
        fprintf(stderr, "PB %d rank %d came to step %d, not %d: code %d: %s\n", s->pb, s->rank, s->step, step, s->code,
                s->text);
    return s->step >= step;
}

void seat_kill(const seat *s)
{
    kill(s->pid, SIGKILL);
}

void seat_idle(const seat *me, int go)
{
    while (me->go < go)
        h3ou__sleep(0.002);
}

int seat_turn(const seat *me, int go)
{
    int code = 0;
    while (me->go < go && !code)
        code = waitio_progress(0.002);
    return code;
}

int seat_keep(seat *me, int code)
{
    if (code)
        snprintf(me->text, sizeof me->text, "%s", waitio_error());
    return code;
}

int seat_join(seat *me, double timeout)
{
    waitio__job_collectives inside;
    int code = waitio__launcher_open(&inside, timeout);
    if (!code) {
        code = waitio__join(&inside, timeout);
        waitio__launcher_close(&inside);
    }
    if (!code)
        me->ear = waitio__instance_current()->self.address.port;
    return seat_keep(me, code);
}

static int everyone(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

waitio_group_t group_of_all(int gid)
{
    int npb;
    waitio_filter_func_t func[RUN_SEATS];
    int order[RUN_SEATS];
    if (waitio_pb_size(&npb))
        return NULL;
    for (int i = 0; i < npb; i++) {
        func[i] = everyone;
        order[i] = i;
    }
    return waitio_create_group(gid, func, order);
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

void fill_pattern(char *buf, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = mix(seed + i);
        memcpy(buf + i, &word, n - i < 8 ? n - i : 8);
    }
}

bool is_pattern(const char *buf, size_t n, uint64_t seed)
{
    bool same = true;
    for (size_t i = 0; i < n && same; i += 8) {
        uint64_t word = mix(seed + i);
        same = !memcmp(buf + i, &word, n - i < 8 ? n - i : 8);
    }
    return same;
}
