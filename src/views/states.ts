/** What a colour says, whatever the surface: `good` is for evidence and gates alone, never for a claim. */
export type Tone = "good" | "bad" | "accent" | "warn" | "quiet";

export type State = {
  readonly glyph: string;
  /** Where only ASCII can be shown. */
  readonly ascii: string;
  readonly word: string;
  readonly tone: Tone;
  /** When something is in this state. */
  readonly means: string;
};

/** Every state that anything on any surface can be in: one glyph, one word, one colour, everywhere. */
export const STATES = {
  passed: { glyph: "✓", ascii: "+", word: "passed", tone: "good", means: "a check that the engine ran, or a gate" },
  done: { glyph: "✓", ascii: "+", word: "done", tone: "good", means: "a run all of whose gates passed in the end" },
  failed: { glyph: "✗", ascii: "x", word: "failed", tone: "bad", means: "a check or an attempt" },
  missed: { glyph: "✗", ascii: "x", word: "missed", tone: "bad", means: "a gate or one of its rules" },
  error: { glyph: "✗", ascii: "x", word: "error", tone: "bad", means: "a run that ended without its work" },
  running: { glyph: "●", ascii: "*", word: "running", tone: "accent", means: "somebody works on it, since then" },
  waiting: { glyph: "◆", ascii: "!", word: "waiting for you", tone: "warn", means: "a question that a person answers" },
  stale: { glyph: "◷", ascii: "~", word: "engine gone", tone: "warn", means: "it began, and nobody works on it now" },
  answered: { glyph: "▪", ascii: ".", word: "answered", tone: "quiet", means: "an agent's contract was read" },
  ended: {
    glyph: "▪",
    ascii: ".",
    word: "ended",
    tone: "quiet",
    means: "it came to its end, and no gate vouches for it",
  },
  claim: { glyph: "“", ascii: '"', word: "claim", tone: "quiet", means: "what somebody says of their own work" },
  revision: { glyph: "↺", ascii: "R", word: "needs revision", tone: "warn", means: "it goes back to whoever made it" },
  retrying: { glyph: "↻", ascii: "r", word: "retry", tone: "warn", means: "it is tried again" },
  flaky: { glyph: "≈", ascii: "f", word: "flaky", tone: "warn", means: "one tree, different results" },
  "red-before": { glyph: "▽", ascii: "v", word: "red before", tone: "warn", means: "it failed on the baseline too" },
  "not-run": { glyph: "⊘", ascii: "n", word: "not run", tone: "quiet", means: "due, and it did not run" },
  interrupted: {
    glyph: "◌",
    ascii: "i",
    word: "interrupted",
    tone: "quiet",
    means: "cut off; another attempt follows",
  },
  skipped: { glyph: "⇥", ascii: "s", word: "skipped", tone: "quiet", means: "left out, for a reason or by rule" },
  abstained: { glyph: "–", ascii: "-", word: "abstained", tone: "quiet", means: "asked, and gave no verdict" },
  paused: { glyph: "‖", ascii: "=", word: "paused", tone: "quiet", means: "it rests until somebody resumes it" },
  canceled: { glyph: "‖", ascii: "=", word: "canceled", tone: "quiet", means: "a person ended it" },
  queued: { glyph: "◔", ascii: "q", word: "queued", tone: "quiet", means: "it waits for its turn" },
  "not-started": { glyph: "○", ascii: "o", word: "not started", tone: "quiet", means: "nobody has come to it" },
  unknown: { glyph: "?", ascii: "?", word: "unknown", tone: "quiet", means: "nobody said; never zero" },
} as const satisfies Readonly<Record<string, State>>;

export type StateName = keyof typeof STATES;
