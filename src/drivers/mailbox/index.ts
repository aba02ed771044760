import { defineDriver } from "../descriptor.ts";

export const MAILBOX = defineDriver({
  name: "mailbox",
  outside: true,
  async create({ limits: { wallMs }, mailbox }) {
    const { folderMailbox } = await import("./folder-mailbox.ts");
    const { mailboxDriver } = await import("./mailbox-driver.ts");
    const post = { mailbox: folderMailbox({ dir: mailbox, now: Date.now }) };
    return mailboxDriver(wallMs === undefined ? post : { ...post, wallMs });
  },
});
