/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A tree of frames for pictures and folded stacks. Rows of the sample table are added one by one, as paths: their
 * groups first (a unit, a CPU, the name of the thread), then the frames of their stacks. Patterns are matched
 * against the path as a text, its names joined by semicolons; a row that they leave out adds nothing.
 *
 * In a chart, a call is the same node as the last child of its caller, or a new one. A node with children has no samples of its own
 * there: they are gaps, children that are no function, so that a walk meets all in the order of time.
 *
 * Invariant: node 0 is the root, and each node weighs as much as its children and the samples that end in it.
 * Children are sorted at the end: by name, and functions of a chart as they came. Nothing is drawn or printed here. */

#include "frame-tree.h"

#include "array.h"
#include "string-table.h"

static const char *const groupings[_FRAME_GROUPING_MAX] = {
        [FRAME_BY_COMM] = "comm", [FRAME_BY_PID] = "pid", [FRAME_BY_TID] = "tid",
        [FRAME_BY_CPU] = "cpu", [FRAME_BY_UNIT] = "unit", [FRAME_BY_HOST] = "host",
};

unsigned frame_grouping_dimensions(FrameGrouping by) {
        static const unsigned dimensions[_FRAME_GROUPING_MAX] = {
                [FRAME_BY_PID] = SAMPLE_BY_THREAD, [FRAME_BY_TID] = SAMPLE_BY_THREAD, [FRAME_BY_CPU] = SAMPLE_BY_CPU,
                [FRAME_BY_UNIT] = SAMPLE_BY_CGROUP, [FRAME_BY_HOST] = SAMPLE_BY_HOST,
        };

        return dimensions[by];
}

FrameGrouping frame_grouping_from_string(const char *s) {
        return (FrameGrouping) string_table_value(groupings, ELEMENTSOF(groupings), s);
}

void frame_tree_done(FrameTree *t) {
        frame_names_done(&t->frames);
        free(t->nodes);
        hash_index_done(&t->index);
        frame_moments_done(&t->moments);
        free(t->path);
        free(t->stack);
        *t = (FrameTree) {};
}

/* Puts the groups of a row, the outermost first. */
static int put_groups(FrameTree *t, const SampleRow *row, size_t *n) {
        const ProcessView *view = sample_table_view(t->frames.table);
        const NamedThread *thread = view->threads + row->thread;
        const CgroupNames *cgroups = sample_table_cgroups(t->frames.table);
        const char *comm = process_view_name(view, row->name), *unit;
        char text[THREAD_NAME_SIZE + 32];
        int r = 0;

        switch (t->plan.by) {
        case FRAME_BY_PID:
                (void) snprintf(text, sizeof(text), "%s-%u", comm, thread->pid);
                break;
        case FRAME_BY_TID:
                (void) snprintf(text, sizeof(text), "%s-%u/%u", comm, thread->pid, thread->tid);
                break;
        case FRAME_BY_CPU:
                (void) snprintf(text, sizeof(text), "CPU %u", row->cpu);
                r = frame_names_group(&t->frames, row->cpu != UINT32_MAX ? text : "[unknown CPU]", FRAME_GROUP, t->path + (*n)++);
                break;
        case FRAME_BY_UNIT:
                unit = row->cgroup > 0 ? cgroup_names_text(cgroups, cgroups->groups[row->cgroup - 1].unit) : NULL;
                r = frame_names_group(&t->frames, unit ?: "[no unit]", FRAME_GROUP, t->path + (*n)++);
                break;
        case FRAME_BY_HOST:
                r = frame_names_group(&t->frames, sample_table_host(t->frames.table, row->host), FRAME_GROUP,
                                      t->path + (*n)++);
                break;
        default:
                break;
        }
        if (r < 0)
                return r;
        return frame_names_group(&t->frames, t->plan.by == FRAME_BY_PID || t->plan.by == FRAME_BY_TID ? text : comm,
                                 sample_row_is_idle((SampleTable *) t->frames.table, row) ? FRAME_IDLE : FRAME_GROUP,
                                 t->path + (*n)++);
}

/* Code without a name in a row, as by what has no frame pointers, is one frame: how often says nothing. */
static int tree_put_place(FrameTree *t, uint32_t place, size_t *n) {
        const CodePlaces *places = sample_table_places((SampleTable *) t->frames.table);
        bool named = t->frames.names->symbol_of[place] > 0 && places->places[place].ip != CODE_PLACE_NOWHERE;
        uint32_t *frame = t->path + *n;
        int r = frame_names_place(&t->frames, place, frame);

        if (r >= 0 && (named || *n == 0 || frame[-1] != *frame))
                (*n)++;
        return r;
}

/* A sample without a call chain is shown by its label, if it has one: what it hit is the tracepoint. */
static int tree_put_stack(FrameTree *t, const SampleRow *row, size_t *n) {
        SampleStack stack = sample_table_stack(t->frames.table, row);
        size_t n_shown = t->plan.max_stack > 0 ? MIN_OF(stack.n, t->plan.max_stack) : stack.n;
        const char *label = t->plan.labels ? sample_table_label(t->frames.table, row->label, 0) : NULL;
        int r = ARRAY_RESERVE(t->path, t->path_allocated, *n + n_shown + 1);

        if (label && row->chain == 0)
                n_shown = 0;
        if (r >= 0 && label && t->plan.reverse)
                r = frame_names_group(&t->frames, label, FRAME_GROUP, t->path + (*n)++);
        for (size_t i = 0; r >= 0 && i < n_shown; i++)
                r = tree_put_place(t, sample_stack_place(&stack, t->plan.reverse ? i : n_shown - 1 - i), n);
        if (r >= 0 && label && !t->plan.reverse)
                r = frame_names_group(&t->frames, label, FRAME_GROUP, t->path + (*n)++);
        return r;
}

static int stack_as_text(FrameTree *t, size_t n) {
        size_t size = 0;

        for (size_t i = 0; i < n; i++) {
                const char *name = frame_names_text(&t->frames, frame_names_frame(&t->frames, t->path[i])->name);
                size_t length = strlen(name);

                if (ARRAY_RESERVE(t->stack, t->stack_allocated, size + length + 2) < 0)
                        return -ENOMEM;
                memcpy(t->stack + size, name, length);
                size += length;
                t->stack[size++] = i + 1 < n ? ';' : '\0';
        }
        return 0;
}

/* 1; 0: the patterns leave it out; -ENOMEM. */
static int stack_is_wanted(FrameTree *t, size_t n) {
        if (!t->plan.only && !t->plan.exclude)
                return 1;
        if (stack_as_text(t, n) < 0)
                return -ENOMEM;
        return (!t->plan.only || regexec(t->plan.only, t->stack, 0, NULL, 0) == 0) &&
               (!t->plan.exclude || regexec(t->plan.exclude, t->stack, 0, NULL, 0) != 0);
}

static uint64_t tree_node_hash(uint32_t parent, uint32_t frame) {
        return hash_mix(parent, frame);
}

static uint64_t tree_node_hash_of(const void *owner, uintptr_t entry) {
        const FrameNode *n = ((const FrameTree *) owner)->nodes + entry;

        return tree_node_hash(n->parent, n->frame);
}

/* Adds a node as the last child of its parent, which comes first until the children are sorted. */
static int tree_add_node(FrameTree *t, uint32_t parent, uint32_t frame, uint32_t *ret) {
        if (t->n >= FRAME_NODES_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(t->nodes, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        t->nodes[t->n] = (FrameNode) { .frame = frame, .parent = parent, .sibling = t->nodes[parent].child };
        t->nodes[parent].child = *ret = (uint32_t) t->n++;
        return 0;
}

static int tree_descend(FrameTree *t, uint32_t parent, uint32_t frame, uint32_t *ret) {
        uint64_t hash = tree_node_hash(parent, frame);
        uintptr_t found = HASH_INDEX_FIND(&t->index, hash, entry,
                                          t->nodes[entry].parent == parent && t->nodes[entry].frame == frame);
        int r;

        if (found > 0) {
                *ret = (uint32_t) found;
                return 0;
        }
        r = tree_add_node(t, parent, frame, ret);
        return r < 0 ? r : hash_index_add(&t->index, hash, *ret, tree_node_hash_of, t);
}

/* Adds to the samples that end in a node of a chart: in a leaf they are its own, and otherwise a gap behind its last call. */
static int end_in_chart(FrameTree *t, uint32_t node, uint64_t weight) {
        uint32_t gap = t->nodes[node].child;
        int r = 0;

        if (gap == 0) {
                t->nodes[node].self += weight;
                return 0;
        }
        if (!frame_tree_is_gap(t, gap))
                r = tree_add_node(t, node, 0, &gap);
        if (r < 0)
                return r;
        t->nodes[gap].weight += weight;
        t->nodes[gap].self += weight;
        return 0;
}

/* fresh: the call is not that of the sample before. What ended in the parent so far lies before its first call. */
static int descend_in_chart(FrameTree *t, uint32_t parent, uint32_t frame, bool fresh, uint32_t *ret) {
        uint32_t last = t->nodes[parent].child;
        uint64_t before = t->nodes[parent].self;
        int r = 0;

        if (last > 0 && !fresh && t->nodes[last].frame == frame) {
                *ret = last;
                return 0;
        }
        if (before > 0) {
                r = tree_add_node(t, parent, 0, &last);
                if (r < 0)
                        return r;
                t->nodes[last].weight = t->nodes[last].self = before;
                t->nodes[parent].self = 0;
        }
        return tree_add_node(t, parent, frame, ret);
}

/* groups: how many of the path's frames these are; thread: of the sample. */
static int add_path(FrameTree *t, size_t n, size_t groups, uint32_t thread, uint64_t weight) {
        uint32_t node = 0;
        bool fresh = false;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                t->nodes[node].weight += weight;
                if (i == groups) {
                        fresh = t->last.thread != thread || t->last.group != node;
                        t->last.thread = thread;
                        t->last.group = node;
                }
                r = t->chart && i >= groups ? descend_in_chart(t, node, t->path[i], fresh && i == groups, &node) :
                    tree_descend(t, node, t->path[i], &node);
        }
        if (r < 0)
                return r;
        t->nodes[node].weight += weight;
        t->end = node;
        t->depth = MAX_OF(t->depth, n);
        if (t->chart)
                return end_in_chart(t, node, weight);
        t->nodes[node].self += weight;
        return 0;
}

static int tree_add_row(FrameTree *t, const SampleRow *row, uint64_t weight) {
        size_t groups = 0, n;
        int r;

        weight = MIN_OF(weight, UINT64_MAX - t->nodes->weight); /* that of the root has all others in it */
        if (weight == 0)
                return 0;
        r = put_groups(t, row, &groups);
        n = groups;
        if (r >= 0)
                r = tree_put_stack(t, row, &n);
        if (r >= 0)
                r = stack_is_wanted(t, n);
        return r <= 0 ? r : add_path(t, n, groups, row->thread, weight);
}

static int compare_nodes(const void *a, const void *b, void *userdata) {
        const FrameTree *t = userdata;
        uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
        const FrameNode *x = t->nodes + i, *y = t->nodes + j;

        if (x->parent != y->parent)
                return x->parent < y->parent ? -1 : 1;
        if (t->chart && (x->frame == 0 || y->frame == 0 || frame_tree_frame(t, i)->binary > 0))
                return i < j ? -1 : 1;
        return strcmp(frame_tree_name(t, i), frame_tree_name(t, j)) ?: x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Chains the children of each node anew. */
static int sort_children(FrameTree *t) {
        _cleanup_free_ uint32_t *order = calloc(t->n, sizeof(*order));

        if (!order)
                return -ENOMEM;
        for (uint32_t i = 1; i < t->n; i++)
                order[i - 1] = i;
        qsort_r(order, t->n - 1, sizeof(*order), compare_nodes, t);
        for (size_t i = t->n - 1; i-- > 0;) {
                FrameNode *n = t->nodes + order[i];
                bool last = i + 2 == t->n || t->nodes[order[i + 1]].parent != n->parent;

                n->sibling = last ? 0 : order[i + 1];
                t->nodes[n->parent].child = order[i];
        }
        return 0;
}

static int tree_begin(FrameTree *t, SampleTable *table, const PlaceNames *names, const FrameTreePlan *plan) {
        int r;

        *t = (FrameTree) { .plan = *plan };
        r = frame_names_init(&t->frames, table, names);
        if (r < 0 || ARRAY_RESERVE(t->nodes, t->allocated, 1) < 0 || ARRAY_RESERVE(t->path, t->path_allocated, 4) < 0)
                return -ENOMEM;
        t->nodes[t->n++] = (FrameNode) {};
        return 0;
}

/* Adds a sample of a chart, and notes when it was, if the patterns did not leave it out. */
static int add_sample(FrameTree *t, const SampleRow *row, const TimelineSample *s) {
        uint64_t before = t->nodes->weight;
        int r = tree_add_row(t, row, t->plan.periods ? s->period : 1);

        if (r < 0 || t->nodes->weight == before)
                return r;
        return frame_moments_add(&t->moments, (FrameMoment) {
                .at = t->nodes[t->last.group].weight - (t->nodes->weight - before), .time = s->time, .group = t->last.group,
                .thread = t->last.thread,
        });
}

/* Only groups are entered, since all moments are in one. */
static int place_moments(FrameTree *t) {
        _cleanup_free_ uint64_t *begins = calloc(t->n, sizeof(*begins));
        FrameWalk w = {};

        if (!begins)
                return -ENOMEM;
        for (bool group = true; frame_walk_next(t, &w, group);) {
                begins[w.node] = w.begin;
                group = !frame_tree_is_gap(t, w.node) && frame_tree_frame(t, w.node)->binary == 0;
        }
        frame_moments_place(&t->moments, begins);
        return 0;
}

int frame_tree_init_chart(FrameTree *t, SampleTable *table, const PlaceNames *names, const FrameTreePlan *plan, uint32_t event,
                          const TimelineSample *samples, size_t n) {
        const SampleRow *rows = sample_table_rows(table, &(size_t) { 0 });
        int r = tree_begin(t, table, names, plan);

        t->chart = true;
        frame_moments_begin(&t->moments, n);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (rows[samples[i].row].event == event)
                        r = add_sample(t, rows + samples[i].row, samples + i);
        if (r >= 0)
                r = sort_children(t);
        return r < 0 ? r : place_moments(t);
}

int frame_tree_init(FrameTree *t, SampleTable *table, const PlaceNames *names, const FrameTreePlan *plan, const uint32_t *rows,
                    size_t n_rows) {
        const SampleRow *all = sample_table_rows(table, &(size_t) { 0 });
        int r = tree_begin(t, table, names, plan);

        for (size_t i = 0; r >= 0 && i < n_rows; i++) {
                const SampleRow *row = all + rows[i];

                t->end = 0;
                r = tree_add_row(t, row, plan->weights ? plan->weights[rows[i]] : plan->periods ? row->period : row->count);
                if (plan->ends)
                        plan->ends[rows[i]] = t->end;
        }
        return r < 0 ? r : sort_children(t);
}

/* A parent has a smaller number than its children. */
int frame_tree_merge(FrameTree *t, const FrameTree *other, uint32_t **ret) {
        _cleanup_free_ uint32_t *frames = calloc(other->frames.n + 1, sizeof(*frames)), *nodes = calloc(other->n, sizeof(*nodes));
        int r = frames && nodes ? 0 : -ENOMEM;

        for (uint32_t i = 1; r >= 0 && i < other->n; i++) {
                const FrameNode *n = other->nodes + i;

                if (frames[n->frame] == 0)
                        r = frame_names_copy(&t->frames, &other->frames, n->frame, frames + n->frame);
                if (r >= 0)
                        r = tree_descend(t, nodes[n->parent], frames[n->frame], nodes + i);
        }
        t->depth = MAX_OF(t->depth, other->depth);
        if (r >= 0)
                r = sort_children(t);
        if (r >= 0)
                *ret = steal_ptr(nodes);
        return r;
}

/* Samples whose chain ends in a node lie behind its children. */
bool frame_walk_next(const FrameTree *t, FrameWalk *w, bool enter) {
        const FrameNode *n = t->nodes + w->node;

        if (enter && n->child > 0) {
                w->node = n->child;
                w->depth++;
                return true;
        }
        for (w->begin += n->weight; w->node > 0 && n->sibling == 0; n = t->nodes + w->node) {
                w->node = n->parent;
                w->depth--;
                w->begin += t->nodes[w->node].self;
        }
        if (w->node == 0)
                return false;
        w->node = n->sibling;
        return true;
}
