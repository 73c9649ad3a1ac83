import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Release not found" };

export default function ReleaseNotFound() {
  return (
    <NotFoundPanel title="There is no such release">
      <p>Releases are numbered without gaps: the list shows all there are.</p>
    </NotFoundPanel>
  );
}
