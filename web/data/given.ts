import type { PublicEvent, Transcript } from "../../src/surfaces/server/port/answers.ts";
import type { Diff } from "../../src/surfaces/server/port/diff.ts";
import type { RunPage } from "../../src/views/page/page.ts";

/** What a report carries in itself: all that it can show, because nobody can be asked. */
export type Given = {
  readonly page: RunPage;
  readonly events?: readonly PublicEvent[];
  readonly diff?: Diff;
  /** By the attempt's effect. */
  readonly transcripts?: Readonly<Record<string, Transcript>>;
};

let given: Given | null = null;

export const setGiven = (document: Given): void => {
  given = document;
};

export const givenTranscript = (effect: string): Transcript | undefined => given?.transcripts?.[effect];
