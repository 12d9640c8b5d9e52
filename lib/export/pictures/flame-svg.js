"use strict";
(() => {
const svg = document.documentElement, by = id => document.getElementById(id);
const pad = +svg.dataset.pad, size = +svg.dataset.font, line = +svg.dataset.line, glyph = size * .59, least = 3;
const frames = [...by("frames").children].map(g => new Frame(g)), all = frames[0];
const box = svg.viewBox.baseVal, words = [...by("caption").children].map(t => t.textContent).join(" ").split(" ");
const above = offset("frames") - by("caption").children.length * line, below = box.height - offset("frames"), footer = offset("foot") - offset("frames");
const scale = by("scale"), times = scale && new Scale(scale.dataset.moments.split(",").map(Number));
let inner = box.width - 2 * pad, zoomed = all, term = "", ignore = false;

function offset(id) {
	return by(id).transform.baseVal[0].matrix.f;
}

function move(id, y) {
	by(id).transform.baseVal[0].setTranslate(0, y);
}

// A <g> with its title, its rectangle, and a label if there is room for one. Weights: what lies before it, and its own.
function Frame(g) {
	this.g = g;
	this.title = g.firstElementChild;
	this.rect = this.title.nextElementSibling;
	this.label = this.rect.nextElementSibling;
	g.frame = this;
	this.x0 = +g.getAttribute("data-x");
	this.w0 = +g.getAttribute("data-w");
	this.sign = g.getAttribute("data-sign") || "";
	this.y0 = +this.rect.getAttribute("y");
	this.shown = true;
	this.hit = this.dim = false;
}
Object.defineProperties(Frame.prototype, {
	full: { get() { return this.title.textContent; } },
	name: {
		get() {
			const line = this.full.lastIndexOf("\n");
			return this.full.slice(0, line < 0 ? this.full.lastIndexOf(" (") : this.full.lastIndexOf(" (", line));
		},
	},
});

function put(f, x, w, dim) {
	if (f.shown !== w > 0) {
		f.shown = w > 0;
		f.g.style.display = f.shown ? "" : "none";
	}
	if (!f.shown)
		return;
	f.rect.setAttribute("x", (pad + x * inner).toFixed(1));
	f.rect.setAttribute("width", Math.max(w * inner - .2, .1).toFixed(1));
	if (f.dim !== dim)
		f.rect.setAttribute("opacity", (f.dim = dim) ? .5 : 1);
	label(f, pad + x * inner + 3, Math.floor(w * inner / glyph));
}

function label(f, x, room) {
	room -= f.sign.length;
	if (room >= least && !f.label) {
		f.label = f.g.appendChild(document.createElementNS(svg.namespaceURI, "text"));
		f.label.setAttribute("y", (f.y0 + f.rect.height.baseVal.value / 2 + size * .35).toFixed(1));
	}
	if (!f.label)
		return;
	const name = room < least ? [] : [...f.name], shown = name.length <= room ? name.join("") : name.slice(0, room - 2).join("") + "..";
	const text = shown && f.sign + shown;
	f.label.setAttribute("x", x.toFixed(1));
	if (f.label.textContent !== text)
		f.label.textContent = text;
}

// Breaks the caption for the width; returns its height.
function wrap() {
	const lines = [], from = +svg.dataset.caption;
	for (const word of words)
		if (lines.length && (lines[lines.length - 1] + word).length < inner / glyph)
			lines[lines.length - 1] += " " + word;
		else
			lines.push(word);
	by("caption").replaceChildren(...lines.filter(text => text).map((text, i) => {
		const t = document.createElementNS(svg.namespaceURI, "text");
		t.setAttribute("x", "50%");
		t.setAttribute("y", from + i * line);
		t.textContent = text;
		return t;
	}));
	return by("caption").children.length * line;
}

// Lays the picture out for the width that it has, so that a pixel of it is one of the window. A bar to scroll it makes it narrower.
function fit() {
	const before = box.width;
	by("frames").style.display = "none"; // or the browser would lay them out to say how wide all is
	for (let i = 0; i < 2; i++) {
		const width = Math.round(svg.getBoundingClientRect().width);
		if (width >= 100 && width !== box.width) {
			inner = width - 2 * pad;
			const top = above + wrap();
			move("frames", top);
			move("foot", top + footer);
			if (scale)
				move("scale", top + footer - line);
			box.width = width;
			box.height = top + below;
		}
		svg.style.height = box.height + "px";
	}
	if (box.width !== before)
		place();
	by("frames").style.display = "";
}

// Frames that the zoomed one calls fill the width; those that call it are shown dim.
function zoom(g) {
	zoomed = g;
	place();
	by("reset").style.display = g === all ? "none" : "";
	count();
}

function place() {
	const g = zoomed;
	const end = g.x0 + g.w0, depth = f => Math.abs(f.y0 - all.y0);
	for (const f of frames)
		if (depth(f) < depth(g) && f.x0 <= g.x0 && f.x0 + f.w0 >= end)
			put(f, 0, 1, true);
		else if (depth(f) >= depth(g) && f.x0 >= g.x0 && f.x0 + f.w0 <= end)
			put(f, (f.x0 - g.x0) / g.w0, f.w0 / g.w0, false);
		else
			put(f, 0, 0, false);
	if (scale)
		measure();
}

// Times along what is zoomed in, and a short line where another thread begins.
function measure() {
	const parts = [], part = (name, attributes, text) => {
		const e = document.createElementNS(svg.namespaceURI, name);
		for (const [key, value] of Object.entries(attributes))
			e.setAttribute(key, value);
		e.textContent = text;
		parts.push(e);
	};
	times.marks(zoomed.x0, zoomed.w0, inner, +scale.dataset.step, (x, text) => {
		part("path", { d: `M${(pad + x).toFixed(1)} 0v7` }, "");
		part("text", { x: (pad + x + 3).toFixed(1), y: size + 4 }, text);
	}, x => part("path", { d: `M${(pad + x).toFixed(1)} 0v3` }, ""));
	scale.replaceChildren(...parts);
}

// null: nothing is searched for; undefined: the term is no regular expression.
function pattern() {
	try {
		return term ? new RegExp(term, ignore ? "i" : "") : null;
	} catch (e) {
		return undefined;
	}
}

// The share of what is shown whose call chains have a function that matches: frames in others that match do not count again.
function count() {
	const re = pattern(), end = zoomed.x0 + zoomed.w0;
	const hits = re ? frames.filter(f => f.shown && f.hit) : [];
	let sum = 0, last = -1;
	hits.sort((a, b) => a.x0 - b.x0 || b.w0 - a.w0);
	for (const f of hits) {
		const from = Math.max(f.x0, last, zoomed.x0), to = Math.min(f.x0 + f.w0, end);
		sum += Math.max(to - from, 0);
		last = Math.max(last, to);
	}
	by("matched").textContent = re ? "Matched: " + (100 * sum / zoomed.w0).toFixed(1) + "%" :
		re === undefined ? "Not a regular expression: " + term : "";
}

function search(text) {
	term = text || "";
	const re = pattern();
	for (const f of frames) {
		const hit = !!re && f !== all && re.test(f.name);
		if (f.hit !== hit)
			f.g.classList.toggle("hit", f.hit = hit);
	}
	by("search").textContent = term ? "Reset Search" : "Search";
	count();
}

function ask() {
	if (term) {
		search("");
		save();
		return;
	}
	const text = prompt("Enter a search term (a regular expression, as ^ext4_)", "");
	if (text !== null) {
		search(text);
		save();
	}
}

// A zoom is a step that Back takes back; a search is none.
function save(step) {
	const p = new URLSearchParams();
	if (zoomed !== all) {
		p.set("x", zoomed.x0);
		p.set("y", zoomed.y0);
	}
	if (term)
		p.set("s", term);
	try {
		if ("#" + p !== (location.hash || "#"))
			history[step ? "pushState" : "replaceState"](null, "", "#" + p);
	} catch (e) {
		location.hash = "" + p;
	}
}

function load() {
	const p = new URLSearchParams(location.hash.slice(1) || location.search);
	const g = p.has("x") ? frames.find(f => f.y0 === +p.get("y") && f.x0 === +p.get("x")) : null;
	if (zoomed !== (g || all))
		zoom(g || all);
	search(p.get("s") ?? svg.dataset.search ?? "");
}

const frameOf = e => e.target.closest("#frames > g")?.frame;
by("frames").addEventListener("click", e => { zoom(frameOf(e)); save(true); });
by("frames").addEventListener("mouseover", e => { by("details").textContent = by("details").dataset.name + " " + frameOf(e).full.replace(/\n/g, " in "); });
by("frames").addEventListener("mouseout", () => { by("details").textContent = ""; });
by("reset").addEventListener("click", () => { zoom(all); save(true); });
by("search").addEventListener("click", ask);
by("case").addEventListener("click", () => { toggle(); });
function toggle() {
	ignore = !ignore;
	by("case").classList.toggle("on", ignore);
	search(term);
}
addEventListener("keydown", e => {
	if (e.key === "F3" || (e.ctrlKey && e.key === "f")) {
		e.preventDefault();
		term = "";
		ask();
	} else if (e.ctrlKey && e.key === "i") {
		e.preventDefault();
		toggle();
	} else if (e.key === "Escape") {
		zoom(all);
		search("");
		save(true);
	}
});
for (const id of ["search", "case"])
	by(id).style.display = "";
fit();
if (scale)
	measure();
load();
addEventListener("resize", fit);
addEventListener("popstate", load);
})();
