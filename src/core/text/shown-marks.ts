/**
 * Text for a browser: what would turn it around or cannot be seen is named, as in `gpj⟨U+202E⟩.exe`. Escape stays, since a
 * browser does not obey it and programs colour their output with it.
 */
export function showMarks(text: string): string {
  return text.replace(MARKS, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** What a page was shown and asks for is found again by its own name. */
export function readMarks(text: string): string {
  return text.replace(/⟨U\+([0-9A-F]{4})⟩/g, (shown, code: string) => {
    const mark = String.fromCharCode(Number.parseInt(code, 16));
    return showMarks(mark) === shown ? mark : shown;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what cannot be seen.
const MARKS = /[\p{Bidi_Control}\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\ufeff]/gu;
