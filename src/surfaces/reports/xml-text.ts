import { removeSequences } from "../../core/text/terminal-sequences.ts";

// Matches characters that XML 1.0 cannot represent, not even as a reference, including lone surrogates.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** Matches allowed characters that would reverse text or move the cursor of a viewer. */
const UNSAFE = /[\p{Bidi_Control}\u007f-\u009f]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Escapes text inside an element. */
export function escapeXmlText(text: string): string {
  return replaceForbidden(text).replace(/[&<>\r]/g, (char) => ESCAPES[char] ?? char);
}

/** Escapes an attribute value. Parsers would replace unescaped tabs and line ends by spaces. */
function escapeXmlAttribute(text: string): string {
  return replaceForbidden(text).replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? char);
}

function replaceForbidden(text: string): string {
  return removeSequences(text).replace(FORBIDDEN, "\ufffd").replace(UNSAFE, "\ufffd");
}

export type Attributes = Readonly<Record<string, string | number>>;

/** Renders one element. Its content must be XML already. */
export function renderElement(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const renderedAttributes = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXmlAttribute(String(value))}"`,
  );
  const open = `<${name}${renderedAttributes.join("")}`;
  return content.length === 0 ? `${open}/>` : `${open}>${content.join("")}</${name}>`;
}
