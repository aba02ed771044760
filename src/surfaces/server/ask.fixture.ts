import { request } from "node:http";

export type Reply = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
};

export type Asking = {
  readonly port: number;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Stops reading after the first line, because streams never end. */
  readonly firstLine?: boolean;
};

/** Sends a request with arbitrary headers, which `fetch` does not allow. */
export function ask({ port, method = "GET", path, headers = {}, body, firstLine = false }: Asking): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = "";
      const reply = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
        if (!firstLine || !text.includes("\n")) return;
        reply();
        sent.destroy();
      });
      response.on("end", reply);
    });
    sent.on("error", reject);
    // Node sends no content-length for other methods.
    sent.end(["POST", "PUT", "PATCH"].includes(method) ? body : undefined);
  });
}
