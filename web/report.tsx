import { createRoot } from "react-dom/client";
import { stayAt } from "./app/router.tsx";
import { applyTheme } from "./app/theme.ts";
import { type Given, setGiven } from "./data/given.ts";
import { ReportPage } from "./screens/report/report-page.tsx";
import "./styles/index.css";

applyTheme();
const place = document.getElementById("root");
const written = document.getElementById("run")?.textContent ?? "null";
const given = JSON.parse(written) as Given | null;
if (place) {
  const root = createRoot(place);
  if (given === null) root.render(<p>This report holds no run.</p>);
  else {
    setGiven(given);
    stayAt("/");
    root.render(<ReportPage given={given} />);
  }
}
