// Elements, without markup in text: what comes out of a paste is data.
// @ts-check

/** @typedef {Node | string | number | null | undefined | false} Child */

/** Makes an element. `on…` are listeners, other properties are attributes; `true` is an empty one.
 * @param {string} name @param {Record<string, any>} properties @param {...(Child | Child[])} children
 * @returns {HTMLElement} */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** @param {string} selector @returns {any} */
export function find(selector) {
  return document.querySelector(selector);
}

// Control and format characters, separators, combining marks, letters that print nothing.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Me}\p{Mn}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}/gu;

/** A sentence of kproto: what stands between backticks is code. @param {unknown} text @returns {Child[]} */
export function sentence(text) {
  return String(text).split("`").map((part, index) => index % 2 ? el("code", {}, shown(part)) : shown(part));
}

const MOST_SHOWN = 10_000;

/** Returns a text with every character visible: escape is ␛, a bidirectional override is \u202e.
 * A long one is cut, and says so.
 * @param {unknown} value @returns {string} */
export function shown(value) {
  const text = String(value);
  const rest = text.length - MOST_SHOWN;
  return visible(text.slice(0, MOST_SHOWN)) + (rest > 0 ? `… and ${rest.toLocaleString("en")} more characters` : "");
}

/** @param {string} text */
function visible(text) {
  return text.replace(UNSEEN, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  });
}

/** @param {string} hex @returns {Uint8Array} */
export function bytesOfHex(hex) {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** @param {unknown} text @returns {Uint8Array | null} */
export function bytesOfBase64(text) {
  try {
    return Uint8Array.from(atob(String(text)), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** A button that copies a text. @param {string} label @param {() => string} text */
export function copyButton(label, text) {
  const button = el("button", {
    type: "button",
    onclick: async () => {
      await navigator.clipboard.writeText(text());
      button.textContent = "copied";
      setTimeout(() => (button.textContent = label), 1500);
    },
  }, label);
  return button;
}

/** @template T @typedef {{element: HTMLElement, count: number, add: (items: T[]) => void}} Paged */

/** Shows the first `most` items of a list, and a button for the next ones. Items are added later, too.
 * @template T @param {number} most @param {(item: T, index: number) => Node} show
 * @param {string} noun @param {string} container @returns {Paged<T>} */
export function paged(most, show, noun, container = "div") {
  /** @type {T[]} */
  const items = [];
  const list = el(container, {});
  const more = el("button", { type: "button", class: "more", onclick: () => fill(list.childElementCount + most) });
  const fill = (/** @type {number} */ end) => {
    const start = list.childElementCount;
    list.append(...items.slice(start, end).map((item, index) => show(item, start + index)));
    const left = items.length - list.childElementCount;
    more.textContent = `show ${Math.min(left, most).toLocaleString("en")} of ${left.toLocaleString("en")} more ${noun}`;
    more.hidden = left <= 0;
  };
  more.hidden = true;
  return {
    element: el("div", {}, list, more),
    get count() { return items.length; },
    add(/** @type {T[]} */ added) {
      for (const item of added) items.push(item);
      fill(Math.max(most, list.childElementCount));
    },
  };
}
