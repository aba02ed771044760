import type { Route } from "../route.ts";
import { actions } from "./actions.ts";
import { home } from "./home.ts";
import { questions } from "./questions.ts";
import { runs } from "./runs.ts";
import { session } from "./session.ts";

/** The whole api. It is registered from here, described from here and attacked from here by the tests. */
export const ROUTES: readonly Route[] = [...session, ...home, ...runs, ...questions, ...actions];
