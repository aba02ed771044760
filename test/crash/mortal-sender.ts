import { createRealWorld } from "../../src/cli/real-world.ts";
import { getOwnerName, isOwnerDead } from "../../src/hosts/sqlite/owner.ts";
import { deliverAll } from "../../src/surfaces/webhooks/deliver.ts";
import { type Outbox, openOutbox } from "../../src/surfaces/webhooks/outbox.ts";
import { sendNotice } from "../../src/surfaces/webhooks/send.ts";

// mortal-sender.ts <outbox> <url> <step>: a sender that is killed before its n-th step; 0 never.
const [file = "", url = "", at = "0"] = process.argv.slice(2);
let steps = 0;

function step<T>(act: () => T): T {
  steps += 1;
  if (steps === Number(at)) process.kill(process.pid, "SIGKILL");
  return act();
}

const real = openOutbox({ file, owner: getOwnerName(), now: Date.now, isDead: isOwnerDead });
const outbox: Outbox = {
  ...real,
  enter: () => step(() => real.enter()),
  open: () => step(() => real.open()),
  claim: (letter) => step(() => real.claim(letter)),
  settle: (letter, end) => step(() => real.settle(letter, end)),
  leave: (isFor) => step(() => real.leave(isFor)),
};

await deliverAll({
  outbox,
  receiverOf: async () => ({ kind: "json", url, secret: undefined }),
  send: async (...given) => {
    const sent = await step(() => sendNotice(...given));
    return step(() => sent);
  },
  ...createRealWorld(),
});
step(() => real.close());
process.stdout.write(`lived through ${steps}\n`);
