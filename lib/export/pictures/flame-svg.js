"use strict";
(() => {
const svg = document.documentElement, frames = [...svg.querySelectorAll("g.f")], by = id => document.getElementById(id);
const pad = +svg.dataset.pad, inner = +svg.dataset.inner, size = +svg.dataset.font, least = 3;
let zoomed = frames[0], term = "", ignore = false, matched = 0;

for (const g of frames) {
	const rect = g.querySelector("rect");
	g.rect = rect;
	g.label = g.querySelector("text");
	g.full = g.querySelector("title").textContent;
	g.name = g.full.slice(0, g.full.lastIndexOf("\n") < 0 ? g.full.lastIndexOf(" (") : g.full.lastIndexOf(" (", g.full.lastIndexOf("\n")));
	g.x0 = +g.dataset.x; // weights: what lies before it, and its own
	g.w0 = +g.dataset.w;
	g.y0 = +rect.getAttribute("y");
	g.fill = rect.getAttribute("fill");
	g.addEventListener("click", () => { zoom(g); save(); });
	g.addEventListener("mouseover", () => { by("details").textContent = by("details").dataset.name + " " + g.full.replace(/\n/g, " in "); });
	g.addEventListener("mouseout", () => { by("details").textContent = ""; });
}

function put(g, x, w, dim) {
	g.style.display = w > 0 ? "" : "none";
	if (w <= 0)
		return;
	g.rect.setAttribute("x", (pad + x * inner).toFixed(1));
	g.rect.setAttribute("width", Math.max(w * inner - .2, .1).toFixed(1));
	g.rect.setAttribute("opacity", dim ? .5 : 1);
	const chars = Math.floor(w * inner / (size * .59)), name = [...g.name];
	g.label.setAttribute("x", (pad + x * inner + 3).toFixed(1));
	g.label.textContent = chars < least ? "" : name.length <= chars ? g.name : name.slice(0, chars - 2).join("") + "..";
}

// Frames that the zoomed one calls fill the width; those that call it are shown dim.
function zoom(g) {
	const end = g.x0 + g.w0, root = frames[0].y0;
	const depth = f => Math.abs(f.y0 - root);
	zoomed = g;
	for (const f of frames)
		if (depth(f) < depth(g) && f.x0 <= g.x0 && f.x0 + f.w0 >= end)
			put(f, 0, 1, true);
		else if (depth(f) >= depth(g) && f.x0 >= g.x0 && f.x0 + f.w0 <= end)
			put(f, (f.x0 - g.x0) / g.w0, f.w0 / g.w0, false);
		else
			put(f, 0, 0, false);
	by("reset").style.display = g === frames[0] ? "none" : "";
	count();
}

function pattern() {
	try {
		return term ? new RegExp(term, ignore ? "i" : "") : null;
	} catch (e) {
		return null;
	}
}

// The share of what is shown whose call chains have a function that matches: frames in others that match do not count again.
function count() {
	const re = pattern(), end = zoomed.x0 + zoomed.w0;
	const hits = re ? frames.filter(f => f.style.display !== "none" && f !== frames[0] && re.test(f.name)) : [];
	let sum = 0, last = -1;
	hits.sort((a, b) => a.x0 - b.x0 || b.w0 - a.w0);
	for (const f of hits) {
		const from = Math.max(f.x0, last, zoomed.x0), to = Math.min(f.x0 + f.w0, end);
		sum += Math.max(to - from, 0);
		last = Math.max(last, to);
	}
	matched = 100 * sum / zoomed.w0;
	by("matched").textContent = re ? "Matched: " + matched.toFixed(1) + "%" : "";
}

function search(text) {
	term = text || "";
	const re = pattern();
	for (const f of frames)
		f.rect.setAttribute("fill", re && f !== frames[0] && re.test(f.name) ? "rgb(230,0,230)" : f.fill);
	by("search").textContent = re ? "Reset Search" : "Search";
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

function save() {
	const p = new URLSearchParams();
	if (zoomed !== frames[0]) {
		p.set("x", zoomed.x0);
		p.set("y", zoomed.y0);
	}
	if (term)
		p.set("s", term);
	try {
		history.replaceState(null, "", "#" + p);
	} catch (e) {
		location.hash = "" + p;
	}
}

function load() {
	const p = new URLSearchParams(location.hash.slice(1) || location.search);
	const g = p.has("x") ? frames.find(f => f.y0 === +p.get("y") && f.x0 === +p.get("x")) : null;
	zoom(g || frames[0]);
	search(p.get("s") ?? svg.dataset.search ?? "");
}

by("reset").addEventListener("click", () => { zoom(frames[0]); save(); });
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
		zoom(frames[0]);
		search("");
		save();
	}
});
for (const id of ["search", "case"])
	by(id).style.display = "";
load();
})();
