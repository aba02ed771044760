import type { Brief } from "../../core/authoring/brief.ts";
import type { Mailbox } from "../../core/ports/mailbox.ts";
import type { Json } from "../../core/text/json.ts";

export type StartOrder = {
  readonly pipeline: string;
  readonly request?: string | undefined;
  readonly input?: Readonly<Record<string, string>> | undefined;
  readonly approvals?: "interactive" | "autonomous" | undefined;
  /** Selects the agents for all roles: workers that claim dispatches from the mailbox, or the configured agents. */
  readonly agents: "mailbox" | "configured";
};

export type OpenQuestion = {
  readonly id: string;
  readonly run: string;
  readonly title: string;
  readonly show: Json;
  /** A short version for people. Without it, show all of `show`. */
  readonly brief?: Brief;
  readonly choices: readonly string[];
  /** Choices that require a note. */
  readonly words?: readonly string[];
  /** The choice that returns the work for revision with the note. */
  readonly revises?: string;
  /** The full files that the question is about. The text is null if a file cannot be read. */
  readonly files?: readonly { readonly path: string; readonly text: string | null }[];
};

/** A run as a task that a client polls until it ends. */
export type RunTask = {
  readonly run: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly because: string;
  /** The final status; undefined while the run has not ended. */
  readonly ended: string | undefined;
  /** Open questions that a person can answer with a choice. */
  readonly questions: readonly { readonly id: string }[];
};

/** Reads and controls runs for the MCP server. Each method returns the JSON output of the command of the same name. */
export type McpPort = {
  readonly version: string;
  readonly mailbox: Mailbox;
  see(what: "runs" | "status" | "why" | "evidence" | "questions" | "pipelines", run?: string): Promise<Json>;
  start(order: StartOrder): Promise<Json>;
  resume(run?: string): Promise<Json>;
  pause(run?: string, note?: string): Promise<Json>;
  stop(run: string, order: { readonly agent: string; readonly note?: string | undefined }): Promise<Json>;
  cancel(run: string): Promise<Json>;
  /** `run` is the full id. */
  task(run: string): Promise<RunTask>;
  question(id: string): Promise<OpenQuestion>;
  answer(
    id: string,
    answer: { readonly choice: string; readonly note?: string; readonly through: string },
  ): Promise<Json>;
};
