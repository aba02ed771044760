// Registers all commands in the order that `--help` lists them. A command's module is loaded only when it runs.
import "./start.ts";
import "./watch.ts";
import "./decide.ts";
import "./control.ts";
import "./inspect.ts";
import "./sign.ts";
import "./author.ts";
