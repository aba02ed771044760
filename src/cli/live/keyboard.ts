/** The keys that a person presses, one by one, without Enter. */
export type Keyboard = {
  /** The terminal is as it was: somebody else reads from it now. */
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
  const heard = (chunk: Buffer): void => {
    for (const key of keysIn(chunk.toString("utf8"))) pressed(key);
  };
  let listening = false;
  return {
    listen() {
      if (listening) return;
      listening = true;
      input.setRawMode(true);
      input.on("data", heard);
      input.resume();
    },
    rest() {
      if (!listening) return;
      listening = false;
      input.off("data", heard);
      // Otherwise an open terminal would keep the program alive.
      input.pause();
      input.setRawMode(false);
    },
  };
}

/** Arrows and the like come as several characters that begin with escape; none of them means anything here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with.
const SEQUENCE = /\u001b[[O][0-?]*[ -/]*[@-~]?/g;

export function keysIn(text: string): string[] {
  return [...text.replace(SEQUENCE, "")].map((key) => NAMES[key] ?? key);
}
