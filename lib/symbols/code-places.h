/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "jit-files.h"
#include "process-view.h"

/* The places of code that samples and call chains of recordings name: each distinct pair of an address and the binary
 * that was mapped there at that moment. Zero-initialise. */
typedef struct CodePlace {
        uint64_t ip;      /* as recorded, see by_file */
        uint64_t address; /* in the file; of the kernel's code and of unmapped one the same as ip */
        uint32_t dso;     /* DSO_NONE: not mapped */
        char level;       /* '.' user space, 'k' kernel, 'H' hypervisor, 'u' and 'g' a guest's user space and kernel */
        bool caller;      /* a return address: the code that is meant ends before it */
} CodePlace;

#define CODE_PLACES_MAX (16u << 20)
#define CODE_PLACE_NOWHERE UINT64_MAX

typedef struct CodePlaces {
        CodePlace *places;
        size_t n, allocated;
        HashIndex index;       /* of number + 1 */
        bool by_file;          /* the user does not ask where binaries were mapped: ip is address in those of processes, and callers
                                * that are mapped nowhere are one place, CODE_PLACE_NOWHERE */
        bool with_map_sizes;   /* and how large maps are */
        uint64_t *map_sizes;   /* of the first places: bytes of the map that each was found in first; 0: it is not mapped */
        size_t n_map_sizes, map_sizes_allocated;
        ProcessView *view;
        const DsoTable *dsos;  /* the view's */
        JitFiles jit;          /* the user begins it with each recording in which generated code is to be found */
        uint64_t time;         /* of the sample at hand; the user sets it */
} CodePlaces;

/* The view must outlive p. 0, -ENOMEM. */
int code_places_init(CodePlaces *p, ProcessView *view);
void code_places_done(CodePlaces *p);

/* Returns the generation of a process's maps and generated code: as long as it is the same, so are the places of its addresses. 0:
 * the process is not known. */
uint32_t code_places_generation(CodePlaces *p, uint32_t pid);

/* Finds or adds the place of an address of the process. cpumode: PERF_RECORD_MISC_…, or CODE_PLACES_ANY_MODE. Beyond
 * CODE_PLACES_MAX, place 0 stands for all others. 0 or -ENOMEM. */
int code_places_find(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret);

/* The same for a caller's address in a call chain, which is where the call returns to. Behind a call that never returns there is
 * other code than the caller's, so that all that is known of the place is looked up one byte before its address. (Addresses that
 * were found in a copy of a stack are within the call already, and so is the byte before.) Code without frame pointers has other
 * values in their place, of which the kernel makes chains through addresses that are no code: each may be another one, and none
 * says anything. */
int code_places_find_caller(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret);

/* The mode follows from where the address is mapped, as for those of branches: in user space or in the kernel; it is the
 * hypervisor's if it is nowhere. */
#define CODE_PLACES_ANY_MODE UINT8_MAX
