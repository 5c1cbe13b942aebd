// Groups that were saved or printed by a tool: each as a page, and what would change who owns what.
// @ts-check
import { el, shown } from "./dom.js";
import { PAGE, linesOf, section, showMessages, showPage, table } from "./views.js";

/** @typedef {import("./worker_client.js").Answer} Answer */
/** @typedef {import("./worker_client.js").InputFile} InputFile */
/** @typedef {(words: string[], options: {files: InputFile[], wants?: "page"}) => Promise<Answer>} Run */

const HEAD = 1 << 16;
const MOST_PAGES = 3;
// Lines of `kproto group --save`, with the keys of other recorders too, and headings of kafka-consumer-groups (without a
// group's name before 2.4), rpk and kaf.
const SIGNS = /^\{.*"frame(_h|H)ex"|^\s*GROUP\s+.*(TOPIC|CONSUMER-ID|COORDINATOR|#MEMBERS|STATE|TYPE)|^GROUP\s+\S+\n|^Group ID:|^(TOPIC\s+PARTITION\s+CURRENT-OFFSET|CONSUMER-ID\s+HOST|COORDINATOR \(ID\))/m;
const CHANGES = ["join=1", "leave=CLIENT", "topic=NAME:PARTITIONS", "assignor=cooperative-sticky", "protocol=consumer"];

/** The groups of an input, if it is one of groups.
 * @param {InputFile[]} inputs @param {Run} run @returns {AsyncGenerator<Node, boolean>} */
export async function* showGroups(inputs, run) {
  if (inputs.length !== 1) return false;
  const [file] = inputs;
  const head = await file.data.slice(0, HEAD).text();
  if (!SIGNS.test(head)) return false;
  const hasBytes = head.startsWith("{"); // tools print none, and without them nobody knows what would be
  const from = ["group", "--from", `./${file.name}`];
  const list = await run([...from, "--json"], { files: inputs });
  const groups = linesOf(list.output).filter((line) => typeof line.group === "string");
  if (groups.length === 0) return false;
  if (groups.length > MOST_PAGES) {
    const rows = groups.map((line) => [shown(line.group), line.kind ?? "", line.state ?? "", String(line.memberCount ?? ""), shown(line.remark ?? "")]);
    yield section(`${groups.length.toLocaleString("en")} groups`, table("Groups", ["group", "kind", "state", "members", "remark"], rows));
  }
  for (const { group } of groups.slice(0, MOST_PAGES)) {
    const answer = await run([...from, group, "--html", PAGE], { files: inputs, wants: "page" });
    const shownPage = answer.page ? showPage(answer.page, `The group ${shown(group)}`) : showMessages(answer);
    yield section(`The group ${shown(group)}`, shownPage, hasBytes ? whatIf([...from, group], inputs, run) : null);
  }
  return true;
}

/** A field for changes; the answer stands below it.
 * @param {string[]} words @param {InputFile[]} files @param {Run} run */
function whatIf(words, files, run) {
  const answer = el("div", { "aria-live": "polite" });
  const list = `changes-${words.at(-1)?.replace(/\W/g, "_")}`;
  const field = /** @type {HTMLInputElement} */ (el("input", { class: "change", name: "change", list, placeholder: CHANGES.join("  "), spellcheck: "false", autocomplete: "off" }));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const changes = field.value.trim().split(/\s+/).filter(Boolean).flatMap((change) => ["--what-if", change]);
    if (changes.length === 0) return;
    const future = await run([...words, ...changes, "--html", PAGE], { files, wants: "page" });
    answer.replaceChildren(showMessages(future) ?? "",
      future.page ? showPage(future.page, "Who would own what") : "");
  };
  return el("div", {}, el("form", { class: "row-of-controls", onsubmit: submit },
    el("label", {}, "What if ", field), el("datalist", { id: list }, ...CHANGES.map((change) => el("option", { value: change }))),
    el("button", { type: "submit" }, "ask")), answer);
}
