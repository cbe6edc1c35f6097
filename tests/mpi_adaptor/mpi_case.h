/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases for an MPI library as a program sees it: mpi_cases runs them on PROCESSES processes, and every process checks what it got. A
 * failed check is recorded and printed with the call, and the case goes on, because the other processes wait for its messages. */
#ifndef H3OU_TEST_MPI_CASE_H
#define H3OU_TEST_MPI_CASE_H
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { PROCESSES = 4 };

typedef struct {
    const char *name;
    void (*run)(void);
} mpi_case;

/* Each ends with a case without a name. */
extern const mpi_case message_cases[], request_cases[], collective_cases[], started_collective_cases[], neighbour_cases[], type_cases[],
    pack_cases[], communicator_cases[], topology_cases[], attribute_cases[], info_cases[], error_cases[], op_cases[], window_cases[],
    file_cases[], spawn_cases[], tool_cases[], environment_cases[], thread_cases[];

extern int my_rank, left, right; /* in MPI_COMM_WORLD; the neighbours on a ring */

/* These return whether the check passed. */
bool case_check(bool is_true, const char *file, int line, const char *text);
bool case_equal(long long got, long long expected, const char *file, int line, const char *text);
bool case_call(int code, const char *file, int line, const char *text);
bool case_class(int code, int expected, const char *file, int line, const char *text);

#define CHECK(...)             case_check(__VA_ARGS__, __FILE__, __LINE__, #__VA_ARGS__)
#define EQUAL(got, expected)   case_equal((long long)(got), (long long)(expected), __FILE__, __LINE__, #got " == " #expected)
#define CALL(...)              case_call(__VA_ARGS__, __FILE__, __LINE__, #__VA_ARGS__)
#define FAILS(class, ...)      case_class(__VA_ARGS__, class, __FILE__, __LINE__, #__VA_ARGS__ " fails with " #class)

/* What a started child does in place of all cases (spawn_case.c), and how often the program's own MPI_Barrier ran. */
void spawn_child(void);
extern int barriers_counted;

#endif
