# SPDX-License-Identifier: BSD-3-Clause
"""h3ou convert-config, as the command h3ou calls it: the words of convert.main."""
import sys

import convert

sys.exit(convert.main(*sys.argv[1:]))
