/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the values of a message into json-c's objects. D-Bus limits their number and depth, and its strings are UTF-8. A
 * descriptor has no meaning in JSON, so descriptors go to a list of their own. */

#include "bus-client-answer.h"

#include <fcntl.h>

#include "array.h"

#define ROW_LENGTH 8 /* for json-c, which otherwise makes room for 32 items in each of thousands of rows */

void bus_descriptors_done(BusDescriptors *d) {
        for (size_t i = 0; i < d->n; i++)
                safe_close(d->fds[i]);
        free(d->fds);
        *d = (BusDescriptors){};
}

/* fd stays the message's; the list gets a duplicate. */
static int descriptors_add(BusDescriptors *d, int fd) {
        int copy;

        if (ARRAY_RESERVE_NEXT(d->fds, d->n) < 0)
                return -ENOMEM;
        copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (copy < 0)
                return -errno;
        d->fds[d->n++] = copy;
        return 0;
}

typedef union BasicValue {
        uint8_t byte;
        int boolean, descriptor;
        int16_t int16;
        uint16_t uint16;
        int32_t int32;
        uint32_t uint32;
        int64_t int64;
        uint64_t uint64;
        double real;
        const char *string;
} BasicValue;

static json_object *basic_to_json(char type, const BasicValue *v) {
        switch (type) {
        case SD_BUS_TYPE_BOOLEAN:
                return json_object_new_boolean(v->boolean);
        case SD_BUS_TYPE_BYTE:
                return json_object_new_uint64(v->byte);
        case SD_BUS_TYPE_INT16:
                return json_object_new_int64(v->int16);
        case SD_BUS_TYPE_UINT16:
                return json_object_new_uint64(v->uint16);
        case SD_BUS_TYPE_INT32:
                return json_object_new_int64(v->int32);
        case SD_BUS_TYPE_UINT32:
                return json_object_new_uint64(v->uint32);
        case SD_BUS_TYPE_INT64:
                return json_object_new_int64(v->int64);
        case SD_BUS_TYPE_UINT64:
                return json_object_new_uint64(v->uint64);
        case SD_BUS_TYPE_DOUBLE:
                return json_object_new_double(v->real);
        case SD_BUS_TYPE_UNIX_FD:
                return json_object_new_boolean(true);
        default: /* a string, an object path, a signature */
                return json_object_new_string(v->string);
        }
}

static int answer_read_basic(sd_bus_message *m, char type, BusDescriptors *d, json_object **ret) {
        BasicValue v = {};
        int r = sd_bus_message_read_basic(m, type, &v);

        if (r >= 0 && type == SD_BUS_TYPE_UNIX_FD && d)
                r = descriptors_add(d, v.descriptor);
        if (r < 0)
                return r;
        *ret = basic_to_json(type, &v);
        return *ret ? 0 : -ENOMEM;
}

/* Reads one entry of a dictionary. A key of another type is formatted as a string. */
static int answer_read_entry(sd_bus_message *m, const char *contents, BusDescriptors *d, json_object *object) {
        _cleanup_(json_object_putp) json_object *key = NULL, *item = NULL;
        _cleanup_free_ char *text = NULL;
        const char *string = NULL;
        int r = sd_bus_message_enter_container(m, SD_BUS_TYPE_DICT_ENTRY, contents);

        if (r >= 0 && strchr("so", contents[0]))
                r = sd_bus_message_read_basic(m, contents[0], &string);
        else if (r >= 0) {
                r = bus_read_value(m, d, &key);
                string = text = r < 0 ? NULL : json_format(key);
        }
        if (r >= 0)
                r = string ? bus_read_value(m, d, &item) : -ENOMEM;
        if (r >= 0)
                r = json_set(object, string, steal_ptr(item));
        return r < 0 ? r : sd_bus_message_exit_container(m);
}

/* Reads all values up to the end of the current container, or of the message. */
static int answer_read_items(sd_bus_message *m, BusDescriptors *d, json_object *to) {
        for (;;) {
                _cleanup_(json_object_putp) json_object *item = NULL;
                const char *contents;
                char type;
                int r = sd_bus_message_peek_type(m, &type, &contents);

                if (r <= 0)
                        return r;
                if (type == SD_BUS_TYPE_DICT_ENTRY)
                        r = answer_read_entry(m, contents, d, to);
                else {
                        r = bus_read_value(m, d, &item);
                        if (r >= 0)
                                r = json_append(to, steal_ptr(item));
                }
                if (r < 0)
                        return r;
        }
}

int bus_read_value(sd_bus_message *m, BusDescriptors *d, json_object **ret) {
        _cleanup_(json_object_putp) json_object *v = NULL;
        const char *contents;
        char type;
        int r = sd_bus_message_peek_type(m, &type, &contents);

        if (r <= 0)
                return r < 0 ? r : -EBADMSG;
        if (!strchr("avr", type))
                return answer_read_basic(m, type, d, ret);
        r = sd_bus_message_enter_container(m, type, contents);
        if (r < 0)
                return r;
        if (type == SD_BUS_TYPE_VARIANT)
                r = bus_read_value(m, d, &v);
        else {
                v = *contents == '{' ? json_object_new_object() : json_object_new_array_ext(ROW_LENGTH);
                r = v ? answer_read_items(m, d, v) : -ENOMEM;
        }
        if (r >= 0)
                r = sd_bus_message_exit_container(m);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}

int bus_read_arguments(sd_bus_message *m, BusDescriptors *d, json_object **ret) {
        _cleanup_(json_object_putp) json_object *arguments = json_object_new_array();
        int r = arguments ? answer_read_items(m, d, arguments) : -ENOMEM;

        if (r < 0)
                return r;
        *ret = steal_ptr(arguments);
        return 0;
}
