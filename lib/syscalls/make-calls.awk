# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Reads "abi NAME" lines and, after each, what cc -E -dM makes of the headers that number the calls of that ABI; puts these as
# arrays of names by their numbers. <asm-generic/unistd.h> has numbers that are names of other numbers: __NR_lseek is
# __NR3264_lseek, which is 62.

/^abi / { abi = $2; order[++n_abis] = abi; next }

/^#define __NR/ && NF >= 3 {
        value[abi, $2] = $3
        if ($2 ~ /^__NR_/ && $2 !~ /^__NR_(syscalls|arch_specific_syscall|Linux|ni_.*)$/)
                names[abi, ++n[abi]] = $2
}

END {
        print "#include \"call-names.h\"\n"
        for (a = 1; a <= n_abis; a++) {
                abi = order[a]
                max = -1
                printf "const char *const syscall_names_%s[] = {\n", abi
                for (i = 1; i <= n[abi]; i++) {
                        number = value[abi, names[abi, i]]
                        for (steps = 0; steps < 4 && (abi, number) in value; steps++)
                                number = value[abi, number]
                        if (number !~ /^[0-9]+$/ || (abi, "put", number) in value)
                                continue
                        value[abi, "put", number] = 1
                        if (number + 0 > max)
                                max = number + 0
                        printf "        [%s] = \"%s\",\n", number, substr(names[abi, i], 6)
                }
                printf "        [%d] = 0,\n};\nconst unsigned syscall_names_%s_size = %d;\n\n", max + 1, abi, max + 1
        }
}
