// The table of contents, in the order in which things are used. A command's own file is loaded when it runs.
import "./start.ts";
import "./watch.ts";
import "./decide.ts";
import "./control.ts";
import "./inspect.ts";
import "./sign.ts";
import "./author.ts";
