/** Time, ids, chance and secrets, handed in so that a test can hold them still. */
export interface World {
  /** Wall clock, milliseconds. */
  now(): number;
  /** Unguessable, lower-case letters and digits. */
  newId(): string;
  /** In [0, 1). */
  random(): number;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** SHA-256, hex. */
  hash(text: string): string;
  /** The text without anything that looks like or equals a known secret. */
  redact(text: string): string;
}
