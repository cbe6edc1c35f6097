/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI that this process already runs, behind a table. Nothing here is an MPI handle: a communicator is an int64_t
 * that only the backend understands, a request is opaque storage. backend.c, compiled once per MPI, fills the table as
 * the symbol h3ou__mpi_backend of libh3ou_mpi_<name>.so; self.c fills it for a process without MPI.
 *
 * Every operation returns 0 or H3OU__EMPI with a sentence that names the MPI call and the MPI's own error text. All
 * communication is non-blocking: the caller owns the progress loop. Counts are elements of `type`; buffers are borrowed
 * until the request is complete.
 */
#ifndef H3OU_MPI_MPI_H
#define H3OU_MPI_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

enum { H3OU__ANY_SOURCE = -1 };

typedef int64_t h3ou__mpi_comm;
typedef struct h3ou__mpi_req {
    int64_t opaque[4];
} h3ou__mpi_req;

#define H3OU__MPI_ABI 4

/* Functions that are called inside MPI_Finalize, whether the program or the library called it. */
typedef struct h3ou__mpi_finalize_ops {
    void (*begins)(void);   /* at its beginning, while MPI still works, MPI_Abort too */
    void (*all_here)(void); /* all processes of the job have called it; not called after live_in, since the program's other
                               processes may come to MPI_Finalize at any time */
} h3ou__mpi_finalize_ops;

typedef struct h3ou__mpi_ops {
    int abi;          /* H3OU__MPI_ABI: a backend of another version is refused */
    const char *name; /* "mpich", "openmpi", "self", ... */

    /* Process. init does nothing if the MPI is initialised already; *did says whether it was initialised here. */
    int (*init)(int *did);
    int (*initialized)(int *yes, int *finalized);
    int (*finalize)(void);
    int (*abort)(int code); /* ends the whole job; does not return unless it failed */
    int (*version)(char *text, int size);
    /* Makes MPI_Finalize, whoever calls it, wait first until all processes of the job have called it. Why: a process
     * that dies while some others are inside MPI_Finalize can leave Open MPI's mpirun hanging. Collective; a second
     * call has no effect. ops is borrowed for the rest of the process. */
    int (*at_finalize)(const h3ou__mpi_finalize_ops *ops);
    /* Sets *yes when MPI_Finalize has returned, or is past the point at which processes wait for each other. */
    int (*has_finalized)(int *yes);

    /* Communicators. live_in: the run takes place in the communicator with this Fortran handle, whose processes are the
     * job; NULL: in MPI_COMM_WORLD, as without a call. H3OU__EARG for a communicator that cannot be a job's. all: that
     * communicator itself, which belongs to the program; *is_world: it is MPI_COMM_WORLD. world: a duplicate of it on
     * which errors are returned; free it with comm_free. dup_for_model: errors are handled as on MPI_COMM_WORLD, and it
     * lives until MPI_Finalize. */
    int (*live_in)(const int *handle);
    int (*all)(h3ou__mpi_comm *out, int *is_world);
    int (*world)(h3ou__mpi_comm *out);
    int (*split)(h3ou__mpi_comm c, int color, int key, h3ou__mpi_comm *out); /* color < 0: not a member, *out = 0 */
    int (*dup)(h3ou__mpi_comm c, h3ou__mpi_comm *out);
    int (*dup_for_model)(h3ou__mpi_comm c, h3ou__mpi_comm *out);
    int (*comm_free)(h3ou__mpi_comm *c);
    int (*rank)(h3ou__mpi_comm c, int *rank);
    int (*size)(h3ou__mpi_comm c, int *size);
    int (*to_fortran)(h3ou__mpi_comm c, int *handle);       /* MPI_Comm_c2f */
    int (*group_to_fortran)(h3ou__mpi_comm c, int *handle); /* the Fortran handle of its group */

    /* Point to point. src of irecv and iprobe may be H3OU__ANY_SOURCE. */
    int (*isend)(h3ou__mpi_comm c, const void *buf, int64_t count, int type, int dst, int tag, h3ou__mpi_req *req);
    int (*irecv)(h3ou__mpi_comm c, void *buf, int64_t count, int type, int src, int tag, h3ou__mpi_req *req);
    /* test sets *bytes (may be NULL) to the bytes received when done; with H3OU__ETRUNC to the length of the message,
     * -1 if that is not known. */
    int (*test)(h3ou__mpi_req *req, int *done, int64_t *bytes);
    int (*iprobe)(h3ou__mpi_comm c, int src, int tag, int *found, int64_t *bytes);

    /* Collectives, non-blocking; arguments as in MPI. counts and displacements in elements, as arrays of int. */
    int (*ibarrier)(h3ou__mpi_comm c, h3ou__mpi_req *req);
    int (*ibcast)(h3ou__mpi_comm c, void *buf, int64_t count, int type, int root, h3ou__mpi_req *req);
    int (*igather)(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, int root,
                   h3ou__mpi_req *req);
    int (*igatherv)(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, const int counts[],
                    const int displs[], int type, int root, h3ou__mpi_req *req);
    int (*iscatter)(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int root,
                    h3ou__mpi_req *req);
    int (*iscatterv)(h3ou__mpi_comm c, const void *send, const int counts[], const int displs[], void *recv,
                     int64_t count, int type, int root, h3ou__mpi_req *req);
    int (*iallgather)(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, h3ou__mpi_req *req);
    int (*ialltoall)(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, h3ou__mpi_req *req);
    int (*ialltoallv)(h3ou__mpi_comm c, const void *send, const int scounts[], const int sdispls[], void *recv,
                      const int rcounts[], const int rdispls[], int type, h3ou__mpi_req *req);
    int (*ireduce)(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int op, int root,
                   h3ou__mpi_req *req); /* send == recv at the root means in place */
    int (*iallreduce)(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int op,
                      h3ou__mpi_req *req); /* send == recv means in place */
} h3ou__mpi_ops;

#pragma GCC visibility push(default)
/* Recognises this process's MPI and loads its backend, once; later calls return the same table. H3OU__ENOBACKEND,
 * naming the MPI, the directory searched and the remedy, when none was built for it. Not collective. */
int h3ou__mpi_find(const h3ou__mpi_ops **out);
/* Writes one line of what an MPI's version() says, and which MPI the program was built with if it runs on this one by the MPI adaptor. */
void h3ou__mpi_describe(const char *version, char *text, int size);
/* Returns whether this process's MPI_COMM_WORLD is that of several jobs (universe/), which join in MPI_Init. Calls no MPI. */
bool h3ou__mpi_is_universe(void);
/* Tells the launcher to end the job, from a process that has not called MPI_Init: Hydra (MPICH) does not notice that
 * such a process has ended, and the others would wait for it in MPI_Init for ever. Not collective. */
void h3ou__mpi_abort_unstarted(int code);
extern const h3ou__mpi_ops h3ou__mpi_self;
#pragma GCC visibility pop

#endif
