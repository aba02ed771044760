import type { InstallMachine } from "../../core/checks/cure/install-ways.ts";
import { isInstalled } from "../agents/agents.ts";

/** The machine that this program runs on. */
export const THIS_MACHINE: InstallMachine = { isRoot: process.getuid?.() === 0, isInstalled };
