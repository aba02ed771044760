import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { NoSession } from "./app/no-session.tsx";
import { applyTheme } from "./app/theme.ts";
import { connect } from "./data/connection.ts";
import { openSession } from "./data/session.ts";
import { start } from "./data/store.ts";
import "./styles/index.css";

applyTheme();
const place = document.getElementById("root");
if (place) {
  const root = createRoot(place);
  const token = await openSession().catch(() => null);
  if (token === null) root.render(<NoSession />);
  else {
    start(token, connect);
    root.render(<App />);
  }
}
