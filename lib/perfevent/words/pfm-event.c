/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The list of perf record's --pfm-events. Names are passed to libpfm as a whole, with their unit masks and modifiers;
 * only commas and braces are parsed here. Of the attribute that libpfm returns, only the event's configuration and
 * levels are used.
 *
 * LIBPFM_FORCE_PMU and LIBPFM_ENCODE_INACTIVE, which libpfm reads, encode events of other CPUs. */

/* The library's header includes a copy of the kernel's, which conflicts with it. */
#define __PERFMON_PERF_EVENT_H__
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

#include "pfm-event.h"

#include "format-text.h"
#include "grammar.h"
#include "pmu.h"
#include "strv.h"

/* libpfm, loaded. */
typedef struct Pfm {
        void *library;
        pfm_err_t (*initialize)(void);
        const char *(*describe_error)(int code);
        pfm_err_t (*encode)(const char *name, int levels, pfm_os_t os, void *args);
        pfm_err_t (*get_pmu)(pfm_pmu_t pmu, pfm_pmu_info_t *ret);
        pfm_err_t (*get_event)(int event, pfm_os_t os, pfm_event_info_t *ret);
        pfm_err_t (*get_attribute)(int event, int attribute, pfm_os_t os, pfm_event_attr_info_t *ret);
        int (*next_event)(int event);
        bool ready; /* the functions are set, which clang's analyzer does not see in the result of pfm_load() */
} Pfm;

/* The library stays in memory: it does not free all that it allocated (4.13), and what it allocated serves the next list. */
static void pfm_unload(Pfm *p) {
        if (p->library)
                (void) dlclose(p->library);
        *p = (Pfm){};
}

static bool pfm_find_functions(Pfm *p) {
        const struct {
                const char *name;
                void **function;
        } table[] = {
                { "pfm_initialize", (void **) &p->initialize },
                { "pfm_strerror", (void **) &p->describe_error },
                { "pfm_get_os_event_encoding", (void **) &p->encode },
                { "pfm_get_pmu_info", (void **) &p->get_pmu },
                { "pfm_get_event_info", (void **) &p->get_event },
                { "pfm_get_event_attr_info", (void **) &p->get_attribute },
                { "pfm_get_event_next", (void **) &p->next_event },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                *table[i].function = dlsym(p->library, table[i].name);
                if (!*table[i].function)
                        return false;
        }
        return true;
}

/* Loads the library of ABI version 4, which is part of its file name; if it lacks a function, it is another library.
 * name NULL: PFM_LIBRARY. -EOPNOTSUPP: it is missing, or does not know this CPU; d is filled. */
static int pfm_load(Pfm *p, const char *name, Diagnosis *d) {
        name = name ?: PFM_LIBRARY;
        p->library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!p->library)
                return diagnosis_set(d, -EOPNOTSUPP, "--pfm-events needs the library %s, which is not installed (Debian's "
                                     "package libpfm4); -e takes the same events as cpu/event=NUMBER,umask=NUMBER/", name);
        if (!pfm_find_functions(p))
                return diagnosis_set(d, -EOPNOTSUPP, "%s is not the libpfm that --pfm-events needs (version 4)", name);
        if (p->initialize() != PFM_SUCCESS)
                return diagnosis_set(d, -EOPNOTSUPP, "libpfm knows no CPU like this one");
        p->ready = true;
        return 0;
}

typedef struct PfmList {
        const char *text;
        size_t at;
        EventSpecs *list;
        const PfmSources *sources;
        Pfm pfm;
        Diagnosis *d;
} PfmList;

static int pfm_fail(PfmList *l, size_t at, int r, const char *sentence) {
        if (l->d && l->d->column == 0)
                l->d->column = at + 1;
        return diagnosis_set(l->d, r, "%s", sentence);
}

static int pfm_refuse(PfmList *l, const char *name, pfm_err_t error) {
        _cleanup_free_ char *sentence = NULL;
        size_t at = l->at - strlen(name);

        sentence = format_text("libpfm does not know the event %s on this machine: %s%s", name, l->pfm.describe_error(error),
                               error == PFM_ERR_NOTFOUND ? " (a CPU's own events are known where its counters are seen)" : "");
        if (!sentence)
                return -ENOMEM;
        return pfm_fail(l, at, error == PFM_ERR_NOMEM ? -ENOMEM : error == PFM_ERR_NOTFOUND ? -ENOENT : -EINVAL, sentence);
}

/* An uncore event is for the CPUs of its PMU only. */
static int pfm_set_cpus(PfmList *l, EventSpec *s) {
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

static int pfm_add_event(PfmList *l, const char *name) {
        struct perf_event_attr attr = { .size = sizeof(attr) };
        pfm_perf_encode_arg_t args = { .attr = &attr, .size = sizeof(args) };
        EventSpec *s;
        pfm_err_t e;
        int r;

        e = l->pfm.encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &args);
        if (e != PFM_SUCCESS)
                return pfm_refuse(l, name, e);
        if (attr.type == PERF_TYPE_TRACEPOINT)
                return pfm_fail(l, l->at - strlen(name), -EINVAL, "Tracepoints are for -e");
        r = event_specs_add(l->list, attr.type, attr.config, &s);
        if (r < 0)
                return r == -E2BIG ? pfm_fail(l, l->at, r, "There are too many events") : r;
        s->column = l->at - strlen(name) + 1;
        s->attr.config1 = attr.config1;
        s->attr.config2 = attr.config2;
        s->attr.exclude_user = attr.exclude_user;
        s->attr.exclude_kernel = attr.exclude_kernel;
        s->attr.exclude_hv = attr.exclude_hv;
        r = free_and_strdup(&s->name, name);
        return r < 0 ? r : pfm_set_cpus(l, s);
}

static int pfm_parse_event(PfmList *l) {
        size_t n = strcspn(l->text + l->at, ",{}");
        _cleanup_free_ char *name = strndup(l->text + l->at, n);

        if (!name)
                return -ENOMEM;
        if (n == 0)
                return pfm_fail(l, l->at, -EINVAL, "An event is expected here");
        l->at += n;
        return pfm_add_event(l, name);
}

static int pfm_parse_group(PfmList *l) {
        size_t first = l->list->n_specs, begin = l->at;
        int r;

        do {
                l->at++;
                r = pfm_parse_event(l);
                if (r < 0)
                        return r;
        } while (l->text[l->at] == ',');
        if (l->text[l->at] != '}')
                return pfm_fail(l, l->text[l->at] ? l->at : begin, -EINVAL, "The group is not closed by \"}\"");
        l->at++;
        event_specs_group(l->list, first);
        return 0;
}

static int pfm_parse_list(PfmList *l) {
        int r;

        for (;;) {
                r = l->text[l->at] == '{' ? pfm_parse_group(l) : pfm_parse_event(l);
                if (r < 0 || !l->text[l->at])
                        return r;
                if (l->text[l->at] != ',')
                        return pfm_fail(l, l->at, -EINVAL, "A comma separates events");
                l->at++;
        }
}

int event_specs_parse_pfm(EventSpecs *list, const char *text, const PfmSources *sources, Diagnosis *d) {
        static const PfmSources usual = {};
        PfmList l = { .text = text, .list = list, .sources = sources ?: &usual, .d = d };
        const EventSpecs before = *list;
        int r;

        if (strlen(text) > GRAMMAR_LENGTH_MAX)
                return diagnosis_set(d, -E2BIG, "The events are longer than %d bytes", GRAMMAR_LENGTH_MAX);
        r = pfm_load(&l.pfm, l.sources->library, l.d);
        if (l.pfm.ready)
                r = pfm_parse_list(&l);
        pfm_unload(&l.pfm);
        return event_specs_end(list, &before, r);
}

/* Events that can't be encoded without a value are left out. */
static int pfm_visit_name(const PfmList *l, const char *name, const char *mask, const char *description, PfmTake take,
                          void *userdata) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_free_ char *full = format_text("%s%s%s", name, mask ? ":" : "", mask ?: "");
        PfmList one = *l;
        int r;

        if (!full)
                return -ENOMEM;
        one.list = &specs;
        one.at = strlen(full);
        r = pfm_add_event(&one, full);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return take(&specs.specs[0], description, userdata);
}

/* Lists each unit mask of an event, or the event by its name if it has none. */
static int pfm_visit_event(const PfmList *l, int event, PfmTake take, void *userdata) {
        pfm_event_info_t info = { .size = sizeof(info) };
        const Pfm *pfm = &l->pfm;
        int n_masks = 0, r = 0;

        if (pfm->get_event(event, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
                return 0;
        for (int i = 0; i < info.nattrs && r >= 0; i++) {
                pfm_event_attr_info_t mask = { .size = sizeof(mask) };

                if (pfm->get_attribute(event, i, PFM_OS_PERF_EVENT, &mask) != PFM_SUCCESS || mask.type != PFM_ATTR_UMASK)
                        continue;
                n_masks++;
                r = pfm_visit_name(l, info.name, mask.name, mask.desc, take, userdata);
        }
        return n_masks > 0 || r < 0 ? r : pfm_visit_name(l, info.name, NULL, info.desc, take, userdata);
}

static int pfm_visit_all(const PfmList *l, PfmTake take, void *userdata) {
        int r = 0;

        for (int pmu = PFM_PMU_NONE + 1; pmu < PFM_PMU_MAX && r >= 0; pmu++) {
                pfm_pmu_info_t info = { .size = sizeof(info) };

                /* the kernel's generic events have names of their own here */
                if (pmu == PFM_PMU_PERF_EVENT || pmu == PFM_PMU_PERF_EVENT_RAW ||
                    l->pfm.get_pmu((pfm_pmu_t) pmu, &info) != PFM_SUCCESS || !info.is_present)
                        continue;
                for (int event = info.first_event; event >= 0 && r >= 0; event = l->pfm.next_event(event))
                        r = pfm_visit_event(l, event, take, userdata);
        }
        return r;
}

int pfm_visit_events(const PfmSources *sources, PfmTake take, void *userdata) {
        static const PfmSources usual = {};
        PfmList l = { .text = "", .sources = sources ?: &usual };
        int r = pfm_load(&l.pfm, l.sources->library, NULL);

        if (l.pfm.ready)
                r = pfm_visit_all(&l, take, userdata);
        pfm_unload(&l.pfm);
        return r;
}
