/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"

/* The functions that samples of one event hit, and where in them. */
typedef struct AddressHit {
        uint64_t address; /* as of a CodePlace */
        uint64_t samples, period;
} AddressHit;

typedef struct FunctionHit {
        uint32_t symbol; /* of PlaceNames */
        uint32_t dso;    /* of CodePlaces */
        uint64_t samples, period;
        size_t first, n; /* of FunctionHits.addresses, in ascending order */
} FunctionHit;

typedef struct FunctionHits {
        FunctionHit *functions; /* the hottest first */
        size_t n;
        AddressHit *addresses;
        size_t n_addresses;
        uint64_t samples, period; /* of the event, also those that hit no function */
} FunctionHits;

/* event: its number in sample_table_events(). h is initialised, and done after a failure too. 0, -ENOMEM. */
int function_hits_find(FunctionHits *h, SampleTable *table, const PlaceNames *names, uint32_t event);
void function_hits_done(FunctionHits *h);
