/** One turn of a scripted model. Each request that offers tools takes the next play; the last one repeats. */
export type Play =
  | { readonly write: { readonly path: string; readonly content: string } }
  /** Reads a file, as programs require before a file is replaced. */
  | { readonly read: string }
  | { readonly shell: string }
  /** The final answer; a function gets the user's last message, for values that only the prompt contains. */
  | { readonly text: string | ((prompt: string, request: ModelRequest) => string) }
  /** The answer through the client's tool for answers, or as JSON text without one. */
  | { readonly structured: Readonly<Record<string, unknown>> }
  | { readonly http: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Accepts the request and never answers. */
  | { readonly hang: true }
  /** Starts to stream and drops the connection. */
  | { readonly cut: true };

/** A tool of the request: `custom` ones take free text, the others JSON arguments. */
export type OfferedTool = {
  readonly name: string;
  readonly custom: boolean;
  /** Names of its arguments, and the required ones. */
  readonly parameters?: readonly string[];
  readonly required?: readonly string[];
};

/** A request, whichever API it came through. */
export type ModelRequest = {
  readonly tools: readonly OfferedTool[];
  readonly prompt: string;
  /** All messages of the user in this conversation, in order. */
  readonly prompts: readonly string[];
  /** Number of tool results in this conversation. */
  readonly results: number;
  /** False if the client wants a single response. */
  readonly stream: boolean;
};

/** The model's answer in a neutral form, before an API encodes it. */
export type Reply =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly call: string; readonly input: string };

/** Reads and writes one vendor's API: one file each. */
export type WireApi = {
  /** Path suffixes that clients post to. */
  readonly endpoints: readonly string[];
  read(body: unknown, path: string): ModelRequest;
  /** Server-sent events, each with its blank line. */
  frames(reply: Reply): readonly string[];
  /** The same as a single response. */
  whole(reply: Reply): unknown;
  refusal(status: number, message: string): unknown;
};

type SpokenPlay = Exclude<Play, { http: unknown } | { hang: unknown } | { cut: unknown }>;

/** Expresses a play with the tools that this client offers. */
export function replyTo(play: SpokenPlay, request: ModelRequest): Reply {
  if ("text" in play) return { say: typeof play.text === "string" ? play.text : play.text(request.prompt, request) };
  if ("shell" in play) return createShellCall(play.shell, request);
  if ("structured" in play) return createStructuredCall(play.structured, request);
  if ("read" in play) return readCall(play.read, request);
  const { path, content } = play.write;
  const writer = findTool(WRITERS, request);
  if (writer) return { call: writer.name, args: fillArguments(writer, { path, content }) };
  const patch = request.tools.find((tool) => tool.name === "apply_patch" && tool.custom);
  if (patch) return { call: patch.name, input: patchAdding(path, content) };
  return createShellCall(`printf %s ${quoteText(content)} > ${quoteText(path)}`, request);
}

/** Names that agent programs give to the same few tools. */
const READERS = ["Read", "read_file", "read", "view"];
const WRITERS = ["Write", "write_file", "write", "create", "developer__write"];
const SHELLS = ["exec_command", "Bash", "bash", "run_shell_command", "shell", "developer__shell"];
const ANSWERERS = ["StructuredOutput", "structured_output"];

/** Names of their arguments. */
const PATHS = ["file_path", "filePath", "path", "absolute_path"];
const CONTENTS = ["content", "contents", "file_text"];
const COMMANDS = ["command", "cmd"];

function findTool(names: readonly string[], { tools }: ModelRequest): OfferedTool | undefined {
  return names.map((name) => tools.find((tool) => tool.name === name && !tool.custom)).find(Boolean);
}

function fillArguments(
  tool: OfferedTool,
  { path, content }: { path: string; content: string },
): Record<string, string> {
  return { [chooseTool(tool, PATHS)]: path, [chooseTool(tool, CONTENTS)]: content };
}

function chooseTool({ parameters = [] }: OfferedTool, names: readonly string[]): string {
  return names.find((name) => parameters.includes(name)) ?? names[0] ?? "";
}

function createShellCall(command: string, request: ModelRequest): Reply {
  const shell = findTool(SHELLS, request);
  if (!shell) return { say: `No shell among the offered tools: ${request.tools.map((tool) => tool.name).join(", ")}.` };
  const name = shell.parameters === undefined ? "cmd" : chooseTool(shell, COMMANDS);
  const others = (shell.required ?? []).filter((required) => required !== name);
  return { call: shell.name, args: { ...Object.fromEntries(others.map((other) => [other, "ok"])), [name]: command } };
}

function readCall(path: string, request: ModelRequest): Reply {
  const reader = findTool(READERS, request);
  if (!reader) return createShellCall(`cat ${quoteText(path)}`, request);
  return { call: reader.name, args: { [chooseTool(reader, PATHS)]: path } };
}

function createStructuredCall(answer: Readonly<Record<string, unknown>>, request: ModelRequest): Reply {
  const answerer = findTool(ANSWERERS, request);
  return answerer ? { call: answerer.name, args: answer } : { say: JSON.stringify(answer) };
}

function patchAdding(path: string, content: string): string {
  const added = content.replace(/\n$/, "").split("\n");
  return ["*** Begin Patch", `*** Add File: ${path}`, ...added.map((line) => `+${line}`), "*** End Patch"].join("\n");
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
