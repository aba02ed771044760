import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { print } from "./print.mjs";

const LOOP = "while :; do :; done";

const never = () => {
  setInterval(() => undefined, 60_000);
  return new Promise(() => undefined);
};

/** What can be told to it, by name; each gets its own words, the whole play, and the voice of the protocol. */
export const DEEDS = {
  say: ({ voice, text }) => voice.say(text),
  succeed: ({ voice, text, elsewhere }) => voice.succeed(text, { elsewhere }),
  fail: ({ voice, text }) => voice.fail(text),
  tool: ({ voice, text }) => voice.tool(text),
  half: ({ voice }) => print(voice.half),
  /** Asked to mend it, it gives the same once more. */
  echo({ voice: { prompt, succeed } }) {
    const memory = join(process.env.HOME, "example.txt");
    const at = prompt.lastIndexOf("# Your answer");
    if (at >= 0) writeFileSync(memory, prompt.slice(at));
    succeed(readFileSync(memory, "utf8"));
  },
  bytes: ({ hex }) => print(Buffer.from(hex, "hex")),
  /** Noise up to just before a border of 64 KiB of what it has printed, so that what follows lies across it. */
  pad: ({ bytes }) => print(`${"-".repeat(bytes)}\n`),

  exit: ({ code }) => process.exit(code),
  async die({ signal }) {
    process.kill(process.pid, signal);
    await never();
  },
  async killParent() {
    process.kill(process.ppid, "SIGKILL");
    await never();
  },
  async hang({ deaf }) {
    if (deaf) process.on("SIGTERM", () => undefined);
    await never();
  },
  /** With two helpers: on a busy machine one alone gets too little of a processor to be seen at work. */
  async spin({ play }) {
    for (const loop of [LOOP, LOOP]) spawn("/bin/sh", ["-c", loop, play.marker], { stdio: "ignore" });
    for (;;);
  },
  async drip({ everyMs }) {
    for (;;) {
      print(".");
      await wait(everyMs);
    }
  },
  async throttle({ voice, everyMs }) {
    for (;;) {
      voice.throttle();
      await wait(everyMs);
    }
  },
  /** Says that all is well, but only when it is asked to go. */
  async repent({ voice, text }) {
    voice.askedToEnd(() => {
      voice.succeed(text);
      process.exit(0);
    });
    await never();
  },
  async hangUp() {
    closeSync(1);
    await never();
  },

  floodLines: ({ voice, bytes }) => flood(Buffer.from(voice.noise.repeat(1000)), bytes),
  floodLine({ voice, bytes }) {
    print(voice.noise.slice(0, 100));
    flood(Buffer.alloc(1024 * 1024, "x"), bytes);
  },
  /** A size is not a content: the file has a hole where nothing was ever written. */
  async sparse({ bytes }) {
    if (output().own) ftruncateSync(1, bytes);
    else truncateSync(output().link, bytes);
    await never();
  },

  child: ({ play, holds }) => leave(play.marker, { stdio: holds ? ["ignore", "inherit", "inherit"] : "ignore" }),
  children({ play, count }) {
    for (let at = 0; at < count; at += 1) leave(play.marker, { stdio: "ignore" });
  },
  /** Twice away from its parents, in a session of its own, without an environment. */
  daemon({ play }) {
    const line = `(cd /; exec sleep ${play.marker}) < /dev/null > /dev/null 2>&1 &`;
    spawnSync("setsid", ["/bin/sh", "-c", line], { env: {}, stdio: "ignore" });
  },

  forgeExit() {
    reach("touched", "yes");
    reach("exit", "0\n");
  },
  pipeForOutput() {
    try {
      const { file } = output();
      rmSync(file);
      spawnSync("mkfifo", [file]);
    } catch {
      // Out of its reach.
    }
  },
  wreck: () => rmSync(process.cwd(), { recursive: true, force: true }),
};

/** The file that its words end up in: its own output, or that of the program which talks with it. */
function output() {
  const own = !readlinkSync("/proc/self/fd/1").includes(":");
  const link = own ? "/proc/self/fd/1" : `/proc/${process.ppid}/fd/1`;
  return { own, link, file: readlinkSync(link) };
}

function reach(name, text) {
  try {
    writeFileSync(join(dirname(output().file), name), text);
  } catch {
    // Out of its reach.
  }
}

function leave(marker, options) {
  spawn("sleep", [marker], { detached: true, ...options }).unref();
}

function flood(block, bytes) {
  for (let left = bytes; left > 0; left -= block.length) {
    let done = 0;
    while (done < block.length) done += writeSync(1, block, done);
  }
}
