// The page: which view, what was pasted, and one answer at a time.
// @ts-check
import { copyButton, el, find, shown } from "./dom.js";
import { Stopped, WorkerClient } from "./worker_client.js";
import { PAGE, linesOf, section, showDifferences, showLinted, showMessages, showPage, showPages, textsOf } from "./views.js";
import { showFolded, showLines } from "./lists.js";
import { SETTINGS, encode, setUpEncode, setUpSimulate, simulate } from "./forms.js";
import { showGroups } from "./groups.js";

/** @typedef {import("./worker_client.js").Answer} Answer */
/** @typedef {import("./worker_client.js").InputFile} InputFile */
/** @typedef {{words: string[], answer: Answer}} Run */

const PAUSE_MS = 60;
const LONG_PASTE = 1 << 16;
const MOST_PASTE = 100 << 20;
/** Characters that a field other than that for pastes may take: a long one stops the browser. */
const MOST_FIELD = 1 << 20;
/** Bytes of a line by which it is text or not. */
const LINE_HEAD = 1 << 12;
const MOST_CODES = 12;
/** Bytes of an input of which every frame and record comes with its fields. */
const MOST_DETAILED = 1 << 17;
/** Bytes of an input whose messages come with their bytes. */
const MOST_DRAWN = 1 << 22;
/** Lines of an answer that are searched for deviations. */
const MOST_SEARCHED = 1000;
/** Characters of a line of text. A message has a megabyte, as brokers take no more, and four characters
 * write a byte. */
const MOST_LINE = 4 << 20;
/** Lines that are shown before the others; fewer are shown with their fields, in the end. */
const LEAST_EARLY = 10;
const ERROR_CODE = /^\s*-?\d{1,3}\s*$/;
const SLOW_MS = 300;
/** After so long the answer of the question before is not shown any more. */
const STALE_MS = 1000;
/** After so long an answer is a long one: the page says how it is ended. */
const LONG_MS = 3000;
/** A new question waits so long for the answer of the one before, and then ends it. */
const MOST_WAIT_MS = 10_000;
const VIEWS = ["read", "lint", "diff", "explain", "encode", "simulate"];

let view = "read";
/** @type {InputFile[]} */
let dropped = [];
/** A paste that is too long for a text field. */
let longPaste = "";
/** Whether the next answer is to something whole, which nobody goes on typing: a screen that has no room
 * for it moves to it. */
let hasNews = false;
/** The scenario that the address names. */
let scenario = "";
let turn = 0;
/** @type {number | undefined} */
let timer;
/** @type {any} */
let examples = {};

const status = (/** @type {string} */ text) => { find("#status").textContent = text; };
const client = new WorkerClient(
  (stage) => {
    find("#loading").hidden = stage === "";
    find("#stage").textContent = stage;
    if (stage === "") document.documentElement.dataset.ready = "true";
  },
  (part) => {
    find("#progress").value = part;
  },
);

// -- what is asked

/** @returns {{files: InputFile[], paste: string | null, names: string[]}} */
function input() {
  if (dropped.length > 0) return { files: dropped, paste: null, names: dropped.map(({ name }) => `./${name}`) };
  return { files: [], paste: longPaste || find("#paste").value, names: ["-"] };
}

/** @type {Record<string, () => AsyncGenerator<Node | null>>} */
const ANSWERS = {
  async *read() {
    const { files, paste, names } = input();
    if (files.length === 0 && !paste?.trim()) return;
    if (yield* tooLong(files, paste)) return;
    const isText = paste !== null;
    const hasLines = !isText || paste.trim().includes("\n");
    const options = messageOptions();
    let story = null;
    if (isText && ERROR_CODE.test(paste) && options.length === 0) yield* explained(`error code ${paste.trim()}`);
    if (hasLines && options.length === 0) {
      const inputs = isText ? [{ name: "groups.txt", data: new Blob([paste]) }] : files;
      if (yield* showGroups(inputs, run)) return;
      story = await run(["story", ...names, "--html", PAGE], { files, paste, wants: "page" });
      if (story.page) yield section("What happened", showPage(story.page, "The story of the groups"));
      else if (story.status === 0) yield showMessages(story);
    }
    const size = isText ? paste.length : files.reduce((sum, { data }) => sum + data.size, 0);
    const detail = size < MOST_DETAILED ? ["--bytes", "--full"] : size < MOST_DRAWN ? ["--bytes"] : [];
    const early = earlyLines();
    const pending = run(["decode", "--json", ...detail, ...options, ...names], { files, paste, wants: "early" }, early.add);
    pending.catch(() => {}); // it is waited for below, unless there is a newer question
    if (await Promise.race([pending, early.first]) === early) yield early.section;
    const decoded = await pending;
    const texts = textsOf(decoded.output);
    if (texts.length === 0) {
      if (story?.page) return;
      if (isText && paste.length <= LONG_PASTE && (yield* explained(paste))) return;
      yield showMessages(decoded);
      if (options.length === 0) yield find("#reads").content.cloneNode(true);
      return;
    }
    const count = texts.length.toLocaleString("en");
    const title = texts.length === 1 ? "The message" : decoded.isCut ? `The first ${count} messages` : `${count} messages`;
    const note = size < MOST_DRAWN ? null : el("p", { class: "note" }, "The bytes are not drawn: the input is too long.");
    const lines = texts.slice(0, MOST_SEARCHED).map((text) => JSON.parse(text));
    const isUnknown = lines.every((line) => line.name === null);
    const messages = showMessages(decoded);
    const isFirst = decoded.status !== 0 && texts.length === 1;
    if (early.count === 0) yield section(title, isFirst ? messages : null, showLines(texts), note, isFirst ? null : messages);
    else early.finish(title, texts, [note, messages]);
    if (isUnknown || lines.some((line) => "apiKey" in line || "offset" in line)) return;
    const codes = codesOf(lines);
    if (codes.length > 0) yield section("What deviates", ...showPages(await pagesOf(codes)));
    if (texts.length > MOST_CODES) return;
    const linted = await run(["lint", "--json", "--readers", "all", ...options, ...names], { files, paste });
    if (linted.output !== "") yield section("Who writes it, who can read it", ...showLinted(linted, true));
  },
  async *lint() {
    const { files, paste, names } = input();
    if (files.length === 0 && !paste?.trim()) return;
    if (yield* tooLong(files, paste)) return;
    const answer = await run(["lint", "--json", "--readers", "all", ...messageOptions(), ...names], { files, paste });
    yield section("Findings", showMessages(answer), ...showLinted(answer, false));
    const codes = [...new Set(linesOf(answer.output).flatMap((line) => line.findings.map((/** @type {any} */ finding) => finding.code)))];
    if (codes.length > 0) yield section("What they mean for a group", ...showPages(await pagesOf(codes.slice(0, MOST_CODES))));
  },
  async *diff() {
    const left = longPaste || find("#paste").value;
    const right = find("#paste-b").value;
    const isDropped = dropped.length === 2;
    if (!isDropped && (!left.trim() || !right.trim())) return;
    const files = isDropped ? dropped : [{ name: "A", data: new Blob([left]) }, { name: "B", data: new Blob([right]) }];
    const answer = await run(["diff", "--json", "--file", ...files.map(({ name }) => name)], { files });
    yield section("Differences", ...showDifferences(answer), showMessages(answer));
  },
  async *explain() {
    const text = find("#explain-text").value.trim();
    if (text !== "") {
      if (!(yield* explained(text))) yield showMessages(lastAnswer());
      return;
    }
    const answer = await run(["explain", "--json"], {});
    yield section("All codes", el("ul", { class: "codes" }, ...linesOf(answer.output).map((page) => el("li", {},
      el("a", { class: "code", href: `#view=explain&code=${page.code}` }, page.code), ` ${shown(page.title)}`))));
  },
  async *encode() {
    const { words, answer, nodes } = await encode(client);
    runs.push({ words, answer });
    yield* nodes;
  },
  async *simulate() {
    await setUpSimulate(client, ask, scenario);
    scenario = "";
    const { words, answer, nodes } = await simulate(client, play);
    runs.push({ words, answer });
    yield* nodes;
  },
};

/** Refuses a text with a line that is too long for any message: searching it for bytes takes minutes.
 * @param {InputFile[]} files @param {string | null} paste @returns {AsyncGenerator<Node, boolean>} */
async function* tooLong(files, paste) {
  const inputs = paste === null ? files.map(({ data }) => data) : [new Blob([paste])];
  for (const input of inputs.filter(({ size }) => size > MOST_LINE)) {
    const length = longestLine(new Uint8Array(await input.arrayBuffer()));
    if (length <= MOST_LINE) continue;
    yield el("ul", { class: "messages wrong-status" }, el("li", {}, `not read: a line of ${length.toLocaleString("en")} characters. No message is so long, as brokers take 1 MB. `
      + "Paste the part that you want to read; what was a capture or a segment is dropped as a file, not pasted as text. On a terminal, kproto decode FILE reads the line."));
    return true;
  }
  return false;
}

/** The length of the longest line; of lines that are no text, or JSON, 0.
 * @param {Uint8Array} bytes */
function longestLine(bytes) {
  let longest = 0;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    const length = (end < 0 ? bytes.length : end) - start;
    const head = length > MOST_LINE ? new TextDecoder("latin1").decode(bytes.subarray(start, start + LINE_HEAD)) : "";
    if (length > longest && /^[^[{\x00-\x1f][^\x00-\x08\x0e-\x1f\x7f]*$/.test(head)) longest = length;
    start += length + 1;
  }
  return longest;
}

/** What the person says of the message and of how it is written. */
function messageOptions() {
  const [name, form] = [find("#as").value.trim(), find("#format").value];
  return [...(name ? ["--as", name] : []), ...(form ? ["--format", form] : [])];
}

/** A section for the first lines of a long answer, which are there before it. */
function earlyLines() {
  /** @type {(part: any) => void} */
  let begin = () => {};
  const first = new Promise((resolve) => { begin = resolve; });
  const list = showFolded();
  let isShown = false;
  const part = {
    first,
    section: section("The first messages; more are being read", list.element),
    get count() { return isShown ? list.count : 0; },
    add(/** @type {string} */ lines) {
      list.add(textsOf(lines));
      if (list.count < LEAST_EARLY) return;
      isShown = true;
      begin(part);
    },
    /** @param {string} title @param {string[]} texts @param {(Node | null)[]} notes */
    finish(title, texts, notes) {
      list.add(texts.slice(list.count));
      /** @type {HTMLElement} */ (part.section.firstElementChild).textContent = title;
      part.section.append(...notes.filter((note) => note !== null));
    },
  };
  return part;
}

/** The pages of a code, an error or a line of a log; whether there are any.
 * @param {string} text @returns {AsyncGenerator<Node | null, boolean>} */
async function* explained(text) {
  const answer = await run(["explain", "--json", text], {});
  if (answer.status !== 0) return false;
  yield section("What it means", ...showPages(linesOf(answer.output)));
  return true;
}

/** @param {any[]} lines @returns {string[]} */
function codesOf(lines) {
  const codes = new Set();
  const collect = (/** @type {any} */ part) => {
    for (const deviation of part.deviations ?? []) codes.add(deviation.code);
    for (const inside of part.opened ?? []) collect(inside);
  };
  lines.forEach(collect);
  return [...codes].slice(0, MOST_CODES);
}

/** @param {string[]} codes */
async function pagesOf(codes) {
  const answer = await client.ask({ words: ["explain", "--json", ...codes] });
  return linesOf(answer.output);
}

// -- one answer at a time

/** @type {Run[]} */
let runs = [];
const lastAnswer = () => runs[runs.length - 1].answer;

/** @param {string[]} words @param {{files?: InputFile[], paste?: string | null, wants?: "page" | "early"}} options
 * @param {(lines: string) => void} [onEarly] */
async function run(words, { files = [], paste = null, wants }, onEarly) {
  find("#progress").removeAttribute("value");
  const answer = await client.ask({ words, files, paste, wants }, onEarly);
  runs.push({ words, answer });
  return answer;
}

async function ask() {
  const mine = ++turn;
  if (client.isBusy && mine > 1) await idle(mine);
  if (mine !== turn) return;
  runs = [];
  const isPasted = hasNews;
  hasNews = false;
  const output = find("#output");
  const began = performance.now();
  find("#stop").hidden = false;
  const slow = [
    setTimeout(() => { find("#progress").hidden = false; status(""); }, SLOW_MS),
    setTimeout(() => { if (isFirst) output.replaceChildren(); }, STALE_MS),
    setTimeout(() => { if (client.isLoaded) status("A long input. The stop button ends it at once; on a terminal kproto reads it faster."); }, LONG_MS),
  ];
  let isFirst = true;
  try {
    for await (const node of ANSWERS[view]()) {
      if (mine !== turn) return;
      if (node === null) continue;
      if (isFirst) output.replaceChildren(node);
      else output.append(node);
      if (isFirst && isPasted && output.getBoundingClientRect().top > 0.6 * innerHeight) output.scrollIntoView();
      isFirst = false;
    }
    if (isFirst) output.replaceChildren();
    showCommands(output);
    status(runs.length ? `Answered in ${Math.round(performance.now() - began).toLocaleString("en")} ms.` : "");
  } catch (error) {
    if (mine !== turn) return;
    const text = error instanceof Stopped ? "Stopped." : `It failed: ${/** @type {Error} */ (error).message}`;
    const note = el("p", { class: "wrong" }, shown(text));
    if (isFirst) output.replaceChildren(note);
    else output.append(note);
    status(text);
  } finally {
    slow.forEach(clearTimeout);
    if (mine === turn) {
      find("#stop").hidden = true;
      find("#progress").hidden = true;
      document.documentElement.dataset.answered = String(mine);
    }
  }
}

/** Waits until the worker has nothing to do, or a newer question was asked; what takes long is ended.
 * @param {number} mine */
async function idle(mine) {
  let end = Infinity;
  while (client.isBusy && mine === turn) {
    end = Math.min(end, client.isLoaded ? performance.now() + MOST_WAIT_MS : Infinity);
    if (performance.now() > end) client.stop();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The command lines that were run, and what they printed. @param {HTMLElement} output */
function showCommands(output) {
  if (runs.length === 0) return;
  output.append(el("details", { class: "commands" }, el("summary", {}, "The same on a terminal, and as JSON"),
    ...runs.map(({ words, answer }) => el("div", { class: "run" },
      el("p", {}, el("code", {}, `kproto ${words.map(quoted).join(" ").replace(PAGE, "page.html")}`), ` exit status ${answer.status} `, copyButton("copy the output", () => answer.output)),
      el("details", { ontoggle: (/** @type {any} */ event) => {
        const box = event.target.querySelector("pre");
        if (box.textContent === "") box.textContent = shownLines(answer.output);
      } }, el("summary", {}, "output"), el("pre", { tabindex: 0 }))))));
}

/** @param {string} text */
function shownLines(text) {
  const most = 200_000;
  const cut = text.length > most ? `${text.slice(0, most)}\n...` : text;
  return cut.split("\n").map(shown).join("\n");
}

/** @param {string} word */
function quoted(word) {
  return /^[\w./=:,-]+$/.test(word) ? word : `'${shown(word).replaceAll("'", "'\\''")}'`;
}

function askSoon() {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE_MS);
}

// -- what is pasted and dropped

/** @param {FileList | File[]} files */
function take(files) {
  const names = new Set();
  dropped = [...files].map((file) => {
    let name = file.name.replace(/[^\w.+-]/g, "_").replace(/^[.-]/, "_");
    while (names.has(name)) name = `_${name}`;
    names.add(name);
    return { name, data: file };
  });
  longPaste = "";
  hasNews = true;
  showInput();
  ask();
}

/** @param {string} text */
function takeText(text) {
  dropped = [];
  longPaste = text.length > LONG_PASTE ? text : "";
  find("#paste").value = longPaste ? "" : text;
  hasNews = true;
  showInput();
  ask();
}

function showInput() {
  const has = dropped.length > 0 || longPaste !== "";
  find("#taken").hidden = !has;
  find("#link").classList.toggle("without", dropped.length > 0);
  find("#taken-text").textContent = dropped.length > 0
    ? dropped.map(({ name, data }) => `${name} (${data.size.toLocaleString("en")} bytes)`).join(", ")
    : `a paste of ${longPaste.length.toLocaleString("en")} characters`;
  find("#paste").hidden = has;
}

function clear() {
  dropped = [];
  longPaste = "";
  find("#paste").value = "";
  showInput();
  find("#paste").focus();
  ask();
}

/** @param {ClipboardEvent} event */
function pasted(event) {
  const files = event.clipboardData?.files;
  if (files && files.length > 0) {
    event.preventDefault();
    take(files);
    return;
  }
  const text = event.clipboardData?.getData("text/plain") ?? "";
  hasNews = true;
  if (text.length <= LONG_PASTE) return;
  event.preventDefault();
  if (text.length > MOST_PASTE) status(`${text.length.toLocaleString("en")} characters are too many: the limit is ${MOST_PASTE.toLocaleString("en")}`);
  else takeText(text);
}

/** Refuses what is too long for the other fields.
 * @param {ClipboardEvent} event */
function pastedElsewhere(event) {
  const size = event.clipboardData?.getData("text/plain").length ?? 0;
  if (event.defaultPrevented || size <= MOST_FIELD) return;
  event.preventDefault();
  status(`${size.toLocaleString("en")} characters are too many for this field. Drop files instead: two to compare, or one to read.`);
}

// -- the address: a view and an example, never data unless it is asked for

function readAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  const named = values.get("view") ?? "read";
  select(VIEWS.includes(named) ? named : "read");
  const text = values.get("text");
  const example = values.get("example");
  scenario = values.get("scenario") ?? "";
  if (scenario !== "") {
    for (const name of SETTINGS) find(`#simulate-${name}`).value = values.get(name) ?? "";
  }
  if (values.get("other") !== null) find("#paste-b").value = values.get("other");
  if (text !== null) takeText(text);
  else if (values.get("code") !== null) {
    find("#explain-text").value = values.get("code");
    ask();
  } else if (example !== null && example in examples) takeExample(example);
  else ask();
}

/** @param {string} name */
function takeExample(name) {
  const { text, other, file, base64 } = examples[name];
  find("#paste-b").value = other ?? "";
  if (base64 === undefined) takeText(text);
  else take([new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], file)]);
}

/** @param {string} name */
function select(name) {
  view = name;
  document.body.dataset.view = name;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.setAttribute("tabindex", isChosen ? "0" : "-1");
  }
  find("#panel").setAttribute("aria-labelledby", `tab-${name}`);
  for (const part of document.querySelectorAll("[data-for]")) {
    /** @type {HTMLElement} */ (part).hidden = !part.getAttribute("data-for")?.split(" ").includes(name);
  }
}

/** @param {string} name */
function open(name) {
  history.replaceState(null, "", `#view=${name}`);
  find("#output").replaceChildren();
  select(name);
  ask();
}

function linkWithBytes() {
  const text = view === "explain" ? find("#explain-text").value : longPaste || find("#paste").value;
  const key = view === "explain" ? "code" : "text";
  return `${location.href.split("#")[0]}#view=${view}&${key}=${encodeURIComponent(text)}`;
}

function setUp() {
  if (location.protocol === "file:" && find("script[data-file]") === null) {
    location.replace(`kproto.html${location.hash}`);
    return;
  }
  examples = JSON.parse(find("#examples").textContent);
  const choice = find("#example");
  choice.append(...Object.entries(examples).map(([name, { title }]) => el("option", { value: name }, title)));
  choice.addEventListener("input", () => {
    if (choice.value === "") return;
    history.replaceState(null, "", `#view=${view}&example=${choice.value}`);
    takeExample(choice.value);
  });
  const tabs = [...document.querySelectorAll("[role=tab]")];
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => open(VIEWS[index]));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {KeyboardEvent} */ (event).key];
      if (step === undefined) return;
      const next = /** @type {HTMLElement} */ (tabs[(index + step + tabs.length) % tabs.length]);
      next.focus();
      next.click();
    });
  }
  for (const id of ["#paste", "#paste-b", "#explain-text", "#as", "#format"]) find(id).addEventListener("input", askSoon);
  find("#paste").addEventListener("paste", pasted);
  document.addEventListener("paste", pastedElsewhere);
  find("#file").addEventListener("change", (/** @type {any} */ event) => take(event.target.files));
  find("#clear").addEventListener("click", clear);
  find("#stop").addEventListener("click", () => client.stop());
  find("#link").append(copyButton("copy link with these bytes", linkWithBytes));
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      const files = /** @type {DragEvent} */ (event).dataTransfer?.files;
      if (name === "drop" && files && files.length > 0) take(files);
    });
  }
  setUpEncode(askSoon);
  addEventListener("hashchange", readAddress);
  readAddress();
}

setUp();
// For the console, and for the tests: a command line on files of this page alone.
/** @type {any} */ (globalThis).kproto = { run: (/** @type {any} */ question) => client.ask(question), runs: () => runs, takeText, take };
