// Takes the last build away: a file that was moved since would be packed twice.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
