// What the views show of an answer: each takes the JSON that the command prints.
// @ts-check
import { el, sentence, shown } from "./dom.js";
import { tree } from "./lists.js";
import { valueText } from "./message.js";

/** @typedef {import("./worker_client.js").Answer} Answer */

/** Where a command that is asked for a page writes it, in the worker. */
export const PAGE = "/page.html";

/** @param {string} output @returns {any[]} */
export function linesOf(output) {
  return textsOf(output).map((line) => JSON.parse(line));
}

/** The lines of an output as they are, of which not all need to be shown.
 * @param {string} output @returns {string[]} */
export function textsOf(output) {
  return output.split("\n").filter((line) => line !== "");
}

/** What the command says besides: why something was refused, what it could be as well.
 * @param {Answer} answer */
export function showMessages(answer) {
  const lines = answer.messages.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("kproto: wrote "));
  if (answer.isCut) lines.push("The output is cut short here: it is too long for a page. The command prints all of it.");
  if (lines.length === 0) return null;
  return el("ul", { class: answer.status === 0 ? "messages" : "messages wrong-status" },
    ...lines.map((line) => el("li", {}, shown(line.replace(/^kproto: /, "")))));
}

/** @param {string} title @param {...any} children */
export function section(title, ...children) {
  return el("section", { class: "answer" }, el("h2", {}, title), ...children);
}

/** Codes with what they mean for a group, from `kproto explain --json`.
 * @param {any[]} pages */
export function showPages(pages) {
  return pages.map((page) => "code" in page ? codePage(page) : otherPage(page));
}

/** @param {any} page */
function codePage(page) {
  const rows = [["What it is", page.what], ["In a group", page.group], ["Who writes it", page.writers], ["What to do", page.action]];
  return el("article", { class: `finding ${page.level}` },
    el("h3", {}, `${page.code} `, el("span", { class: "level" }, page.level), ` ${shown(page.title)}`),
    el("dl", {}, ...rows.filter(([, text]) => text).flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, sentence(text))])),
    page.see?.length ? el("p", { class: "note" }, `See ${page.see.join(", ")}.`) : null);
}

/** What the fields of an error's page are called. @type {Record<string, string>} */
const TITLES = { what: "What it is", group: "In a group", causes: "What can be behind it", apart: "How to tell", first: "What to do first" };

/** An error's page, or a line of a log.
 * @param {any} page */
function otherPage(page) {
  if ("error" in page) return errorPage(page);
  const { meaning, ...others } = page;
  const title = page.name ?? page.event ?? page.cause ?? "";
  return el("article", { class: "finding" }, title ? el("h3", {}, shown(title)) : null,
    meaning ? el("p", {}, shown(meaning)) : null, facts(others));
}

/** @param {any} page */
function errorPage({ error, title, ...page }) {
  const rows = Object.entries(TITLES).filter(([key]) => page[key]?.length);
  return el("article", { class: "finding" }, el("h3", {}, `${shown(error)}: ${shown(title)}`),
    el("dl", {}, ...rows.flatMap(([key, name]) => [el("dt", {}, name), el("dd", {}, key === "causes" ? causeList(page.causes) : sentence(page[key]))])));
}

/** @param {{cause: string, what: string}[]} causes */
function causeList(causes) {
  return el("ul", {}, ...causes.map(({ cause, what }) => el("li", {},
    el("a", { href: `#view=explain&code=${cause}` }, shown(cause)), `: ${shown(what)}`)));
}

/** @param {any} page @returns {HTMLElement} */
function facts(page) {
  const entries = Object.entries(page).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0));
  return el("dl", {}, ...entries.flatMap(([key, value]) => [
    el("dt", {}, words(key)),
    el("dd", {}, typeof value === "object" ? tree(value) : shown(value)),
  ]));
}

/** @param {string} key */
function words(key) {
  return key.replace(/([A-Z])/g, " $1").toLowerCase();
}

/** Findings, writers and readers: the lines of `kproto lint --json --readers all`.
 * @param {Answer} answer @param {boolean} isShort without the clients that were ruled out */
export function showLinted(answer, isShort) {
  const lines = linesOf(answer.output);
  return lines.map((line) => el("article", { class: "linted" },
    lines.length > 1 ? el("h3", {}, shown([line.place, line.path, line.name ?? "unknown"].filter(Boolean).join(" · "))) : null,
    isShort ? null : findingTable(line.findings),
    writers(line, isShort),
    readers(line.readers ?? [])));
}

/** @param {any[]} findings */
function findingTable(findings) {
  if (findings.length === 0) return el("p", {}, "Nothing was found.");
  return table("Findings", ["level", "code", "where", "what"], findings.map((finding) => [
    el("span", { class: finding.level === "error" ? "wrong" : "" }, finding.level),
    el("a", { class: "code", href: `#view=explain&code=${finding.code}` }, finding.code),
    `${shown(finding.path)} at byte ${finding.offset}${finding.count > 1 ? `, ${finding.count} times` : ""}`,
    shown(finding.explanation),
  ]));
}

/** @param {any} line @param {boolean} isShort */
function writers(line, isShort) {
  const ruledOut = Object.entries(line.ruledOut ?? {});
  if (!line.couldBe?.length && ruledOut.length === 0) return null;
  return el("div", {},
    el("p", {}, el("strong", {}, "Could have been written by: "), line.couldBe?.length ? line.couldBe.map(shown).join(", ") : "no client that is known"),
    isShort || ruledOut.length === 0 ? null : el("details", {}, el("summary", {}, `${ruledOut.length} clients could not`),
      table("Clients that could not have written it", ["client", "why not"], ruledOut.map(([client, why]) => [shown(client), shown(why)]))));
}

/** @param {any[]} list */
function readers(list) {
  if (list.length === 0) return null;
  const rows = list.map((reader) => [
    shown(`${reader.library} ${reader.release}`),
    el("span", { class: /^(reads|ok|read)/.test(reader.outcome) ? "" : "wrong" }, shown(reader.outcome)),
    shown(reader.answer ?? ""),
    reader.byRules ? "by its code" : reader.exact ? "measured" : "",
  ]);
  return el("details", {}, el("summary", {}, `What ${rows.length} clients do with these bytes`),
    table("Readers", ["client", "what it does", "its answer", "known"], rows));
}

/** @param {string} caption @param {string[]} columns @param {any[][]} rows */
export function table(caption, columns, rows) {
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption }, el("table", {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))))));
}

/** The lines of `kproto diff --json`. @param {Answer} answer */
export function showDifferences(answer) {
  return linesOf(answer.output).map((pair) => el("article", {},
    pair.place ? el("h3", {}, shown(pair.place)) : null,
    el("p", {}, `A is ${side(pair.a)}, B is ${side(pair.b)}.`),
    pair.same ? el("p", {}, "They are the same.") : null,
    pair.differences === null ? el("p", { class: "note" }, "They are too long to be compared field by field.") : null,
    pair.differences?.length ? table("Differences", ["field", "change", "A", "B"], pair.differences.map((/** @type {any} */ row) => [
      el("code", {}, shown(row.path)), row.change, half(row.a), half(row.b)])) : null));
}

/** @param {any} part */
function side(part) {
  const version = part.version === null ? "" : ` version ${part.version}`;
  return `${shown(part.name ?? "not known")}${version}, ${part.size} bytes${part.error ? `, refused: ${shown(part.error.explanation)}` : ""}`;
}

/** @param {any} part */
function half(part) {
  if (part === null) return "–";
  return el("div", {}, valueText(part.value), part.errorName ? ` ${part.errorName}` : "",
    el("div", { class: "place" }, `${part.start}:${part.end} `, el("code", {}, part.hex ?? "")));
}

/** Shows a page that kproto wrote, in a frame that runs no script. Its styles are handed over as
 * objects: the policy takes no style of a text. `play` is called with the frame's document.
 * @param {string} html @param {string} title @param {(frame: Document) => void} [play] */
export function showPage(html, title, play) {
  // In a page of kproto, names and texts have no bare quotation mark: this is in its tags alone.
  const text = html.replaceAll(' style="', ' data-style="');
  const rules = [...text.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style]) => style).join("\n");
  const page = new DOMParser().parseFromString(text.replace(/<style>[^]*?<\/style>/g, ""), "text/html");
  for (const element of page.querySelectorAll("script, meta")) element.remove();
  const frame = /** @type {HTMLIFrameElement} */ (el("iframe", { sandbox: "allow-same-origin", title, srcdoc: `<!DOCTYPE html>${page.documentElement.outerHTML}` }));
  frame.addEventListener("load", () => {
    const inside = frame.contentDocument;
    const view = /** @type {any} */ (frame.contentWindow);
    if (inside === null) return;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(rules);
    inside.adoptedStyleSheets = [sheet];
    for (const element of inside.querySelectorAll("[data-style]")) {
      /** @type {any} */ (element).style.cssText = element.getAttribute("data-style");
    }
    play?.(inside);
    const fit = () => { frame.style.height = `${Math.ceil(inside.documentElement.getBoundingClientRect().height) + 40}px`; };
    inside.addEventListener("toggle", fit, true);
    new ResizeObserver(fit).observe(inside.documentElement);
    fit();
  });
  return frame;
}
