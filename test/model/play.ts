/** One turn of a scripted model. Each request that offers tools takes the next play; the last one repeats. */
export type Play =
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly shell: string }
  /** The final answer; a function gets the last thing the user said, for what only the prompt knows. */
  | { readonly text: string | ((prompt: string) => string) }
  | { readonly http: number }
  /** Takes the request and never answers. */
  | { readonly hang: true }
  /** Begins to stream and drops the connection. */
  | { readonly cut: true };

/** A tool as the request offers it: `custom` ones take free text, the others JSON arguments. */
export type OfferedTool = { readonly name: string; readonly custom: boolean };

/** A request, whatever API it came in by. */
export type ModelRequest = { readonly tools: readonly OfferedTool[]; readonly prompt: string };

/** What the model says, before an API puts it into its own words. */
export type Reply =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly call: string; readonly input: string };

/** How one vendor's API is read and written: one file each. */
export type WireApi = {
  /** The end of the path that clients post to. */
  readonly endpoint: string;
  read(body: unknown): ModelRequest;
  /** Server-sent events, each with its blank line. */
  frames(reply: Reply): readonly string[];
};

/** Says a play in terms of the tools that this very client offers. */
export function replyTo(
  play: Extract<Play, { write: unknown } | { shell: unknown } | { text: unknown }>,
  request: ModelRequest,
): Reply {
  if ("text" in play) return { say: typeof play.text === "string" ? play.text : play.text(request.prompt) };
  if ("shell" in play) return shellCall(play.shell, request);
  const { path, content } = play.write;
  const patch = request.tools.find((tool) => tool.name === "apply_patch" && tool.custom);
  if (patch) return { call: patch.name, input: patchAdding(path, content) };
  return shellCall(`printf %s ${quoted(content)} > ${quoted(path)}`, request);
}

function shellCall(command: string, request: ModelRequest): Reply {
  const shell = request.tools.find((tool) => tool.name === "exec_command");
  if (shell) return { call: shell.name, args: { cmd: command } };
  return { say: `No shell among the offered tools: ${request.tools.map((tool) => tool.name).join(", ")}.` };
}

function patchAdding(path: string, content: string): string {
  const added = content.replace(/\n$/, "").split("\n");
  return ["*** Begin Patch", `*** Add File: ${path}`, ...added.map((line) => `+${line}`), "*** End Patch"].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
