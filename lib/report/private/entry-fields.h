/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-cell.h"

/* Columns of numbers, and of the keys that entries have themselves, for the table in report-fields.c. */
ReportCellText entry_text_comm, entry_text_dso, entry_text_cgroup, entry_text_cgroup_part, entry_text_host,
        entry_text_source, entry_text_trace, entry_text_trace_field, entry_text_parent;
ReportCellValue entry_value_cpu;
ReportCellPut entry_put_thread, entry_put_symbol, entry_put_cpu, entry_put_time;
ReportCellWidth entry_width_comm, entry_width_dso, entry_width_trace_field;
ReportCellOrder entry_order_weights, entry_order_children, entry_order_symbols, entry_order_parents,
        entry_order_cgroups, entry_order_trace_fields;
ReportCellWrite entry_write_symbol;
