/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One object for each source; each fires triggers, and trigger.c makes dumps of them. An event of
 * --switch-output-event makes a file each time, as in perf, so the default rate limit does not apply to it. */

#include "trigger-sources.h"

#include <perf-recorder/dump-facts.h>
#include "array.h"
#include "event-set-lending.h"
#include "trigger-bpf.h"
#include "trigger-event.h"

struct TriggerSources {
        Triggers *triggers;
        bool follows_command;         /* the events are enabled by the exec of the command */
        TriggerEvent *switch_event;   /* --switch-output-event; NULL: none */
        TriggerEvent *event;          /* --trigger-event */
        TriggerCounter **counters;    /* --trigger-counter */
        size_t n_counters;
        TriggerPressure **pressures;
        size_t n_pressures;
        TriggerBpf **programs;        /* --trigger-bpf */
        size_t n_programs;
};

void trigger_options_done(TriggerCommandLine *t) {
        event_specs_done(&t->events);
        strv_free(t->bpf);
        for (size_t i = 0; i < t->n_pressures; i++)
                pressure_spec_done(&t->pressures[i]);
        free(t->pressures);
        for (size_t i = 0; i < t->n_counters; i++)
                counter_spec_done(&t->counters[i]);
        free(t->counters);
        *t = (TriggerCommandLine) {};
}

static int sources_on_switch_event(void *userdata, const char *detail, unsigned n) {
        TriggerSources *s = userdata;
        Trigger trigger = TRIGGER(PR_TRIGGER_EVENT);

        trigger.request.detail = detail;
        trigger.n = n;
        trigger.as_perf = true;
        return triggers_fire(s->triggers, &trigger);
}

static int sources_fire(TriggerSources *s, const char *word, const char *detail, unsigned n) {
        Trigger trigger = TRIGGER(word);

        trigger.request.detail = detail;
        trigger.n = n;
        return triggers_fire(s->triggers, &trigger);
}

static int sources_on_event(void *userdata, const char *detail, unsigned n) {
        return sources_fire(userdata, PR_TRIGGER_EVENT, detail, n);
}

static int sources_on_bpf(void *userdata, const char *detail, unsigned n) {
        return sources_fire(userdata, PR_TRIGGER_BPF, detail, n);
}

static int sources_on_counter(void *userdata, const char *detail) {
        return sources_fire(userdata, PR_TRIGGER_COUNTER, detail, 1);
}

static int sources_on_pressure(void *userdata, PressureResource resource, const char *detail) {
        static const char *const words[_PRESSURE_RESOURCE_MAX] = {
                [PRESSURE_CPU] = PR_TRIGGER_CPU_PRESSURE,
                [PRESSURE_MEMORY] = PR_TRIGGER_MEMORY_PRESSURE,
                [PRESSURE_IO] = PR_TRIGGER_IO_PRESSURE,
        };

        return sources_fire(userdata, words[resource], detail, 1);
}

static int sources_open_event(TriggerSources *s, const EventSpecs *specs, const TriggerSourcesOptions *o, Loop *loop,
                              int (*fired)(void *userdata, const char *detail, unsigned n), TriggerEvent **ret, Diagnosis *d) {
        const TriggerEventOptions options = {
                .specs = specs, .target = o->target, .lendings = o->lendings, .fired = fired, .userdata = s,
        };

        return specs->n_specs > 0 ? trigger_event_new(&options, loop, ret, d) : 0;
}

static int sources_open_counters(TriggerSources *s, const TriggerSourcesOptions *options, Loop *loop, Diagnosis *d) {
        const TriggerCommandLine *o = options->command_line;

        s->counters = calloc(o->n_counters + 1, sizeof(TriggerCounter *));
        if (!s->counters)
                return -ENOMEM;
        for (; s->n_counters < o->n_counters; s->n_counters++) {
                const TriggerCounterOptions co = {
                        .spec = &o->counters[s->n_counters], .target = options->target, .lendings = options->lendings,
                        .group_may_be_gone = options->groups_may_be_gone, .fired = sources_on_counter, .userdata = s,
                };
                int r = trigger_counter_new(&co, loop, &s->counters[s->n_counters], d);

                if (r < 0)
                        return r;
        }
        return 0;
}

static int sources_open_pressures(TriggerSources *s, const TriggerSourcesOptions *options, Loop *loop, Diagnosis *d) {
        const TriggerCommandLine *o = options->command_line;

        s->pressures = calloc(o->n_pressures + 1, sizeof(TriggerPressure *));
        if (!s->pressures)
                return -ENOMEM;
        for (size_t i = 0; i < o->n_pressures; i++) {
                const TriggerPressureOptions po = {
                        .spec = &o->pressures[i], .group_may_be_gone = options->groups_may_be_gone,
                        .fired = sources_on_pressure, .userdata = s,
                };
                int r = trigger_pressure_new(&po, loop, &s->pressures[i], d);

                if (r < 0)
                        return r;
                s->n_pressures++;
        }
        return 0;
}

static int sources_open_programs(TriggerSources *s, char *const *files, Loop *loop, Diagnosis *d) {
        s->programs = calloc(strv_length(files) + 1, sizeof(TriggerBpf *));
        if (!s->programs)
                return -ENOMEM;
        STRV_FOREACH(file, files) {
                const TriggerBpfOptions bo = { .file = *file, .fired = sources_on_bpf, .userdata = s };
                int r = trigger_bpf_new(&bo, loop, &s->programs[s->n_programs], d);

                if (r < 0)
                        return r;
                s->n_programs++;
        }
        return 0;
}

static int sources_blame(Diagnosis *d, int r, const char *option) {
        if (r < 0)
                diagnosis_locate(d, NULL, 0, option);
        return r;
}

int trigger_sources_new(const TriggerSourcesOptions *o, Triggers *triggers, Loop *loop, TriggerSources **ret, Diagnosis *d) {
        _cleanup_(trigger_sources_freep) TriggerSources *s = calloc(1, sizeof(*s));
        int r;

        if (!s)
                return -ENOMEM;
        s->triggers = triggers;
        s->follows_command = target_is_command(o->target);
        r = sources_blame(d, sources_open_event(s, o->switch_events, o, loop, sources_on_switch_event, &s->switch_event, d),
                          "--switch-output-event");
        if (r >= 0)
                r = sources_blame(d, sources_open_event(s, &o->command_line->events, o, loop, sources_on_event, &s->event, d),
                                  "--trigger-event");
        if (r >= 0)
                r = sources_blame(d, sources_open_counters(s, o, loop, d), "--trigger-counter");
        if (r >= 0)
                r = sources_blame(d, sources_open_pressures(s, o, loop, d), "--trigger-pressure");
        if (r >= 0)
                r = sources_blame(d, sources_open_programs(s, o->command_line->bpf, loop, d), "--trigger-bpf");
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}

TriggerSources *trigger_sources_free(TriggerSources *s) {
        if (!s)
                return NULL;
        trigger_event_free(s->switch_event);
        trigger_event_free(s->event);
        for (size_t i = 0; i < s->n_counters; i++)
                trigger_counter_free(s->counters[i]);
        free(s->counters);
        for (size_t i = 0; i < s->n_pressures; i++)
                trigger_pressure_free(s->pressures[i]);
        free(s->pressures);
        for (size_t i = 0; i < s->n_programs; i++)
                trigger_bpf_free(s->programs[i]);
        free(s->programs);
        free(s);
        return NULL;
}

int trigger_sources_look(TriggerSources *s) {
        int r = s->switch_event ? trigger_event_look(s->switch_event) : 0;

        if (r >= 0 && s->event)
                r = trigger_event_look(s->event);
        for (size_t i = 0; i < s->n_programs && r >= 0; i++)
                r = trigger_bpf_look(s->programs[i]);
        return r;
}

int trigger_sources_enable(TriggerSources *s) {
        int r = 0;

        for (size_t i = 0; i < s->n_counters && r >= 0; i++)
                r = trigger_counter_enable(s->counters[i]);
        if (r < 0 || s->follows_command)
                return r;
        if (s->switch_event)
                r = trigger_event_enable(s->switch_event);
        if (r >= 0 && s->event)
                r = trigger_event_enable(s->event);
        return r;
}

bool trigger_sources_lend(const TriggerSources *s, CounterKind kind) {
        return (s->switch_event && trigger_event_lends(s->switch_event, kind)) ||
               (s->event && trigger_event_lends(s->event, kind)) ||
               ANY_OF(s->n_counters, i, trigger_counter_set(s->counters[i]) &&
                                        event_set_lends(trigger_counter_set(s->counters[i]), kind));
}

int trigger_sources_close_lent(TriggerSources *s) {
        int r = s->switch_event ? trigger_event_close_lent(s->switch_event) : 0;

        for (size_t i = 0; i < s->n_counters; i++)
                if (trigger_counter_set(s->counters[i]))
                        (void) event_set_close_lent(trigger_counter_set(s->counters[i]));
        return r >= 0 && s->event ? trigger_event_close_lent(s->event) : r;
}

int trigger_sources_open_lent(TriggerSources *s, CounterKind kind, Diagnosis *d) {
        int r = s->switch_event ? trigger_event_open_lent(s->switch_event, kind, d) : 0;

        for (size_t i = 0; i < s->n_counters && r >= 0; i++)
                if (trigger_counter_set(s->counters[i]))
                        r = event_set_open_lent(trigger_counter_set(s->counters[i]), kind, d);
        return r >= 0 && s->event ? trigger_event_open_lent(s->event, kind, d) : r;
}
