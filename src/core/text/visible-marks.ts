/**
 * Makes invisible and direction-changing characters visible for a browser, as in `gpj⟨U+202E⟩.exe`. Escape stays,
 * because browsers ignore it and programs colour their output with it.
 */
export function showMarks(text: string): string {
  return text.replace(MARKS, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** Reverts `showMarks`, so that a name shown on a page can be used in a request. */
export function readMarks(text: string): string {
  return text.replace(/⟨U\+([0-9A-F]{4})⟩/g, (shown, code: string) => {
    const mark = String.fromCharCode(Number.parseInt(code, 16));
    return showMarks(mark) === shown ? mark : shown;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what cannot be seen.
const MARKS = /[\p{Bidi_Control}\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\ufeff]/gu;
