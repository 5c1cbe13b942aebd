// Lists of what is in a capture, a segment or a text: each line opens into its message.
// @ts-check
import { el, paged, shown } from "./dom.js";
import { bytesOf, showMessage } from "./message.js";

const MOST_OPEN = 3;
const MOST_LINES = 100;

/** Shows the lines of `kproto decode --json`, whatever they are.
 * @param {string[]} texts @returns {HTMLElement} */
export function showLines(texts) {
  const lines = texts.slice(0, MOST_OPEN).map((text) => JSON.parse(text));
  if (texts.length <= MOST_OPEN && lines.every((line) => "fields" in line || "message" in line)) {
    return el("div", {}, ...lines.map((line) => el("article", {}, place(line), showMessage(line, bytesOf(line)))));
  }
  const list = showFolded(texts.length === 1);
  list.add(texts);
  return list.element;
}

/** A list of such lines, each of which opens; it takes more lines while they come.
 * @param {boolean} isOpen @returns {import("./dom.js").Paged<string>} */
export function showFolded(isOpen = false) {
  return paged(MOST_LINES, (text) => folded(JSON.parse(text), isOpen), "lines");
}

/** @param {any} line */
function place(line) {
  if (!line.line || (line.line === 1 && line.column === 1)) return null;
  return el("p", { class: "place" }, `line ${line.line}, column ${line.column}`,
    line.otherForms?.length ? `, could also be read as ${line.otherForms.map(shown).join(", ")}` : "");
}

/** @param {any} line @param {boolean} isOpen */
function folded(line, isOpen) {
  const body = el("div", {}, ...(isOpen ? parts(line) : []));
  return el("details", { open: isOpen, ontoggle: () => {
    if (body.childElementCount === 0) body.append(...parts(line));
  } }, el("summary", {}, ...summary(line)), body);
}

/** @param {any} line */
function summary(line) {
  if ("apiKey" in line) return frameSummary(line);
  if ("key" in line && "value" in line) return recordSummary(line);
  const error = line.error === null ? "" : el("span", { class: "wrong" }, " refused");
  return [el("span", { class: "place" }, line.line ? `line ${line.line} ` : ""), shown(line.name ?? "unknown"), ` version ${line.version ?? "?"}`, error, codes(line)];
}

/** @param {any} line */
function frameSummary(line) {
  const error = line.body?.error ? el("span", { class: "wrong" }, " refused") : "";
  const client = line.header?.message?.clientId;
  return [el("span", { class: "place" }, `${time(line.time)} `), shown(line.body?.name ?? `API ${line.apiKey}`),
    ` version ${line.apiVersion ?? "?"}`, client ? ` from ${shown(client)}` : "", error, codes(line.body ?? {})];
}

/** @param {any} line */
function recordSummary(line) {
  const group = line.key?.message?.group ?? "";
  const kind = line.key?.name ?? "record";
  return [el("span", { class: "place" }, `${line.offset} ${time(line.time)} `), shown(kind.replace(/Key$/, "")),
    group ? ` of ${shown(group)}` : "", line.value === null ? " (tombstone)" : "", codes(line.value ?? {})];
}

/** @param {any} part */
function codes(part) {
  const names = [...new Set((part.deviations ?? []).map((/** @type {any} */ deviation) => deviation.code))];
  return names.length ? el("span", { class: "wrong" }, ` ${names.join(" ")}`) : "";
}

/** @param {string | null} text */
function time(text) {
  return text ? text.slice(11, 23) : "";
}

/** @param {any} line @returns {Node[]} */
function parts(line) {
  const named = "apiKey" in line
    ? [["header", line.header], ["body", line.body]]
    : "key" in line && "value" in line ? [["key", line.key], ["value", line.value]] : [["", line]];
  const shownParts = [];
  for (const [title, part] of named) {
    if (!part) continue;
    if (title) shownParts.push(el("p", { class: "place" }, title));
    if (part.fields?.length) shownParts.push(showMessage(part, bytesOf(part)));
    else shownParts.push(el("h3", {}, el("span", { class: "name" }, shown(part.name ?? "unknown")), part.version === null ? "" : ` version ${part.version}`), tree(part.message), ...opened(part));
  }
  if (line.note) shownParts.push(el("p", { class: "note" }, shown(line.note)));
  return shownParts;
}

/** @param {any} part @returns {Node[]} */
function opened(part) {
  return (part.opened ?? []).map((/** @type {any} */ inside) => el("div", { class: "nested" },
    el("p", { class: "inside" }, "inside of ", el("code", {}, shown(inside.path)), `: ${shown(inside.name)}`),
    tree(inside.message), ...opened(inside)));
}

/** A value in Kafka's JSON form, as a list. @param {any} value @returns {HTMLElement} */
export function tree(value) {
  if (value === null || typeof value !== "object") return el("span", { class: "value" }, shown(JSON.stringify(value)));
  return el("ul", { class: "tree" }, ...Object.entries(value).map(([key, item]) => el("li", {}, el("span", { class: "path" }, shown(key)), " ", tree(item))));
}
