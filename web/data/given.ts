import type { RunPage } from "../../src/views/page/page.ts";
import type { PublicEvent, Transcript, TreeDiff } from "./types.ts";

/** What a report carries in itself: all that it can show, because nobody can be asked. */
export type Given = {
  readonly page: RunPage;
  readonly events?: readonly PublicEvent[];
  readonly diff?: TreeDiff;
  /** By the attempt's effect. */
  readonly transcripts?: Readonly<Record<string, Transcript>>;
};

let given: Given | null = null;

export const setGiven = (document: Given): void => {
  given = document;
};

export const givenTranscript = (effect: string): Transcript | undefined => given?.transcripts?.[effect];
