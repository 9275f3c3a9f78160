#!/usr/bin/env node
// Checks a pack of evidence of Landfall. Written by tools/evidence-checker.ts; see docs/provenance.md.
import { parseArgs } from "node:util";
import { readFileSync } from "node:fs";
import { createHash, createPublicKey, verify } from "node:crypto";
// src/platform/evidence/canonical-json.ts
/** JSON in one form only (RFC 8785), so that what is signed or hashed can be written again by anybody. */
/** Members in the order of their names, no blanks. What JSON cannot hold throws. */
function canonicalJson(value) {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
	if (typeof value !== "object" || value === null) {
		if (value === void 0 || typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${String(value)} is no JSON.`);
		return JSON.stringify(value);
	}
	return `{${Object.entries(value).filter(([, each]) => each !== void 0).toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join()}}`;
}
// src/platform/evidence/evidence-pack.ts
/** The shapes of what is signed and hashed: statements, ledger roots, and packs of evidence. */
var packFormat = "landfall-evidence/1";
/** Facts that hashes cannot prove. A pack lists them, and the checker repeats them. */
var notProven = [
	"That a source spoke the truth: it is proven what it said, and when it was read.",
	"That the terms are those that were agreed. They are what the account put on record, with the time of it.",
	"That nothing was left out before the root was made. What came later than a root cannot be put into it.",
	"Who made the pack, unless you have the key from another place than the pack itself."
];
// src/platform/evidence/merkle-tree.ts
/** A Merkle tree as RFC 6962 (2.1) has it: one hash stands for a list, and a short path proves that a leaf is in it. */
/** The hash of the canonical JSON of the leaf's content. */
function leafHash(content) {
	return createHash("sha256").update(Buffer.of(0)).update(content, "utf8").digest();
}
/** The root that a leaf and its path lead to; null when a list of this size has no such path. */
function rootOfPath(leaf, { index, size, path }) {
	if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null;
	if (size === 1) return path.length === 0 ? leaf : null;
	const [beside] = path.slice(-1);
	if (beside === void 0) return null;
	const at = splitOf(size);
	const rest = path.slice(0, -1);
	const isLeft = index < at;
	const inner = rootOfPath(leaf, {
		index: isLeft ? index : index - at,
		size: isLeft ? at : size - at,
		path: rest
	});
	if (inner === null) return null;
	return isLeft ? nodeHash(inner, beside) : nodeHash(beside, inner);
}
function nodeHash(left, right) {
	return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}
/** The largest power of two below the size. */
function splitOf(size) {
	return 2 ** (Math.ceil(Math.log2(size)) - 1);
}
// src/platform/evidence/check-pack.ts
/**
* Checks a pack of evidence without any server: who signed it, whether its statements are those that were hashed, and
* whether the roots are those that somebody holds. The same code is bundled into a file that needs nothing but Node.
*/
function checkPack(input, { roots, keys }) {
	const pack = input;
	if (typeof input !== "object" || input === null || pack.format !== "landfall-evidence/1") return summarizeFindings([bad(`This is no pack of the format ${packFormat}.`)]);
	try {
		return summarizeFindings([
			...checkKeys(pack, keys),
			checkSignature(pack, keys ?? pack.keys),
			...pack.roots.flatMap((root) => checkRoot(root, pack, {
				roots,
				keys: keys ?? pack.keys
			})),
			...pack.statements.map((statement) => checkStatement(statement, pack)),
			...checkDays(pack)
		]);
	} catch (error) {
		return summarizeFindings([bad(`The pack is damaged: ${error instanceof Error ? error.message : String(error)}`)]);
	}
}
function checkKeys(pack, keys) {
	if (keys !== null) return [];
	return [open(`The key ${pack.signature.kid} comes from the pack itself. Compare it with the published one.`)];
}
function checkSignature({ signature, ...rest }, keys) {
	return isSigned(rest, signature, keys) ? good(`The pack is signed by the key ${signature.kid}.`) : bad(`The pack is not signed by a known key, or it was changed (${signature.kid}).`);
}
function checkRoot(root, { account }, held) {
	const { signature, ...head } = root;
	const name = `Root ${root.sequence} (${root.to})`;
	const findings = [];
	if (root.account_id !== account.id) findings.push(bad(`${name} belongs to another account.`));
	findings.push(isSigned(head, signature, held.keys ?? []) ? good(`${name} is signed by the key ${signature.kid}.`) : bad(`${name} has no valid signature.`));
	const heldRoot = held.roots?.find(({ account_id: id, sequence }) => id === root.account_id && sequence === root.sequence);
	if (held.roots === null) findings.push(open(`${name} was not compared: no roots of your own were given.`));
	else if (heldRoot === void 0) findings.push(open(`${name} is not among the roots that you hold.`));
	else findings.push(canonicalJson(headOf(heldRoot)) === canonicalJson(headOf(root)) ? good(`${name} is the one that you hold.`) : bad(`${name} is not the one that you hold: what was on record was changed.`));
	return findings;
}
function headOf(root) {
	const { account_id, sequence, first_position, last_position, from, to, leaf_count, previous_root } = root;
	return {
		account_id,
		sequence,
		first_position,
		last_position,
		from,
		to,
		leaf_count,
		root: root.root,
		previous_root
	};
}
function checkStatement(statement, { roots }) {
	const { proof, not_proven: why, ...leaf } = statement;
	const name = `Statement ${leaf.claim_id} of ${leaf.source_kind} ${leaf.source_code}`;
	if (proof === null) return open(`${name} is not proven: ${why ?? "no reason is given"}.`);
	const root = roots.find(({ sequence }) => sequence === proof.root);
	if (root === void 0) return bad(`${name} names a root that is not in the pack.`);
	const { observation, ...rest } = leaf;
	return rootOfPath(leafHash(canonicalJson({
		...pickHashedFields(rest),
		observation
	})), {
		index: proof.index,
		size: root.leaf_count,
		path: proof.path.map((each) => Buffer.from(each, "hex"))
	})?.toString("hex") === root.root ? good(`${name} is in root ${root.sequence}, so it was on record by ${root.to}.`) : bad(`${name} is not what was on record when root ${root.sequence} was made.`);
}
/** Only the fields that are hashed, without any other fields. */
function pickHashedFields({ claim_id, source_kind, source_code, read_at, recorded_at, snapshot_sha256 }) {
	return {
		claim_id,
		source_kind,
		source_code,
		read_at,
		recorded_at,
		snapshot_sha256
	};
}
function checkDays({ audit, statements }) {
	const known = new Set(statements.map(({ claim_id: id }) => id));
	const absent = [...new Set(audit.days.flatMap(({ claim_ids: ids }) => ids))].filter((id) => !known.has(id));
	const short = sumsByFinding.flatMap(([finding, name]) => {
		const statedSums = audit[name].map(({ minor, currency }) => [currency, minor]);
		return [...sumAmountsByCurrency(audit.days, finding)].flatMap(([currency, minor]) => (new Map(statedSums).get(currency) ?? 0) < minor ? [`${name} in ${currency}`] : []);
	});
	return [absent.length === 0 ? good(`Each of the ${audit.days.length} days names statements that are in the pack.`) : bad(`Days name ${absent.length} statements that are not in the pack: ${absent.join(", ")}.`), short.length === 0 ? good("The sums cover the days.") : bad(`The days add up to more than the sums: ${short.join(", ")}.`)];
}
var sumsByFinding = [
	["agrees", "agreed"],
	["disputed", "in_dispute"],
	["unknown", "not_judged"]
];
/**
* For a day whose rate is too high, the amount by our rate agrees and the difference is in dispute. A sum may have
* lines beside the days.
*/
function sumAmountsByCurrency(days, finding) {
	const shares = /* @__PURE__ */ new Map();
	for (const { billed, amount, reason, finding: found } of days) {
		if (billed === null) continue;
		const isSplit = reason === "lower_rate" && amount !== null;
		const ownAmount = isSplit ? amount.minor : 0;
		const share = isSplit && finding === "agrees" ? ownAmount : found === finding ? billed.minor - ownAmount : 0;
		shares.set(billed.currency, (shares.get(billed.currency) ?? 0) + share);
	}
	return shares;
}
function isSigned(signed, { kid, value }, keys) {
	const key = keys.find((each) => each.kid === kid);
	if (key === void 0) return false;
	const { kty, crv, x } = key;
	const publicKey = createPublicKey({
		key: {
			kty,
			crv,
			x
		},
		format: "jwk"
	});
	return verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(value, "base64url"));
}
function summarizeFindings(findings) {
	return {
		isGood: findings.every(({ outcome }) => outcome !== "bad"),
		findings,
		notProven
	};
}
var good = (sentence) => ({
	outcome: "good",
	sentence
});
var bad = (sentence) => ({
	outcome: "bad",
	sentence
});
var open = (sentence) => ({
	outcome: "open",
	sentence
});
// src/platform/evidence/check-files.ts
/** Checks the file of a pack against files of a holder (roots and keys), and lists the findings in lines. */
/** Throws an Error with a sentence when a file cannot be read. */
function checkFiles({ pack, roots, keys }) {
	return checkPack(readJson(pack), {
		roots: roots.length === 0 ? null : roots.flatMap(readRoots),
		keys: keys === null ? null : readJson(keys).keys
	});
}
/** One line for each finding. Many that are good are one line. */
function checkLines({ isGood, findings, notProven }) {
	const good = findings.filter(({ outcome }) => outcome === "good").map(({ sentence }) => `good  ${sentence}`);
	const marks = {
		open: "open ",
		bad: "BAD  ",
		good: "good "
	};
	return [
		...good.length > 20 ? [...good.slice(0, 10), `good  … and ${good.length - 10} more.`] : good,
		...findings.filter(({ outcome }) => outcome !== "good").map(({ outcome, sentence }) => `${marks[outcome]} ${sentence}`),
		"",
		isGood ? "No fault was found in this pack." : "This pack is not valid.",
		"It does not prove:",
		...notProven.map((sentence) => `- ${sentence}`)
	];
}
function readJson(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch (error) {
		throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
	}
}
/** Every root in a JSON:API document, at any place. */
function readRoots(file) {
	const { data, included = [] } = readJson(file);
	return [...Array.isArray(data) ? data : [data], ...included].flatMap((each) => each?.type === "ledger_root" && each.attributes !== void 0 ? [{
		...each.attributes.head,
		signature: {
			kid: each.attributes.kid,
			value: each.attributes.signature
		}
	}] : []);
}
// src/platform/evidence/stand-alone.ts
/** `node check-evidence.mjs <pack> [--root <file>]… [--keys <file>] [--json]`, bundled into one file without packages. */
var usage = "Usage: node check-evidence.mjs <pack.json> [--root <file>]… [--keys <file>] [--json]";
try {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			root: {
				type: "string",
				multiple: true
			},
			keys: { type: "string" },
			json: { type: "boolean" },
			help: { type: "boolean" }
		}
	});
	const [pack, ...more] = positionals;
	if (values.help === true) console.log(usage);
	else if (pack === void 0 || more.length > 0) throw new Error(usage);
	else {
		const checked = checkFiles({
			pack,
			roots: values.root ?? [],
			keys: values.keys ?? null
		});
		console.log(values.json === true ? JSON.stringify(checked, null, 2) : checkLines(checked).join("\n"));
		process.exitCode = checked.isGood ? 0 : 1;
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 2;
}
export {};
