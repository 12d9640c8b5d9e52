/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The list of perf record's --pfm-events: names go to libpfm whole, it knows their unit masks and modifiers; only commas and
 * braces are ours. What it answers is an attribute with the event's configuration and levels, nothing else of which is used.
 *
 * LIBPFM_FORCE_PMU and LIBPFM_ENCODE_INACTIVE, which libpfm reads, encode events of other CPUs. */

#include "pfm-event.h"

#include <dlfcn.h>
/* The library's header brings a copy of the kernel's, which can't stand beside it. */
#define __PERFMON_PERF_EVENT_H__
#include <perfmon/pfmlib_perf_event.h>
#include "grammar.h"
#include "pmu.h"
#include "strv.h"

typedef struct Pfm {
        void *library;
        pfm_err_t (*initialize)(void);
        void (*terminate)(void);
        const char *(*describe_error)(int code);
        pfm_err_t (*encode)(const char *name, int levels, pfm_os_t os, void *args);
        bool ready;
} Pfm;

typedef struct PfmList {
        const char *text;
        size_t at;
        EventSpecs *list;
        const PfmSources *sources;
        Pfm pfm;
        Diagnosis *d;
} PfmList;

static int fail(PfmList *l, size_t at, int r, const char *sentence) {
        if (l->d && l->d->column == 0)
                l->d->column = at + 1;
        return diagnosis_set(l->d, r, "%s", sentence);
}

static void unload(Pfm *p) {
        if (p->ready)
                p->terminate();
        if (p->library)
                (void) dlclose(p->library);
}

static int load(PfmList *l) {
        const char *name = l->sources->library ?: PFM_LIBRARY;
        Pfm *p = &l->pfm;

        p->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!p->library)
                return diagnosis_set(l->d, -EOPNOTSUPP, "--pfm-events needs the library %s, which is not installed (Debian's "
                                     "package libpfm4); -e takes the same events as cpu/event=NUMBER,umask=NUMBER/", name);
        p->initialize = (pfm_err_t (*)(void)) dlsym(p->library, "pfm_initialize");
        p->terminate = (void (*)(void)) dlsym(p->library, "pfm_terminate");
        p->describe_error = (const char *(*)(int)) dlsym(p->library, "pfm_strerror");
        p->encode = (pfm_err_t (*)(const char *, int, pfm_os_t, void *)) dlsym(p->library, "pfm_get_os_event_encoding");
        if (!p->initialize || !p->terminate || !p->describe_error || !p->encode)
                return diagnosis_set(l->d, -EOPNOTSUPP, "%s is not the libpfm that --pfm-events needs (version 4)", name);
        if (p->initialize() != PFM_SUCCESS)
                return diagnosis_set(l->d, -EOPNOTSUPP, "libpfm knows no CPU like this one");
        p->ready = true;
        return 0;
}

static int refuse(PfmList *l, const char *name, pfm_err_t error) {
        _cleanup_free_ char *sentence = NULL;
        size_t at = l->at - strlen(name);

        if (asprintf(&sentence, "libpfm does not know the event %s on this machine: %s%s", name, l->pfm.describe_error(error),
                     error == PFM_ERR_NOTFOUND ? " (a CPU's own events are known where its counters are seen)" : "") < 0)
                return -ENOMEM;
        return fail(l, at, error == PFM_ERR_NOMEM ? -ENOMEM : error == PFM_ERR_NOTFOUND ? -ENOENT : -EINVAL, sentence);
}

/* An uncore's event is for some CPUs only, as its PMU says. */
static int set_cpus(PfmList *l, EventSpec *s) {
        _cleanup_strv_free_ char **names = NULL;
        int r = pmu_list(l->sources->event_source, &names);

        if (r < 0)
                return r == -ENOENT ? 0 : r;
        STRV_FOREACH(name, names) {
                _cleanup_(pmu_freep) Pmu *pmu = NULL;

                if (pmu_open(l->sources->event_source, *name, &pmu) >= 0 && pmu->type == s->attr.type)
                        return event_spec_set_cpus(s, pmu->cpus, pmu->n_cpus);
        }
        return 0;
}

static int add_event(PfmList *l, const char *name) {
        struct perf_event_attr attr = { .size = sizeof(attr) };
        pfm_perf_encode_arg_t args = { .attr = &attr, .size = sizeof(args) };
        EventSpec *s;
        pfm_err_t e;
        int r;

        e = l->pfm.encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &args);
        if (e != PFM_SUCCESS)
                return refuse(l, name, e);
        if (attr.type == PERF_TYPE_TRACEPOINT)
                return fail(l, l->at - strlen(name), -EINVAL, "Tracepoints are for -e");
        r = event_specs_add(l->list, attr.type, attr.config, &s);
        if (r < 0)
                return r == -E2BIG ? fail(l, l->at, r, "These are too many events") : r;
        s->column = l->at - strlen(name) + 1;
        s->attr.config1 = attr.config1;
        s->attr.config2 = attr.config2;
        s->attr.exclude_user = attr.exclude_user;
        s->attr.exclude_kernel = attr.exclude_kernel;
        s->attr.exclude_hv = attr.exclude_hv;
        r = free_and_strdup(&s->name, name);
        return r < 0 ? r : set_cpus(l, s);
}

static int parse_event(PfmList *l) {
        size_t n = strcspn(l->text + l->at, ",{}");
        _cleanup_free_ char *name = strndup(l->text + l->at, n);

        if (!name)
                return -ENOMEM;
        if (n == 0)
                return fail(l, l->at, -EINVAL, "An event is wanted here");
        l->at += n;
        return add_event(l, name);
}

static int parse_group(PfmList *l) {
        size_t first = l->list->n_specs, begin = l->at;
        int r;

        do {
                l->at++;
                r = parse_event(l);
                if (r < 0)
                        return r;
        } while (l->text[l->at] == ',');
        if (l->text[l->at] != '}')
                return fail(l, l->text[l->at] ? l->at : begin, -EINVAL, "The group is not closed by \"}\"");
        l->at++;
        event_specs_group(l->list, first);
        return 0;
}

static int parse_list(PfmList *l) {
        int r;

        for (;;) {
                r = l->text[l->at] == '{' ? parse_group(l) : parse_event(l);
                if (r < 0 || !l->text[l->at])
                        return r;
                if (l->text[l->at] != ',')
                        return fail(l, l->at, -EINVAL, "A comma separates events");
                l->at++;
        }
}

int event_specs_parse_pfm(EventSpecs *list, const char *text, const PfmSources *sources, Diagnosis *d) {
        static const PfmSources usual = {};
        PfmList l = { .text = text, .list = list, .sources = sources ?: &usual, .d = d };
        size_t n_before = list->n_specs;
        unsigned groups_before = list->n_groups;
        int r;

        if (strlen(text) > GRAMMAR_LENGTH_MAX)
                return diagnosis_set(d, -E2BIG, "Events in more than %d bytes", GRAMMAR_LENGTH_MAX);
        r = load(&l);
        if (r >= 0)
                r = parse_list(&l);
        unload(&l.pfm);
        if (r < 0) {
                event_specs_truncate(list, n_before);
                list->n_groups = groups_before;
                return r;
        }
        list->last_begin = n_before;
        return 0;
}
