/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Puts a term into the events of a -e argument. perf record takes some settings (max-stack) as terms of events alone,
 * so that a session's one setting has to be written into each of its events. This is no parser of events: it knows
 * where one event ends (a comma or brace outside of terms), where its terms are (between the slashes), and where its
 * modifiers begin (behind the last slash or colon); an event that it misunderstands is refused by the recorder's own
 * grammar. */

#include "event-term.h"

#define MODIFIERS "ukhGHIpPSDWeb"

/* A path or symbol of a probe, perhaps in quotes. */
static size_t word_size(const char *s, const char *ends) {
        const char *quote = *s == '\'' ? strchr(s + 1, '\'') : NULL;

        return quote ? (size_t) (quote + 1 - s) : strcspn(s, ends);
}

/* Of "uprobe:PATH:SYMBOL" and "kprobe:SYMBOL", in which slashes and colons are no terms and modifiers; 0: neither. */
static size_t probe_size(const char *s) {
        const char *at = startswith(s, "kprobe:");

        if (!at) {
                at = startswith(s, "uprobe:");
                if (!at)
                        return 0;
                at += word_size(at, ":,{}");
                at += *at == ':';
        }
        return (size_t) (at - s) + word_size(at, "/:,{}");
}

/* The size of the event at s: up to a comma, brace or the end, outside of terms. */
static size_t event_size(const char *s) {
        bool in_terms = false;
        size_t n = probe_size(s);

        for (; s[n]; n++)
                if (s[n] == '/')
                        in_terms = !in_terms;
                else if (!in_terms && strchr(",{}", s[n]))
                        break;
        return n;
}

/* Where the modifiers of an event without terms begin, at their colon; at its end if it has none. A tracepoint's name
 * has a colon too, but then something else than modifiers behind it. */
static size_t modifier_offset(const char *event, size_t size) {
        size_t probe = probe_size(event), n;
        const char *colon = memrchr(event + probe, ':', size - probe);

        if (!colon || colon == event)
                return size;
        n = strspn(colon + 1, MODIFIERS);
        return n > 0 && colon + 1 + n == event + size ? (size_t) (colon - event) : size;
}

/* One event, not empty. */
static int write_event(FILE *f, const char *event, size_t size, const char *term, Diagnosis *d) {
        size_t head = probe_size(event);
        const char *last_slash = memrchr(event + head, '/', size - head);

        if (size >= 4 && strncmp(event, "mem:", 4) == 0)
                return diagnosis_set(d, -EOPNOTSUPP, "cannot be set for breakpoint events");

        if (last_slash) {
                head = (size_t) (last_slash - event);
                fprintf(f, "%.*s%s%s%.*s", (int) head, event, head > 0 && event[head - 1] == '/' ? "" : ",", term,
                        (int) (size - head), last_slash);
                return 0;
        }

        head = modifier_offset(event, size);
        fprintf(f, "%.*s/%s/", (int) head, event, term);
        if (head < size)
                fprintf(f, "%.*s", (int) (size - head - 1), event + head + 1);
        return 0;
}

int event_add_term(const char *event, const char *term, char **ret, Diagnosis *d) {
        _cleanup_free_ char *text = NULL;
        _cleanup_fclose_ FILE *f = NULL;
        bool group_modifiers = false;
        size_t size;

        f = open_memstream(&text, &size);
        if (!f)
                return -ENOMEM;

        while (*event) {
                size_t n = event_size(event);

                if (n > 0 && group_modifiers)
                        fprintf(f, "%.*s", (int) n, event);
                else if (n > 0) {
                        int r = write_event(f, event, n, term, d);

                        if (r < 0)
                                return r;
                }
                event += n;
                group_modifiers = *event == '}';
                if (*event)
                        fputc(*event++, f);
        }

        if (ferror(f) || fclose(steal_ptr(f)) != 0)
                return -ENOMEM;
        *ret = steal_ptr(text);
        return 0;
}
