import type { Brief } from "../../core/authoring/brief.ts";
import type { Mailbox } from "../../core/ports/mailbox.ts";
import type { Json } from "../../core/text/json.ts";

export type StartOrder = {
  readonly pipeline: string;
  readonly request?: string | undefined;
  readonly input?: Readonly<Record<string, string>> | undefined;
  readonly approvals?: "interactive" | "autonomous" | undefined;
  /** Who plays the roles: whoever fetches from the mailbox, or the agents of the configuration. */
  readonly agents: "mailbox" | "configured";
};

export type OpenQuestion = {
  readonly id: string;
  readonly run: string;
  readonly title: string;
  readonly show: Json;
  /** What a person reads of it; without it, all that it shows. */
  readonly brief?: Brief;
  readonly choices: readonly string[];
  /** Choices that are nothing without a note. */
  readonly words?: readonly string[];
  /** The choice that sends the work back with the note. */
  readonly revises?: string;
  /** What it is about, whole; without a text where it cannot be read. */
  readonly files?: readonly { readonly path: string; readonly text: string | null }[];
};

/** A run as something that is polled until it ends. */
export type RunTask = {
  readonly run: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly because: string;
  /** How it ended, where it has. */
  readonly ended: string | undefined;
  /** Those that a person can answer by a choice. */
  readonly questions: readonly { readonly id: string }[];
};

/** What the outside can see of runs and do to them; every command of the program answers in its own JSON. */
export type McpPort = {
  readonly version: string;
  readonly mailbox: Mailbox;
  see(what: "runs" | "status" | "why" | "evidence" | "questions" | "pipelines", run?: string): Promise<Json>;
  start(order: StartOrder): Promise<Json>;
  resume(run?: string): Promise<Json>;
  pause(run?: string, note?: string): Promise<Json>;
  stop(run: string, order: { readonly agent: string; readonly note?: string | undefined }): Promise<Json>;
  cancel(run: string): Promise<Json>;
  /** By the run's whole id. */
  task(run: string): Promise<RunTask>;
  question(id: string): Promise<OpenQuestion>;
  answer(
    id: string,
    answer: { readonly choice: string; readonly note?: string; readonly through: string },
  ): Promise<Json>;
};
