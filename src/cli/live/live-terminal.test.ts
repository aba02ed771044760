import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { openLive } from "./live-terminal.ts";

function atTerminal() {
  const written: string[] = [];
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  output.on("data", (chunk) => written.push(String(chunk)));
  // The parts of a terminal that drawing and reading keys use.
  const streams = { input: Object.assign(new PassThrough(), { setRawMode: () => {} }), output } as unknown as {
    input: NodeJS.ReadStream;
    output: NodeJS.WriteStream;
  };
  let tell: (line: string) => void = () => {};
  const live = openLive({
    call: {
      divert(sink) {
        if (sink) tell = sink;
      },
    },
    region: () => [],
    look: async () => {},
    pressed: () => {},
    streams,
  });
  return { live, output, tell: (line: string) => tell(line), written: () => written.join("") };
}

test("[U-08] a question that arrives while a pager is open is printed below the lines that arrived before it", async () => {
  const { live, output, tell, written } = atTerminal();
  const pager = Promise.withResolvers<void>();
  const read = live.away(() => pager.promise);
  tell("the backlog");
  tell("the question");
  const asked = live.aside(async () => void output.write("your choice"));
  await Promise.resolve();
  expect(written()).not.toMatch(/backlog|choice/);
  pager.resolve();
  await Promise.all([read, asked]);
  live.close();
  expect(written()).toMatch(/the backlog[\s\S]*the question[\s\S]*your choice/);
});
