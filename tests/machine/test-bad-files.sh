#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Whatever lies in the session directory, each bad thing gets one clear error and the good sessions go on.
. "$(dirname "$0")/assert.sh"

fresh
write_session good '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
check "start" perfctl start
pid=$(session_pid good)

write_session typo '[Record]' 'Event=cpu-clock' 'Frequency=lots'
write_session unknown '[Record]' 'Event=cpu-clock' 'Frequency=10' 'Colour=blue'
write_session both '[Session]' 'Run=-e cpu-clock' '[Record]' 'Event=cpu-clock'
{ echo '[Record]'; yes 'Event=cpu-clock' | head -c 1000000; } >"$SESSIONS/huge.session"
{ echo '[Session]'; echo "Description=$(head -c 1000000 /dev/zero | tr '\0' x)"; } >"$SESSIONS/wide.session"
mkdir "$SESSIONS/directory.session"
ln -s /etc/shadow "$SESSIONS/shadow.session"
mkfifo "$SESSIONS/fifo.session"
printf '[Session]\nRun=-e cpu-clock\0-a\n' >"$SESSIONS/nul.session"
head -c 4096 /dev/urandom >"$SESSIONS/noise.session"
ln -s nowhere "$SESSIONS/dangling.session"
ln -s /dev/null "$SESSIONS/masked.session"
touch "$SESSIONS/empty.session"
begin=$(now_msec)
timeout 20 perfctl reload 2>/dev/null
check_equal "reload: fails because of the bad files" 6 $?
check "reload: a FIFO does not hold it up" test $(($(now_msec) - begin)) -lt 5000

printf '[Recrod]\nFrequency=99\n' >"$SESSIONS/recrod.session"
write_session nothing '[Session]' 'Description=x'
write_session comment '[Record]' 'Frequency=99 # hz'
for name in 'sp ace' ü "$(printf 'x%.0s' $(seq 201))"; do
        printf '[Session]\nRun=-e cpu-clock\n' >"$SESSIONS/$name.session"
done
answer=$(timeout 20 perfctl reload 2>&1)
for name in 'sp ace' ü xxxxx; do
        check_match "reload: $name can be no session" "$SESSIONS/$name.*: not the name of" "$answer"
        check_equal "reload: the journal says so once" 1 "$(journalctl -b -o cat -u perf-recorderd.service | grep -c "$SESSIONS/$name.*not the name of")"
done
check_match "reload: names a bad file again that was found before" "typo: $SESSIONS/typo.session:3: " "$answer"
check "verify: an empty file is a mask" perfctl verify "$SESSIONS/empty.session"
check_match "verify: and so is a link to /dev/null" 'masked.session: a mask' "$(perfctl verify "$SESSIONS/masked.session" 2>&1)"
check_match "recrod: names the section" 'recrod.session:1: unknown section \[Recrod\]' "$(session_property recrod Error)"
check_match "nothing: says so" 'nothing to record' "$(session_property nothing Error)"
check_match "comment: shows the value" '"99 # hz" is .*a comment has a line of its own' "$(session_property comment Error)"

for name in recrod nothing comment typo both huge wide directory shadow fifo nul noise; do
        check_equal "$name: is listed as bad" bad-setting "$(session_property "$name" State)"
        error=$(session_property "$name" Error)
        check_match "$name: says why, and where" "$SESSIONS/$name.session" "$error"
        check_fails "$name: can't be started" perfctl start "$name"
done
check_match "typo: names line and key" 'typo.session:3: .*Frequency' "$(session_property typo Error)"
check_match "typo: so does status" "Error: $SESSIONS/typo.session:3: .*Frequency" "$(perfctl status typo 2>&1)"
check_equal "typo: has failed" bad-setting "$(perfctl is-failed typo)"
check "typo: for scripts too" perfctl is-failed -q typo
check_fails "good: has not" perfctl is-failed -q good
check_equal "and the service is degraded" degraded "$(perfctl is-failed)"
check_no_match "shadow: nothing of the file is shown" 'root:' "$(session_property shadow Error) $(journalctl -b -o cat -u perf-recorderd.service)"
check_equal "unknown: still a session" 0 "$(perfctl list --no-legend --no-pager | grep unknown | grep -c bad-setting)"
check_match "unknown: a warning names file, line and key" 'unknown.session:4.*Colour' "$(journalctl -b -o cat -u perf-recorderd.service)"
check_fails "masked: is not there" perfctl status masked
check_match "masked: which file does it" "masked by $SESSIONS/masked.session: remove that file" "$(perfctl status masked 2>&1)"
check_fails "empty: is not there" perfctl status empty
check_equal "good: the same worker" "$pid" "$(session_pid good)"
check_equal "good: recording" recording "$(session_property good State)"

# What verify tells beyond that: what a session costs, and, with --try, what the recorder says.
write_session costly '[Record]' 'Event=cpu-clock' 'Frequency=100' 'CPU=0' 'BufferSize=1M' 'Mode=overwrite' 'Colour=blue'
check_match "verify: locked memory" 'costly.session: 1.5M of locked memory: 1M, and 512K for the side band, for each of 1 CPUs' "$(perfctl verify "$SESSIONS/costly.session" 2>&1)"
check_match "verify: bytes an hour, and reach" '100 samples a second .* an hour .*memory reaches [0-9a-z ]* back' \
        "$(perfctl verify "$SESSIONS/costly.session" 2>&1)"
check "verify: a warning is no error" perfctl verify "$SESSIONS/costly.session"
check_fails "verify --strict: but for this" perfctl verify --strict "$SESSIONS/costly.session"
check_match "verify --try: what it has really" 'tried: .* events open, .* 1.5M of locked memory' "$(perfctl verify --try "$SESSIONS/costly.session" 2>&1)"
check_match "verify --json" '"valid":true.*"locked_memory":1572864.*"bytes_per_hour":[0-9]*,"reach_usec":' \
        "$(perfctl verify --json=short "$SESSIONS/costly.session")"
while read -r name key reason; do
        write_session "$name" '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' "${key//_/ }"
        check "verify: $key may be right elsewhere" perfctl verify -q "$SESSIONS/$name.session"
        check_match "verify --try: $key" "$reason" "$(perfctl verify --try "$SESSIONS/$name.session" 2>&1)"
        check_fails "verify --try: $key is an error" perfctl verify --try "$SESSIONS/$name.session"
        check_match "verify --try: ${key%%=*}: the file is named" "^$SESSIONS/$name.session:" \
                "$(perfctl verify --try "$SESSIONS/$name.session" 2>&1 >/dev/null)"
done <<'END'
nouser UserID=nosuchuser nosuchuser
nocpu CPU=4095 4095
nopid PID=4194303 4194303
nocommand Command=/no/such/program no/such/program
noname Event=sched:sched_swich mean.sched_switch
nofilter Filter=pid_==_1 tracepoint
norun Unit=nosuch.service not.running
nospace BufferSize=64G memory
END
write_session norecorder '[Session]' 'Enabled=no' 'Recorder=/no/such/perf' 'Run=-a'
check_match "verify --try: Recorder=" 'Recorder: /no/such/perf: No such file' "$(perfctl verify --try "$SESSIONS/norecorder.session" 2>&1)"
check_match "verify --try: Run=" 'no-such-option' "$(write_session norun2 '[Session]' 'Enabled=no' 'Run=--no-such-option'; perfctl verify --try "$SESSIONS/norun2.session" 2>&1)"
check_match "verify --try: an ordinary user is told of root" 'as root' "$(setpriv --reuid=65534 --clear-groups perfctl verify --try "$SESSIONS/costly.session" 2>&1)"

check_match "verify says the same" 'typo.session:3: .*Frequency' "$(perfctl verify "$SESSIONS/typo.session" 2>&1)"
check_fails "verify fails on it" perfctl verify "$SESSIONS/typo.session"
check "verify passes a good one" perfctl verify "$SESSIONS/good.session"

# What the recorder refuses is an error of that session alone.
write_session noevent '[Session]' 'Run=-e no-such-event -a'
write_session nooption '[Session]' 'Run=--no-such-option'
for name in noevent nooption; do
        wait_for 30 sh -c "perfctl show $name -p State | grep -q failed"
        check_equal "$name: failed" failed "$(session_property "$name" State)"
        check_match "$name: names it" 'no-such-' "$(session_property "$name" Error) $(perfctl log "$name" --no-pager)"
done
# The whole of what helps is in the answer, the second line of a wrong event too.
write_session unktp '[Session]' 'Enabled=no' '[Record]' 'Event=sched:sched_swich'
check_match "a wrong event: what was meant" 'sched:sched_swich.*did you mean sched_switch' "$(perfctl start unktp 2>&1)"
write_session field '[Session]' 'Enabled=no' '[Record]' 'Event=sched:sched_switch' 'Filter=prev_pidd == 0'
check_match "a wrong filter: all fields, to the last one" 'prev_pid.*next_prio' "$(perfctl start field 2>&1)"

# A caller's settings name no files, however they are spelled.
transient() { busctl call org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager StartTransient 'sa{sv}' -- passing 1 "$1" s "$2" 2>&1; }
for words in '-o /run/was-here' '-fo/run/was-here' '-ago /run/was-here' '--outp=/run/was-here' '--cont=fifo:/run/was-here' \
                '--trigger-b /etc/shadow' '-e uprobe:/etc/shadow:main' '--switch-output-event=uprobe:/etc/shadow:main'; do
        check_match "StartTransient: $words is refused" 'names a file' "$(transient Session.Run "-e cpu-clock -F 10 -C 0 $words")"
done
check_match "StartTransient: an event that names a file" 'names a file' "$(transient Record.Event uprobe:/etc/shadow:main)"
check_fails "StartTransient: no file of the caller's choosing" test -e /run/was-here
check_match "StartTransient: --overwrite is no file" '/org/perfrecorder1/session/passing' "$(transient Session.Run '-e cpu-clock -F 10 -C 0 --overwrite')"
check_match "StartTransient: a name that is there" ': there is a session' "$(transient Record.Event cpu-clock)"
check_no_match "StartTransient: which has nothing to do with a key" 'Event:' "$(transient Record.Event cpu-clock)"
check "StartTransient: stop" perfctl stop passing

for name in recrod nothing comment typo both huge wide directory shadow fifo nul noise dangling; do
        rm -r "$SESSIONS/$name.session"
done
# MaxLockedMemory= and DefaultBufferSize= go by what the recorder understands, in every spelling.
mkdir -p /etc/perf-recorder/perf-recorderd.conf.d
printf '[Recorder]\nMaxLockedMemory=6M\nDefaultBufferSize=64K\n' >/etc/perf-recorder/perf-recorderd.conf.d/small.conf
check "reload: limits" perfctl reload
for words in '--mmap-p=16M -C 0' '-am16M' '-m 16M -C 0'; do
        write_session greedy '[Session]' 'Enabled=no' "Run=-e cpu-clock -F 10 $words"
        check_match "$words: is too much" 'rings would lock .*16M.*MaxLockedMemory= leaves [0-9.]*[MK]' "$(perfctl start greedy 2>&1)"
        check_equal "$words: isn't tried again" failed "$(session_property greedy State)"
done
write_session modest '[Session]' 'Enabled=no' 'Run=-e cpu-clock -F 10 -C 0 --mmap-p=1M'
check "--mmap-p=1M: fits" perfctl start modest
check_equal "--mmap-p=1M: is what it has" 1048576 "$(session_property modest RingBytes)"
write_session plain '[Session]' 'Enabled=no' 'Run=-e cpu-clock -F 10 -C 0'
check "a session that says no size" perfctl start plain
check_equal "has that of DefaultBufferSize=" 65536 "$(session_property plain RingBytes)"
rm /etc/perf-recorder/perf-recorderd.conf.d/small.conf
perfctl reload

# An instance's name fills a place of its template and brings in neither a command, an option nor a file.
write_session 'cpu@' '[Session]' 'Enabled=no' 'Run=-e cpu-clock -F 10 -C %I'
write_session 'command@' '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Command=/usr/bin/touch /run/%I-was-here'
write_session 'probe@' '[Session]' 'Enabled=no' '[Record]' 'Event=%I'
for instance in 'cpu@0\x20\x2d\x2d\x20-usr-bin-touch\x20-run-was\x2dhere' 'cpu@\x2do-run-was\x2dhere' 'cpu@0\x2c1' \
                'probe@uprobe:-root-x:main'; do
        check_fails "$instance: isn't started" perfctl start "$instance"
        check_match "$instance: says why" 'only the file may' "$(session_property "$instance" Error)"
done
check_fails "no file of an instance's choosing" test -e /run/was-here
perfctl start 'command@\x20-run-was\x2dhere'
check_fails "no further word of a command" test -e /run/was-here
check "an instance that fits" perfctl start cpu@0
check_equal "which records what its name says" recording "$(session_property cpu@0 State)"

# A running session whose file turns bad keeps recording.
write_session good '[Session]' 'Run=-e cpu-clock -F 10 -C 0' 'Restart=perhaps'
wait_for 30 sh -c 'journalctl -b -o cat PERF_SESSION=good | grep -q Restart'
check_equal "good turned bad: the same worker" "$pid" "$(session_pid good)"
check_match "good turned bad: the journal says so" 'good.session:3.*Restart' "$(journalctl -b -o cat PERF_SESSION=good)"
check_match "good turned bad: reload names it, though it is not new" 'good: .*good.session:3.*Restart' "$(perfctl reload 2>&1)"
check_fails "and reload fails" perfctl reload
check_fails "so does that of systemctl" systemctl reload perf-recorderd.service
check_equal "good turned bad: it records" recording "$(session_property good State)"
write_session good '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
check "mended: reload" perfctl reload

# The daemon's own file.
printf '[Recorder]\nMaxSessions=many\n' >/etc/perf-recorder/perf-recorderd.conf
check_match "a bad perf-recorderd.conf is noticed" "^FAIL perf-recorderd.conf .bad-setting." "$(perfctl ping 2>&1)"
check_match "a bad perf-recorderd.conf: reload names file and line" 'perf-recorderd\.conf:2: .*MaxSessions' "$(perfctl reload 2>&1)"
check_fails "and fails" perfctl reload
check_fails "so does that of systemctl" systemctl reload perf-recorderd.service
check_match "ping reports it" "^FAIL perf-recorderd.conf .bad-setting." "$(perfctl ping 2>&1)"
check "the service runs" systemctl -q is-active perf-recorderd.service
rm /etc/perf-recorder/perf-recorderd.conf
check "perf-recorderd.conf mended: reload" systemctl reload perf-recorderd.service
finish
