// A message: its fields beside its bytes. Pointing at one lights the other.
// @ts-check
import { bytesOfBase64, bytesOfHex, el, paged, shown } from "./dom.js";

/** The shapes are those of `kproto decode --json`: docs/reference/json.md.
 * @typedef {{path: string, type: string, start: number, end: number, value: any, complete?: boolean, codes?: string[]}} Field
 * @typedef {{code: string, class: string, offset: number, path: string, count: number, explanation: string, level?: string}} Deviation
 * @typedef {{kind: string | null, offset: number, path: string, explanation: string}} DecodeError
 * @typedef {{name: string | null, version: number | null, schemaVersion?: number | null, message: any, remainder?: string,
 *   deviations: Deviation[], error: DecodeError | null, opened?: Part[], note?: string, rivals?: string[],
 *   errorNames?: Record<string, string>, fields?: Field[], path?: string, hex?: string}} Part
 */

const MOST_BYTES = 16_384;
const ROW = 16;
const HUES = 6;
const MOST_FIELDS = 200;
let count = 0;

/** Shows a message, and what is inside of it.
 * @param {Part} part @param {Uint8Array | null} bytes @returns {HTMLElement} */
export function showMessage(part, bytes) {
  const fields = part.fields ?? [];
  const prefix = `m${++count}-`;
  const body = el("div", { class: "message" });
  const table = fieldTable(part, fields, prefix);
  if (bytes !== null && bytes.length > 0) body.append(hexPanel(part, bytes, fields, prefix));
  if (table !== null) body.append(table);
  link(body, prefix);
  const parts = [heading(part, bytes), body];
  if (part.note) parts.push(el("p", { class: "note" }, shown(part.note)));
  if (part.rivals?.length) {
    parts.push(el("p", { class: "note" }, `It could also be: ${part.rivals.map(shown).join(", ")}.`));
  }
  for (const inside of part.opened ?? []) parts.push(showInside(inside, fields));
  return el("section", { class: "part" }, ...parts);
}

/** @param {Part} part @param {Uint8Array | null} bytes */
function heading(part, bytes) {
  const facts = [];
  if (part.version !== null && part.version !== undefined) facts.push(`version ${part.version}`);
  if (bytes !== null) facts.push(bytes.length === 1 ? "1 byte" : `${bytes.length.toLocaleString("en")} bytes`);
  return el("h3", {},
    el("span", { class: "name" }, part.name === null ? "not a message that is known" : shown(part.name)),
    ` ${[...facts, ""].join(" · ")}`, part.error === null ? "complete" : el("span", { class: "wrong" }, "refused"));
}

/** What is inside a field of bytes: its own fields, or a text.
 * @param {Part} inside @param {Field[]} fields */
function showInside(inside, fields) {
  const field = fields.find(({ path }) => path === inside.path);
  const bytes = field === undefined ? null : bytesOfBase64(field.value);
  const title = el("p", { class: "inside" }, "inside of ", el("code", {}, shown(inside.path)));
  if (inside.fields?.length) return el("div", { class: "nested" }, title, showMessage(inside, bytes));
  const text = typeof inside.message === "string" ? inside.message : JSON.stringify(inside.message);
  return el("div", { class: "nested" }, title, el("p", {}, `${shown(inside.name)}: `, el("code", {}, shown(text))));
}

/** @param {Part} part @param {Field[]} fields @param {string} prefix */
function fieldTable(part, fields, prefix) {
  if (fields.length === 0) return null;
  const row = (/** @type {Field} */ field, /** @type {number} */ index) => el("tr", {
    "data-field": `${prefix}${index}`, class: field.complete === false ? "broken" : "", tabindex: 0,
  },
    el("td", { class: "range" }, `${field.start}:${field.end}`),
    el("td", { class: `path hue${index % HUES}` }, shown(field.path)),
    el("td", { class: "type" }, field.type),
    el("td", { class: "value" }, valueText(field.value),
      part.errorNames?.[field.path] ? ` ${part.errorNames[field.path]}` : "",
      ...(field.codes ?? []).map((code) => el("a", { class: "code", href: `#view=explain&code=${code}` }, code))));
  const caption = el("caption", {}, `Fields of ${shown(part.name ?? "the bytes")}`);
  const head = el("thead", {}, el("tr", {}, ...["bytes", "field", "type", "value"].map((name) => el("th", { scope: "col", class: name }, name))));
  const list = paged(MOST_FIELDS, row, "fields", "tbody");
  list.add(fields);
  const [rows, more] = [...list.element.children];
  return el("div", { class: "fields", tabindex: 0, role: "group", "aria-label": "Fields" },
    el("table", {}, caption, head, rows), more);
}

/** @param {any} value */
export function valueText(value) {
  if (typeof value === "string") return el("span", { class: "text" }, `"${shown(value)}"`);
  if (value === null) return el("span", { class: "null" }, "null");
  return shown(JSON.stringify(value));
}

/** @param {Part} part @param {Uint8Array} bytes @param {Field[]} fields @param {string} prefix */
function hexPanel(part, bytes, fields, prefix) {
  const owner = ownersOf(bytes, fields);
  const failed = part.error === null ? -1 : part.error.offset;
  const panel = el("div", { class: "hex", role: "group", "aria-label": "Bytes in hex", tabindex: 0 });
  const size = Math.min(bytes.length, MOST_BYTES);
  for (let start = 0; start < size; start += ROW) {
    const line = el("div", { class: "row" }, el("span", { class: "offset" }, start.toString(16).padStart(4, "0")));
    for (let at = start; at < Math.min(start + ROW, size); at++) {
      const field = owner[at];
      line.append(el("span", {
        class: `byte${field >= 0 ? ` hue${field % HUES}` : ""}${at === failed ? " failed" : ""}`,
        "data-byte": field >= 0 ? `${prefix}${field}` : undefined,
        title: field >= 0 ? fields[field].path : undefined,
      }, bytes[at].toString(16).padStart(2, "0")));
    }
    panel.append(line);
  }
  if (failed === bytes.length && failed >= 0) {
    panel.append(el("div", { class: "row" }, el("span", { class: "failed end" }, `✗ the bytes end here, at ${failed}`)));
  }
  if (size < bytes.length) {
    panel.append(el("p", { class: "note" }, `${(bytes.length - size).toLocaleString("en")} more bytes are not drawn.`));
  }
  return panel;
}

/** Which field a byte belongs to: the shortest one that holds it.
 * @param {Uint8Array} bytes @param {Field[]} fields */
function ownersOf(bytes, fields) {
  const owner = new Int32Array(Math.min(bytes.length, MOST_BYTES)).fill(-1);
  const order = fields.map((field, index) => ({ size: field.end - field.start, field, index }));
  order.sort((left, right) => right.size - left.size);
  for (const { field, index } of order) owner.fill(index, field.start, Math.min(field.end, owner.length));
  return owner;
}

/** Lights a field's bytes and a byte's field, for the mouse, the finger and the keyboard.
 * @param {HTMLElement} body @param {string} prefix */
function link(body, prefix) {
  /** @param {Event} event @param {boolean} follows */
  const light = (event, follows) => {
    const target = /** @type {HTMLElement} */ (event.target).closest("[data-field], [data-byte]");
    const mark = target?.getAttribute("data-field") ?? target?.getAttribute("data-byte");
    for (const element of body.querySelectorAll(".lit")) element.classList.remove("lit");
    if (!mark?.startsWith(prefix)) return;
    for (const element of body.querySelectorAll(`[data-field="${mark}"], [data-byte="${mark}"]`)) {
      element.classList.add("lit");
    }
    if (follows) {
      const other = target?.hasAttribute("data-byte") ? "data-field" : "data-byte";
      body.querySelector(`[${other}="${mark}"]`)?.scrollIntoView({ block: "nearest" });
    }
  };
  for (const name of ["mouseover", "focusin"]) body.addEventListener(name, (event) => light(event, false));
  body.addEventListener("click", (event) => light(event, true));
  body.addEventListener("mouseleave", (event) => light(event, false));
}

/** @param {Part} part */
export function bytesOf(part) {
  return part.hex === undefined ? null : bytesOfHex(part.hex);
}
