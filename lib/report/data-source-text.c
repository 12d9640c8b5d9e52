/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words are those that perf has for the parts of the number. */

#include "data-source-text.h"

#include "data-source.h"

#define HIT_OR_MISS 6u /* of DATA_LEVEL and DATA_TLB: bits 1 and 2 */

static const char *const levels[] = {
        "N/A", "HIT", "MISS", "L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)",
        "Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached",
};
static const char *const level_numbers[] = {
        [8] = "Uncached", [9] = "CXL", [10] = "I/O", [11] = "Any cache", [12] = "LFB/MAB",
        [13] = "RAM", [14] = "PMEM", [15] = "N/A",
};
static const char *const hops[] = { "N/A", "core, same node", "node, same socket", "socket, same board", "board", "", "", "" };
static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
static const char *const more_snoops[] = { "Fwd", "Peer" };
static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };

/* Puts the words of the bits that are set, behind n that are there. Returns how many are there. */
static unsigned data_source_put_words(TextBuffer *out, unsigned bits, const char *const *words, size_t n_words, unsigned n) {
        for (size_t i = 0; i < n_words; i++) {
                if (!(bits >> i & 1))
                        continue;
                if (n++ > 0)
                        text_buffer_put(out, " or ", 4);
                text_buffer_puts(out, words[i]);
        }
        return n;
}

static void put_hit_or_miss(TextBuffer *out, unsigned bits) {
        if (bits & 2)
                text_buffer_puts(out, " hit");
        if (bits & 4)
                text_buffer_puts(out, " miss");
}

void data_source_put_level(TextBuffer *out, uint64_t source) {
        unsigned level = data_source_part(source, DATA_LEVEL), number = data_source_part(source, DATA_LEVEL_NUMBER);
        unsigned far = data_source_part(source, DATA_HOPS);
        bool remote = data_source_part(source, DATA_REMOTE);
        unsigned n = 0;

        if (remote)
                text_buffer_puts(out, "Remote ");
        if (far > 0) {
                text_buffer_puts(out, hops[far]);
                text_buffer_putc(out, ' ');
        } else
                n = data_source_put_words(out, level & ~HIT_OR_MISS, levels, ELEMENTSOF(levels), 0);
        if (number > 0) {
                if (n > 0)
                        text_buffer_put(out, " or ", 4);
                if (number < ELEMENTSOF(level_numbers) && level_numbers[number])
                        text_buffer_puts(out, level_numbers[number]);
                else
                        text_buffer_format(out, "L%u", number);
        }
        if (!remote && far == 0 && n == 0 && number == 0)
                text_buffer_puts(out, "N/A");
        put_hit_or_miss(out, level);
}

void data_source_put_snoop(TextBuffer *out, uint64_t source) {
        unsigned n = data_source_put_words(out, data_source_part(source, DATA_SNOOP), snoops, ELEMENTSOF(snoops), 0);

        if (data_source_put_words(out, data_source_part(source, DATA_SNOOP_MORE), more_snoops, ELEMENTSOF(more_snoops), n) == 0)
                text_buffer_puts(out, "N/A");
}

void data_source_put_tlb(TextBuffer *out, uint64_t source) {
        unsigned tlb = data_source_part(source, DATA_TLB);

        if (data_source_put_words(out, tlb & ~HIT_OR_MISS, tlbs, ELEMENTSOF(tlbs), 0) == 0)
                text_buffer_puts(out, "N/A");
        put_hit_or_miss(out, tlb);
}

void data_source_put_block(TextBuffer *out, uint64_t source) {
        unsigned block = data_source_part(source, DATA_BLOCK);

        if (block == 0 || block & 1)
                text_buffer_puts(out, " N/A");
        else {
                text_buffer_puts(out, block & 2 ? " Data" : "");
                text_buffer_puts(out, block & 4 ? " Addr" : "");
        }
}

void data_source_put_lock(TextBuffer *out, uint64_t source) {
        unsigned lock = data_source_part(source, DATA_LOCK);

        text_buffer_puts(out, lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
}

void data_source_put(TextBuffer *out, uint64_t source) {
        static const char *const operations[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
        unsigned bits = data_source_part(source, DATA_OP);
        unsigned first = bits > 0 ? (unsigned) __builtin_ctz(bits) : ELEMENTSOF(operations);

        text_buffer_puts(out, "|OP ");
        text_buffer_puts(out, first < ELEMENTSOF(operations) ? operations[first] : "No");
        text_buffer_puts(out, "|LVL ");
        data_source_put_level(out, source);
        text_buffer_puts(out, "|SNP ");
        data_source_put_snoop(out, source);
        text_buffer_puts(out, "|TLB ");
        data_source_put_tlb(out, source);
        text_buffer_puts(out, "|LCK ");
        data_source_put_lock(out, source);
        text_buffer_puts(out, "|BLK ");
        data_source_put_block(out, source);
}

void page_size_put(TextBuffer *out, uint64_t size) {
        static const char units[] = "BKMG";
        size_t unit = 0;

        if (size == 0) {
                text_buffer_put(out, "N/A", 3);
                return;
        }
        while (size / 1024 > 1 && unit + 2 < sizeof(units)) { /* as perf: 1024M */
                size /= 1024;
                unit++;
        }
        text_buffer_decimal(out, size, 0);
        text_buffer_putc(out, units[unit]);
}
