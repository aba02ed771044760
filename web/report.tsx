import { createRoot } from "react-dom/client";
import { enableMemoryLocation } from "./app/router.tsx";
import { applyTheme } from "./app/theme.ts";
import { type ReportData, setReportData } from "./data/report-data.ts";
import { ReportPage } from "./screens/report/report-page.tsx";
import "./styles/index.css";

applyTheme();
const place = document.getElementById("root");
const runText = document.getElementById("run")?.textContent ?? "null";
const reportData = JSON.parse(runText) as ReportData | null;
if (place) {
  const root = createRoot(place);
  if (reportData === null) root.render(<p>This report contains no run.</p>);
  else {
    setReportData(reportData);
    enableMemoryLocation("/");
    root.render(<ReportPage given={reportData} />);
  }
}
