/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Triggers of the command line are opened, or refused with the option's name. */

#include "trigger-sources.h"

#include "check-main.h"
#include "options.h"
#include "quote.h"

static int dump(void *userdata, const DumpOrder *order) {
        return 0;
}

static int open_sources(const char *line, char **ret_key, char **ret_sentence) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(triggers_freep) Triggers *triggers = NULL;
        _cleanup_(trigger_sources_freep) TriggerSources *sources = NULL;
        Notifier notifier = NOTIFIER_EMPTY;
        int r;

        ck_assert_int_eq(split_words(line, 10, &words), 0);
        ck_assert_int_eq(options_parse(&o, words, &d), 0);
        ck_assert_int_eq(target_check(&o.target, NULL), 0);
        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_eq(triggers_new(&(TriggersOptions) { .dump = dump, .notifier = &notifier }, loop, &triggers), 0);
        r = trigger_sources_new(&(TriggerSourcesOptions) { .command_line = &o.triggers, .switch_events = &o.switch_events, .target = &o.target },
                                triggers, loop, &sources, &d);
        *ret_key = steal_ptr(d.key);
        *ret_sentence = steal_ptr(d.sentence);
        return r < 0 ? r : trigger_sources_enable(sources);
}

static void assert_opened(const char *word) {
        _cleanup_free_ char *key = NULL, *sentence = NULL;
        int r = open_sources(word, &key, &sentence);

        if (r == -EACCES || r == -EPERM)
                (void) fprintf(stderr, "left out: %s\n", sentence);
        else
                ck_assert_msg(r == 0, "%s: %s", word, sentence);
}

static void assert_refused(const char *word, const char *option) {
        _cleanup_free_ char *key = NULL, *sentence = NULL;

        ck_assert_int_lt(open_sources(word, &key, &sentence), 0);
        ck_assert_str_eq(key, option);
        ck_assert_ptr_nonnull(sentence);
}

START_TEST(test_opened) {
        assert_opened("--quiet");
        assert_opened("--trigger-event=minor-faults:u");
        assert_opened("--trigger-counter=minor-faults>100/1s");
        assert_opened("--switch-output-event=minor-faults:u");
}
END_TEST

START_TEST(test_refused) {
        assert_refused("--trigger-pressure=cpu:1s/2s:no.slice/such.service", "--trigger-pressure");
        assert_refused("-t 2147483646 --trigger-event=minor-faults:u", "--trigger-event");
}
END_TEST

CHECK_MAIN("trigger-sources", test_opened, test_refused);
