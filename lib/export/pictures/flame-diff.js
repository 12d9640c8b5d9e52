// Marks of what changed between two ranges, by the tests of lib/analysis/significance.c and the choice of frame-difference.c: what one
// of them marks, the other one does, too.
const LEVEL = .01, LEAST = .001; // of all marks, this part is expected to be chance at most; see changes()
function logFactorial(n) {
	if (n < 20) {
		let product = 1;
		for (let i = 2; i <= n; i++)
			product *= i;
		return Math.log(product);
	}
	const x = n + 1, y = 1 / (x * x); // Stirling's series
	return (x - .5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + (1 / 12 - y * (1 / 360 - y / 1260)) / x;
}
const logChoose = (n, k) => logFactorial(n) - logFactorial(k) - logFactorial(n - k);
// The probability of both sides from k on. first: the logarithm of that of k; ratio(k): how much more probable k + 1 is than k.
function chanceSides(k, mean, first, ratio) {
	const up = k >= mean;
	let sum = 1;
	for (let x = k, term = 1; term > sum * 1e-17; sum += term) {
		term = up ? term * ratio(x) : x > 0 ? term / ratio(x - 1) : 0;
		x += up ? 1 : -1;
	}
	return Math.min(2 * sum * Math.exp(first), 1);
}
// Two Poisson distributed numbers have the same rate; the second one had that part of all chances.
function chanceOfRates(a, b, part) {
	const p = Math.min(Math.max(part, Number.MIN_VALUE), 1 - Number.EPSILON), odds = p / (1 - p), n = a + b;
	return chanceSides(b, n * p, logChoose(n, b) + b * Math.log(p) + a * Math.log1p(-p), k => (n - k) / (k + 1) * odds);
}
// a of allA and b of allB are the same share: Fisher's exact test.
function chanceOfShares(a, allA, b, allB) {
	const n = a + b;
	return chanceSides(b, n * allB / (allA + allB), logChoose(allB, b) + logChoose(allA, a) - logChoose(allA + allB, n),
		k => (n - k) * (allB - k) / ((k + 1) * (allA - n + k + 1)));
}
// Returns a function: whether a node with that many samples in both ranges is tested. It has enough of them to be marked at all, and no
// less than a thousandth of those of the smaller range: in both, it would be half a pixel of a thousand. seconds: of both ranges, with
// which rates are compared; null: shares are.
function changesTested(seconds, allA, allB) {
	const [a, b] = seconds || [allA, allB], rarest = Math.log(Math.min(a, b) / (a + b)), least = LEAST * Math.min(allA, allB);
	return n => n > 0 && a > 0 && b > 0 && n >= least && n * rarest <= Math.log(LEVEL / 2);
}
// Returns 1 for each of the pairs of numbers of samples that is more in b, -1 for less, 0 for no change that chance does not explain
// (Benjamini and Hochberg). parent: of nodes in preorder, of which one with all samples of its parent is the same test; or null.
function changes(a, b, parent, seconds, allA, allB) {
	const n = a.length, mark = new Int8Array(n), tested = changesTested(seconds, allA, allB), list = [], chances = [];
	const part = seconds ? seconds[1] / (seconds[0] + seconds[1]) : allB / (allA + allB);
	const again = i => parent && i > 0 && a[i] === a[parent[i]] && b[i] === b[parent[i]];
	for (let i = 0; i < n; i++) {
		const both = a[i] + b[i], off = b[i] - both * part;
		if (!tested(both) || again(i))
			continue;
		list.push(i);
		// Less than two deviations are chance at any level, and need not be computed.
		chances.push(off * off < 4 * both * part * (1 - part) ? 1 :
			seconds ? chanceOfRates(a[i], b[i], part) : chanceOfShares(a[i], allA, b[i], allB));
	}
	const sorted = Float64Array.from(chances).sort();
	let found = sorted.length;
	while (found > 0 && sorted[found - 1] > LEVEL * found / sorted.length)
		found--;
	const limit = found > 0 ? sorted[found - 1] : -1;
	list.forEach((i, k) => {
		if (chances[k] <= limit)
			mark[i] = b[i] > (a[i] + b[i]) * part ? 1 : -1;
	});
	for (let i = 1; i < n; i++)
		if (again(i))
			mark[i] = mark[parent[i]];
	return mark;
}
