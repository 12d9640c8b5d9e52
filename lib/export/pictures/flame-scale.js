// The times of a flame chart. list: the time of day of the earliest sample in seconds, or -1, then of each moment the weight before it,
// the microseconds since the earliest one, and whether a thread begins there.
function Scale(list) {
	this.day = list[0];
	this.list = list;
	this.n = (list.length - 1) / 3;
}
// The number of the last moment at that weight or before it.
Scale.prototype.before = function (weight) {
	let low = 0, high = this.n;
	while (low < high) {
		const middle = low + high >> 1;
		if (this.list[1 + 3 * middle] <= weight)
			low = middle + 1;
		else
			high = middle;
	}
	return Math.max(low - 1, 0);
};
Scale.prototype.text = function (i) {
	const us = this.list[2 + 3 * i], two = n => String(n).padStart(2, "0"), ms = Math.floor(us / 1000);
	if (this.day < 0)
		return (ms / 1000).toFixed(3) + " s";
	const s = this.day + Math.floor(ms / 1000);
	return `${two(Math.floor(s / 3600) % 24)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}.${String(ms % 1000).padStart(3, "0")}`;
};
// Calls mark(x, text) each so many pixels of a width that shows so much weight from begin on, unless it is the same moment again; and
// thread(x) where one begins.
Scale.prototype.marks = function (begin, weight, width, step, mark, thread) {
	for (let x = 0, last = -1; x + step * .85 < width; x += step) {
		const i = this.before(begin + x / width * weight);
		if (i !== last)
			mark(x, this.text(i));
		last = i;
	}
	for (let i = this.before(begin), last = 0; i < this.n && this.list[1 + 3 * i] < begin + weight; i++) {
		const x = (this.list[1 + 3 * i] - begin) / weight * width;
		if (this.list[3 + 3 * i] && x >= last + 4)
			thread(last = x);
	}
};
