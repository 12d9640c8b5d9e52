/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Specifiers: a table of letters with functions that make the text, which run only for specifiers in a value. As in systemd, an
 * unknown specifier is left in the value, and inserted text is not expanded again. */

#include "specifier.h"

#include <pwd.h>
#include <sys/utsname.h>

#include "array.h"
#include "format-text.h"
#include "id128.h"
#include "line-reader.h"
#include "session-name.h"

typedef int (*SpecifierFunction)(const char *name, char **ret);

static int duplicate_prefix(const char *s, size_t size, char **ret) {
        *ret = strndup(s, size);
        return *ret ? 0 : -ENOMEM;
}

static int duplicate(const char *s, char **ret) {
        return duplicate_prefix(s, strlen(s), ret);
}

static int specifier_instance(const char *name, char **ret) {
        return duplicate(session_name_instance(name) ?: "", ret);
}

static int specifier_instance_unescaped(const char *name, char **ret) {
        return unit_name_unescape(session_name_instance(name) ?: "", ret);
}

static int specifier_file_name(const char *name, char **ret) {
        *ret = format_text("%s.session", name);
        return *ret ? 0 : -ENOMEM;
}

static int specifier_name(const char *name, char **ret) {
        return duplicate(name, ret);
}

static int specifier_prefix(const char *name, char **ret) {
        return duplicate_prefix(name, strcspn(name, "@"), ret);
}

static int specifier_host_name(const char *name, char **ret) {
        struct utsname u;

        return uname(&u) < 0 ? -errno : duplicate(u.nodename, ret);
}

static int specifier_kernel_release(const char *name, char **ret) {
        struct utsname u;

        return uname(&u) < 0 ? -errno : duplicate(u.release, ret);
}

static int specifier_boot_id(const char *name, char **ret) {
        return id128_read(BOOT_ID_FILE, ret);
}

static int specifier_machine_id(const char *name, char **ret) {
        return id128_read("/etc/machine-id", ret);
}

static int specifier_user_number(const char *name, char **ret) {
        *ret = format_text("%u", (unsigned) getuid());
        return *ret ? 0 : -ENOMEM;
}

static int specifier_user_name(const char *name, char **ret) {
        char buffer[4096];
        struct passwd entry, *found = NULL;

        if (getuid() == 0)
                return duplicate("root", ret);
        if (getpwuid_r(getuid(), &entry, buffer, sizeof(buffer), &found) != 0 || !found)
                return -ESRCH;
        return duplicate(found->pw_name, ret);
}

static int specifier_percent(const char *name, char **ret) {
        return duplicate("%", ret);
}

static const struct Specifier {
        char letter;
        SpecifierFunction function;
} specifiers[] = {
        { 'i', specifier_instance },     { 'I', specifier_instance_unescaped },
        { 'n', specifier_file_name },    { 'N', specifier_name },
        { 'p', specifier_prefix },       { 'H', specifier_host_name },
        { 'b', specifier_boot_id },      { 'm', specifier_machine_id },
        { 'v', specifier_kernel_release }, { 'u', specifier_user_name },
        { 'U', specifier_user_number },  { '%', specifier_percent },
};

/* Makes the text of a specifier; *ret is NULL if the letter is unknown. */
static int expand_one(char letter, const char *name, const char *barred, char **ret, Diagnosis *d) {
        for (size_t i = 0; i < ELEMENTSOF(specifiers); i++)
                if (specifiers[i].letter == letter) {
                        int r = specifiers[i].function(name, ret);
                        size_t n;

                        if (r < 0)
                                return diagnosis_set(d, r, "%%%c cannot be determined: %s", letter, strerror(-r));
                        n = strcspn(*ret, barred);
                        if ((*ret)[n])
                                return diagnosis_set(d, -EINVAL, "%%%c is \"%s\" for this name, and '%c' has a meaning here: only "
                                                     "the file may have it", letter, *ret, (*ret)[n]);
                        return 0;
                }
        return 0;
}

int specifier_expand(const char *value, const char *name, const char *barred, char **ret, Diagnosis *d) {
        _cleanup_free_ char *result = strdup("");
        size_t size = 0;

        while (result && *value) {
                _cleanup_free_ char *text = NULL;
                size_t n = strcspn(value, "%"), text_size;
                int r;

                if (n == 0) {
                        r = expand_one(value[1], name, barred, &text, d);
                        if (r < 0)
                                return r;
                }
                text_size = text ? strlen(text) : MAX_OF(n, (size_t) 1);
                if (size + text_size > LINE_SIZE_MAX)
                        return diagnosis_set(d, -E2BIG, "more than %d bytes with its specifiers", LINE_SIZE_MAX);

                if (ARRAY_RESIZE(result, size + text_size + 1) < 0)
                        return -ENOMEM;
                memcpy(result + size, text ?: value, text_size);
                size += text_size;
                result[size] = '\0';
                value += text ? 2 : text_size;
        }
        if (!result)
                return -ENOMEM;

        *ret = steal_ptr(result);
        return 0;
}
