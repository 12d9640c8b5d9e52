/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-cell.h"

/* Columns of facets of samples, and of what the place says that was hit, for the table in report-fields.c. */
ReportCellValue facet_value_cache_line, facet_value_ip, facet_value_address, facet_value_dso, facet_value_symbol, facet_value_line,
        facet_value_symbol_size, facet_value_dso_size;
ReportCellText facet_text_dso, facet_text_line;
ReportCellWords facet_put_address, facet_put_transaction, facet_put_mispredicted, facet_put_abort,
        facet_put_in_transaction;
ReportCellPut facet_put_physical, facet_put_data, facet_put_cache_line, facet_put_branch, facet_put_branch_address;
ReportCellWidth facet_width_dso, facet_width_symbol, facet_width_branch_address, facet_width_transaction;
ReportCellOrder facet_order_dsos, facet_order_symbols, facet_order_addresses;
