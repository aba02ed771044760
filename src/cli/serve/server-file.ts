import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { getOwnIdentity, isGone } from "../../node/process-identity.ts";
import { getServerFolder, readToken } from "./token.ts";

/** Location of this user's running server, for the next `signalbox ui`. */
const ServerFile = z.object({
  v: z.literal(1),
  port: z.number().int().min(1).max(65_535),
  process: z.object({ pid: z.number().int(), start: z.string(), boot: z.string(), namespace: z.string() }),
});

const getServerFile = (): string => join(getServerFolder(), "server.json");

export async function noteServer(port: number): Promise<void> {
  const fresh = `${getServerFile()}.${process.pid}`;
  await writeFile(fresh, JSON.stringify({ v: 1, port, process: getOwnIdentity() }), { mode: 0o600 });
  await rename(fresh, getServerFile());
}

/** Deletes the file only if this server wrote it; another server may have started since. */
export async function forgetServer(): Promise<void> {
  if ((await readServerFile())?.process.pid === process.pid) await rm(getServerFile(), { force: true });
}

export type RunningServer = { readonly port: number; readonly pid: number; code(): Promise<string | undefined> };

const PATIENCE_MS = 3_000;

/**
 * Returns the running server. The token is sent only if the process on that port is proven to be the one that wrote the
 * file; after it exits, any process can listen there.
 */
export async function findRunningServer(): Promise<RunningServer | undefined> {
  const found = await readServerFile();
  const token = await readToken();
  if (!found || token === undefined || found.process.start === "" || isGone(found.process)) return undefined;
  const { port } = found;
  const code = async (): Promise<string | undefined> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const address = `http://127.0.0.1:${port}/api/session/code`;
    try {
      const reply = await fetch(address, {
        method: "POST",
        headers,
        body: "{}",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return z.object({ code: z.string() }).safeParse(await reply.json()).data?.code;
    } catch {
      return undefined;
    }
  };
  return { port, pid: found.process.pid, code };
}

async function readServerFile(): Promise<z.infer<typeof ServerFile> | undefined> {
  try {
    return ServerFile.parse(JSON.parse(await readFile(getServerFile(), "utf8")));
  } catch {
    return undefined;
  }
}
