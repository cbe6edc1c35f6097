# SPDX-License-Identifier: BSD-3-Clause
"""The exception for errors of the library."""
import enum


class ErrorCode(enum.IntEnum):
    """The codes of include/h3ou_errors.h, without H3OU_."""
    EARG = -1
    ETRUNC = -2
    ENOMEM = -3
    ESTATE = -4
    EENV = -5
    EHOST = -6
    EREFUSED = -7
    ETIMEOUT = -8
    EPEER = -9
    EPROTO = -10
    EABORT = -11
    EOS = -12
    EMPI = -13
    ENOBACKEND = -14
    ECONFIG = -15
    ENAME = -16
    EINDEX = -17
    ESIZE = -18
    ETIME = -19
    ENOVALUE = -20
    EFILE = -21
    EJOIN = -22
    EUNSUPPORTED = -23


class H3ouError(Exception):
    """code: negative, an ErrorCode where this package knows it. text: the sentence that names what and the remedy."""

    def __init__(self, code, text):
        super().__init__(code, text)
        known = code in ErrorCode._value2member_map_
        self.code, self.text = ErrorCode(code) if known else int(code), text

    def __str__(self):
        return self.text
