import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Release not found" };

export default function ReleaseNotFound() {
  return (
    <NotFoundPanel title="Release not found">
      <p>The list of releases shows all releases.</p>
    </NotFoundPanel>
  );
}
