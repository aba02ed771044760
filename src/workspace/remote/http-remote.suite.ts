import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../scene.suite.ts";

/** Git's own server behind a password, like a hosting service. */
export async function serveHttp(bare: string, { user, password }: { user: string; password: string }): Promise<string> {
  run(bare, ["config", "http.receivepack", "true"]);
  const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization === wanted) return answerRequest(request, response, dirname(bare));
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/${bare.slice(dirname(bare).length + 1)}`;
}

function answerRequest(request: IncomingMessage, response: ServerResponse, root: string): void {
  const { pathname, search } = new URL(request.url ?? "", "http://localhost");
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    REMOTE_USER: "ada",
    REQUEST_METHOD: request.method ?? "",
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"] ?? ""),
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
  };
  const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => parts.push(chunk));
  child.on("close", () => send(response, Buffer.concat(parts)));
}

function send(response: ServerResponse, out: Buffer): void {
  const end = out.indexOf("\r\n\r\n");
  const heads = out
    .subarray(0, end)
    .toString("latin1")
    .split("\r\n")
    .map((row) => row.split(": "));
  const status = heads.find(([name]) => name === "Status")?.[1] ?? "200";
  for (const [name = "", value = ""] of heads) if (name !== "Status" && name !== "") response.setHeader(name, value);
  response.writeHead(Number.parseInt(status, 10)).end(out.subarray(end + 4));
}
