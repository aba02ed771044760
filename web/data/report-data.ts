import type { Diff } from "../../src/surfaces/server/port/diff.ts";
import type { PublicEvent, Transcript } from "../../src/surfaces/server/port/documents.ts";
import type { RunPage } from "../../src/views/page/page.ts";

/** The data embedded in a report. It is all that the report can display, because there is no server. */
export type ReportData = {
  readonly page: RunPage;
  readonly events?: readonly PublicEvent[];
  readonly diff?: Diff;
  /** Transcripts by effect of the attempt. */
  readonly transcripts?: Readonly<Record<string, Transcript>>;
};

let reportData: ReportData | null = null;

export const setReportData = (document: ReportData): void => {
  reportData = document;
};

export const getReportTranscript = (effect: string): Transcript | undefined => reportData?.transcripts?.[effect];
