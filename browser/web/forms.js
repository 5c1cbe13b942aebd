// The forms of `encode` and `simulate`: they make command lines, and files for them.
// @ts-check
import { copyButton, el, find, shown } from "./dom.js";
import { PAGE, section, showMessages, showPage } from "./views.js";

/** @typedef {import("./worker_client.js").WorkerClient} WorkerClient */
/** @typedef {import("./worker_client.js").InputFile} InputFile */

const LANGUAGES = ["hex", "base64", "go", "java", "python", "rust", "c-array"];

/** The JSON of the form's message, in Kafka's form. */
function formMessage() {
  const name = find("#encode-message").value;
  const topics = find("#encode-topics").value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
  const assigned = topics.map((/** @type {string} */ line) => {
    const [topic, ...numbers] = line.split(/[\s,]+/);
    return { topic, partitions: numbers.filter((text) => text !== "").map(Number) };
  });
  if (name === "ConsumerProtocolAssignment") return { assignedPartitions: assigned, userData: null };
  const owned = assigned.filter((/** @type {any} */ entry) => entry.partitions.length > 0);
  const message = /** @type {any} */ ({ topics: assigned.map((/** @type {any} */ entry) => entry.topic), userData: null });
  const version = Number(find("#encode-version").value);
  if (version >= 1) message.ownedPartitions = owned;
  if (version >= 2) message.generationId = Number(find("#encode-generation").value);
  if (version >= 3) message.rackId = find("#encode-rack").value || null;
  return message;
}

/** @param {() => void} changed */
export function setUpEncode(changed) {
  const json = find("#encode-json");
  const fill = () => {
    json.value = JSON.stringify(formMessage(), null, 1);
    changed();
  };
  for (const field of document.querySelectorAll("#encode-form :is(select, input, textarea)")) {
    if (field !== json) field.addEventListener("input", fill);
  }
  json.addEventListener("input", changed);
  json.value = JSON.stringify(formMessage(), null, 1);
}

/** @param {WorkerClient} client */
export async function encode(client) {
  const name = find("#encode-message").value;
  const version = find("#encode-version").value;
  const words = ["encode", "--as", name, "--version", version];
  const paste = find("#encode-json").value;
  const first = await client.ask({ words: [...words, "--output", "hex"], paste });
  if (first.status !== 0) return { words, answer: first, nodes: [showMessages(first)] };
  const rows = [];
  for (const form of LANGUAGES) {
    const answer = await client.ask({ words: [...words, "--output", form], paste });
    const text = answer.output.trimEnd();
    rows.push(el("div", { class: "encoded" }, el("h3", {}, form), copyButton("copy", () => text), el("pre", { tabindex: 0 }, text)));
  }
  const hex = first.output.trim();
  const read = el("a", { href: `#view=read&text=${hex}` }, "read these bytes");
  return { words, answer: first, nodes: [section(`${name}, version ${version}: ${hex.length / 2} bytes`, read, ...rows)] };
}

/** The options of a simulation that have a field. */
export const SETTINGS = ["members", "partitions", "seed", "assignor"];
/** The texts of the scenarios, by name; they are asked for once. @type {Record<string, string>} */
let scenarios = {};

/** Fills the form, and puts the scenario of this name into it.
 * @param {WorkerClient} client @param {() => void} changed @param {string} name */
export async function setUpSimulate(client, changed, name) {
  const choice = find("#simulate-scenario");
  const show = (/** @type {string} */ chosen) => {
    choice.value = chosen;
    find("#simulate-text").value = scenarios[chosen];
  };
  if (choice.options.length === 0) {
    scenarios = (await client.ask({ words: [], wants: "scenarios" })).scenarios ?? {};
    choice.append(...Object.keys(scenarios).map((title) => el("option", { value: title }, title)));
    show("kip-429");
    choice.addEventListener("input", () => {
      show(choice.value);
      changed();
    });
    find("#simulate-run").addEventListener("click", changed);
  }
  if (name in scenarios) show(name);
}

/** @param {WorkerClient} client @param {(frame: Document) => void} play */
export async function simulate(client, play) {
  const text = find("#simulate-text").value;
  const options = SETTINGS.flatMap((name) => {
    const value = find(`#simulate-${name}`).value.trim();
    return value === "" ? [] : [`--${name}`, value];
  });
  const isGroup = text.trimStart().startsWith("{");
  const name = isGroup ? "group.jsonl" : `${find("#simulate-scenario").value || "scenario"}.toml`;
  const files = [{ name, data: new Blob([text]) }];
  const words = ["simulate", `./${name}`, ...options];
  const answer = await client.ask({ words: [...words, "--html", PAGE], files, wants: "page" });
  const nodes = [showMessages(answer)];
  if (answer.page) nodes.push(showPage(answer.page, "The simulation", play));
  else nodes.push(el("pre", { tabindex: 0 }, shown(answer.output)));
  return { words, answer, nodes };
}
