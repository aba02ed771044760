import type { Driver } from "../../src/core/ports/driver.ts";
import type { Mailbox, Reply } from "../../src/core/ports/mailbox.ts";
import { createFolderMailbox } from "../../src/drivers/mailbox/folder-mailbox.ts";
import { createMailboxDriver } from "../../src/drivers/mailbox/mailbox-driver.ts";
import type { Step } from "./misbehavior.ts";

type MailboxActorOptions = { readonly dir: string; readonly steps: readonly Step[]; readonly wallMs: number };

/** A dispatch in its own mailbox, and a misbehaving agent that takes it. */
export function mailboxActor({ dir, steps, wallMs }: MailboxActorOptions): Driver {
  const mailbox = createFolderMailbox({ dir, now: Date.now });
  const driver = createMailboxDriver({ mailbox, wallMs });
  return {
    ...driver,
    async *dispatch(order, processes, signal) {
      for await (const event of driver.dispatch(order, processes, signal)) {
        if (event.type === "turn.started") await answer(mailbox, steps);
        yield event;
      }
    },
  };
}

const TAKER = "a taker";

async function answer(mailbox: Mailbox, steps: readonly Step[]): Promise<void> {
  const [waiting] = await mailbox.list();
  if (!waiting) throw new Error("no dispatch waits in the mailbox");
  const { id, prompt } = waiting;
  await mailbox.take(id, TAKER);
  for (const step of steps) {
    const reply = createReply(step, prompt);
    if (reply) await mailbox.answer(id, reply);
  }
}

function createReply(step: Step, prompt: string): Reply | undefined {
  if (step.do === "hang" || step.do === "exit") return undefined;
  if (step.do === "echo") return { by: TAKER, message: prompt.slice(prompt.lastIndexOf("# Your answer")) };
  const by = step["elsewhere"] === true ? "somebody else" : TAKER;
  if (step.do === "succeed") return { by, message: String(step["text"]) };
  if (step.do === "fail") return { by, error: String(step["text"]) };
  throw new Error(`whoever takes a dispatch has no way to "${step.do}"`);
}
