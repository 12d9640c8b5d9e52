# SPDX-License-Identifier: LGPL-2.1-or-later
# Run by cpack on the staged files. It takes all that is installed by an absolute path for configuration, which an upgrade leaves as
# it is when somebody has changed it; nothing in this package is.
unset(CPACK_ABSOLUTE_DESTINATION_FILES)
