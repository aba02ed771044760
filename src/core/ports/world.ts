/** Time, ids, randomness and secrets as a parameter, so that a test can control them. */
export interface World {
  /** Wall clock in milliseconds. */
  now(): number;
  /** Unguessable; lower-case letters and digits. */
  newId(): string;
  /** In [0, 1). */
  random(): number;
  /** Resolves early, without an error, if the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** SHA-256, hex. */
  hash(text: string): string;
  /** Removes everything from the text that looks like or equals a known secret. */
  redact(text: string): string;
}
