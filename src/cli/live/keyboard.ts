/** Reads single key presses without Enter. */
export type Keyboard = {
  /** Leaves raw mode so that another reader can use the terminal. */
  rest(): void;
  listen(): void;
};

const NAMES: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\u0003": "ctrl-c",
  "\u0004": "ctrl-d",
  "\u001a": "ctrl-z",
  "\u001b": "escape",
};

export function createKeyboard(input: NodeJS.ReadStream, pressed: (key: string) => void): Keyboard {
  const handleChunk = (chunk: Buffer): void => {
    for (const key of parseKeys(chunk.toString("utf8"))) pressed(key);
  };
  let listening = false;
  return {
    listen() {
      if (listening) return;
      listening = true;
      input.setRawMode(true);
      input.on("data", handleChunk);
      input.resume();
    },
    rest() {
      if (!listening) return;
      listening = false;
      input.off("data", handleChunk);
      // An open terminal would keep the process alive.
      input.pause();
      input.setRawMode(false);
    },
  };
}

/** Escape sequences of arrow and function keys, which are ignored. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with this character.
const SEQUENCE = /\u001b[[O][0-?]*[ -/]*[@-~]?/g;

export function parseKeys(text: string): string[] {
  return [...text.replace(SEQUENCE, "")].map((key) => NAMES[key] ?? key);
}
