// A heat map above the flame graph of what is selected in it. data: DATA.heat, as heat-html.c has it.
//
// Times are ticks since a whole second. A part is a range of them, from "since" up to before "until", and, unless these are null, of
// what rows have, which is "of": with "group" their numbers from "low" to "high", with "latency" nanoseconds. The part B is what the flame graph shows; with a part A, it
// shows the difference to that.
const HEAT_STEPS = [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, 5e9, 1e10, 1.5e10,
	3e10, 6e10, 1.2e11, 3e11, 6e11, 9e11, 1.8e12, 3.6e12, 7.2e12, 1.08e13, 2.16e13, 4.32e13, 8.64e13]; // nanoseconds
const HEAT_LEVELS = 9, HEAT_BELOW = 20, HEAT_ABOVE = 14, HEAT_RIGHT = 34, HEAT_GROUP = 17, HEAT_COLUMNS = 10000, PERCENTILES = [50, 90, 99];

function Heat(data) {
	this.d = data;
	this.canvas = by("heatmap");
	this.mode = data.rowsOf;
	this.linear = !!data.linear;
	this.scale = -1; // the number of a step that was asked for; -1: none was
	this.a = this.b = this.drag = this.cursor = this.anchor = null;
	this.height = 0;
	this.read();
	this.whole = this.weigh({ since: data.first, until: data.last + 1, low: null, high: null });
	this.findGroups();
	this.listen();
	this.explain();
}

// The samples: of each entry its tick, its node, how many they are, and their latency.
Heat.prototype.read = function () {
	const d = this.d, bytes = atob(d.samples), n = d.entries;
	let at = 0, tick = 0;
	const number = () => {
		let value = 0, factor = 1;
		for (;;) {
			const byte = bytes.charCodeAt(at++);
			value += (byte & 127) * factor;
			if (byte < 128)
				return value;
			factor *= 128;
		}
	};
	this.tick = new Float64Array(n);
	this.node = new Int32Array(n);
	this.many = new Uint32Array(n);
	this.latency = d.latencies ? new Float64Array(n) : null;
	for (let i = 0; i < n; i++) {
		tick += number();
		const leaf = number();
		this.tick[i] = tick;
		this.node[i] = d.leaves[leaf >> 1];
		this.many[i] = leaf & 1 ? number() : 1;
		if (this.latency) {
			const code = number(), shift = code < 256 ? 0 : (code >> 7) - 1;
			this.latency[i] = code < 256 ? code : (code - (shift << 7)) * 2 ** shift;
		}
	}
};

// The number of the first entry at that tick or behind it.
Heat.prototype.entryAt = function (tick) {
	let low = 0, high = this.tick.length;
	while (low < high) {
		const middle = low + high >> 1;
		if (this.tick[middle] < tick)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
};

Heat.prototype.has = function (part, i) {
	if (part.low === null)
		return true;
	if (part.of === "latency")
		return this.latency[i] >= part.low && this.latency[i] < part.high;
	return this.groupOf[this.node[i]] >= part.low && this.groupOf[this.node[i]] <= part.high;
};

// What each node has of its own in a part.
Heat.prototype.weigh = function (part) {
	const own = new Float64Array(all.n), end = this.entryAt(part.until);
	for (let i = this.entryAt(part.since); i < end; i++)
		if (this.has(part, i))
			own[this.node[i]] += this.many[i];
	return own;
};

Heat.prototype.seconds = function (part) {
	return ((part ? part.until : this.d.last + 1) - (part ? part.since : this.d.first)) * this.d.tick / 1e9;
};

// Gives the flame graph what is selected.
Heat.prototype.apply = function (step) {
	all.self = this.b ? this.weigh(this.b) : this.whole;
	all.base = this.a && this.weigh(this.a);
	all.seconds = this.a && [this.seconds(this.a), this.seconds(this.b)];
	onBase = onBase && !!this.a;
	all.measure();
	arrange();
	refresh(step);
};

Heat.prototype.selects = function () {
	return !!this.a || !!this.b;
};

Heat.prototype.clear = function () {
	this.a = this.b = this.drag = this.anchor = null;
	all.self = this.whole;
	all.base = all.seconds = null;
	all.measure();
};

// The groups at the root of the tree: CPUs by their numbers, others by their weight.
Heat.prototype.findGroups = function () {
	const groups = [], weight = all.sum(this.whole);
	for (let i = 1; i < all.n; i = all.end[i])
		groups.push(i);
	groups.sort((a, b) => (this.d.groupsOf === "CPUs" ? 0 : weight[b] - weight[a]) || name(all.frame[a]).localeCompare(name(all.frame[b]), "en", { numeric: true }));
	this.groups = groups.map(i => name(all.frame[i]));
	this.groupOf = new Int32Array(all.n);
	groups.forEach((top, row) => this.groupOf.fill(row, top, all.end[top]));
};

// "10:01:12.340", or, without the time of day, "1.340 s" since the first sample.
Heat.prototype.time = function (tick, step) {
	const ns = step >= 1e9 ? 1e9 : step >= 1e6 ? 1e6 : 1e3, digits = step >= 1e9 ? 0 : step >= 1e6 ? 3 : 6;
	const parts = Math.floor(tick * this.d.tick / ns), per = 1e9 / ns, two = n => String(n).padStart(2, "0");
	if (this.d.day < 0)
		return (Math.max(parts * ns - this.d.begin * this.d.tick, 0) / 1e9).toFixed(digits) + " s";
	const s = this.d.day + Math.floor(parts / per), rest = digits ? "." + String(parts % per).padStart(digits, "0") : "";
	return `${two(Math.floor(s / 3600) % 24)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}${rest}`;
};

// Lays out the squares for the width that there is.
Heat.prototype.arrange = function () {
	const d = this.d, box = by("heatbox"), least = innerWidth < 600 ? 3 : 5, groups = this.mode === "group";
	const length = (d.last - d.first + 1) * d.tick;
	this.left = groups ? Math.min(190, innerWidth * .3) : 66;
	const room = Math.max(box.clientWidth - this.left - HEAT_RIGHT, 50);
	let scale = this.scale >= 0 ? this.scale : d.step ? HEAT_STEPS.findIndex(s => s >= d.step) : HEAT_STEPS.findIndex(s => s >= d.tick && length / s <= room / least - 1);
	scale = scale < 0 ? HEAT_STEPS.length - 1 : scale;
	while (length / HEAT_STEPS[scale] > HEAT_COLUMNS && scale < HEAT_STEPS.length - 1)
		scale++;
	this.shownScale = scale;
	this.step = HEAT_STEPS[scale] / d.tick;
	this.shift = d.day < 0 ? -d.begin : d.day * 1e9 / d.tick; // ticks since midnight, or since the first sample, are its multiples
	this.first = Math.floor((d.first + this.shift) / this.step) * this.step - this.shift;
	this.columns = Math.floor((d.last - this.first) / this.step) + 1;
	if (d.columns)
		this.columns = Math.min(this.columns, d.columns);
	this.rows = groups ? this.groups.length : d.rows;
	this.w = Math.max(least, room / this.columns);
	this.h = groups ? HEAT_GROUP : Math.max(3, Math.min(8, Math.floor(innerHeight * .36 / this.rows)));
	by("heatspace").style.width = this.w > least ? "auto" : this.left + this.columns * this.w + HEAT_RIGHT + "px";
	box.style.overflowY = groups ? "auto" : "hidden"; // other rows always have room
	box.style.maxHeight = groups ? "" : "none";
	by("heatspace").style.height = HEAT_ABOVE + this.rows * this.h + HEAT_BELOW + "px";
};

// The row of a value, as a number with its part of the row; see heat-grid.c.
Heat.prototype.latencyRow = function (ns) {
	return this.linear ? (ns - this.least) / this.rowStep : Math.log(Math.max(ns, 1) / this.least) / Math.log(this.most / this.least) * this.rows;
};
Heat.prototype.rowLatency = function (row) {
	return this.linear ? this.least + row * this.rowStep : this.least * (this.most / this.least) ** (row / this.rows);
};
Heat.prototype.findLatencies = function () {
	const d = this.d;
	let least = Infinity, most = 0;
	for (const ns of this.latency) {
		least = Math.min(least, ns);
		most = Math.max(most, ns);
	}
	this.least = d.least || (this.linear ? 0 : Math.max(least, 1));
	this.most = Math.max(d.most || most, this.least + 1);
	if (this.linear) {
		this.rowStep = d.rowStep || Math.floor((this.most - this.least) / this.rows) + 1;
		this.rows = d.rowStep ? Math.min(Math.floor((this.most - this.least - 1) / this.rowStep) + 1, d.rows) : this.rows;
	}
};

Heat.prototype.rowOf = function (i) {
	if (this.mode === "group")
		return this.groupOf[this.node[i]];
	if (this.mode === "offset") {
		const at = (this.tick[i] - this.first) % this.step;
		return Math.floor(at / this.step * this.rows);
	}
	const row = Math.floor(this.latencyRow(this.latency[i]));
	return row === this.rows && this.latency[i] <= this.most ? row - 1 : row;
};

// Counts the samples of each square, those that match the search, and the percentiles of each column.
Heat.prototype.count = function () {
	const hit = new Uint8Array(all.n);
	for (let i = 1; i < all.n; i++)
		hit[i] = hit[all.parent[i]] || all.frame[i] >= 0 && hits[all.frame[i]];
	if (this.mode === "latency")
		this.findLatencies();
	this.counts = new Uint32Array(this.columns * this.rows);
	this.matches = new Uint32Array(this.counts.length);
	this.outside = 0;
	for (let i = 0; i < this.tick.length; i++) {
		const column = Math.floor((this.tick[i] - this.first) / this.step), row = this.rowOf(i), node = this.node[i];
		if (!all.counts(node))
			continue;
		if (column >= this.columns || row < 0 || row >= this.rows) {
			this.outside += this.many[i];
			continue;
		}
		this.counts[column * this.rows + row] += this.many[i];
		if (hit[node])
			this.matches[column * this.rows + row] += this.many[i];
	}
	this.greatest = this.counts.reduce((a, b) => Math.max(a, b), 0);
	this.percentiles = this.mode === "latency" ? this.findPercentiles() : null;
};
// The nearest rank, as heat-grid.c has it.
Heat.prototype.findPercentiles = function () {
	const list = [];
	for (let column = 0, i = 0; column < this.columns; column++) {
		const values = [], end = this.first + (column + 1) * this.step;
		for (; i < this.tick.length && this.tick[i] < end; i++)
			for (let k = 0; all.counts(this.node[i]) && k < this.many[i]; k++)
				values.push(this.latency[i]);
		const sorted = Float64Array.from(values).sort();
		list.push(sorted.length ? PERCENTILES.map(p => sorted[Math.ceil(sorted.length * p / 100) - 1]) : null);
	}
	return list;
};

function heatColor(level) {
	return dark() ? `hsl(${6.5 * (level - 1)} 90% ${24 + 7 * (level - 1)}%)` : `hsl(${55 - 6.5 * (level - 1)} 90% ${84 - 6.8 * (level - 1)}%)`;
}
function heatPattern(kind) {
	const tile = document.createElement("canvas"), c = tile.getContext("2d");
	tile.width = tile.height = 6;
	c.strokeStyle = dark() ? "#ccc" : "#444";
	c.lineWidth = 1.3;
	c.beginPath();
	for (const [x, y, to, down] of [[[0, 0, 6, 6]], [[0, 6, 6, 0]], [[0, 0, 6, 6], [0, 6, 6, 0]], [[0, 3, 6, 3]]][kind]) {
		c.moveTo(x, y);
		c.lineTo(to, down);
	}
	c.stroke();
	return c.createPattern(tile, "repeat");
}

Heat.prototype.x = function (column) {
	return Math.round(this.left + column * this.w) - by("heatbox").scrollLeft;
};
Heat.prototype.y = function (row) {
	return HEAT_ABOVE + (this.mode === "group" ? row : this.rows - 1 - row) * this.h;
};

// The squares of a part, column by column: calls rectangle(x, y, width, height).
Heat.prototype.cover = function (since, until, low, high, rectangle) {
	const first = Math.max(Math.floor((since - this.first) / this.step), 0), last = Math.min(Math.floor((until - 1 - this.first) / this.step), this.columns - 1);
	for (let column = first; column <= last; column++) {
		let from = low ?? 0, to = high ?? this.rows - 1;
		if (this.mode === "offset") {
			const begin = this.first + column * this.step, row = tick => Math.floor((tick - begin) / this.step * this.rows + 1e-9);
			from = Math.max(row(since), 0);
			to = Math.min(Math.max(row(until - 1), from), this.rows - 1);
		}
		const top = this.y(this.mode === "group" ? from : to);
		rectangle(this.x(column), top, this.x(column + 1) - this.x(column), (to - from + 1) * this.h);
	}
};

Heat.prototype.draw = function () {
	const ratio = devicePixelRatio || 1, style = getComputedStyle(document.body), c = this.canvas.getContext("2d"), box = by("heatbox");
	const width = box.clientWidth, height = HEAT_ABOVE + this.rows * this.h + HEAT_BELOW;
	this.canvas.style.width = width + "px";
	this.canvas.style.height = height + "px";
	this.canvas.width = width * ratio;
	this.canvas.height = height * ratio;
	c.scale(ratio, ratio);
	c.font = "11px " + style.fontFamily;
	c.fillStyle = dark() ? "#2a2a2d" : "#f3f3f5";
	c.fillRect(this.x(0), HEAT_ABOVE, this.x(this.columns) - this.x(0), this.rows * this.h);
	this.drawSquares(c, width);
	this.drawGaps(c);
	if (this.percentiles)
		this.drawPercentiles(c);
	this.drawTriggers(c);
	this.drawPart(c, this.a, "A", style.color, [4, 3]);
	this.drawPart(c, this.b, "B", style.color, []);
	this.drawPart(c, this.drag, "", style.color, [2, 2]);
	if (this.cursor && document.activeElement === this.canvas)
		this.drawPart(c, this.partOf(this.cursor, this.cursor), "", style.color, []);
	this.drawTimes(c, style.color, width);
	this.drawRowNames(c, style, width);
};

Heat.prototype.drawSquares = function (c, width) {
	const colors = [], gap = this.w > 6 && this.h > 4 || this.d.lines ? 1 : 0;
	for (let level = 0; level <= HEAT_LEVELS; level++)
		colors.push(heatColor(level));
	for (let column = 0; column < this.columns; column++) {
		const x = this.x(column), w = this.x(column + 1) - x - gap;
		if (x + this.w < this.left || x > width)
			continue;
		for (let row = 0; row < this.rows; row++) {
			const n = this.counts[column * this.rows + row], matching = this.matches[column * this.rows + row];
			if (!n)
				continue;
			c.fillStyle = colors[Math.ceil(HEAT_LEVELS * Math.sqrt(n / this.greatest))];
			c.fillRect(x, this.y(row), w, this.h - gap);
			if (matching) {
				c.globalAlpha = .4 + .6 * matching / n;
				c.fillStyle = "#e600e6";
				c.fillRect(x, this.y(row), w, this.h - gap);
				c.globalAlpha = 1;
			}
		}
	}
};

Heat.prototype.drawGaps = function (c) {
	const patterns = this.d.gapKinds.map((_, kind) => heatPattern(kind));
	for (const [kind, since, until] of this.d.gaps) {
		c.fillStyle = patterns[kind];
		this.cover(since, Math.max(until, since + 1), null, null, (...box) => c.fillRect(...box));
	}
};

Heat.prototype.drawTriggers = function (c) {
	const text = "trigger", wide = c.measureText(text).width;
	c.fillStyle = dark() ? "#6bf" : "#06c";
	for (const trigger of this.d.triggers) {
		const at = (trigger - this.first) / this.step, x = this.x(at);
		if (at > this.columns)
			continue;
		c.fillRect(x - 1, 2, 2, HEAT_ABOVE + this.rows * this.h - 2);
		c.fillText(text, x - wide - 4 > this.left ? x - wide - 4 : x + 4, HEAT_ABOVE - 4);
	}
};

// An outline of the squares of a part: a line wherever the neighbour is none of them.
Heat.prototype.drawPart = function (c, part, letter, color, dash) {
	if (!part)
		return;
	const boxes = [], [low, high] = this.rowsOf(part);
	this.cover(part.since, part.until, low, high, (...box) => boxes.push(box));
	c.strokeStyle = c.fillStyle = color;
	c.lineWidth = 1.5;
	c.setLineDash(dash);
	c.beginPath();
	boxes.forEach(([x, y, w, h], i) => {
		const before = boxes[i - 1], after = boxes[i + 1];
		c.moveTo(x, y);
		c.lineTo(x + w, y);
		c.moveTo(x, y + h);
		c.lineTo(x + w, y + h);
		this.side(c, x, y, y + h, before);
		this.side(c, x + w, y, y + h, after);
	});
	c.stroke();
	c.setLineDash([]);
	if (letter && boxes.length) {
		c.font = "bold " + c.font;
		c.fillText(letter, boxes[0][0] + 2, HEAT_ABOVE - 3);
		c.font = c.font.replace("bold ", "");
	}
};
// The part of a side that has no neighbour.
Heat.prototype.side = function (c, x, top, bottom, neighbour) {
	const from = neighbour ? Math.max(neighbour[1], top) : bottom, to = neighbour ? Math.min(neighbour[1] + neighbour[3], bottom) : bottom;
	c.moveTo(x, top);
	c.lineTo(x, Math.min(from, bottom));
	if (to > from) {
		c.moveTo(x, to);
		c.lineTo(x, bottom);
	}
};

Heat.prototype.drawTimes = function (c, color, width) {
	const y = HEAT_ABOVE + this.rows * this.h, label = this.time(this.first, this.step * this.d.tick);
	const least = Math.ceil((c.measureText(label).width + 16) / this.w) * this.step * this.d.tick, ns = this.step * this.d.tick;
	const each = (HEAT_STEPS.find(s => s >= least && s % ns === 0) || Math.ceil(least / ns) * ns) / ns;
	c.fillStyle = color;
	for (let column = (each - (this.first + this.shift) / this.step % each) % each; column < this.columns; column += each) {
		const x = this.x(column), text = this.time(this.first + column * this.step, ns * each);
		if (x < this.left || x + c.measureText(text).width > width)
			continue;
		c.fillRect(x, y, 1, 6);
		c.fillText(text, x + 3, y + 14);
	}
};

Heat.prototype.drawRowNames = function (c, style, width) {
	c.fillStyle = style.backgroundColor;
	c.fillRect(0, 0, this.left, HEAT_ABOVE + this.rows * this.h + HEAT_BELOW);
	c.fillStyle = style.color;
	const put = (text, y) => {
		while (text.length > 2 && c.measureText(text).width > this.left - 10)
			text = text.slice(0, -2) + "\u2026";
		c.fillText(text, this.left - 6 - c.measureText(text).width, y);
	};
	if (this.mode === "group")
		return this.groups.forEach((text, row) => put(text, this.y(row) + this.h / 2 + 4));
	if (this.mode === "latency" && !this.linear) {
		const roomy = Math.log10(this.most / this.least) * 60 < this.rows * this.h;
		for (let unit = 1; unit <= this.most; unit *= 10)
			for (const latency of roomy ? [unit, 2 * unit, 5 * unit] : [unit])
				if (latency >= this.least && latency <= this.most)
					put(span(latency), this.y(this.latencyRow(latency) - 1) + 4);
		return;
	}
	if (this.mode === "latency") {
		const most = this.least + this.rows * this.rowStep, step = [1, 2, 5, 10].map(n => n * 10 ** Math.floor(Math.log10((most - this.least) / 6))).find(n => n * 6 >= most - this.least);
		for (let latency = Math.ceil(this.least / step) * step; latency <= most; latency += step)
			put(span(latency), this.y(this.latencyRow(latency) - 1) + 4);
		return;
	}
	const each = Math.max(Math.ceil(18 / this.h), Math.floor(this.rows / 5));
	for (let row = 0; row <= this.rows; row += each)
		put(span(row * this.step * this.d.tick / this.rows), this.y(row - 1) + 4);
};

Heat.prototype.drawPercentiles = function (c) {
	c.strokeStyle = c.fillStyle = dark() ? "#6bf" : "#06c";
	let label = HEAT_ABOVE + this.rows * this.h + 16;
	PERCENTILES.forEach((p, k) => {
		let y = -1;
		c.setLineDash([[], [5, 2], [1.5, 2]][k]);
		c.beginPath();
		this.percentiles.forEach((values, column) => {
			if (!values)
				return void (y = -1);
			const next = HEAT_ABOVE + (this.rows - Math.min(Math.max(this.latencyRow(values[k]), 0), this.rows)) * this.h;
			if (y < 0)
				c.moveTo(this.x(column), next);
			c.lineTo(this.x(column), y = next);
			c.lineTo(this.x(column + 1), next);
		});
		c.stroke();
		c.setLineDash([]);
		if (y >= 0)
			c.fillText("p" + p, this.x(this.columns) + 3, label = Math.min(y + 4, label - 12));
	});
};

// The square at a place of the page; outside of them, a whole row or column, or null.
Heat.prototype.under = function (e) {
	const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
	const column = Math.floor((x - this.x(0)) / this.w), down = Math.floor((y - HEAT_ABOVE) / this.h);
	const row = this.mode === "group" ? down : this.rows - 1 - down, inside = down >= 0 && down < this.rows;
	if (x < this.left)
		return inside && this.mode !== "offset" ? { column: null, row } : null;
	if (column < 0 || column >= this.columns || down < 0)
		return null;
	return { column, row: inside ? row : null };
};

// The part between two squares: of offsets, all the time from one to the other; otherwise their columns and rows.
Heat.prototype.partOf = function (from, to) {
	const begin = s => this.first + s.column * this.step, whole = from.row === null || to.row === null;
	if (from.column === null || to.column === null)
		return this.withRows({ since: this.d.first, until: this.d.last + 1 }, from.row, to.row);
	if (this.mode === "offset" && !whole) {
		const at = s => begin(s) + s.row * this.step / this.rows, since = Math.min(at(from), at(to));
		return { since: Math.ceil(since), until: Math.ceil(Math.max(at(from), at(to)) + this.step / this.rows), low: null, high: null };
	}
	const part = { since: Math.min(begin(from), begin(to)), until: Math.max(begin(from), begin(to)) + this.step };
	return whole ? { ...part, low: null, high: null } : this.withRows(part, from.row, to.row);
};
Heat.prototype.withRows = function (part, a, b) {
	const low = Math.min(a, b), high = Math.max(a, b);
	if (this.mode === "offset" || (low === 0 && high === this.rows - 1))
		return { ...part, low: null, high: null };
	return this.mode === "group" ? { ...part, low, high, of: "group" } : { ...part, of: "latency", low: Math.floor(this.rowLatency(low)), high: Math.ceil(this.rowLatency(high + 1)) };
};
// The rows of a part; null: all.
Heat.prototype.rowsOf = function (part) {
	if (part.low === null || part.of !== this.mode)
		return [null, null];
	if (this.mode === "group")
		return [part.low, Math.min(part.high, this.rows - 1)];
	const clamp = row => Math.max(0, Math.min(this.rows - 1, row));
	return [clamp(Math.round(this.latencyRow(part.low))), clamp(Math.round(this.latencyRow(part.high)) - 1)];
};

Heat.prototype.total = function (part) {
	const own = part ? this.weigh(part) : this.whole;
	let sum = 0;
	for (let i = 0; i < own.length; i++)
		sum += all.counts(i) ? own[i] : 0;
	return sum;
};
Heat.prototype.describePart = function (part) {
	const step = this.step * this.d.tick / (this.mode === "offset" ? this.rows : 1);
	const rows = part.low === null ? "" : part.of === "latency" ? `, ${span(part.low)} to ${span(part.high)}` :
		", " + this.groups[part.low] + (part.high > part.low ? ` and ${part.high - part.low} more` : "");
	return `${this.time(part.since, step)} to ${this.time(part.until, step)} (${span((part.until - part.since) * this.d.tick)}${rows}): ${counted(this.total(part))}`;
};
// "12 samples, 10:01:12.340", with what a search found in it and what it lacks.
Heat.prototype.describeSquare = function (s) {
	const part = this.partOf(s, s), [n, matching] = s.row === null || s.column === null ? [this.total(part), 0] :
		[this.counts[s.column * this.rows + s.row], this.matches[s.column * this.rows + s.row]];
	const lack = this.d.gaps.filter(g => g[1] < part.until && Math.max(g[2], g[1] + 1) > part.since)
		.map(([kind, , , lost]) => this.d.gapKinds[kind] + (lost ? ` ${number(lost)} records` : ""));
	const rows = part.low === null ? "" : part.of === "latency" ? `, ${span(part.low)} to ${span(part.high)}` : ", " + this.groups[part.low];
	const step = this.step * this.d.tick / (this.mode === "offset" ? this.rows : 1);
	return [`${counted(n)}, ${this.time(part.since, step)}${rows}`, ...pattern ? [`${number(matching)} match`] : [], ...new Set(lack)].join(" \u00b7 ");
};

Heat.prototype.show = function (text) {
	const parts = [this.b && "B: " + this.describePart(this.b), this.a && "A: " + this.describePart(this.a)].filter(x => x);
	by("heatwhere").textContent = text || parts.join(" \u00b7 ") ||
		"Drag over squares to see their flame graph; with Ctrl, a second part that it is compared with";
};

// A step of the reader: a part becomes B, or with Ctrl A.
Heat.prototype.select = function (part, baseline) {
	this[baseline ? "a" : "b"] = part;
	this.drag = this.anchor = null;
	this.apply(true);
};

Heat.prototype.resize = function () {
	this.arrange();
	this.count();
	this.draw();
};
Heat.prototype.refresh = function () {
	by("heatrows").value = this.mode;
	by("heatlinear").textContent = this.linear ? "Logarithmic" : "Linear";
	by("heatclear").disabled = !this.selects();
	this.arrange();
	this.count();
	by("finer").disabled = this.shownScale === 0 || HEAT_STEPS[this.shownScale - 1] < this.d.tick;
	by("coarser").disabled = this.shownScale === HEAT_STEPS.length - 1 || this.columns < 3;
	this.explainColors();
	this.show("");
	this.draw();
	if (this.height !== by("heat").offsetHeight) // the flame graph has the rest of the window
		arrange();
	this.height = by("heat").offsetHeight;
};

Heat.prototype.words = function () {
	const text = part => part ? `${part.since}-${part.until}` + (part.low === null ? "" : `,${part.of[0]}${part.low}-${part.high}`) : "";
	return { r: text(this.b), c: text(this.a), w: this.mode === this.d.rowsOf ? "" : this.mode, q: this.scale < 0 ? "" : this.scale,
		l: this.linear === !!this.d.linear ? "" : +this.linear };
};
Heat.prototype.restore = function (p) {
	const part = text => {
		const found = /^(\d+)-(\d+)(?:,([gl])(\d+)-(\d+))?$/.exec(text ?? "");
		if (!found || +found[1] >= +found[2] || (found[3] === "l" && !this.latency) || (found[3] === "g" && +found[4] >= this.groups.length))
			return null;
		const rows = found[3] ? { low: +found[4], high: +found[5], of: found[3] === "g" ? "group" : "latency" } : { low: null, high: null };
		return { since: +found[1], until: +found[2], ...rows };
	};
	this.a = part(p.get("c"));
	this.b = part(p.get("r"));
	this.mode = this.modes.includes(p.get("w")) ? p.get("w") : this.d.rowsOf;
	this.scale = p.has("q") && HEAT_STEPS[p.get("q")] >= this.d.tick ? +p.get("q") : -1;
	this.linear = p.has("l") ? p.get("l") === "1" : !!this.d.linear;
	all.self = this.b ? this.weigh(this.b) : this.whole;
	all.base = this.a && this.weigh(this.a);
	all.seconds = this.a && [this.seconds(this.a), this.seconds(this.b)];
};

Heat.prototype.choose = function (mode) {
	this.mode = mode;
	this.cursor = null;
	refresh(true);
};
Heat.prototype.zoom = function (steps) {
	const scale = Math.max(0, Math.min(HEAT_STEPS.length - 1, this.shownScale + steps));
	if (HEAT_STEPS[scale] < this.d.tick)
		return;
	const box = by("heatbox"), middle = (box.scrollLeft + (box.clientWidth - this.left) / 2) / this.w * this.step + this.first;
	const at = this.b || this.a ? (this.b || this.a).since : middle; // which stays in sight
	this.scale = scale;
	this.cursor = null;
	refresh(true);
	box.scrollLeft = (at - this.first) / this.step * this.w - (box.clientWidth - this.left) / (this.b || this.a ? 8 : 2);
};

// Arrows move from square to square; with Shift they take those between with them.
Heat.prototype.move = function (key, extend) {
	const was = this.cursor, up = this.mode === "group" ? -1 : 1;
	const next = was ? { ...was } : { column: 0, row: this.mode === "group" ? 0 : this.rows - 1 };
	if (was) {
		next.column = Math.max(0, Math.min(this.columns - 1, was.column + (key === "ArrowRight") - (key === "ArrowLeft")));
		next.row = Math.max(0, Math.min(this.rows - 1, was.row + up * ((key === "ArrowUp") - (key === "ArrowDown"))));
	}
	this.cursor = next;
	this.anchor = extend ? this.anchor || was || next : null;
	this.drag = this.anchor && this.partOf(this.anchor, next);
	const box = by("heatbox"), x = this.x(next.column);
	box.scrollLeft += x < this.left ? x - this.left : Math.max(0, x + this.w + HEAT_RIGHT - box.clientWidth);
	this.draw();
	this.show(this.drag ? this.describePart(this.drag) : this.describeSquare(next));
};

Heat.prototype.key = function (e) {
	if (e.altKey || (e.key !== "Enter" && (e.ctrlKey || e.metaKey)))
		return;
	if (e.key.startsWith("Arrow"))
		this.move(e.key, e.shiftKey);
	else if (e.key === "Enter" && this.cursor)
		this.select(this.drag || this.partOf(this.cursor, this.cursor), e.ctrlKey || e.metaKey);
	else
		return;
	e.preventDefault();
	e.stopPropagation();
};

Heat.prototype.listen = function () {
	const canvas = this.canvas;
	let from = null;
	canvas.onpointerdown = e => {
		from = e.button === 0 ? this.under(e) : null;
		if (from)
			canvas.setPointerCapture(e.pointerId);
	};
	canvas.onpointermove = e => {
		const s = this.under(e);
		if (from && s) {
			this.drag = this.partOf(from, s);
			this.draw();
			this.show(this.describePart(this.drag));
			by("tip").style.display = "none";
		} else if (s) {
			this.show(this.describeSquare(s));
			tip(e.clientX, e.clientY, this.describeSquare(s));
		} else
			by("tip").style.display = "none";
	};
	canvas.onpointerup = e => {
		const part = from && (this.drag || this.partOf(from, from));
		this.cursor = from && from.column !== null && from.row !== null ? from : this.cursor;
		from = null;
		if (part)
			this.select(part, e.ctrlKey || e.metaKey);
	};
	canvas.onpointercancel = () => {
		from = this.drag = null;
		this.draw();
	};
	canvas.onpointerleave = () => {
		by("tip").style.display = "none";
		if (!from)
			this.show("");
	};
	canvas.onkeydown = e => this.key(e);
	canvas.onfocus = canvas.onblur = () => this.draw();
	by("heatbox").onscroll = () => this.draw();
	by("heatrows").onchange = e => this.choose(e.target.value);
	by("heatlinear").onclick = () => { this.linear = !this.linear; refresh(true); };
	by("finer").onclick = () => this.zoom(-1);
	by("coarser").onclick = () => this.zoom(1);
	by("heatclear").onclick = () => { this.a = this.b = null; this.apply(true); };
	matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => refresh(false));
};

// What stands beside the squares, in words, too: nothing is said by colour alone.
Heat.prototype.explainColors = function () {
	const box = by("heatlegend"), item = (paint, wide, text) => {
		const label = document.createElement("span"), swatch = document.createElement("canvas");
		swatch.width = wide;
		swatch.height = 11;
		paint(swatch.getContext("2d"));
		label.append(swatch, text);
		return label;
	};
	const ramp = c => {
		for (let level = 1; level <= HEAT_LEVELS; level++) {
			c.fillStyle = heatColor(level);
			c.fillRect((level - 1) * 10, 0, 10, 11);
		}
	};
	const hatch = kind => c => {
		c.fillStyle = heatPattern(kind);
		c.fillRect(0, 0, 22, 11);
	};
	const kinds = [...new Set(this.d.gaps.map(g => g[0]))], outside = this.outside ? `, ${number(this.outside)} outside` : "";
	box.replaceChildren(item(ramp, 10 * HEAT_LEVELS, `${this.greatest > 1 ? "1 to " : ""}${counted(this.greatest)} in a square of ${span(this.step * this.d.tick / (this.mode === "offset" ? this.rows : 1))}${outside}`),
		...kinds.map(kind => item(hatch(kind), 22, this.d.gapKinds[kind])));
};
Heat.prototype.explain = function () {
	this.modes = this.d.latencies ? ["latency", "group"] : ["offset", "group"];
	const names = { offset: "Offsets", group: this.d.groupsOf, latency: "Latencies" };
	for (const mode of this.modes) {
		const option = document.createElement("option");
		option.value = mode;
		option.textContent = names[mode];
		by("heatrows").append(option);
	}
	by("heatlinear").hidden = !this.d.latencies;
	this.canvas.setAttribute("aria-label", [DATA.title, ...DATA.caption].join(", "));
	const rows = [["In the heat map"], ["Drag", "selects squares, whose flame graph is below; from offset to offset all of the time between"],
		["Ctrl-drag", "selects what they are compared with: red takes more in the first part, blue less"],
		["Below, at the left", "a click selects a whole column, or, but for offsets, a whole row"],
		["Arrows, Shift-arrows", "go from square to square, or take them with them; Enter selects, with Ctrl as the baseline"],
		["+ \u2212", "shorter and longer columns"]];
	const body = by("help").querySelector("tbody");
	for (const cells of rows) {
		const row = body.insertRow();
		for (const text of cells) {
			const cell = cells.length === 1 ? row.appendChild(document.createElement("th")) : row.insertCell();
			cell.textContent = text;
			if (cells.length === 1)
				cell.colSpan = 2;
		}
	}
};
