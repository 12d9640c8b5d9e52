/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The front of a file: PerfFileHeader, the ids of each event, one PerfFileAttr per event; then the data begins. This
 * is perf's own order, but readers use the offsets. Every part is a multiple of 8 bytes, so that records are
 * aligned. */

#include "header.h"

#include "byte-buffer.h"

#define IDS_MAX (UINT64_C(64) * 1024 * 1024 / sizeof(uint64_t))

static void put_attr(ByteBuffer *b, const PerfDataEvent *e, uint64_t *ids_offset) {
        PerfFileAttr a = {
                .attr = e->attr,
                .ids = { .offset = *ids_offset, .size = e->n_ids * sizeof(uint64_t) },
        };

        a.attr.size = sizeof(a.attr);
        byte_buffer_put(b, &a, sizeof(a));
        *ids_offset += a.ids.size;
}

int perf_data_header_build(const PerfDataEvent *events, size_t n_events, void **ret, size_t *ret_size) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        PerfFileHeader h = { .magic = PERF_FILE_MAGIC, .size = sizeof(h), .attr_size = sizeof(PerfFileAttr) };
        uint64_t ids_offset = sizeof(h), n_ids = 0;

        for (size_t i = 0; i < n_events && n_ids <= IDS_MAX; i++)
                n_ids += MIN_OF((uint64_t) events[i].n_ids, IDS_MAX + 1);
        if (n_ids > IDS_MAX)
                return -E2BIG;
        h.attrs.offset = sizeof(h) + n_ids * sizeof(uint64_t);
        h.attrs.size = n_events * sizeof(PerfFileAttr);
        h.data.offset = h.attrs.offset + h.attrs.size;

        byte_buffer_put(&b, &h, sizeof(h));
        for (size_t i = 0; i < n_events; i++)
                byte_buffer_put(&b, events[i].ids, events[i].n_ids * sizeof(uint64_t));
        for (size_t i = 0; i < n_events; i++)
                put_attr(&b, events + i, &ids_offset);
        if (b.error)
                return b.error;
        *ret_size = b.size;
        *ret = steal_ptr(b.data);
        return 0;
}
