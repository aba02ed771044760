import { withoutSequences } from "../../core/text/terminal-sequences.ts";

// XML 1.0 has no way to write these, not even as a reference; halves of a pair are no characters at all.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** Allowed, but a viewer would obey them: they turn text around or move its cursor. */
const UNSEEN = /[\p{Bidi_Control}\u007f-\u009f]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text inside an element. */
export function xmlText(text: string): string {
  return allowed(text).replace(/[&<>\r]/g, (char) => ESCAPES[char] ?? char);
}

/** A reader would make blanks of tabs and line ends inside an attribute. */
function xmlAttribute(text: string): string {
  return allowed(text).replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? char);
}

function allowed(text: string): string {
  return withoutSequences(text).replace(FORBIDDEN, "\ufffd").replace(UNSEEN, "\ufffd");
}

export type Attributes = Readonly<Record<string, string | number>>;

/** One element; its content is XML already. */
export function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`);
  const open = `<${name}${said.join("")}`;
  return content.length === 0 ? `${open}/>` : `${open}>${content.join("")}</${name}>`;
}
