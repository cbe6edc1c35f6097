/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one list of errors. Every call of h3ou and of WaitIO answers 0 or one of these negative values; the same value
 * has the name H3OU_E... in h3ou.h and WAITIO_E... in waitio.h. A new error is a line here and, with the same number, one in
 * src/python/h3ou/error.py; docs/reference/make_reference.py, when it is run, writes it into the pages of the interfaces.
 */
#ifndef H3OU_ERRORS_H
#define H3OU_ERRORS_H

#define H3OU_ERRORS(X)                                                                                                 \
    X(OK, 0, "success")                                                                                                \
    X(EARG, -1, "argument out of its range")                                                                           \
    X(ETRUNC, -2, "message longer than its buffer")                                                                    \
    X(ENOMEM, -3, "out of memory")                                                                                     \
    X(ESTATE, -4, "call out of order")                                                                                 \
    X(EENV, -5, "environment variable missing or wrong")                                                               \
    X(EHOST, -6, "host name or address not usable")                                                                    \
    X(EREFUSED, -7, "connection refused")                                                                              \
    X(ETIMEOUT, -8, "patience ended")                                                                                  \
    X(EPEER, -9, "peer died or left without goodbye")                                                                  \
    X(EPROTO, -10, "bytes that are not of this protocol")                                                              \
    X(EABORT, -11, "another process ended the coupled run")                                                            \
    X(EOS, -12, "system call failed")                                                                                  \
    X(EMPI, -13, "MPI call failed")                                                                                    \
    X(ENOBACKEND, -14, "no backend for the MPI of this process")                                                       \
    X(ECONFIG, -15, "error in the configuration file")                                                                 \
    X(ENAME, -16, "unknown name")                                                                                      \
    X(EINDEX, -17, "grid index wrong")                                                                                 \
    X(ESIZE, -18, "data of the wrong size")                                                                            \
    X(ETIME, -19, "time, step or interval wrong")                                                                      \
    X(ENOVALUE, -20, "no value was put")                                                                               \
    X(EFILE, -21, "file not readable or not as expected")                                                              \
    X(EJOIN, -22, "jobs do not fit together")                                                                          \
    X(EUNSUPPORTED, -23, "not part of this version")

#endif
