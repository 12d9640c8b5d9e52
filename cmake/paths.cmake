# SPDX-License-Identifier: LGPL-2.1-or-later
# Where systemd, D-Bus, polkit, bash and the package's own programs look for files.
include(GNUInstallDirs)
set(PR_LIBEXECDIR ${CMAKE_INSTALL_PREFIX}/lib/perf-recorder CACHE PATH "Directory of perf-recorderd and perf-recorder-worker")
set(PR_UNITDIR ${CMAKE_INSTALL_PREFIX}/lib/systemd/system CACHE PATH "systemd system units")
set(PR_USERUNITDIR ${CMAKE_INSTALL_PREFIX}/lib/systemd/user CACHE PATH "systemd user units")
set(PR_SYSUSERSDIR ${CMAKE_INSTALL_PREFIX}/lib/sysusers.d CACHE PATH "sysusers.d")
set(PR_TMPFILESDIR ${CMAKE_INSTALL_PREFIX}/lib/tmpfiles.d CACHE PATH "tmpfiles.d")
set(PR_CATALOGDIR ${CMAKE_INSTALL_PREFIX}/lib/systemd/catalog CACHE PATH "journal message catalogs")
set(PR_SESSIONSDIR ${CMAKE_INSTALL_PREFIX}/lib/perf-recorder/sessions.d CACHE PATH "shipped session files")
set(PR_DBUSDIR ${CMAKE_INSTALL_PREFIX}/share/dbus-1 CACHE PATH "D-Bus policy, services, interfaces")
set(PR_POLKITDIR ${CMAKE_INSTALL_PREFIX}/share/polkit-1/actions CACHE PATH "polkit actions")
set(PR_POLKITRULESDIR ${CMAKE_INSTALL_PREFIX}/share/polkit-1/rules.d CACHE PATH "polkit rules")
set(PR_COMPLETIONDIR ${CMAKE_INSTALL_PREFIX}/share/bash-completion/completions CACHE PATH "bash completions")
