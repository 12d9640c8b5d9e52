/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a message holds, as values. D-Bus limits how deep values nest and how many there are. */

#include "bus-client-value.h"

static Value *new_basic(char type, const void *data) {
        switch (type) {
        case SD_BUS_TYPE_BOOLEAN:
                return value_new_boolean(*(const int *) data);
        case SD_BUS_TYPE_BYTE:
                return value_new_unsigned(*(const uint8_t *) data);
        case SD_BUS_TYPE_INT16:
                return value_new_signed(*(const int16_t *) data);
        case SD_BUS_TYPE_UINT16:
                return value_new_unsigned(*(const uint16_t *) data);
        case SD_BUS_TYPE_INT32:
                return value_new_signed(*(const int32_t *) data);
        case SD_BUS_TYPE_UNIX_FD: /* the message's own */
                return value_new_descriptor(*(const int32_t *) data);
        case SD_BUS_TYPE_UINT32:
                return value_new_unsigned(*(const uint32_t *) data);
        case SD_BUS_TYPE_INT64:
                return value_new_signed(*(const int64_t *) data);
        case SD_BUS_TYPE_UINT64:
                return value_new_unsigned(*(const uint64_t *) data);
        case SD_BUS_TYPE_DOUBLE:
                return value_new_double(*(const double *) data);
        default: /* a string, an object path, a signature */
                return value_new_string(*(const char *const *) data);
        }
}

static int read_basic(sd_bus_message *m, char type, Value **ret) {
        union {
                uint64_t number;
                double real;
                const char *string;
        } data = {};
        int r = sd_bus_message_read_basic(m, type, &data);

        if (r < 0)
                return r;
        *ret = new_basic(type, &data);
        return *ret ? 0 : -ENOMEM;
}

/* One "{…}" of a dictionary. A key that is no string is written as one. */
static int read_entry(sd_bus_message *m, const char *contents, Value *object) {
        _cleanup_(value_freep) Value *key = NULL, *item = NULL;
        _cleanup_free_ char *text = NULL;
        int r = sd_bus_message_enter_container(m, SD_BUS_TYPE_DICT_ENTRY, contents);

        if (r < 0)
                return r;
        r = bus_read_value(m, &key);
        if (r >= 0)
                r = bus_read_value(m, &item);
        if (r < 0)
                return r;
        text = value_format(key);
        r = text ? value_set(object, text, steal_ptr(item)) : -ENOMEM;
        return r < 0 ? r : sd_bus_message_exit_container(m);
}

/* Everything up to the end of the container that m stands in, or of the message. */
static int read_items(sd_bus_message *m, Value *to) {
        for (;;) {
                _cleanup_(value_freep) Value *item = NULL;
                const char *contents;
                char type;
                int r = sd_bus_message_peek_type(m, &type, &contents);

                if (r <= 0)
                        return r;
                if (type == SD_BUS_TYPE_DICT_ENTRY)
                        r = read_entry(m, contents, to);
                else {
                        r = bus_read_value(m, &item);
                        if (r >= 0)
                                r = value_append(to, steal_ptr(item));
                }
                if (r < 0)
                        return r;
        }
}

/* The next complete value; a variant is what it holds. D-Bus limits how deep values nest. */
int bus_read_value(sd_bus_message *m, Value **ret) {
        _cleanup_(value_freep) Value *v = NULL;
        const char *contents;
        char type;
        int r = sd_bus_message_peek_type(m, &type, &contents);

        if (r <= 0)
                return r < 0 ? r : -EBADMSG;
        if (!strchr("avr", type))
                return read_basic(m, type, ret);
        r = sd_bus_message_enter_container(m, type, contents);
        if (r < 0)
                return r;
        if (type == SD_BUS_TYPE_VARIANT)
                r = bus_read_value(m, &v);
        else {
                v = *contents == '{' ? value_new_object() : value_new_array();
                r = v ? read_items(m, v) : -ENOMEM;
        }
        if (r >= 0)
                r = sd_bus_message_exit_container(m);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}

int bus_read_arguments(sd_bus_message *m, Value **ret) {
        _cleanup_(value_freep) Value *arguments = value_new_array();
        int r = arguments ? read_items(m, arguments) : -ENOMEM;

        if (r < 0)
                return r;
        *ret = steal_ptr(arguments);
        return 0;
}
