/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The line that is typed is the last one of the screen. Enter takes it, Esc leaves all as it was. */

#include "browser-parts.h"

void browser_ask(Browser *b, const char *label, const char *text, void (*changed)(Browser *), void (*entered)(Browser *)) {
        b->prompt = (BrowserPrompt) {
                .label = label, .changed = changed, .entered = entered, .fresh = true,
                .identity = b->view.table ? browse_table_identity(b->view.table, b->view.cursor) : 0,
        };
        (void) snprintf(b->prompt.text, sizeof(b->prompt.text), "%s", text ?: "");
}

#define PROMPT_CLEAR 0x15u /* Ctrl-U, as in a shell */

static void prompt_add(BrowserPrompt *p, uint32_t key) {
        size_t n = strlen(p->text), size = key < 0x80 ? 1 : key < 0x800 ? 2 : key < 0x10000 ? 3 : 4;
        static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

        if (n + size >= sizeof(p->text))
                return;
        for (size_t i = size; i-- > 1; key >>= 6)
                p->text[n + i] = (char) (0x80 | (key & 0x3f));
        p->text[n] = (char) (first[size] | key);
        p->text[n + size] = '\0';
}

bool browser_parse_number(const char *text, double *ret) {
        char *end;

        *ret = strtod(text, &end);
        return end > text && *end == '\0';
}

void browser_press_prompt(Browser *b, uint32_t key) {
        BrowserPrompt *p = &b->prompt;
        size_t n = strlen(p->text);

        if (key == SCREEN_KEY_ENTER) {
                p->label = NULL;
                p->entered(b);
                return;
        }
        if (key == SCREEN_KEY_ESCAPE || key == PROMPT_CLEAR) {
                p->label = key == PROMPT_CLEAR ? p->label : NULL;
                *p->text = '\0';
        } else if (key == SCREEN_KEY_BACKSPACE && n > 0) {
                for (; n > 1 && ((unsigned char) p->text[n - 1] & 0xc0) == 0x80; n--) /* all bytes of the character */
                        ;
                p->text[n - 1] = '\0';
        } else if ((key >= ' ' && key < 0x7f) || (key >= 0xa0 && key < SCREEN_KEY_UP)) {
                if (p->fresh)
                        *p->text = '\0';
                prompt_add(p, key);
        }
        p->fresh = false;
        if (p->changed)
                p->changed(b);
        if (p->changed && key == SCREEN_KEY_ESCAPE && browser_settle(b) >= 0)
                browser_select(b, p->identity);
}
