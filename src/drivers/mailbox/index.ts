import { defineDriver } from "../descriptor.ts";

export const MAILBOX = defineDriver({
  name: "mailbox",
  outside: true,
  async create({ limits: { wallMs }, mailbox }) {
    const { createFolderMailbox } = await import("./folder-mailbox.ts");
    const { createMailboxDriver } = await import("./mailbox-driver.ts");
    const post = { mailbox: createFolderMailbox({ dir: mailbox, now: Date.now }) };
    return createMailboxDriver(wallMs === undefined ? post : { ...post, wallMs });
  },
});
